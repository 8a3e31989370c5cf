"""Robots on packed words. The same rules as `rules.py`, held to it by tests.

A state is 3 bits a cell for the tiles, which exchanges move (21 cells a word, in reading order), then
16 bits a robot, four a word: its cell (14 bits) and its rotation in quarter turns. Hints and homes never
move: a home's robot is known by its cell.

All data of a level are one array, `data`, and all that is worked on is another, `work`: each array handed
to a compiled function costs about as much as a step of a robot. Sets of cells are a number a row, column x
being bit x + 1, with an empty row above the first and one below the last.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.robots.hints import HINT_MAPPING
from gridproof.kernels.compile import kernel

U = np.uint64
_THREE, _SEVEN = U(3), U(7)
_CELL_BITS, _CELL = 14, (1 << 14) - 1
_ROBOT = U(0xFFFF)
_TILES = 21  # in a word
NORMAL, HINT, BROKEN, HOME, CONVEYOR = range(5)  # and the quarter turns of a conveyor
MOST_ROBOTS, MOST_ROWS = 32, 256  # there is room for

# Where the data of a level stand
WIDTH, HEIGHT, ROBOTS, TILE_WORDS, ACTIONS, PLACES = range(6)
HOMES = 8  # two items a robot: the cell of its home; 0 for rule A, 1 for rule B
LINES = HOMES + 2 * MOST_ROBOTS
"""Eight items a cell: its neighbours as conveyors of the rotations 0, 90, 180 and 270 point at them, or -1
off the board; its column; its row; its bit."""
COLUMN, ROW, BIT = 4, 5, 6

# Where the work stands: of each robot its cell, its turns, and what is kept of them; sets; tiles
CELLS, TURNS, KEPT, STOOD, TURNED = range(0, 5 * MOST_ROBOTS, MOST_ROBOTS)
BELTS = 5 * MOST_ROBOTS  # the number of conveyors
OPEN, FREE, REACHED = range(BELTS + 2, BELTS + 2 + 3 * (MOST_ROWS + 2), MOST_ROWS + 2)
"""What is not broken; what is neither broken nor has a robot on it; what a flood fill has reached."""
CODES = REACHED + MOST_ROWS + 2  # of each cell

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
def row_of(data: Any, cell: Any) -> Any:
    """The row of a cell."""
    return data[LINES + 8 * cell + ROW]


@kernel
def bit_of(data: Any, cell: Any) -> Any:
    """A cell's place in its row, as a bit."""
    return data[LINES + 8 * cell + BIT]


@kernel
def home_of(data: Any, robot: Any) -> Any:
    """The cell of a robot's home."""
    return data[HOMES + 2 * robot]


@kernel
def by_rule_b(data: Any, robot: Any) -> Any:
    """Whether a robot goes by rule B."""
    return data[HOMES + 2 * robot + 1] != 0


@kernel
def work_of(data: Any) -> Any:
    """Room to work in."""
    return np.empty(CODES + data[PLACES], np.int64)


@kernel
def put(data: Any, work: Any, robot: Any, cell: Any) -> None:
    """Put a robot down somewhere else."""
    origin = work[CELLS + robot]
    work[CELLS + robot] = cell
    work[FREE + row_of(data, origin)] |= bit_of(data, origin)
    work[FREE + row_of(data, cell)] &= ~bit_of(data, cell)


@kernel
def take_robots_off(data: Any, work: Any) -> None:
    """Set what is free to what is not broken, less the robots' cells."""
    height = data[HEIGHT]
    for y in range(height):
        work[FREE + y] = work[OPEN + y]
    work[FREE - 1] = work[FREE + height] = work[REACHED - 1] = work[REACHED + height] = 0
    for robot in range(data[ROBOTS]):
        cell = work[CELLS + robot]
        work[FREE + row_of(data, cell)] &= ~bit_of(data, cell)


@kernel
def load(data: Any, work: Any, state: Any) -> None:
    """Unpack a state."""
    words, left = data[TILE_WORDS], state[0]
    cell = word = inside = 0
    belts: Any = 0
    for y in range(data[HEIGHT]):
        row: Any = 0
        bit = 2
        for _ in range(data[WIDTH]):
            code = np.int64(left & _SEVEN)
            left >>= _THREE
            inside += 1
            if inside == _TILES:
                word, inside = word + 1, 0
                left = state[word]
            work[CODES + cell] = code
            belts += code >= CONVEYOR
            row += bit * (code != BROKEN)
            bit += bit
            cell += 1
        work[OPEN + y] = row
    work[BELTS] = belts
    for robot in range(data[ROBOTS]):
        about = np.int64((state[words + (robot >> 2)] >> U((robot & 3) * 16)) & _ROBOT)
        work[CELLS + robot] = work[KEPT + robot] = about & _CELL
        work[TURNS + robot] = about >> _CELL_BITS
    take_robots_off(data, work)


@kernel
def write(data: Any, work: Any, state: Any, out: Any, number: Any) -> None:
    """Pack the robots, with the tiles of a state, into out[number]."""
    words = data[TILE_WORDS]
    for word in range(words):
        out[number, word] = state[word]
    for word in range(words, out.shape[1]):
        out[number, word] = U(0)
    for robot in range(data[ROBOTS]):
        about = U(work[CELLS + robot] | work[TURNS + robot] << _CELL_BITS)
        out[number, words + (robot >> 2)] |= about << U((robot & 3) * 16)


@kernel
def put_back(data: Any, work: Any) -> None:
    """Put all robots back to where they were kept."""
    for robot in range(data[ROBOTS]):
        cell = work[CELLS + robot]
        work[FREE + row_of(data, cell)] |= bit_of(data, cell)
    for robot in range(data[ROBOTS]):
        cell = work[CELLS + robot] = work[KEPT + robot]
        work[FREE + row_of(data, cell)] &= ~bit_of(data, cell)


@kernel
def is_free(data: Any, work: Any, cell: Any) -> Any:
    """Whether a cell is not occupied (R4)."""
    return work[FREE + row_of(data, cell)] & bit_of(data, cell) != 0


@kernel
def sweep(data: Any, work: Any) -> Any:
    """Let the reached set grow along rows, from the top down and up again; whether it has grown."""
    height = data[HEIGHT]
    changed = False
    for i in range(2 * height):
        y = i if i < height else 2 * height - 1 - i
        before = work[REACHED + y]
        free = work[FREE + y]
        grown = (before | work[REACHED + y - 1] | work[REACHED + y + 1]) & free
        wider = (grown | grown << 1 | grown >> 1) & free
        if wider == before:
            continue
        changed = True
        while wider != grown:
            grown = wider
            wider = (grown | grown << 1 | grown >> 1) & free
        work[REACHED + y] = grown
    return changed


@kernel
def connected(data: Any, work: Any) -> Any:
    """Whether every robot can reach its home by free cells (R8d). Fills no further than is needed."""
    height = data[HEIGHT]
    for y in range(height):
        work[REACHED + y] = 0
    for robot in range(data[ROBOTS]):
        cell, home = work[CELLS + robot], home_of(data, robot)
        if cell == home:
            continue
        y, bit = row_of(data, home), bit_of(data, home)
        if work[REACHED + y] & bit == 0:
            if work[FREE + y] & bit == 0:
                return False
            for row in range(height):
                work[REACHED + row] = 0
            work[REACHED + y] = bit
        y, bit = row_of(data, cell), bit_of(data, cell)
        around = bit << 1 | bit >> 1
        while (work[REACHED + y] & around) | ((work[REACHED + y - 1] | work[REACHED + y + 1]) & bit) == 0:
            if not sweep(data, work):
                return False
    return True


@kernel
def stays_connected(data: Any, work: Any, robot: Any) -> Any:
    """Whether R8d surely holds after a robot's walk, seen from the cells around it alone.

    R8d held before, and what the robot left has become free, so nothing is parted when the free cells
    beside it stay joined round it, and it is on nobody else's home. A robot beside it may have lost its
    way out: not if it is joined with those free cells, too; of several, this would not be enough.
    """
    cell = work[CELLS + robot]
    x, y = data[LINES + 8 * cell + COLUMN], row_of(data, cell)
    beside = 0
    for other in range(data[ROBOTS]):
        there = work[CELLS + other]
        dx, dy = data[LINES + 8 * there + COLUMN] - x, row_of(data, there) - y
        if abs(dx) + abs(dy) == 1:
            if beside:
                return False
            beside = 1 << (4 + dx + 3 * dy)
        if home_of(data, other) == cell and other != robot:
            return False
    ring = (work[FREE + y - 1] >> x) & 7
    ring |= ((work[FREE + y] >> x) & 7) << 3
    ring |= ((work[FREE + y + 1] >> x) & 7) << 6
    return _JOINED[ring] & _JOINED[ring | beside] != 0


@kernel
def destination(data: Any, work: Any, start: Any) -> Any:
    """Where the belt from a conveyor leads (R7); -1 where its arrows close into a loop, or lead into one."""
    cell = found = start
    blocked = False
    for _ in range(work[BELTS]):
        cell = data[LINES + 8 * cell + work[CODES + cell] - CONVEYOR]
        if cell < 0:
            return found
        blocked = blocked or not is_free(data, work, cell)
        if not blocked:
            found = cell
        if work[CODES + cell] < CONVEYOR:
            return found
    return np.int64(-1)


@kernel
def carry_on(data: Any, work: Any) -> None:
    """Belts start again (R20): pass over the robots until a pass carries none."""
    carried = True
    while carried:
        carried = False
        for robot in range(data[ROBOTS]):
            origin = work[CELLS + robot]
            if work[CODES + origin] < CONVEYOR:
                continue
            target = destination(data, work, origin)
            if target < 0 or target == origin:
                continue
            put(data, work, robot, target)
            if connected(data, work):
                carried = True
            else:
                put(data, work, robot, origin)


@kernel
def is_won(data: Any, work: Any) -> Any:
    """Whether some robot stands on its own home (R17, R20)."""
    for robot in range(data[ROBOTS]):  # noqa: SIM110  # numba compiles no generators
        if work[CELLS + robot] == home_of(data, robot):
            return True
    return False


@kernel
def landing(data: Any, work: Any, robot: Any, item: Any) -> Any:
    """Where the robot's item-th walk would put it down (R14, R15), -1 where the way is barred."""
    turns, far = work[TURNS + robot], 1
    if by_rule_b(data, robot):
        far = item + 1  # R11
    else:
        turns += item  # R10
    way = (2 - turns) & 3  # 0 is east, but west of conveyors
    cell = work[CELLS + robot]
    for _ in range(far):
        cell = data[LINES + 8 * cell + way]
        if cell < 0:
            return np.int64(-1)  # also beyond a conveyor
    cell = work[CELLS + robot]
    for _ in range(far):
        cell = data[LINES + 8 * cell + way]
        if not is_free(data, work, cell):
            return np.int64(-1)
        if work[CODES + cell] >= CONVEYOR:
            target = destination(data, work, cell)
            if target >= 0:  # a looping belt is looked at as a normal tile
                return target
    return cell


@kernel
def walk(data: Any, work: Any, robot: Any, item: Any) -> Any:
    """The robot's item-th walk, if it does not FAIL (R16); whether it has been put down."""
    target = landing(data, work, robot, item)
    if target < 0:
        return False
    origin = work[CELLS + robot]
    put(data, work, robot, target)
    if stays_connected(data, work, robot) or connected(data, work):
        return True
    put(data, work, robot, origin)
    return False


@kernel
def hints(data: Any, work: Any, robot: Any) -> Any:
    """In how many ways a walk that has ended here can turn out (R19)."""
    cell, home = work[CELLS + robot], home_of(data, robot)
    if work[CODES + cell] != HINT:
        return np.int64(1)
    dx = data[LINES + 8 * home + COLUMN] - data[LINES + 8 * cell + COLUMN]
    dy = row_of(data, home) - row_of(data, cell)
    column = 2 if dx > 0 else (1 if dx == 0 else 0)
    row = 2 if dy > 0 else (1 if dy == 0 else 0)
    return _HINTS[3 * column + row]


@kernel
def successors(data: Any, state: Any, out: Any, action: Any, reward: Any, chance: Any) -> Any:
    """All requests not answered FAILED, robot by robot (R12-R20)."""
    work = work_of(data)
    load(data, work, state)
    if is_won(data, work):
        return 0
    count = number = 0
    for robot in range(data[ROBOTS]):
        turning = by_rule_b(data, robot)
        for item in range(3 if turning else 4):
            if walk(data, work, robot, item):
                ways = hints(data, work, robot)
                carry_on(data, work)  # R18
                for _ in range(ways):
                    write(data, work, state, out, count)
                    action[count], reward[count], chance[count] = number, 0, 1.0 / ways
                    count += 1
                put_back(data, work)
            number += 1
        if not turning:
            continue
        before = work[TURNS + robot]
        for by in range(4):
            work[TURNS + robot] = (before + by) & 3
            write(data, work, state, out, count)
            action[count], reward[count], chance[count] = number, 0, 1.0
            count += 1
            number += 1
        work[TURNS + robot] = before
    return count


@kernel
def executable(data: Any, work: Any, mask: Any) -> Any:
    """Set which requests of the loaded state are not answered FAILED; how many."""
    over = is_won(data, work)
    count = number = 0
    for robot in range(data[ROBOTS]):
        turning = by_rule_b(data, robot)
        for item in range(7 if turning else 4):
            allowed = not over
            if allowed and item < (3 if turning else 4):
                allowed = walk(data, work, robot, item)
                put_back(data, work)
            mask[number] = 1 if allowed else 0
            count += allowed
            number += 1
    return count
