"""Games that play themselves, to be watched: by players that choose, or as a game of its own way.

A game may name a module with `SHOWS` (`Game.shows`): it knows best who acts in it, and when.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.game import Action, Game, Level, Outcome, Position
from gridproof.core.limit import Limit
from gridproof.core.rng import Rng
from gridproof.play.players import Expectimax, Player, RandomPlayer, cornered

Show = Callable[[Level, int], Iterator[tuple[Action, Outcome[Any]]]]
"""What happens on a level with a seed: each action with its outcome."""

PATIENCE = Limit(seconds=20)
"""How long the solver thinks before the first action, and whenever chance went another way."""


class Solver:
    """Follows a cheapest solution, and looks for another when chance goes its own way."""

    def __init__(self) -> None:
        self._plan: dict[Position[Any], Action] = {}

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
        positions = solution.trace.positions()
        self._plan.update(zip(positions, solution.trace.actions, strict=False))


def played_by(player: Player, level: Level, seed: int) -> Iterator[tuple[Action, Outcome[Any]]]:
    """A game by one player, with the chance that a session of this seed has."""
    position, number = level.start(seed), 0
    while not position.ended:
        number += 1
        action = player(position)
        outcome = position.step(action, Rng(seed, number))
        yield action, outcome
        position = outcome.position


GENERAL: Mapping[str, Show] = {
    "solver": lambda level, seed: played_by(Solver(), level, seed),
    "random": lambda level, seed: played_by(RandomPlayer(seed), level, seed),
}
"""What every game can be watched in."""

_OWN: Mapping[str, Mapping[str, Show]] = {
    "twenty48": {"snake": lambda level, seed: played_by(Expectimax(cornered, 2), level, seed)},
}


def shows(game: Game) -> Mapping[str, Show]:
    """All that can be watched of a game by name, what suits it best first."""
    named = importlib.import_module(game.shows).SHOWS if game.shows else {}
    return {**named, **_OWN.get(game.name, {}), **GENERAL}


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
