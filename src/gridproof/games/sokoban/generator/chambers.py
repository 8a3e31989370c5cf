"""Large levels of many boxes: chambers with one door each, on corridors that no box can pass.

A chamber is a small level by itself, in which the player starts in the door. Behind the door runs a
corridor, across it: a box that is pushed into the door can go nowhere but across the corridor, where it
stands before a wall, with the player shut in. So no win pushes a box out, none is helped by what
happens in other chambers, and the fewest pushes of all are those of the chambers together. The
certificate wins one after the other.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import NamedTuple

from gridproof.core.distances import cell_distances
from gridproof.core.generate import best
from gridproof.core.rng import Rng
from gridproof.core.trace import Step, Trace
from gridproof.games.sokoban.generator import floor_plan
from gridproof.games.sokoban.generator.candidates import Candidate, Proof, Target, prove
from gridproof.games.sokoban.generator.floor_plan import fill_with_rock, used_cells
from gridproof.games.sokoban.rules import Level, Position
from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.pull_search import PullSearch
from gridproof.games.sokoban.validity import Cell, sort_cells

FEWEST_BOXES = 7
"""The fewest boxes of a level that is made of chambers."""
_FEW, _MANY = 2, 4  # boxes of a chamber
_SIDE, _LARGEST = 12, 14  # a chamber's sides, walls included: about that, and at most
_LEAST_FLOOR = 4  # cells across a chamber, and down
_PLANS = 8  # that are tried for each
_MOST_ARRANGEMENTS = 1 << 13  # arrangements of boxes that are looked at on each plan
_DEPTHS, _DRAWS = 8, 12  # pushes fewer than the most, and arrangements of as many, that are looked at
_PROOF = 200_000  # positions that a proof may take, times the square of the boxes
_LONG = 8  # pushes of each box that are enough


class Plot(NamedTuple):
    """The site of a chamber: the wall with its door is at the top."""

    left: int
    top: int
    width: int
    height: int
    boxes: int


class Chamber(NamedTuple):
    """A part of the level, in the coordinates of the whole."""

    floor: set[Cell]
    """The cells of the floor and the door."""
    level: Level
    """This chamber alone, with the player in the door."""
    proof: Proof


def build_chambers(rng: Rng, target: Target) -> Candidate | None:
    """Generate a level of many boxes; None when there is no room for chambers, or one fails."""
    chambers = list[Chamber]()
    for plot in _plots(target):
        chamber = _best_chamber(rng, plot, target.size)
        if chamber is None:
            return None
        chambers.append(chamber)
    return _join(rng, chambers, target.size) if chambers else None


def _plots(target: Target) -> list[Plot]:
    """Return rows of plots, each below its corridor; none when there is too little room."""
    wide, high = target.width - 3, target.height - 1
    shapes = [
        (across, down)
        for across in range(1, wide // (_LEAST_FLOOR + 1) + 1)
        for down in range(1, high // (_LEAST_FLOOR + 3) + 1)
        if across * down > 1 and _FEW * across * down <= target.boxes <= _MANY * across * down
    ]
    if not shapes:
        return []
    across, down = min(shapes, key=lambda shape: abs(wide / shape[0] - _SIDE) + abs(high / shape[1] - _SIDE))
    lefts = [2 + wide * number // across for number in range(across + 1)]
    tops = [2 + high * number // down for number in range(down + 1)]
    share, more = divmod(target.boxes, across * down)
    return [
        Plot(
            lefts[column],
            tops[row],
            min(lefts[column + 1] - lefts[column] + 1, _LARGEST),
            min(tops[row + 1] - tops[row] - 1, _LARGEST),
            share + (row * across + column < more),
        )
        for row in range(down)
        for column in range(across)
    ]


def _best_chamber(rng: Rng, plot: Plot, size: tuple[int, int]) -> Chamber | None:
    """Return the first of some chambers that is long enough, else the longest."""
    chambers = ((_build_chamber(rng, plot, size), -_LONG * plot.boxes) for _ in range(_PLANS))
    return best(chambers, lambda chamber: -chamber.proof.pushes)


def _build_chamber(rng: Rng, plot: Plot, size: tuple[int, int]) -> Chamber | None:
    """Build a chamber on a new floor plan; None when it cannot be entered, won and left by its door."""
    plan = floor_plan.draw_floor_plan(rng, plot.width, plot.height, 3 * plot.boxes + 3)
    floor = {(plot.left + x, plot.top + y) for x, y in plan}
    below = rng.choice([cell for cell in sort_cells(floor) if cell[1] == plot.top + 1])
    door = below[0], plot.top
    depots = floor_plan.grow_cluster(rng, floor, plot.boxes)
    floor.add(door)
    won = Level(door, 0, depots, depots, floor_plan.enclosing_walls(floor), size)
    if below in depots or not floor - {door, *depots}:
        return None
    starts = _draw_box_starts(rng, PullSearch(Board(won.start()), _MOST_ARRANGEMENTS), floor, door)
    level = next((dataclasses.replace(won, boxes=boxes) for boxes in starts), None)
    return _prove_chamber(level, floor) if level else None


def _draw_box_starts(rng: Rng, pulls: PullSearch, floor: set[Cell], door: Cell) -> Iterator[frozenset[Cell]]:
    """Yield boxes far from the depots, with the player in the door."""
    for depth in range(pulls.deepest, max(0, pulls.deepest - _DEPTHS), -1):
        numbers = pulls.at_depth(depth)
        for _ in range(min(_DRAWS, len(numbers))):
            squares, square = pulls.arrangement(rng.choice(numbers))
            boxes = frozenset(pulls.board.cells[box] for box in squares)
            if door in cell_distances(pulls.board.cells[square], floor - boxes):
                yield boxes


def _prove_chamber(level: Level, floor: set[Cell]) -> Chamber | None:
    """Return the chamber without needless floor, with its proof; None when that costs too much."""
    trace = _prove(level).trace
    if trace is None:
        return None
    floor = floor_plan.prune_floor(floor, used_cells(trace), 2)
    level = dataclasses.replace(level, walls=frozenset(floor_plan.enclosing_walls(floor)))
    proof = _prove(level)
    if proof.trace is None:
        return None
    end = proof.trace.replay()
    assert isinstance(end, Position)
    can_leave = level.player in cell_distances(end.player, floor - end.boxes)
    return Chamber(floor, level, proof) if can_leave else None


def _prove(level: Level) -> Proof:
    return prove(level, lambda board, states: states * len(board.boxes) ** 2 > _PROOF)


def _join(rng: Rng, chambers: list[Chamber], size: tuple[int, int]) -> Candidate:
    doors = [chamber.level.player for chamber in chambers]
    corridors = {(1, y) for y in range(1, max(y for _, y in doors))}
    corridors |= {(x, y - 1) for right, y in doors for x in range(1, right + 1)}
    floor = corridors.union(*(chamber.floor for chamber in chambers))
    boxes = frozenset[Cell]().union(*(chamber.level.boxes for chamber in chambers))
    depots = frozenset[Cell]().union(*(chamber.level.depots for chamber in chambers))
    player = rng.choice(sort_cells(corridors))
    level = fill_with_rock(Level(player, 0, boxes, depots, floor_plan.enclosing_walls(floor), size))
    steps = list[Step]()
    for chamber in chambers:
        trace = chamber.proof.trace
        assert trace is not None
        walk = floor_plan.walk(player, chamber.level.player, floor - boxes)
        steps += [*map(Step, walk), *trace.steps]
        end = trace.replay()
        assert isinstance(end, Position)
        player, boxes = end.player, boxes - chamber.level.boxes | end.boxes
    pushes = sum(chamber.proof.pushes for chamber in chambers)
    return Candidate(level, Proof(True, Trace(level.start(), tuple(steps)), pushes, None), 0)
