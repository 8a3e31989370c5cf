"""Demonstrations: games that a player plays in an environment, as transitions with targets to learn.

The solver follows a proved shortest solution where there is no chance, so that what it shows is optimal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import gymnasium
import numpy as np

from gridproof.agents.players import PlayerName, adviser, chances, options_of, player
from gridproof.agents.solution_cache import SolutionCache
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit, describe_limit
from gridproof.core.position import Level, Position
from gridproof.core.rng import derive
from gridproof.core.text.level_lookup import is_of_task
from gridproof.core.trace import Trace
from gridproof.envs.conversion import check_all_actors, environment_of, find_spec, joint_options
from gridproof.envs.game_batch import Array
from gridproof.envs.vector import GridVectorEnv
from gridproof.kernels.game import packing_of
from gridproof.search.solve import solve

SOLVER = "solver"
LIMIT = Limit(states=3_000_000)
"""Limit of the search for a shortest solution, without seconds: the same on every machine."""
OPTIONS: Mapping[str, Any] = {"reward": "win", "ends_at_win": True}
"""Options of the environments that are recorded."""


class Episode(NamedTuple):
    """A game of n actions on a level, with the position after the last action."""

    level: int
    """Number of the level, from 0."""
    seed: int
    """Seed of a session that is the same game."""
    observation: Array
    """(n + 1, ...)"""
    action_mask: Array
    """uint8 (n + 1, actions)"""
    action: Array
    """int64 (n,)"""
    reward: Array
    """float64 (n,)"""
    terminated: Array
    """bool (n,)"""
    truncated: Array
    """bool (n,)"""
    targets: Mapping[str, Array]
    """Columns "distance", int32 (n + 1,): the proved fewest actions to a win; "value", float64 (n + 1,): the exact chance of a
    win for the best player. Only what is known of all positions of the game."""


def shortest_solution(level: Level, limit: Limit = LIMIT) -> Trace:
    """Return a proved shortest solution of a level: the certificate of a level of a graded task, else by a search.

    Raises
    ------
    GridproofError
        When the level has no solution, or is won at the start, or the limit is reached before a solution is proved.
    """
    known: Trace | None = level.certificate if is_of_task(level) else None
    if known is not None:
        return known
    found = solve(level, limit=limit)
    if found.found is False:
        raise GridproofError("it has no solution" + (f": {found.reason}" if found.reason else ""))
    if not found.optimal or found.trace is None:
        raise GridproofError(f"no shortest solution was proved: {describe_limit(found.stopped_by)}")
    if not found.trace.steps:
        raise GridproofError("it is won at the start")
    return found.trace


def needs_solution(level: Level) -> bool:
    """Return whether the solver needs a solution of a level before it plays; not where an adviser plays (2048)."""
    return adviser(level.game) is None


def record_games(
    levels: Sequence[Level],
    name: PlayerName = SOLVER,
    games: int | None = None,
    seed: int = 0,
    observation: str = "symbols",
    solutions: Sequence[Trace] | None = None,
) -> list[Episode]:
    """Record games of a player in an environment with the reward `win`, which ends at a win.

    Parameters
    ----------
    levels : sequence of Level
        Of one environment.
    name : str or callable
        A player of `gridproof.player`.
    games : int, optional
        Number of games, which are played on the levels in turn. Default: one for each level.
    seed : int
        The same seed gives the same games, unless the player depends on the time.
    observation : str
        "symbols" or "planes".
    solutions : sequence of Trace, optional
        Proved shortest solutions of the levels, which the solver follows unless they need luck. Default: those of
        `shortest_solution`, if the game needs them.

    Returns
    -------
    list of Episode

    Raises
    ------
    GridproofError
        When a level has no proved solution, the levels cannot share an environment, it is for one of several actors, or there is no such player.

    Examples
    --------
    >>> import gridproof as gp
    >>> levels = gp.levels_at("sokoban/first-steps")[:2]
    >>> [(len(episode.action), episode.reward[-1]) for episode in record_games(levels)]
    [(3, np.float64(1.0)), (15, np.float64(1.0))]
    """
    count = len(levels) if games is None else games
    numbers = [number % len(levels) for number in range(count)]
    envs = environment_of_levels(levels, count, observation)
    player(levels[0].game, name)  # an unknown one is refused here
    known: Sequence[Trace | None] = [None] * len(levels)
    if name == SOLVER and needs_solution(levels[0]):
        known = solutions if solutions is not None else [shortest_solution(level) for level in levels]
    plays = [
        _Game(levels[level], name, known[level], derive(seed, number)) for number, level in enumerate(numbers)
    ]
    shown = envs.reset(seed=derive(seed, count) % 2**31, options={"level": np.array(numbers)})
    seeds = envs.games.seeds.tolist()
    columns = [*_play(envs, plays, shown)]
    envs.close()
    return [
        _episode(numbers[game], seeds[game], play, [column[:, game] for column in columns])
        for game, play in enumerate(plays)
    ]


def _episode(level: int, seed: int, play: _Game, columns: Sequence[Array]) -> Episode:
    """Return the episode of a game, whose columns of `_play` may go on after its end."""
    boards, masks, *steps = columns
    _, _, terminated, truncated = steps
    end = int(np.argmax(terminated | truncated)) + 1
    actions, rewards, terminated, truncated = (column[:end] for column in steps)
    targets = play.targets(end, rewards[-1] if terminated[-1] else None)
    seen = boards[: end + 1], masks[: end + 1]
    return Episode(level, seed, *seen, actions, rewards, terminated, truncated, targets)


def columns_of(episodes: Sequence[Episode]) -> dict[str, Array]:
    """Return the steps of episodes by column, a row for each: the columns of recordings, and the targets of all episodes.

    The board after the last step of an episode is in none of them.
    """
    lengths = [len(episode.action) for episode in episodes]
    heads = {
        "episode": np.arange(len(episodes)),
        "level": np.array([episode.level for episode in episodes]),
        "seed": np.array([episode.seed for episode in episodes], np.uint64),
    }
    found = {name: np.repeat(column, lengths) for name, column in heads.items()}
    found["step"] = np.concatenate([np.arange(length) for length in lengths])
    for name in ("action", "reward", "terminated", "truncated"):
        found[name] = np.concatenate([getattr(episode, name) for episode in episodes])
    for name in ("observation", "action_mask"):
        found[name] = np.concatenate([getattr(episode, name)[:-1] for episode in episodes])
    for name in ("distance", "value"):
        if all(name in episode.targets for episode in episodes):
            found[name] = np.concatenate([episode.targets[name][:-1] for episode in episodes])
    return found


def _play(
    envs: GridVectorEnv, plays: Sequence[_Game], shown: tuple[Array, Mapping[str, Any]]
) -> Iterator[Array]:
    """Play all games to their ends; yield boards and masks (steps + 1, games, ...), and the columns of steps (steps, games)."""
    boards, masks = [shown[0]], [shown[1]["action_mask"].view(np.uint8)]
    steps = list[tuple[Array, ...]]()
    numbers = [envs.games.action_numbers(level) for level in envs.games.level.tolist()]
    is_open = np.ones(len(plays), np.bool_)
    while is_open.any():
        actions = np.zeros(len(plays), np.int64)
        for number in np.flatnonzero(is_open).tolist():
            action = plays[number].choose(envs.games.position(number))
            actions[number] = numbers[number][str(action)]
        board, rewards, terminated, truncated, infos = envs.step(actions)
        steps.append((actions, rewards, terminated, truncated))
        boards.append(board)
        masks.append(infos["action_mask"].view(np.uint8))
        is_open &= ~(terminated | truncated)
    yield np.stack(boards)
    yield np.stack(masks)
    yield from (np.stack(column) for column in zip(*steps, strict=True))


def environment_of_levels(levels: Sequence[Level], count: int, observation: str) -> GridVectorEnv:
    """Return an environment of a data set; GridproofError when the levels cannot share one, or have several actors."""
    if observation == "text":
        raise GridproofError("data sets have observations of numbers: choose symbols or planes")
    game, spec = levels[0].game, find_spec(levels[0].game)
    options: dict[str, Any] = {"levels": levels, "observation": observation, "autoreset_mode": "Disabled"}
    made: Any = (
        GridVectorEnv(game, count, **options, **OPTIONS)
        if spec is None
        else gymnasium.make_vec(spec, count, **options, **OPTIONS, **joint_options(game)).unwrapped
    )
    check_all_actors(levels[0], made.games)
    return made  # type: ignore[no-any-return]  # Gymnasium's registry has no types


def largest_levels(levels: Sequence[Level], observation: str) -> tuple[Level, ...]:
    """Return the few levels that give an environment of all of them its shape; errors as of `environment_of_levels`."""
    environment_of_levels(levels, 1, observation).close()
    if joint_options(levels[0].game):
        games = [environment_of(level, observation, joint=True).games for level in levels]
        sizes = [(*one.shape, one.symbols, len(one.actions)) for one in games]
    else:
        packings = [found[1] for level in levels if (found := packing_of(level))]
        sizes = [(*one.observed, one.symbols) for one in packings]
    places = [max(range(len(sizes)), key=column.__getitem__) for column in zip(*sizes, strict=True)]
    return tuple(levels[place] for place in sorted({*places}))


class _Game:
    """The player of one game, and the targets of the positions that it has seen."""

    def __init__(self, level: Level, name: PlayerName, solution: Trace | None, seed: int) -> None:
        self._solution = None if solution is None or solution.needs_luck else solution
        self._plan = SolutionCache(self._solution)
        self._chances = chances(level.game) if name == SOLVER else None
        own = {} if self._solution or "seed" not in options_of(level.game, name) else {"seed": seed}
        self._player = player(level.game, name, **own)
        self._values = list[float | None]()

    def choose(self, position: Position[Any]) -> Any:
        """Return the next action, and note its target."""
        if self._chances:
            values = self._chances(position)
            self._values.append(max(values.values()) if values else None)
        step = self._plan.step(position)
        return step.action if step else self._player(position)

    def targets(self, actions: int, last: float | None) -> Mapping[str, Array]:
        """Return what is known of all positions of the game, from the number of actions, and the last reward if it ended."""
        if self._solution:
            distance = len(self._solution.steps) - np.arange(actions + 1, dtype=np.int32)
            return {"distance": distance, "value": np.ones(actions + 1)}
        if last is None or not self._values or None in self._values:
            return {}
        return {"value": np.array([*self._values, last > 0], np.float64)}
