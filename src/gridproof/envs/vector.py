"""Many games as a Gymnasium vector environment, stepped by one compiled call a thread."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.position import Level, Position
from gridproof.core.registry import resolve_game
from gridproof.core.text.phrases import short_repr
from gridproof.envs import step_kernel
from gridproof.envs.curriculum import Sampler
from gridproof.envs.game_batch import Array, Games, StepArrays
from gridproof.envs.levels import Source, levels_of
from gridproof.envs.renderer import MODES, check_mode, render_position
from gridproof.envs.rewards import Reward, find_reward
from gridproof.envs.state import StatefulEnv
from gridproof.kernels.chance import below
from gridproof.kernels.compile import borrowing

_MODES = {
    AutoresetMode.NEXT_STEP: step_kernel.NEXT_STEP,
    AutoresetMode.SAME_STEP: step_kernel.SAME_STEP,
    AutoresetMode.DISABLED: step_kernel.DISABLED,
}


class GridVectorEnv(StatefulEnv, gymnasium.vector.VectorEnv[Any, Any, Any]):
    """A batch of games; game number i equals a `GridEnv` with the seed of `reset` plus i.

    Parameters
    ----------
    game : str or Game
    num_envs : int
    levels : source of levels
        A `gridproof.envs.levels.Source`; by default the levels of the game's first pack that can share an environment
        with its first.
    redraw : bool
        True if each episode draws one of the levels; else only the first episode of a seed draws one.
    observation : str
        "symbols", "planes" or "text", as in `gridproof.envs.observation.Observer`.
    mask_in_observation : bool
        True if an observation is {"observation": ..., "action_mask": ...}.
    reward : str or Reward, optional
        A reward of `gridproof.envs.rewards`; by default "score" if the game keeps one, else "win".
    ends_at_win : bool
        True if a win ends an episode even if the game could go on (2048).
    max_episode_steps : int, optional
        Steps after which an episode is truncated.
    autoreset_mode : AutoresetMode or str
        Gymnasium's NEXT_STEP, SAME_STEP or DISABLED.
    render_mode : str, optional
        "ansi", "rgb_array" or "human".

    Raises
    ------
    GridproofError
        When the game, the levels, or an option is invalid.
    """

    def __init__(  # noqa: PLR0913  # the public options of environments
        self,
        game: str | Game,
        num_envs: int = 1,
        levels: Source = None,
        *,
        redraw: bool = True,
        observation: str = "symbols",
        mask_in_observation: bool = False,
        reward: str | Reward | None = None,
        ends_at_win: bool = False,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
    ) -> None:
        found = resolve_game(game)
        mode = _mode_of(autoreset_mode)
        self.games = self._games(
            self._first_levels(levels_of(found)) if levels is None else levels_of(found, levels),
            check_count("num_envs", num_envs),
            find_reward(found, reward),
            0 if max_episode_steps is None else check_count("max_episode_steps", max_episode_steps),
            _MODES[mode],
            bool(redraw),
            bool(ends_at_win),
        )
        self.observer = self._observer(observation, mask_in_observation)
        self.num_envs, self.render_mode = num_envs, check_mode(render_mode)
        self.metadata = {"render_modes": list(MODES), "render_fps": 5, "autoreset_mode": mode}
        self.single_observation_space = self.observer.space
        self.single_action_space = spaces.Discrete(len(self.games.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._output: Array | None = None
        self._sampler: Sampler | None = None

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin the next episodes.

        Parameters
        ----------
        seed : int or sequence of int, optional
            A whole number s means s, s + 1, ..., one for each game, as in Gymnasium; None continues. Games that do not
            begin keep their seeds.
        options : dict, optional
            "level": the number of this episode's level, or int (num_envs,). "position": a position of one of the
            levels, where the episode begins, or one for each game. "reset_mask": bool (num_envs,), the games to
            begin; by default all. Infos are valid for these games alone.

        Raises
        ------
        GridproofError
            When an option is invalid, or the environment is closed.
        """
        marked, chosen = self._parse_options(options or {})
        with self.games.lock:
            self.games.check_begin(marked)
            self._seed(seed, marked)
            chosen.enter(self.games, marked)
            symbols, masks = self.games.observe()
            illegal, won = np.zeros((2, self.num_envs), np.bool_)
            return self._observe(symbols, masks), self._infos(masks, illegal, won, self.games.level, marked)

    def _seed(self, seed: int | Sequence[int | None] | None, marked: Array) -> None:
        if seed is None and self._seeded:
            return
        if seed is None:
            seed = int(self._generator().integers(2**31))
        if isinstance(seed, int | np.integer):
            super().reset(seed=int(seed))
            seed = [int(seed) + number for number in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise GridproofError(f"{len(seed)} seeds are given for {self.num_envs} games")
        for number in map(int, np.flatnonzero(marked)):
            if (one := seed[number]) is not None:
                self.games.key(number, draw_key(seeding.np_random(int(one))[0]))
            elif not self._seeded:  # there is no seed to continue
                self.games.key(number, draw_key(self._generator()))
        self.games.choices[0] = draw_key(self._generator())
        self._seeded = True

    def _parse_options(self, options: dict[str, Any]) -> tuple[Array, EpisodeStart]:
        marked = np.array(options["reset_mask"]) if "reset_mask" in options else self.games.all_games
        if marked.shape != (self.num_envs,) or marked.dtype != np.bool_:
            raise GridproofError(f"reset_mask: bool ({self.num_envs},) is needed")
        return marked, EpisodeStart.of(options, self.games, "reset_mask")

    def step(self, actions: Any) -> tuple[Any, Array, Array, Array, dict[str, Any]]:
        """Do an action in each game; an illegal one changes nothing but sets infos["illegal"].

        Raises
        ------
        GridproofError
            When the actions are not numbers of actions of shape (num_envs,): then no game changes. When the environment
            is closed.
        """
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise GridproofError(
                f"actions: whole numbers ({self.num_envs},) are needed, not {short_repr(actions)}"
            )
        with self.games.lock:
            done = self.games.step(np.ascontiguousarray(actions, np.int64))
            infos = self._infos(done.masks, done.illegal, done.won, done.levels, self.games.all_games)
            same_step = self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
            if same_step or self._sampler is not None:
                over = np.flatnonzero(done.terminated | done.truncated)
                if len(over):
                    levels = self._add_finals(infos, over, done) if same_step else done.levels[over]
                    self._plan_levels(over, levels, done.won[over])
            if self.render_mode == "human":
                self.render()
            seen = self._observe(done.symbols, done.masks)
        return seen, done.rewards, done.terminated, done.truncated, infos

    def _observe(self, symbols: Array, masks: Array) -> Any:
        positions = lambda: map(self.position, range(self.num_envs))  # noqa: E731  # texts alone need them
        return self.observer.observe_batch(symbols, masks, positions, self._output)

    def set_output(self, buffer: Any) -> None:
        """Write all further observations of `reset` and `step` into the user's buffer, which they return.

        Parameters
        ----------
        buffer : array
            In the shape of `observation_space`, without the mask; contiguous. An array of numpy, a tensor of torch, or
            another object with DLPack in the processor's memory. uint8; planes may also be float16 or float32. None
            ends this: then each step returns a new array.

        Raises
        ------
        GridproofError
            When the buffer does not fit, or observations are texts.

        Examples
        --------
        >>> import gymnasium, gridproof.envs, numpy as np
        >>> envs = gymnasium.make_vec("gridproof/Twenty48-v0", 2, observation="planes")
        >>> buffer = np.zeros((2, 17, 4, 4), np.float16)
        >>> envs.set_output(buffer)
        >>> observations, _ = envs.reset(seed=1)
        >>> observations is buffer, buffer.sum()
        (True, np.float16(32.0))
        """
        self._output = None if buffer is None else self.observer.check_output(buffer, self.num_envs)

    def _infos(
        self, masks: Array, illegal: Array, won: Array, levels: Array, marked: Array
    ) -> dict[str, Any]:
        return {
            "action_mask": masks.view(np.int8),
            "illegal": illegal,
            "won": won,
            "level": levels,
            "_action_mask": marked,  # written out: each step of all games makes this dictionary
            "_illegal": marked,
            "_won": marked,
            "_level": marked,
        }

    def set_sampler(self, sampler: Sampler | None) -> None:
        """Let a sampler, such as `gridproof.envs.Curriculum`, choose the level of each episode that begins from now on.

        It learns from each episode that ends. It is no part of the environment's state. None ends this.

        Raises
        ------
        GridproofError
            When it is no sampler, or draws other levels than those of the environment. With the autoreset mode DISABLED,
            in which the option "level" of `reset` chooses.
        """
        if not (sampler is None or isinstance(sampler, Sampler)):
            raise GridproofError(
                f"a sampler has the methods draw and record, which {short_repr(sampler)} has not"
            )
        if self.metadata["autoreset_mode"] is AutoresetMode.DISABLED:
            raise GridproofError("a sampler needs an autoreset mode: choose NextStep or SameStep")
        with self.games.lock:
            self._sampler = sampler
            every = np.arange(self.num_envs)
            self.games.plan_levels(every, -1 if sampler is None else self._draw_levels(sampler, every))

    def _plan_levels(self, over: Array, levels: Array, won: Array) -> None:
        """Let the sampler learn from episodes that have ended, and choose the next levels of their games."""
        if self._sampler is not None:
            self._sampler.record(levels, won)
            self.games.plan_levels(over, self._draw_levels(self._sampler, over))

    def _draw_levels(self, sampler: Sampler, over: Array) -> Array:
        found = np.asarray(sampler.draw(len(over)))
        if (
            found.shape != over.shape
            or found.dtype.kind not in "iu"
            or not is_in(found, len(self.games.levels))
        ):
            raise GridproofError(
                f"the sampler must draw {len(over)} numbers from 0 to {len(self.games.levels) - 1}, not {short_repr(found)}"
            )
        return found

    def _add_finals(self, infos: dict[str, Any], over: Array, done: StepArrays) -> Array:
        """Add the last observations of games that were reset in this step, and return their levels before."""
        illegal, won = done.illegal, done.won
        symbols, masks, levels = self.games.observe_ends(over)
        seen = self.observer.observe_batch(
            symbols, masks, lambda: map(self.games.position_at_end, map(int, over))
        )
        final_obs = np.full(self.num_envs, None, object)
        for place, number in enumerate(over):
            final_obs[number] = self.observer.select(seen, place)
        ended = np.zeros(self.num_envs, np.bool_)
        ended[over] = True
        final_masks = np.zeros_like(infos["action_mask"])
        final_masks[over] = masks.view(np.int8)
        final_level = np.zeros(self.num_envs, np.int64)
        final_level[over] = levels
        finals = {
            "action_mask": final_masks,
            "illegal": illegal & ended,
            "won": won & ended,
            "level": final_level,
        }
        infos["illegal"], infos["won"] = illegal & ~ended, won & ~ended  # of the games that go on
        infos["final_obs"], infos["_final_obs"] = final_obs, ended
        infos["final_info"] = {**finals, **{f"_{name}": ended for name in finals}}
        infos["_final_info"] = ended
        return levels

    def action_masks(self) -> Array:
        """Which actions are executable now, bool (num_envs, actions)."""
        with self.games.lock:
            found: Array = self.games.masks.astype(np.bool_)
        return found

    def sample_legal(self) -> Array:
        """Draw an executable action for each game, uniformly, int64 (num_envs,); 0 without any.

        This takes nanoseconds a game. The seed of `reset`, a whole number, decides these choices, too.
        """
        chosen = np.empty(self.num_envs, np.int64)
        with self.games.lock:
            choose(self.games.masks, self.games.choices, chosen)
        return chosen

    def position(self, number: int) -> Position[Any]:
        """Return the position of a game."""
        with self.games.lock:
            return self.games.position(number)

    def render(self) -> tuple[Any, ...] | None:
        """Return every game in the render mode; None for "human" and without a mode."""
        with self.games.lock:
            positions = [self.games.position(number) for number in range(self.num_envs)]
        frames = tuple(render_position(position, self.render_mode) for position in positions)
        return frames if self.render_mode in ("ansi", "rgb_array") else None

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads; later resets and steps raise."""
        with self.games.lock:
            self.games.close()


def _mode_of(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        modes = ", ".join(one.value for one in AutoresetMode)
        raise GridproofError(f"no autoreset mode {short_repr(mode)}: there are {modes}") from None


def draw_key(random: np.random.Generator) -> int:
    """Draw the key of a game's episodes from Gymnasium's generator."""
    return int(random.integers(2**64, dtype=np.uint64))


class LevelList(Protocol):
    """Levels of the games of an environment, such as `Games`."""

    levels: list[Level]
    count: int
    """Number of games."""

    def level_of(self, position: Position[Any]) -> int:
        """Return the number of a position's level; GridproofError when no game can continue from the position."""


class EpisodeStart(NamedTuple):
    """Level or position where the episode of each game starts."""

    levels: Array | None
    positions: Sequence[Position[Any]]
    """Positions for all games, or ()."""

    @classmethod
    def of(cls, options: dict[str, Any], games: LevelList, *others: str) -> EpisodeStart:
        """Parse the options of `reset`; ignore `others`.

        GridproofError for an unknown option, level or position, and for both level and position.
        """
        names = ("level", "position", *others)
        if strange := options.keys() - set(names):
            raise GridproofError(
                f"no option {sorted(strange)[0]!r} of reset: there are {', '.join(names[:-1])} and {names[-1]}"
            )
        position = options.get("position")
        if position is None:
            return cls(parse_level(options.get("level"), len(games.levels), games.count), ())
        if options.get("level") is not None:
            raise GridproofError("a position says its level: leave out the option level")
        one = isinstance(position, Position | str) or not isinstance(position, Sequence)
        positions = (position,) * games.count if one else tuple(position)
        if len(positions) != games.count:
            raise GridproofError(f"{len(positions)} positions are given for {games.count} games")
        return cls(np.array([games.level_of(item) for item in positions], np.int64), positions)

    def enter(self, games: Games, marked: Array) -> None:
        """Begin the next episode of each marked game."""
        games.enter(marked, self.levels)
        if self.positions:
            for number in map(int, np.flatnonzero(marked)):
                games.place(number, self.positions[number])
            games.update_observations()


def parse_level(level: Any, count: int, games: int) -> Array | None:
    """Parse the option "level" of `reset` for each game; GridproofError for an unknown level."""
    if level is None:
        return None
    found = np.asarray(level)
    if found.dtype.kind not in "iu" or found.shape not in ((), (games,)):
        raise GridproofError(f"level {short_repr(level)}: must be a whole number, or one for each game")
    if not is_in(found, count):
        raise GridproofError(f"level {short_repr(level)}: use 0 to {count - 1}")
    return np.broadcast_to(found, (games,)).astype(np.int64)


def is_in(numbers: Array, count: int) -> bool:
    """Return whether all numbers are from 0 to `count` - 1."""
    return bool((numbers >= 0).all() and (numbers < count).all())


def check_action(action: Any, actions: int) -> int:
    """Return the number of an action as int; GridproofError when it is invalid.

    Arrays without dimensions are valid, too.
    """
    try:
        number = operator.index(action)
    except TypeError:
        raise GridproofError(f"an action is a whole number, not {short_repr(action)}") from None
    if not 0 <= number < actions:
        raise GridproofError(f"no action {short_repr(number)}: use 0 to {actions - 1}")
    return number


def check_count(name: str, number: Any) -> int:
    """Return a number of things as int; GridproofError when it is invalid."""
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < 1:
        raise GridproofError(f"{name} is a whole number, at least 1, not {short_repr(number)}")
    return int(number)


U = np.uint64


@borrowing
def choose(masks: Any, random: Any, out: Any) -> None:
    """Draw an action that the mask allows for each game, uniformly; 0 without any.

    There is no branch on a mask, which the processor could not predict.
    """
    actions = U(masks.shape[1])
    for game in range(U(masks.shape[0])):
        count = 0
        for action in range(actions):
            count += masks[game, action]
        left, chosen = below(random, max(count, 1)), 0
        for action in range(actions):
            left -= masks[game, action]
            chosen += left >= 0  # the draw lies further on
        out[game] = chosen if count else 0
