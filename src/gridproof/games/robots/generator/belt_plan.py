"""Boards drawn at random whose belts look made: runs with corners, loops now and then, belts that merge."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from gridproof.core.distances import distances
from gridproof.core.rng import Rng
from gridproof.games.robots.board import Cell, Kind, Tile

POINTS = {0: (-1, 0), 90: (0, 1), 180: (1, 0), 270: (0, -1)}  # R3: where a conveyor's rotation points
_LONGEST_RUN, _RUNS = 8, 60
_STRAIGHT = 3  # steps straight ahead for each turn, where there is room
_LOOPS = 6  # one of this number of belts is a loop, on average


def beside(cell: Cell) -> list[Cell]:
    """The four cells next to one."""
    x, y = cell
    return [(x + dx, y + dy) for dx, dy in POINTS.values()]


def shuffled(rng: Rng, cells: Iterable[Cell]) -> list[Cell]:
    """The cells in a random order, each as likely."""
    left = sorted(cells)
    return [left.pop(rng.below(len(left))) for _ in range(len(left))]


def steps_from(start: Cell, free: Collection[Cell]) -> dict[Cell, int]:
    """How far the free cells are that can be reached from one."""
    return distances([start], lambda cell: (other for other in beside(cell) if other in free))


def lay_belts(rng: Rng, blank: set[Cell], count: int) -> dict[Cell, Tile]:
    """Lay `count` conveyors on blank cells, which are used up: in runs, else one by one."""
    belts: dict[Cell, int] = {}
    for _ in range(_RUNS):
        length = min(count - len(belts), 2 + rng.below(_LONGEST_RUN - 1))
        if length < 2:
            break
        run = _loop(rng, blank, length) if rng.below(_LOOPS) == 0 else {}
        run = run or _run(rng, blank, belts, length)
        belts.update(run)
        blank.difference_update(run)
    for cell in shuffled(rng, blank)[: count - len(belts)]:
        belts[cell] = rng.choice(_not_back(cell, tuple(POINTS), belts))
        blank.remove(cell)
    return {cell: Tile(Kind.CONVEYOR, rotation=rotation) for cell, rotation in belts.items()}


def _run(rng: Rng, blank: Collection[Cell], belts: dict[Cell, int], length: int) -> dict[Cell, int]:
    """A belt that goes straight most of the time, up to something in its way; nothing if it is too short."""
    cell, rotation = rng.choice(sorted(blank)), rng.choice(tuple(POINTS))
    run: dict[Cell, int] = {}
    while len(run) < length and cell in blank and cell not in run:
        sides = [(rotation + by) % 360 for by in (90, 270)]
        ways = sides if run and rng.below(_STRAIGHT + 1) == 0 else [rotation]
        open_ways = [way for way in ways if ahead(cell, way) in blank and ahead(cell, way) not in run]
        rotation = rng.choice(_not_back(cell, tuple(open_ways or (rotation,)), belts | run))
        run[cell] = rotation
        cell = ahead(cell, rotation)
    last, way = next(reversed(run.items()))
    merges = belts.get(ahead(last, way)) not in (None, (way + 180) % 360)
    return run if len(run) > 1 or merges else {}


def ahead(cell: Cell, rotation: int) -> Cell:
    """The cell that a conveyor points at."""
    dx, dy = POINTS[rotation]
    return cell[0] + dx, cell[1] + dy


def _not_back(cell: Cell, rotations: tuple[int, ...], belts: dict[Cell, int]) -> list[int]:
    """Those of these rotations, else of all, that do not point at a conveyor pointing back; all of these if none is left."""
    for ways in (rotations, tuple(POINTS)):
        fine = [way for way in ways if belts.get(ahead(cell, way)) != (way + 180) % 360]
        if fine:
            return fine
    return list(rotations)


def _loop(rng: Rng, blank: Collection[Cell], length: int) -> dict[Cell, int]:
    """A belt round a rectangle, one way or the other; nothing where there is no room."""
    if length < 4:
        return {}
    wide = 2 + rng.below(length // 2 - 1)
    high = length // 2 + 2 - wide
    x, y = rng.choice(sorted(blank))
    top = [(x + i, y) for i in range(wide - 1)]
    right = [(x + wide - 1, y + i) for i in range(high - 1)]
    bottom = [(x + wide - 1 - i, y + high - 1) for i in range(wide - 1)]
    left = [(x, y + high - 1 - i) for i in range(high - 1)]
    round_ = [*top, *right, *bottom, *left]
    if not set(round_) <= set(blank):
        return {}
    if rng.below(2):
        round_.reverse()
    pairs = zip(round_, round_[1:] + round_[:1], strict=True)
    return {cell: _rotation(cell, other) for cell, other in pairs}


def _rotation(cell: Cell, other: Cell) -> int:
    return next(rotation for rotation in POINTS if ahead(cell, rotation) == other)


def lay_broken(rng: Rng, blank: set[Cell], others: Collection[Cell], count: int) -> dict[Cell, Tile]:
    """Lay `count` broken tiles on blank cells, which are used up; the other cells stay connected where possible."""
    broken: dict[Cell, Tile] = {}
    cells = shuffled(rng, blank)
    for parting in (False, True):
        for cell in cells:
            if len(broken) == count:
                break
            if cell in blank and (parting or _whole((blank | set(others)) - {cell})):
                blank.remove(cell)
                broken[cell] = Tile(Kind.BROKEN)
    return broken


def _whole(cells: set[Cell]) -> bool:
    return not cells or len(steps_from(min(cells), cells)) == len(cells)
