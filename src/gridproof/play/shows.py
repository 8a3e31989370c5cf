"""Games that play themselves, to be watched: by players that choose, or as a game of its own way.

A game may name a module with `SHOWS` (`Game.shows`): it knows best who acts in it, and when.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.limit import Limit
from gridproof.core.position import Action, Level, Outcome, Position
from gridproof.core.trace import Trace
from gridproof.search.players import RandomPlayer, played_by

Show = Callable[[Level, int], Iterator[tuple[Action, Outcome[Any]]]]
"""What happens on a level with a seed: each action with its outcome."""

PATIENCE = Limit(seconds=20)
"""How long the solver thinks before the first action, and whenever chance went another way."""


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


class Solver:
    """Follows the level's certificate or a cheapest solution, and looks for another when chance goes its own way."""

    def __init__(self, level: Level) -> None:
        self._plan: dict[Position[Any], Action] = {}
        if level.certificate is not None:
            self._follow(level.certificate)

    def __call__(self, position: Position[Any]) -> Action:
        if position not in self._plan:
            self._look_for(position)
        return self._plan[position]

    def _look_for(self, position: Position[Any]) -> None:
        from gridproof.search.solve import solve

        solution = solve(position, limit=PATIENCE)
        if solution.trace is None:
            known = "it cannot be won" if solution.found is False else "no solution was found in time"
            raise GridproofError(f"{known}: another player may show something")
        self._follow(solution.trace)

    def _follow(self, trace: Trace) -> None:
        self._plan.update(zip(trace.positions(), trace.actions, strict=False))


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
