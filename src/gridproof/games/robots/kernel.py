"""Robots on packed words. The same rules as `rules.py`, held to it by tests.

A state is 3 bits a cell for the tiles, which exchanges move (21 cells a word, in reading order), then
16 bits a robot, four a word: its cell (14 bits) and its rotation in quarter turns. Sets of cells are a
word a row, so that a flood fill grows along whole rows. Hints and homes never move: a home's robot is
known by its cell.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.robots.hints import HINT_MAPPING
from gridproof.kernels.compile import kernel

U = np.uint64
_ZERO, _ONE, _THREE, _SEVEN = U(0), U(1), U(3), U(7)
_CELL_BITS, _CELL = U(14), U((1 << 14) - 1)
_ROBOT = U(0xFFFF)
_TILES = 21  # in a word
NORMAL, HINT, BROKEN, HOME, CONVEYOR = range(5)  # and the quarter turns of a conveyor

# Where the data of a level stand: its figures, then of each robot its home and its rule, then of each
# cell its neighbours to the east, south, west and north, or -1; its column; its row (no division is as quick)
WIDTH, HEIGHT, ROBOTS, TILE_WORDS, NEIGHBOURS, ACTIONS, COLUMNS, ROWS = range(8)
HOMES = 8  # two items a robot: the cell of its home; 0 for rule A, 1 for rule B
_WAY = np.array([2, 1, 0, 3], np.int64)  # of a conveyor by its rotation: west, south, east, north
_HINTS = np.array([len(HINT_MAPPING.get((dx, dy), ())) for dx in (-1, 0, 1) for dy in (-1, 0, 1)], np.int64)


def _joined(ring: int) -> bool:
    """Whether the free cells beside the middle one of 3 x 3 are joined round it: bits in reading order."""
    around = [ring >> bit & 1 for bit in (1, 2, 5, 8, 7, 6, 3, 0)]  # clockwise; the even ones lie beside it
    if 0 not in around:
        return True
    first = around.index(0)
    parts = "".join("-" if not free else "ox"[place % 2] for place, free in enumerate(around))
    groups = (parts[first:] + parts[:first]).split("-")
    return sum("o" in group for group in groups) <= 1


_JOINED = np.array([_joined(ring) for ring in range(512)], np.uint8)
"""By the 3 x 3 cells around one, itself in the middle: whether it may be taken away from the free cells
without parting those beside it."""


@kernel
def bit_of(data: Any, cell: Any) -> Any:
    """A cell's place in its row, as a bit."""
    return _ONE << U(data[data[COLUMNS] + cell])


@kernel
def row_of(data: Any, cell: Any) -> Any:
    """The row of a cell."""
    return data[data[ROWS] + cell]


@kernel
def load(data: Any, state: Any, codes: Any, cells: Any, turns: Any, open_: Any, free: Any) -> None:
    """Unpack a state: the code of each cell, the robots, the rows of what is not broken, and of what is free."""
    width, words = data[WIDTH], data[TILE_WORDS]
    word, inside, left = 0, 0, state[0]
    for y in range(data[HEIGHT]):
        open_[y] = _ZERO
        for x in range(width):
            cell = y * width + x
            code = np.int64(left & _SEVEN)
            left >>= _THREE
            inside += 1
            if inside == _TILES:
                word, inside = word + 1, 0
                left = state[word]
            codes[cell] = code
            if code != BROKEN:
                open_[y] |= _ONE << U(x)
        free[y] = open_[y]
    for robot in range(data[ROBOTS]):
        about = (state[words + robot // 4] >> U(robot % 4 * 16)) & _ROBOT
        cells[robot], turns[robot] = np.int64(about & _CELL), np.int64(about >> _CELL_BITS)
        free[row_of(data, cells[robot])] &= ~bit_of(data, cells[robot])


@kernel
def put_robots(data: Any, cells: Any, turns: Any, out: Any) -> None:
    """Pack the robots."""
    words = data[TILE_WORDS]
    for word in range(words, out.shape[0]):
        out[word] = _ZERO
    for robot in range(data[ROBOTS]):
        about = U(cells[robot]) | (U(turns[robot]) << _CELL_BITS)
        out[words + robot // 4] |= about << U(robot % 4 * 16)


@kernel
def put_tile(out: Any, cell: Any, code: Any) -> None:
    """Pack a tile over the one that is there."""
    shift = U(cell % _TILES * 3)
    out[cell // _TILES] = (out[cell // _TILES] & ~(_SEVEN << shift)) | (U(code) << shift)


@kernel
def occupied(cells: Any, cell: Any) -> Any:
    """Whether a robot stands on a cell."""
    for robot in range(cells.shape[0]):  # noqa: SIM110  # numba compiles no generators
        if cells[robot] == cell:
            return True
    return False


@kernel
def spread(free: Any, reached: Any, height: Any) -> None:
    """Flood fill: grow the set along rows, sweeping down and up, until nothing is added."""
    changed = True
    while changed:
        changed = False
        for sweep in range(2 * height):
            y = sweep if sweep < height else 2 * height - 1 - sweep
            grown = reached[y]
            if y > 0:
                grown |= reached[y - 1]
            if y + 1 < height:
                grown |= reached[y + 1]
            grown &= free[y]
            if grown == _ZERO:
                continue
            wider = (grown | (grown << _ONE) | (grown >> _ONE)) & free[y]
            while wider != grown:
                grown = wider
                wider = (grown | (grown << _ONE) | (grown >> _ONE)) & free[y]
            if grown != reached[y]:
                reached[y] = grown
                changed = True


@kernel
def connected(data: Any, open_: Any, cells: Any, rows: Any) -> Any:
    """Whether every robot can reach its home by free cells (R8d). `rows` is room for two sets."""
    height = data[HEIGHT]
    free, reached = rows[0], rows[1]
    for y in range(height):
        free[y], reached[y] = open_[y], _ZERO
    for robot in range(cells.shape[0]):
        free[row_of(data, cells[robot])] &= ~bit_of(data, cells[robot])
    for robot in range(cells.shape[0]):
        cell, home = cells[robot], data[HOMES + 2 * robot]
        if cell == home:
            continue
        y, bit = row_of(data, home), bit_of(data, home)
        if reached[y] & bit == _ZERO:
            if free[y] & bit == _ZERO:
                return False
            for row in range(height):
                reached[row] = _ZERO
            reached[y] = bit
            spread(free, reached, height)
        y, bit = row_of(data, cell), bit_of(data, cell)
        near = reached[y] & ((bit << _ONE) | (bit >> _ONE))
        if y > 0:
            near |= reached[y - 1] & bit
        if y + 1 < height:
            near |= reached[y + 1] & bit
        if near == _ZERO:
            return False
    return True


@kernel
def stays_connected(data: Any, free: Any, cells: Any, robot: Any, target: Any) -> Any:
    """Whether R8d surely holds once a robot has walked to a cell, seen from the cells around it alone.

    R8d holds before, and what the robot leaves becomes free: so nothing is parted when the free cells
    beside the target stay joined round it, it is nobody else's home, and no other robot stands beside it.
    """
    x, y = data[data[COLUMNS] + target], row_of(data, target)
    for other in range(cells.shape[0]):
        if other == robot:
            continue
        far = abs(data[data[COLUMNS] + cells[other]] - x) + abs(row_of(data, cells[other]) - y)
        if far == 1 or data[HOMES + 2 * other] == target:
            return False
    ring = _ZERO
    left = row_of(data, cells[robot])
    for row in range(3):
        line = y + row - 1
        if 0 <= line < data[HEIGHT]:
            word = free[line]
            if line == left:
                word |= bit_of(data, cells[robot])
            ring |= (((word << _ONE) >> U(x)) & _SEVEN) << U(3 * row)
    return _JOINED[ring] != 0


@kernel
def ahead(data: Any, cell: Any, way: Any) -> Any:
    """The next cell in a direction, -1 off the board."""
    return data[data[NEIGHBOURS] + 4 * cell + way]


@kernel
def destination(data: Any, codes: Any, cells: Any, start: Any) -> Any:
    """Where the belt from a conveyor leads (R7); -1 where its arrows close into a loop, or lead into one."""
    cell, steps = start, 0
    while cell >= 0 and codes[cell] >= CONVEYOR:
        cell = ahead(data, cell, _WAY[codes[cell] - CONVEYOR])
        steps += 1
        if steps > codes.shape[0]:
            return np.int64(-1)
    cell = start
    while codes[cell] >= CONVEYOR:
        following = ahead(data, cell, _WAY[codes[cell] - CONVEYOR])
        if following < 0 or codes[following] == BROKEN or occupied(cells, following):
            break
        cell = following
    return cell


@kernel
def carry_on(data: Any, codes: Any, cells: Any, open_: Any, rows: Any) -> None:
    """Belts start again (R20): pass over the robots until a pass carries none."""
    carried = True
    while carried:
        carried = False
        for robot in range(cells.shape[0]):
            origin = cells[robot]
            if codes[origin] < CONVEYOR:
                continue
            target = destination(data, codes, cells, origin)
            if target < 0 or target == origin:
                continue
            cells[robot] = target
            if connected(data, open_, cells, rows):
                carried = True
            else:
                cells[robot] = origin


@kernel
def is_won(data: Any, cells: Any) -> Any:
    """Whether some robot stands on its own home (R17, R20)."""
    for robot in range(cells.shape[0]):  # noqa: SIM110  # numba compiles no generators
        if cells[robot] == data[HOMES + 2 * robot]:
            return True
    return False


@kernel
def landing(data: Any, codes: Any, cells: Any, robot: Any, way: Any, far: Any) -> Any:
    """Where a walk puts the robot down (R14, R15), -1 where the way is barred."""
    cell = cells[robot]
    for _ in range(far):
        cell = ahead(data, cell, way)
        if cell < 0:
            return np.int64(-1)  # also beyond a conveyor
    cell = cells[robot]
    for _ in range(far):
        cell = ahead(data, cell, way)
        if codes[cell] == BROKEN or occupied(cells, cell):
            return np.int64(-1)
        if codes[cell] >= CONVEYOR:
            target = destination(data, codes, cells, cell)
            if target >= 0:  # a looping belt is looked at as a normal tile
                return target
    return cell


@kernel
def walked(
    data: Any,
    codes: Any,
    cells: Any,
    turns: Any,
    open_: Any,
    free: Any,
    rows: Any,
    robot: Any,
    item: Any,
) -> Any:
    """Where the robot's item-th walk puts it down, -1 when it FAILED (R10, R11, R16)."""
    by_rule_b = data[HOMES + 2 * robot + 1]
    way = turns[robot] if by_rule_b else (turns[robot] + item) & 3
    target = landing(data, codes, cells, robot, way, item + 1 if by_rule_b else 1)
    if target < 0 or stays_connected(data, free, cells, robot, target):
        return target
    origin = cells[robot]
    cells[robot] = target
    allowed = connected(data, open_, cells, rows)
    cells[robot] = origin
    return target if allowed else np.int64(-1)


@kernel
def hints_at(data: Any, codes: Any, robot: Any, cell: Any) -> Any:
    """In how many ways a walk that ends here can turn out (R19)."""
    if codes[cell] != HINT:
        return np.int64(1)
    home, columns = data[HOMES + 2 * robot], data[COLUMNS]
    dx, dy = data[columns + home] - data[columns + cell], row_of(data, home) - row_of(data, cell)
    row = 2 if dx > 0 else (1 if dx == 0 else 0)
    column = 2 if dy > 0 else (1 if dy == 0 else 0)
    return _HINTS[3 * row + column]


@kernel
def walk_to(data: Any, codes: Any, cells: Any, turns: Any, open_: Any, rows: Any, robot: Any, target: Any, moved: Any, state: Any, out: Any) -> None:  # fmt: skip
    """The state after the robot is put down and belts have started again (R18)."""
    for other in range(cells.shape[0]):
        moved[other] = cells[other]
    moved[robot] = target
    carry_on(data, codes, moved, open_, rows)
    for word in range(data[TILE_WORDS]):
        out[word] = state[word]
    put_robots(data, moved, turns, out)


@kernel
def successors(data: Any, state: Any, out: Any, action: Any, reward: Any, chance: Any) -> Any:
    """All requests not answered FAILED, robot by robot (R12-R20)."""
    robots, height = data[ROBOTS], data[HEIGHT]
    codes, bots = np.empty(data[WIDTH] * height, np.int64), np.empty((3, robots), np.int64)
    sets = np.empty((4, height), np.uint64)
    cells, turns, moved = bots[0], bots[1], bots[2]
    open_, free, rows = sets[2], sets[3], sets[:2]
    load(data, state, codes, cells, turns, open_, free)
    if is_won(data, cells):
        return 0
    count = number = 0
    for robot in range(robots):
        by_rule_b = data[HOMES + 2 * robot + 1]
        for item in range(3 if by_rule_b else 4):
            target = walked(data, codes, cells, turns, open_, free, rows, robot, item)
            if target >= 0:
                ways = hints_at(data, codes, robot, target)
                walk_to(data, codes, cells, turns, open_, rows, robot, target, moved, state, out[count])
                for way in range(ways):
                    for word in range(out.shape[1]):
                        out[count, word] = out[count - way, word]
                    action[count], reward[count], chance[count] = number, 0, 1.0 / ways
                    count += 1
            number += 1
        if not by_rule_b:
            continue
        before = turns[robot]
        for by in range(4):
            turns[robot] = (before + by) & 3
            for word in range(data[TILE_WORDS]):
                out[count, word] = state[word]
            put_robots(data, cells, turns, out[count])
            action[count], reward[count], chance[count] = number, 0, 1.0
            count += 1
            number += 1
        turns[robot] = before
    return count


@kernel
def executable(data: Any, state: Any, mask: Any) -> Any:
    """Set which requests are not answered FAILED; how many."""
    robots, height = data[ROBOTS], data[HEIGHT]
    codes, bots = np.empty(data[WIDTH] * height, np.int64), np.empty((2, robots), np.int64)
    sets = np.empty((4, height), np.uint64)
    cells, turns, open_, free, rows = bots[0], bots[1], sets[2], sets[3], sets[:2]
    load(data, state, codes, cells, turns, open_, free)
    over = is_won(data, cells)
    count = number = 0
    for robot in range(robots):
        by_rule_b = data[HOMES + 2 * robot + 1]
        for item in range(7 if by_rule_b else 4):
            allowed = not over
            if allowed and item < (3 if by_rule_b else 4):
                allowed = walked(data, codes, cells, turns, open_, free, rows, robot, item) >= 0
            mask[number] = 1 if allowed else 0
            count += allowed
            number += 1
    return count
