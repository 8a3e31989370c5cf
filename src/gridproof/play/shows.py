"""Games that play themselves, to be watched: by general players, or by shows of the game's own.

A game may name a module with `SHOWS` (`Game.shows`): it knows best who acts in it, and when.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.position import Action, Level, Outcome, Position
from gridproof.play.inputs import check_options
from gridproof.play.plan import Plan, find_way
from gridproof.search.players import RandomPlayer, played_by

Show = Callable[[Level, int], Iterator[tuple[Action, Outcome[Any]]]]
"""What happens on a level with a seed: each action with its outcome."""


class Race(Protocol):
    """A game in which actors play against each other, each by a strategy of its own."""

    @property
    def requests(self) -> int:
        """How many requests have been served so far."""

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has won."""

    def steps(self) -> Iterator[tuple[Action, Outcome[Any]]]:
        """Go on to the end, and give each action with its outcome."""

    def report(self) -> Mapping[str, Any]:
        """What there is to tell besides, as JSON has it."""


class Partner(Protocol):
    """Who plays for one actor, in a game in which others are played by hand."""

    def act(self, position: Position[Any], done: Sequence[Outcome[Any]], /) -> Action | None:
        """Its next action; None to pass its turn.

        Parameters
        ----------
        done : outcomes
            What has been done since it was asked last, by whomever.
        """


class Solver:
    """Follows the level's certificate or a solution, and solves again when chance leads elsewhere."""

    def __init__(self, level: Level) -> None:
        self._plan = Plan(level.certificate)

    def __call__(self, position: Position[Any]) -> Action:
        step = self._plan.step(position)
        if step is None:
            solution = find_way(position)
            if solution.trace is None:
                known = "it cannot be won" if solution.found is False else "no solution was found in time"
                raise GridproofError(f"{known}: another player may show something")
            self._plan.follow(solution.trace)
            step = solution.trace.steps[0]
        return step.action


def _solved(level: Level, seed: int) -> Iterator[tuple[Action, Outcome[Any]]]:
    """The solver's game: it ends with the win, also where one may go on (T11)."""
    if level.start(seed).won:
        return
    for action, outcome in played_by(Solver(level), level, seed):
        yield action, outcome
        if outcome.position.won:
            return


GENERAL: Mapping[str, Show] = {
    "solver": _solved,
    "random": lambda level, seed: played_by(RandomPlayer(seed), level, seed),
}
"""What every game can be watched in."""


def shows(game: Game) -> Mapping[str, Show]:
    """All that can be watched of a game by name, what suits it best first."""
    named = importlib.import_module(game.shows).SHOWS if game.shows else {}
    return {**named, **GENERAL}


def adviser(game: Game) -> Callable[[Position[Any]], Action] | None:
    """Who knows what to do in a position of a game that is too long to be solved; None where it has nobody."""
    return getattr(importlib.import_module(game.shows), "ADVISER", None) if game.shows else None


def chances(game: Game) -> Callable[[Position[Any]], Mapping[Action, float] | None]:
    """How likely each action of a position leads to a win, in a game with an adviser; None where nobody knows."""
    module = importlib.import_module(game.shows) if game.shows else None
    found: Callable[[Position[Any]], Mapping[Action, float] | None] = getattr(
        module, "CHANCES", lambda position: None
    )
    return found


def partners(game: Game) -> Mapping[str, Callable[[Level, str, int], Partner]]:
    """Who can play for one of several actors, by name: what makes one on a level, for an actor, with a seed."""
    named = getattr(importlib.import_module(game.shows), "PARTNERS", {}) if game.shows else {}
    return dict(named)


def show_named(game: Game, name: str | None) -> Show:
    """One of them; without a name the first.

    Raises
    ------
    GridproofError
        When there is none of that name.
    """
    known = shows(game)
    if name is None:
        return next(iter(known.values()))
    if name not in known:
        raise GridproofError(f"{game.name} has no player {name!r}: it has {', '.join(known)}")
    return known[name]


def race_of(level: Level, seed: int, options: Mapping[str, Any]) -> Race:
    """A race on a level, with options of the game's own.

    Raises
    ------
    GridproofError
        When the game has no races, or they have no such options.
    """
    make = level.game.added("watch")
    if make is None:
        raise GridproofError(f"{level.game.name} has no races")
    check_options(make, options, "a race")
    race: Race = make(level, seed, **options)
    return race
