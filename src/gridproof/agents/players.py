"""`gp.player`: who plays a game, by name, as a function from a position to an action."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.position import Action, Position
from gridproof.core.proposition import goal
from gridproof.core.registry import game_meant
from gridproof.core.rng import Rng, check_seed
from gridproof.core.wording import shown
from gridproof.play.plan import Plan, find_way
from gridproof.play.shows import adviser, chances
from gridproof.search.players import Expectimax

WON = 1e6
"""What a win is worth to a greedy player, above everything that it may see at a glance."""


class Player(Protocol):
    """Plays a game."""

    def __call__(self, position: Position[Any]) -> Action:
        """One of the position's actions, of which there is at least one."""

    def values(self, position: Position[Any]) -> Mapping[Action, float]:
        """How much it likes each action; only comparisons count."""


class Random:
    """Likes all actions alike, and draws one.

    Parameters
    ----------
    seed : int
        The same choices again.
    """

    def __init__(self, game: Game, seed: int = 0) -> None:
        self._rng = Rng(check_seed(seed))

    def __call__(self, position: Position[Any]) -> Action:
        action: Action = self._rng.choice(position.actions())
        return action

    def values(self, position: Position[Any]) -> Mapping[Action, float]:
        return dict.fromkeys(position.actions(), 1 / len(position.actions()))


class Greedy:
    """Looks one action ahead: what it gains, and how the position looks then; of the best it draws one.

    That a position looks good means what the game says of that (`Game.appraise`), or that few actions are left at
    least (a lower bound of `won`).

    Parameters
    ----------
    seed : int
        Draws among actions that it likes alike: without that it would walk to and fro.
    """

    def __init__(self, game: Game, seed: int = 0) -> None:
        self._rng = Rng(check_seed(seed))
        self._keeps_score = game.policy.keeps_score
        bound = goal(game, "won").lower_bound
        self._appraise = game.appraise
        self._bound = None if self._keeps_score else bound

    def __call__(self, position: Position[Any]) -> Action:
        values = self.values(position)
        most = max(values.values())
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
        if self._appraise is not None:
            return self._appraise(position)
        return -float(self._bound(position)) if self._bound else 0.0


class Solver:
    """Follows a way that it finds to the win, and looks for another when chance leads elsewhere.

    Where there is none, or none is found in time, it does what a random player would. A game that is too long to be
    solved is played by its adviser instead (2048), on small boards for the win.

    Parameters
    ----------
    seed : int
        Decides what is done without a way.
    """

    def __init__(self, game: Game, seed: int = 0) -> None:
        self._without = Random(game, seed)
        self._plan = Plan()

    def __call__(self, position: Position[Any]) -> Action:
        chosen = self._next(position)
        return self._without(position) if chosen is None else chosen

    def values(self, position: Position[Any]) -> Mapping[Action, float]:
        chosen = self._next(position)
        return {action: float(action == chosen) for action in position.actions()}

    def _next(self, position: Position[Any]) -> Action | None:
        step = self._plan.step(position)
        if step is None and not position.won:
            solution = find_way(position)
            if solution.trace is not None:
                self._plan.follow(solution.trace)
                step = self._plan.step(position)
        return step.action if step else None


class Advised:
    """Plays for the win where the game knows how likely each action leads to it, else as the game's adviser does."""

    def __init__(self, game: Game) -> None:
        found = adviser(game)
        if not isinstance(found, Expectimax):
            raise GridproofError(f"{game.name} has nobody who advises")
        self._adviser, self._chances = found, chances(game)

    def __call__(self, position: Position[Any]) -> Action:
        values = self.values(position)
        best: Action = max(values, key=values.__getitem__)
        return best

    def values(self, position: Position[Any]) -> Mapping[Action, float]:
        return self._chances(position) or self._adviser.values(position)


def players(game: str | Game) -> Mapping[str, Callable[..., Player]]:
    """What makes the players of a game, by name."""
    found = game_meant(game)
    solver: Callable[..., Player] = Advised if adviser(found) else Solver
    return {"random": Random, "greedy": Greedy, "solver": solver}


def player(game: str | Game, name: str, **options: Any) -> Player:
    """A player of a game by name.

    Parameters
    ----------
    game : str or Game
    name : str
        "random", "greedy" or "solver".
    **options
        The player's own, such as `seed`.

    Returns
    -------
    Player
        `player(position)` is an action; `player.values(position)` says how much it likes each.

    Raises
    ------
    GridproofError
        When there is no such game or player, or it has no such option.
    """
    found = game_meant(game)
    known = players(found)
    if not isinstance(name, str) or name not in known:
        raise GridproofError(f"{found.name} has no player {shown(name)}: it has {', '.join(known)}")
    maker = known[name]
    own = list(inspect.signature(maker).parameters)[1:]
    for option in options:
        if option not in own:
            raise GridproofError(
                f"the player {name} has no option {option!r}" + (f": it has {', '.join(own)}" if own else "")
            )
    return maker(found, **options)
