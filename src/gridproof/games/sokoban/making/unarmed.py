"""New levels without bombs: depots are set on a floor plan, and boxes pulled off them as far as can be.

A wished difficulty is reached by hill climbing: walls, floor and depots are altered at random, and what comes
nearer to the wish is kept. The measure is the number of the solver's positions. With other measures this was done by J. Taylor and
I. Parberry, "Procedural Generation of Sokoban Levels" (GAMEON-NA 2011), which also searches backwards
from the depots, and D. S. Bento, A. G. Pereira and L. H. S. Lelis, "Procedural Generation of Initial
States of Sokoban" (IJCAI 2019), which is guided by what a solver finds hard.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from gridproof.core.generate import best
from gridproof.core.rng import Rng
from gridproof.games.sokoban.making import floorplan
from gridproof.games.sokoban.making.blasting import Purse
from gridproof.games.sokoban.making.proving import MOST_WORK, prove
from gridproof.games.sokoban.making.trimming import trimmed
from gridproof.games.sokoban.making.wishes import Made, Wish, badness
from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.pulling import Pulled
from gridproof.games.sokoban.validity import Cell, in_reading_order

_PLANS = 12  # floor plans that are tried
_CLIMBS = 6  # of a wished difficulty
_PULLED = 1 << 15  # arrangements of boxes that are looked at on each
_FLOODED = 60_000_000  # squares that may be looked at for a level, roughly
_CLIMBED = 520_000_000  # and for one of a wished difficulty
_ALTERED = 100_000  # of these, what each altered plan costs at least
_STALLED = 80  # alterations in a row that bring nothing: then a new plan is drawn


class Plan(NamedTuple):
    """A floor with its depots, and the level that has been made of it."""

    floor: set[Cell]
    depots: list[Cell]
    made: Made | None

    def badness(self, wish: Wish) -> float:
        """How far it is from what is wished."""
        return badness(self.made, wish) if self.made else float("inf")


def unarmed(rng: Rng, wish: Wish) -> Iterator[tuple[Made | None, float]]:
    """Levels, each with what is good enough by now."""
    purse, number = (Purse(_CLIMBED), _CLIMBS) if wish.difficulty else (Purse(_FLOODED), _PLANS)
    for done in range(number):
        for plan in _climb(rng, wish, purse) if wish.difficulty else [_drawn(rng, wish, purse)]:
            yield plan.made, wish.enough(done / number)
            if purse.work <= 0:
                return


def _drawn(rng: Rng, wish: Wish, purse: Purse) -> Plan:
    """A new floor plan; without a level, when nothing can be pushed there."""
    floor = floorplan.floor_plan(rng, wish.width, wish.height, wish.least_floor)
    return _tried(rng, floor, floorplan.cluster(rng, floor, wish.boxes), wish, purse)


def _tried(rng: Rng, floor: set[Cell], depots: list[Cell], wish: Wish, purse: Purse) -> Plan:
    return Plan(floor, depots, _on_floor(rng, floor, depots, wish, purse))


def _climb(rng: Rng, wish: Wish, purse: Purse) -> Iterator[Plan]:
    """A new plan, and altered ones that come nearer to the wish, until none does for long."""
    plan, stalled = _drawn(rng, wish, purse), 0
    yield plan
    while stalled < _STALLED:
        purse.work -= _ALTERED
        altered = floorplan.altered(rng, plan.floor, plan.depots, wish.width, wish.height)
        candidate = _tried(rng, *altered, wish, purse)
        before, after = plan.badness(wish), candidate.badness(wish)
        stalled = 0 if after < before else stalled + 1
        if after <= before:
            plan = candidate
        yield plan


def _on_floor(rng: Rng, floor: set[Cell], depots: list[Cell], wish: Wish, purse: Purse) -> Made | None:
    """The level on this floor whose difficulty is the nearest to the wished one, else the longest."""
    cells = in_reading_order(floor - set(depots))
    if not cells:
        return None
    size = wish.width, wish.height
    board = Board(Level(cells[0], 0, depots, depots, floorplan.walls_around(floor), size).start())
    pulled = Pulled(board, _PULLED)
    purse.work -= pulled.states * len(board.cells)
    return best(_by_depth(rng, pulled, floor, wish, purse), lambda made: badness(made, wish))


def _by_depth(
    rng: Rng, pulled: Pulled, floor: set[Cell], wish: Wish, purse: Purse
) -> Iterator[tuple[Made | None, float]]:
    """Levels of ever fewer pushes, until one is easy enough."""
    for depth in _depths(pulled.deepest):
        made = _at_depth(rng, pulled, depth, floor, wish)
        yield made, -math.inf
        if made and _effort_of(made) <= (wish.difficulty or _effort_of(made)):
            break  # fewer pushes are usually easier
        purse.work -= _effort_of(made) * (len(pulled.board.cells) + wish.boxes**2)
        if purse.work <= 0:
            break


def _effort_of(made: Made | None) -> int:
    """The positions that the proof took; a fixed number where it was given up."""
    return (made.proof.effort or 0) if made else MOST_WORK // 100


def _depths(deepest: int) -> Iterator[int]:
    """How deep to look: the deepest, and less deep where that is too hard."""
    depth = deepest
    while depth > 0:
        yield depth
        depth = depth * 2 // 3


def _at_depth(rng: Rng, pulled: Pulled, depth: int, floor: set[Cell], wish: Wish) -> Made | None:
    """A level of `depth` pushes without needless floor; None when the proof is too hard."""
    boxes, square = pulled.arranged(rng.choice(pulled.at(depth)))
    board = pulled.board
    depots = [board.cells[goal] for goal in board.goals]
    starts = [board.cells[box] for box in boxes]
    player = rng.choice(in_reading_order(floorplan.region(board.cells[square], floor - set(starts))))
    level = Level(player, 0, starts, depots, floorplan.walls_around(floor), (wish.width, wish.height))
    proof = prove(level)
    if proof.trace is None:
        return None
    shown = trimmed(level, floor, proof.trace)
    proof = prove(shown)
    return Made(shown, proof, 0) if proof.trace else None
