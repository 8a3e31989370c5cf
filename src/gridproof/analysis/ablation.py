"""Needed pieces and players of a level: it is solved without each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gridproof.analysis.design import ablations
from gridproof.core.design import Ablation
from gridproof.core.game import Measure
from gridproof.core.limit import Budget
from gridproof.core.position import NATURE, Level
from gridproof.core.trace import Trace
from gridproof.search.actors import Actors
from gridproof.search.solution import Solution
from gridproof.search.solve import solve

NEEDED, SHORTER, SPARE, DEARER, UNKNOWN = (
    "needed",
    "cheaper",
    "not needed",
    "not needed, but costlier",
    "not known within the limit",
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A level without one of its pieces, or with one of its players doing nothing."""

    name: str
    """The missing piece in words: "the box at (2, 1)"."""
    place: tuple[int, int] | None
    """Its place on the board of the game's look."""
    levels: tuple[Level, ...]
    """The level without it; several if there are several ways to remove it."""
    found: bool | None
    """True if one of these can be won, False if that is proved impossible, None if not known."""
    cost: int | None
    """The least cost found, by the analysis' measure."""
    trace: Trace | None
    optimal: bool
    """True if `cost` is proved the least, or that there is none."""
    actors: tuple[str, ...] | None = None
    """The actors, if a player is left out."""
    noun: str = ""
    """The missing piece without its place: "the box"; "" if its name says no place."""
    condition: str = "without {}"
    """The level without it in words, as of `Ablation`."""

    def verdict(self, cost: int | None) -> str:
        """Return the verdict on the piece, given the level's own least cost (None: not known)."""
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
    """Solve a level without each piece and player; the answer is not known where no time is left."""
    pieces = (
        _to_piece(item, [_solve_without(one, measure, budget) for one in item.levels])
        for item in ablations(level)
    )
    return (*_without_players(level, measure, budget), *pieces)


def _without_players(level: Level, measure: Measure, budget: Budget) -> Iterator[Piece]:
    """Yield the level with each of several players doing nothing."""
    players = [actor for actor in level.game.actors(level) if actor != NATURE]
    for idle in players if len(players) > 1 else ():
        others = tuple(actor for actor in players if actor != idle)
        found = _solve_without(level, measure, budget, others)
        yield _to_piece(Ablation(f"{idle}, who does nothing", (level,)), [found], others)


def _solve_without(level: Level, measure: Measure, budget: Budget, actors: Actors = None) -> Solution | None:
    if budget.is_spent:
        return None
    return budget.charge(solve(level, measure.name, actors=actors, limit=budget.remaining_limit()))


def _to_piece(
    item: Ablation, solutions: list[Solution | None], actors: tuple[str, ...] | None = None
) -> Piece:
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
        item.noun,
        item.condition,
    )
