"""Which pieces and players a level needs: it is solved without each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gridproof.core.game import Measure, Without
from gridproof.core.position import NATURE, Level
from gridproof.core.trace import Trace
from gridproof.play.analysis.budget import Budget
from gridproof.search.actors import Actors
from gridproof.search.solution import Solution
from gridproof.search.solve import solve

NEEDED, SHORTER, SPARE, DEARER, UNKNOWN = (
    "needed",
    "cheaper without it",
    "not needed",
    "not needed, but dearer without it",
    "not known",
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A level without one of its pieces, or with one of its players doing nothing."""

    name: str
    """Which piece is gone, in words: "the box at (2, 1)"."""
    place: tuple[int, int] | None
    """Where it stands on the board of the game's look."""
    levels: tuple[Level, ...]
    """The level without it; several where it can be taken away in several ways."""
    found: bool | None
    """Whether one of these can be won: True, False (proved impossible) or None (not known)."""
    cost: int | None
    """The fewest found, by the analysis' measure."""
    trace: Trace | None
    optimal: bool
    """Whether `cost` is proved the least, or that there is none."""
    actors: tuple[str, ...] | None = None
    """Who acts, where a player is left out."""

    def verdict(self, cost: int | None) -> str:
        """What that says of the piece, given the level's own least cost (None: not known)."""
        if self.found is False:
            return NEEDED
        if self.cost is None or cost is None:
            return UNKNOWN if self.found is None else SPARE
        if self.cost < cost:
            return SHORTER
        if not self.optimal:
            return SPARE
        return SPARE if self.cost == cost else DEARER


def pieces_of(level: Level, measure: Measure, budget: Budget) -> tuple[Piece, ...]:
    """All that can be taken away, each tried; those for which no time is left are not known."""
    return (*_without_players(level, measure, budget), *_without_pieces(level, measure, budget))


def _without_pieces(level: Level, measure: Measure, budget: Budget) -> Iterator[Piece]:
    for item in level.game.without(level):
        yield _judged(item, [_tried(one, measure, budget) for one in item.levels])


def _without_players(level: Level, measure: Measure, budget: Budget) -> Iterator[Piece]:
    """The level with each of several players doing nothing."""
    players = [actor for actor in level.game.actors(level) if actor != NATURE]
    for idle in players if len(players) > 1 else ():
        others = tuple(actor for actor in players if actor != idle)
        found = _tried(level, measure, budget, others)
        yield _judged(Without(f"{idle}, who does nothing", (level,)), [found], others)


def _tried(level: Level, measure: Measure, budget: Budget, actors: Actors = None) -> Solution | None:
    if budget.used_up:
        return None
    return budget.paid(solve(level, measure.name, actors=actors, limit=budget.left))


def _judged(item: Without, solutions: list[Solution | None], actors: tuple[str, ...] | None = None) -> Piece:
    tried = [solution for solution in solutions if solution is not None]
    won = [solution for solution in tried if solution.found]
    best = min(won, key=lambda solution: solution.cost or 0, default=None)
    settled = len(tried) == len(solutions) and all(one.found is False or one.optimal for one in tried)
    return Piece(
        item.piece,
        item.place,
        item.levels,
        True if best else False if settled else None,
        best.cost if best else None,
        best.trace if best else None,
        settled,
        actors,
    )
