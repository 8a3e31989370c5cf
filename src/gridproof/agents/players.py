"""Players by name (`gp.player`): functions from a position to an action."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gridproof.agents.extension import Adviser, Heuristic, Player, Players, WinChances, part_of
from gridproof.agents.own_player import create_own_player, is_reference, options_of_reference
from gridproof.agents.solution_cache import SolutionCache, find_solution
from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.position import Action, Position
from gridproof.core.proposition import parse_goal
from gridproof.core.registry import resolve_game
from gridproof.core.representation import Representable
from gridproof.core.rng import Rng, check_seed
from gridproof.core.text.phrases import short_repr
from gridproof.search.simple_players import NO_ACTION, best_action

PlayerName = str | Callable[..., Any]
"""Name of a player, or a reference to the user's own: see `player`."""

WON = 1e6
"""Value of a win for a greedy player, above every heuristic."""


class NamedPlayer(Representable):
    """Player that every game has, by its name.

    Parameters
    ----------
    game : Game
    seed : int, optional
        Of a player that draws.
    """

    name = ""

    def __init__(self, game: Game, seed: int | None = None) -> None:
        self._options = "" if seed is None else f", seed {seed}"
        self._game_name = game.name

    def __str__(self) -> str:
        return f"the player {self.name} of {self._game_name}{self._options}"

    def _summary(self) -> str:
        return f"<Player {self.name} of {self._game_name}{self._options}>"


class RandomPlayer(NamedPlayer):
    """Player that draws an action at random."""

    name = "random"

    def __init__(self, game: Game, seed: int = 0) -> None:
        super().__init__(game, seed)
        self._rng = Rng(check_seed(seed))

    def __call__(self, position: Position[Any]) -> Action:
        actions = position.actions()
        if not actions:
            raise GridproofError(NO_ACTION)
        action: Action = self._rng.choice(actions)
        return action

    def values(self, position: Position[Any]) -> Mapping[Action, float]:
        actions = position.actions()
        return {action: 1 / len(actions) for action in actions}


class GreedyPlayer(NamedPlayer):
    """Player that looks one action ahead: its gain, and the heuristic of the position.

    The heuristic is the game's own (`Heuristic`), else the lower bound on the actions until `won`. Among equal actions it
    draws one: otherwise it would walk to and fro.
    """

    name = "greedy"

    def __init__(self, game: Game, seed: int = 0) -> None:
        super().__init__(game, seed)
        self._rng = Rng(check_seed(seed))
        self._keeps_score = game.policy.keeps_score
        bound = parse_goal(game, "won").lower_bound
        agents = part_of(game, Heuristic)
        self._heuristic = agents.heuristic if agents else None
        self._bound = None if self._keeps_score else bound

    def __call__(self, position: Position[Any]) -> Action:
        values = self.values(position)
        most = values[best_action(values)]
        action: Action = self._rng.choice([action for action, value in values.items() if value == most])
        return action

    def values(self, position: Position[Any]) -> Mapping[Action, float]:
        return {
            action: sum(
                float(outcome.probability) * (outcome.reward + self._worth(outcome.position))
                for outcome in position.outcomes(action)
            )
            for action in position.actions()
        }

    def _worth(self, position: Position[Any]) -> float:
        if position.won and not self._keeps_score:
            return WON
        if self._heuristic is not None:
            return self._heuristic(position)
        return -float(self._bound(position)) if self._bound else 0.0


class SolvingPlayer(NamedPlayer):
    """Player that follows a solution, and searches for another after bad luck.

    Without a solution in time it plays at random. A game that is too long to solve has an adviser instead (2048).
    """

    name = "solver"

    def __init__(self, game: Game, seed: int = 0) -> None:
        super().__init__(game, seed)
        self._random = RandomPlayer(game, seed)
        self._plan = SolutionCache()

    def __call__(self, position: Position[Any]) -> Action:
        chosen = self._next(position)
        return self._random(position) if chosen is None else chosen

    def values(self, position: Position[Any]) -> Mapping[Action, float]:
        chosen = self._next(position)
        return {action: float(action == chosen) for action in position.actions()}

    def _next(self, position: Position[Any]) -> Action | None:
        step = self._plan.step(position)
        if step is None and not position.won:
            solution = find_solution(position)
            if solution.trace is not None:
                self._plan.follow(solution.trace)
                step = self._plan.step(position)
        return step.action if step else None


class AdviserPlayer(NamedPlayer):
    """Player that maximises the known chance of a win, or follows the game's adviser."""

    name = "solver"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        found = adviser(game)
        if found is None:
            raise GridproofError(f"{game.name} has no adviser")
        self._adviser, self._chances = found, chances(game)

    def __call__(self, position: Position[Any]) -> Action:
        return best_action(self.values(position))

    def values(self, position: Position[Any]) -> Mapping[Action, float]:
        return self._chances(position) or self._adviser.values(position)


def adviser(game: Game) -> Player | None:
    """Return the adviser of a game that is too long to solve; None without one."""
    agents = part_of(game, Adviser)
    return agents.adviser if agents else None


def chances(game: Game) -> Callable[[Position[Any]], Mapping[Action, float] | None]:
    """Return the chance of a win after each action, in a game with an adviser; None if unknown."""
    agents = part_of(game, WinChances)
    return agents.win_chances if agents else lambda position: None


def players(game: str | Game) -> Mapping[str, Callable[..., Player]]:
    """Return the makers of a game's players, its own first."""
    found = resolve_game(game)
    solver: Callable[..., Player] = AdviserPlayer if adviser(found) else SolvingPlayer
    agents = part_of(found, Players)
    own = agents.players if agents else {}
    return {**own, "solver": solver, "random": RandomPlayer, "greedy": GreedyPlayer}


def options_of(game: Game, name: PlayerName) -> Sequence[str]:
    """Return the option names of a player."""
    if is_reference(name) or not isinstance(name, str):
        return options_of_reference(name)
    return list(inspect.signature(players(game)[name]).parameters)[1:]


def player(game: str | Game, name: PlayerName, **options: Any) -> Player:
    """Return a player of a game by name, or your own.

    Parameters
    ----------
    game : str or Game
    name : str or callable
        "random", "greedy", "solver", or one of the game's own, such as "snake" of 2048. Your own: a function of a
        position that returns an action or its text; "module:function"; "my.py:play"; a saved policy of
        Stable-Baselines3 ("ppo.zip") or torch ("net.pt"). A class is called with the game and the options first.
    **options
        Options of the player, such as `seed`.

    Returns
    -------
    Player
        `player(position)` is an action; `player.values(position)` gives a value to each.

    Raises
    ------
    GridproofError
        When there is no such game or player, or it has no such option. Your own player raises it when it fails, or
        chooses no action of the position.

    Examples
    --------
    >>> import gridproof as gp
    >>> play = gp.player("sokoban", "solver")
    >>> print(play(gp.level("sokoban/first-steps/1").start()))
    down
    >>> last = gp.player("sokoban", lambda position: position.actions()[-1])
    >>> print(last(gp.level("sokoban/first-steps/1").start()))
    right
    """
    found = resolve_game(game)
    makers = players(found)
    if is_reference(name) or callable(name):
        return create_own_player(found, name, options)
    if not isinstance(name, str) or name not in makers:
        raise GridproofError(f"{found.name} has no player {short_repr(name)}: it has {', '.join(makers)}")
    maker = makers[name]
    own = options_of(found, name)
    for option in options:
        if option not in own:
            raise GridproofError(
                f"the player {name} has no option {option!r}" + (f": it has {', '.join(own)}" if own else "")
            )
    return maker(found, **options)
