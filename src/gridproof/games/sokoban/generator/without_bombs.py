"""New levels without bombs: depots are set on a floor plan, and boxes pulled off them as far as can be.

Hill climbing finds a target difficulty: it mutates walls, floor and depots at random, and keeps what comes
nearer to the target. The measure is the number of the solver's positions. With other measures this was done by J. Taylor and
I. Parberry, "Procedural Generation of Sokoban Levels" (GAMEON-NA 2011), which also searches backwards
from the depots, and D. S. Bento, A. G. Pereira and L. H. S. Lelis, "Procedural Generation of Initial
States of Sokoban" (IJCAI 2019), which is guided by what a solver finds hard.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from gridproof.core.distances import cell_distances
from gridproof.core.generate import best
from gridproof.core.rng import Rng
from gridproof.games.sokoban.generator import floor_plan
from gridproof.games.sokoban.generator.bomb_plan import Budget
from gridproof.games.sokoban.generator.candidates import MOST_WORK, Candidate, Target, badness, prove
from gridproof.games.sokoban.generator.floor_plan import trim_level
from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.pull_search import PullSearch
from gridproof.games.sokoban.validity import Cell, sort_cells

_PLANS = 12  # floor plans that are tried
_CLIMBS = 6  # of a wished difficulty
_MOST_ARRANGEMENTS = 1 << 15  # arrangements of boxes that are looked at on each
_PLAN_WORK = 60_000_000  # squares that may be looked at for a level, roughly
_CLIMB_WORK = 520_000_000  # and for one of a wished difficulty
_MUTATION_WORK = 100_000  # of these, what each altered plan costs at least
_MOST_STALLS = 80  # alterations in a row that bring nothing: then a new plan is drawn


class Plan(NamedTuple):
    """A floor with its depots, and the level on it."""

    floor: set[Cell]
    depots: list[Cell]
    candidate: Candidate | None

    def badness(self, target: Target) -> float:
        """Return the distance of the level from its target."""
        return badness(self.candidate, target) if self.candidate else float("inf")


def generate_candidates(rng: Rng, target: Target) -> Iterator[tuple[Candidate | None, float]]:
    """Yield levels, each with the tolerance at this time."""
    budget, number = (Budget(_CLIMB_WORK), _CLIMBS) if target.difficulty else (Budget(_PLAN_WORK), _PLANS)
    for done in range(number):
        for plan in _climb(rng, target, budget) if target.difficulty else [_draw_plan(rng, target, budget)]:
            yield plan.candidate, target.tolerance(done / number)
            if budget.work <= 0:
                return


def _draw_plan(rng: Rng, target: Target, budget: Budget) -> Plan:
    """Draw a floor plan, without a level when nothing can be pushed there."""
    floor = floor_plan.draw_floor_plan(rng, *target.size, target.least_floor)
    depots = floor_plan.grow_cluster(rng, floor, target.boxes)
    return Plan(floor, depots, _best_candidate(rng, floor, depots, target, budget))


def _climb(rng: Rng, target: Target, budget: Budget) -> Iterator[Plan]:
    """Yield a new plan, and mutations that come nearer to the target, until the search stalls."""
    plan, stalled = _draw_plan(rng, target, budget), 0
    yield plan
    while stalled < _MOST_STALLS:
        budget.work -= _MUTATION_WORK
        floor, depots = floor_plan.mutate(rng, plan.floor, plan.depots, *target.size)
        mutant = Plan(floor, depots, _best_candidate(rng, floor, depots, target, budget))
        before, after = plan.badness(target), mutant.badness(target)
        stalled = 0 if after < before else stalled + 1
        if after <= before:
            plan = mutant
        yield plan


def _best_candidate(
    rng: Rng, floor: set[Cell], depots: list[Cell], target: Target, budget: Budget
) -> Candidate | None:
    """Return the level on this floor whose difficulty is the nearest to the target, else the longest."""
    cells = sort_cells(floor - set(depots))
    if not cells:
        return None
    walls = floor_plan.enclosing_walls(floor)
    board = Board(Level(cells[0], 0, depots, depots, walls, target.size).start())
    pulls = PullSearch(board, _MOST_ARRANGEMENTS)
    budget.work -= pulls.states * len(board.cells)
    return best(
        _candidates_by_depth(rng, pulls, floor, target, budget), lambda candidate: badness(candidate, target)
    )


def _candidates_by_depth(
    rng: Rng, pulls: PullSearch, floor: set[Cell], target: Target, budget: Budget
) -> Iterator[tuple[Candidate | None, float]]:
    """Yield levels of ever fewer pushes, until one is easy enough."""
    for depth in _depths(pulls.deepest):
        candidate = _candidate_at_depth(rng, pulls, depth, floor, target)
        yield candidate, -math.inf
        if candidate and _effort(candidate) <= (target.difficulty or _effort(candidate)):
            break  # fewer pushes are usually easier
        budget.work -= _effort(candidate) * (len(pulls.board.cells) + target.boxes**2)
        if budget.work <= 0:
            break


def _effort(candidate: Candidate | None) -> int:
    """Return the number of positions of the proof; a fixed number for a failed one."""
    return (candidate.proof.effort or 0) if candidate else MOST_WORK // 100


def _depths(deepest: int) -> Iterator[int]:
    """Yield the depths to try: the deepest first, then less deep ones where that is too hard."""
    depth = deepest
    while depth > 0:
        yield depth
        depth = depth * 2 // 3


def _candidate_at_depth(
    rng: Rng, pulls: PullSearch, depth: int, floor: set[Cell], target: Target
) -> Candidate | None:
    """Return a level of `depth` pushes without needless floor; None when the proof is too hard."""
    boxes, square = pulls.arrangement(rng.choice(pulls.at_depth(depth)))
    board = pulls.board
    depots = [board.cells[goal] for goal in board.goals]
    starts = [board.cells[box] for box in boxes]
    player = rng.choice(sort_cells(cell_distances(board.cells[square], floor - set(starts))))
    level = Level(player, 0, starts, depots, floor_plan.enclosing_walls(floor), target.size)
    proof = prove(level)
    if proof.trace is None:
        return None
    shown = trim_level(level, floor, proof.trace)
    proof = prove(shown)
    return Candidate(shown, proof, 0) if proof.trace else None
