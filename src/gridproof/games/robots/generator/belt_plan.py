"""Random belts that look designed: runs with corners, loops now and then, belts that merge."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from gridproof.core.distances import cell_distances
from gridproof.core.rng import Rng
from gridproof.games.robots.board import Cell, Kind, Tile

POINTS = {0: (-1, 0), 90: (0, 1), 180: (1, 0), 270: (0, -1)}  # R3: where a conveyor's rotation points
_LONGEST_RUN, _RUNS = 8, 60
_STRAIGHT = 3  # steps straight ahead for each turn, where there is room
_LOOPS = 6  # one of this number of belts is a loop, on average


def shuffle(rng: Rng, cells: Iterable[Cell]) -> list[Cell]:
    """Return the cells in a random order, each as likely."""
    rest = sorted(cells)
    return [rest.pop(rng.below(len(rest))) for _ in range(len(rest))]


def lay_belts(rng: Rng, blank: set[Cell], count: int) -> dict[Cell, Tile]:
    """Lay `count` conveyors on blank cells, in runs, else one by one; remove the cells from `blank`."""
    belts: dict[Cell, int] = {}
    for _ in range(_RUNS):
        length = min(count - len(belts), 2 + rng.below(_LONGEST_RUN - 1))
        if length < 2:
            break
        run = _make_loop(rng, blank, length) if rng.below(_LOOPS) == 0 else {}
        run = run or _make_run(rng, blank, belts, length)
        belts.update(run)
        blank.difference_update(run)
    for cell in shuffle(rng, blank)[: count - len(belts)]:
        belts[cell] = rng.choice(_avoid_reverse(cell, tuple(POINTS), belts))
        blank.remove(cell)
    return {cell: Tile(Kind.CONVEYOR, rotation=rotation) for cell, rotation in belts.items()}


def _make_run(rng: Rng, blank: set[Cell], belts: dict[Cell, int], length: int) -> dict[Cell, int]:
    """Make a belt that goes straight most of the time, up to an obstacle; nothing if it is too short."""
    cell, rotation = rng.choice(sorted(blank)), rng.choice(tuple(POINTS))
    run: dict[Cell, int] = {}
    while len(run) < length and cell in blank and cell not in run:
        sides = [(rotation + by) % 360 for by in (90, 270)]
        turns = sides if run and rng.below(_STRAIGHT + 1) == 0 else [rotation]
        free = blank - run.keys()
        turns = [turn for turn in turns if next_cell(cell, turn) in free] or [rotation]
        rotation = rng.choice(_avoid_reverse(cell, tuple(turns), belts | run))
        run[cell] = rotation
        cell = next_cell(cell, rotation)
    last, rotation = next(reversed(run.items()))
    merges = belts.get(next_cell(last, rotation)) not in (None, (rotation + 180) % 360)
    return run if len(run) > 1 or merges else {}


def next_cell(cell: Cell, rotation: int) -> Cell:
    """Return the cell that a conveyor points at."""
    dx, dy = POINTS[rotation]
    return cell[0] + dx, cell[1] + dy


def _avoid_reverse(cell: Cell, rotations: tuple[int, ...], belts: dict[Cell, int]) -> list[int]:
    """Return the rotations, else any, that point at no conveyor pointing back; `rotations` if there are none."""
    for options in (rotations, tuple(POINTS)):
        if fine := [one for one in options if belts.get(next_cell(cell, one)) != (one + 180) % 360]:
            return fine
    return list(rotations)


def _make_loop(rng: Rng, blank: set[Cell], length: int) -> dict[Cell, int]:
    """Make a belt round a rectangle, in either direction; nothing without room."""
    if length < 4:
        return {}
    wide = 2 + rng.below(length // 2 - 1)
    high = length // 2 + 2 - wide
    x, y = rng.choice(sorted(blank))
    top = [(x + i, y) for i in range(wide - 1)]
    right = [(x + wide - 1, y + i) for i in range(high - 1)]
    bottom = [(x + wide - 1 - i, y + high - 1) for i in range(wide - 1)]
    left = [(x, y + high - 1 - i) for i in range(high - 1)]
    loop = [*top, *right, *bottom, *left]
    if not set(loop) <= set(blank):
        return {}
    if rng.below(2):
        loop.reverse()
    pairs = zip(loop, loop[1:] + loop[:1], strict=True)
    return {cell: _rotation(cell, other) for cell, other in pairs}


def _rotation(cell: Cell, other: Cell) -> int:
    return next(rotation for rotation in POINTS if next_cell(cell, rotation) == other)


def lay_broken(rng: Rng, blank: set[Cell], others: Collection[Cell], count: int) -> dict[Cell, Tile]:
    """Lay `count` broken tiles on blank cells, and remove these from `blank`; the others stay connected if possible."""
    broken: dict[Cell, Tile] = {}
    cells = shuffle(rng, blank)
    for may_part in (False, True):
        for cell in cells:
            if len(broken) == count:
                break
            if cell in blank and (may_part or _is_connected((blank | set(others)) - {cell})):
                blank.remove(cell)
                broken[cell] = Tile(Kind.BROKEN)
    return broken


def _is_connected(cells: set[Cell]) -> bool:
    return not cells or len(cell_distances(min(cells), cells)) == len(cells)
