"""Robots on packed words. The same rules as `rules.py`, held to it by tests.

A state is 3 bits a cell for the tiles, which exchanges move (21 cells a word, in reading order), then
16 bits a robot, four a word: its cell (14 bits) and its rotation in quarter turns. Hints and homes never
move: a home's robot is known by its cell.

All data of a level are one array, `data`, and the memory is another, `work`: each array passed to a compiled
function takes time. Sets of cells are a number a row, column x being bit x + 1, with an empty row above the
first and one below the last.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.robots.hints import HINT_MAPPING
from gridproof.kernels.compile import borrowing, inlined, kernel
from gridproof.kernels.game import PLAYING, WON

U = np.uint64
_THREE, _SEVEN = U(3), U(7)
_CELL_BITS, _CELL = 14, (1 << 14) - 1
_ROBOT, _ROBOT_BITS, _ALL_BITS = U(0xFFFF), U(16), U(64)
_TILES = 21  # in a word
NORMAL, HINT, BROKEN, HOME, CONVEYOR = range(5)  # and the quarter turns of a conveyor
LOOPING = CONVEYOR + 4  # and the quarter turns of a conveyor that is known to lead into a loop
QUARTER = 3  # the quarter turns of either
MOST_ROBOTS, MOST_ROWS = 32, 256

# Places in the data of a level
WIDTH, HEIGHT, ROBOTS, TILE_WORDS, ACTIONS, PLACES = range(6)
HOMES = 8  # two items a robot: the cell of its home; 0 for rule A, 1 for rule B
LINES = HOMES + 2 * MOST_ROBOTS
"""Eight items a cell: its neighbours as conveyors of the rotations 0, 90, 180 and 270 point at them, or -1
off the board; its column; its row; its bit."""
COLUMN, ROW, BIT = 4, 5, 6
# After the lines: the words of the level's own tiles, its open rows, and its codes with the loops marked

# Places in the work: of each robot its cell and turns, the cell to restore, the cell and turns before an
# exchange, the numbers of rides on belts and of rides home; sets; tiles
CELLS, TURNS, SAVED, OLD_CELLS, OLD_TURNS, CARRIES, WINS = range(0, 7 * MOST_ROBOTS, MOST_ROBOTS)
BELTS, LOOPS_KNOWN, AUTO = range(7 * MOST_ROBOTS, 7 * MOST_ROBOTS + 3)
"""The number of conveyors; 1 if loops are marked; 1 if a belt took over the last walk (R15)."""
OPEN, FREE, REACHED = range(AUTO + 1, AUTO + 1 + 3 * (MOST_ROWS + 2), MOST_ROWS + 2)
"""Sets of cells: not broken; neither broken nor with a robot; reached by a flood fill."""
CODES = REACHED + MOST_ROWS + 2  # of each cell; behind them a number of each


@borrowing
def row_of(data: Any, cell: Any) -> Any:
    """Return the row of a cell."""
    return data[LINES + 8 * cell + ROW]


@borrowing
def bit_of(data: Any, cell: Any) -> Any:
    """Return a cell's column as a bit."""
    return data[LINES + 8 * cell + BIT]


@borrowing
def home_of(data: Any, robot: Any) -> Any:
    """Return the cell of a robot's home."""
    return data[HOMES + 2 * robot]


@borrowing
def has_rule_b(data: Any, robot: Any) -> Any:
    """Return whether a robot has rule B."""
    return data[HOMES + 2 * robot + 1] != 0


@kernel
def allocate_work(data: Any) -> Any:
    """Allocate memory to work in."""
    return np.empty(CODES + 2 * data[PLACES], np.int64)


@borrowing
def move_robot(data: Any, work: Any, robot: Any, cell: Any) -> None:
    """Move a robot to another cell."""
    origin = work[CELLS + robot]
    work[CELLS + robot] = cell
    work[FREE + row_of(data, origin)] |= bit_of(data, origin)
    work[FREE + row_of(data, cell)] &= ~bit_of(data, cell)


@borrowing
def update_free(data: Any, work: Any) -> None:
    """Set the free cells: those that are not broken, less the robots'."""
    height = data[HEIGHT]
    for y in range(height):
        work[FREE + y] = work[OPEN + y]
    work[FREE - 1] = work[FREE + height] = work[REACHED - 1] = work[REACHED + height] = 0
    for robot in range(data[ROBOTS]):
        cell = work[CELLS + robot]
        work[FREE + row_of(data, cell)] &= ~bit_of(data, cell)


@borrowing
def load_tiles(data: Any, work: Any, state: Any) -> None:
    """Unpack any tiles."""
    left = state[0]
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
    work[BELTS], work[LOOPS_KNOWN] = belts, 0


@borrowing
def load_robots(data: Any, work: Any, state: Any) -> None:
    """Unpack the robots, over tiles that are unpacked."""
    words = data[TILE_WORDS]
    for robot in range(data[ROBOTS]):
        about = np.int64((state[words + (robot >> 2)] >> U((robot & 3) * 16)) & _ROBOT)
        work[CELLS + robot] = work[SAVED + robot] = about & _CELL
        work[TURNS + robot] = about >> _CELL_BITS
    update_free(data, work)


@borrowing
def load_state(data: Any, work: Any, state: Any) -> None:
    """Unpack a state. Its tiles are mostly the level's own: those lie ready in the data."""
    own = LINES + 8 * data[PLACES]
    different = 0
    for word in range(data[TILE_WORDS]):
        different |= np.int64(state[word]) ^ data[own + word]
    if different:
        load_tiles(data, work, state)
    else:
        own += data[TILE_WORDS]
        for y in range(data[HEIGHT]):
            work[OPEN + y] = data[own + y]
        own += data[HEIGHT]
        for cell in range(data[PLACES]):
            work[CODES + cell] = data[own + cell]
        work[BELTS], work[LOOPS_KNOWN] = data[PLACES], 1
    load_robots(data, work, state)


@borrowing
def write_state(data: Any, work: Any, state: Any, out: Any, number: Any) -> None:
    """Pack the robots, with the tiles of a state, into out[number]."""
    words = data[TILE_WORDS]
    for word in range(words):
        out[number, word] = state[word]
    about, shift = U(0), U(0)
    for robot in range(data[ROBOTS]):
        about |= U(work[CELLS + robot] | work[TURNS + robot] << _CELL_BITS) << shift
        out[number, words + (robot >> 2)] = about
        shift += _ROBOT_BITS
        if shift == _ALL_BITS:
            about, shift = U(0), U(0)


@borrowing
def restore_robots(data: Any, work: Any) -> None:
    """Move all robots back to their saved cells."""
    for robot in range(data[ROBOTS]):
        cell = work[CELLS + robot]
        work[FREE + row_of(data, cell)] |= bit_of(data, cell)
    for robot in range(data[ROBOTS]):
        cell = work[CELLS + robot] = work[SAVED + robot]
        work[FREE + row_of(data, cell)] &= ~bit_of(data, cell)


# -- steps

_HINTS = np.array([len(HINT_MAPPING.get((dx, dy), ())) for dx in (-1, 0, 1) for dy in (-1, 0, 1)], np.int64)


def _is_joined(ring: int) -> bool:
    """Return whether the free cells beside the middle one of 3 x 3 are joined round it: bits in reading order."""
    around = [ring >> bit & 1 for bit in (1, 2, 5, 8, 7, 6, 3, 0)]  # clockwise; the even ones lie beside it
    if 0 not in around:
        return True
    first = around.index(0)
    parts = "".join("-" if not free else "ox"[place % 2] for place, free in enumerate(around))
    groups = (parts[first:] + parts[:first]).split("-")
    return sum("o" in group for group in groups) <= 1


_JOINED = np.array([_is_joined(ring) for ring in range(512)], np.uint8)
"""1 if the middle one of 3 x 3 cells may be taken from the free cells without parting those beside it."""


@borrowing
def is_free(data: Any, work: Any, cell: Any) -> Any:
    """Return whether a cell is not occupied (R4)."""
    return work[FREE + row_of(data, cell)] & bit_of(data, cell) != 0


@borrowing
def sweep(data: Any, work: Any) -> Any:
    """Grow the reached set along rows, from the top down and up again; return whether it has grown."""
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


@borrowing
def is_connected(data: Any, work: Any) -> Any:
    """Return whether every robot can reach its home by free cells (R8d), by flood fills that end early."""
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


@borrowing
def is_valid(data: Any, work: Any) -> Any:
    """Return whether the loaded state satisfies R8.

    The packing alone ensures that there are both rules (R8a), and that no robot has two cells (R8b).
    """
    for robot in range(data[ROBOTS]):
        cell = work[CELLS + robot]
        if work[CODES + cell] == BROKEN or work[CODES + home_of(data, robot)] != HOME:
            return False
        for other in range(robot):
            if work[CELLS + other] == cell:
                return False
    homes = 0
    for cell in range(data[PLACES]):
        homes += work[CODES + cell] == HOME
    return homes == data[ROBOTS] and is_connected(data, work)


@inlined
def is_connected_locally(data: Any, work: Any, cell: Any, robot: Any) -> Any:
    """Return whether the cells around one prove R8d after it was taken, by a robot or by none (-1).

    R8d held before, and what was left for it has become free, so nothing is parted if the free cells
    beside it stay joined round it, and it is nobody else's home. A robot beside it may have lost its
    way out: not if it is joined with those free cells, too; for several robots, this would not be enough.
    """
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


@borrowing
def is_safe_move(data: Any, work: Any, robot: Any) -> Any:
    """Return whether the cells around a moved robot prove R8d; inlined in `try_move`, it would slow steps by a seventh."""
    return is_connected_locally(data, work, work[CELLS + robot], robot)


@borrowing
def destination(data: Any, work: Any, start: Any) -> Any:
    """Return the end of the belt from a conveyor (R7); -1 if its arrows close into a loop, or lead into one."""
    cell = found = start
    blocked = False
    if work[CODES + cell] >= LOOPING:
        return np.int64(-1)
    for _ in range(work[BELTS]):
        cell = data[LINES + 8 * cell + (work[CODES + cell] & QUARTER)]
        if cell < 0:
            return found
        blocked = blocked or not is_free(data, work, cell)
        if not blocked:
            found = cell
        elif work[LOOPS_KNOWN]:
            return found
        if work[CODES + cell] < CONVEYOR:
            return found
    return np.int64(-1)


@borrowing
def try_move(data: Any, work: Any, robot: Any, target: Any) -> Any:
    """Move a robot to another cell if R8 holds then; return whether it does."""
    origin = work[CELLS + robot]
    move_robot(data, work, robot, target)
    holds = is_safe_move(data, work, robot) or is_connected(data, work)
    if not holds:
        move_robot(data, work, robot, origin)
    return holds


@borrowing
def run_belts(data: Any, work: Any) -> None:
    """Start belts again (R20): pass over the robots until a pass carries none."""
    carried = True
    while carried:
        carried = False
        for robot in range(data[ROBOTS]):
            origin = target = work[CELLS + robot]
            if work[CODES + origin] >= CONVEYOR:
                target = destination(data, work, origin)
            if target >= 0 and target != origin and try_move(data, work, robot, target):
                carried = True
                work[(WINS if target == home_of(data, robot) else CARRIES) + robot] += 1


@borrowing
def is_won(data: Any, work: Any) -> Any:
    """Return whether some robot stands on its own home (R17, R20)."""
    for robot in range(data[ROBOTS]):  # noqa: SIM110  # numba compiles no generators
        if work[CELLS + robot] == home_of(data, robot):
            return True
    return False


@borrowing
def find_landing(data: Any, work: Any, robot: Any, item: Any) -> Any:
    """Return the end of the robot's item-th walk (R14, R15); -1 if something bars it."""
    turns, far = work[TURNS + robot], 1
    work[AUTO] = 0
    if has_rule_b(data, robot):
        far = item + 1  # R11
    else:
        turns += item  # R10
    turn = (2 - turns) & 3  # 0 is east, but west of conveyors
    cell = work[CELLS + robot]
    for _ in range(far):
        cell = data[LINES + 8 * cell + turn]
        if cell < 0:
            return np.int64(-1)  # also beyond a conveyor
    cell = work[CELLS + robot]
    for _ in range(far):
        cell = data[LINES + 8 * cell + turn]
        if not is_free(data, work, cell):
            return np.int64(-1)
        if work[CODES + cell] >= CONVEYOR:
            target = destination(data, work, cell)
            if target >= 0:  # a looping belt is looked at as a normal tile
                work[AUTO] = 1
                return target
    return cell


@borrowing
def try_walk(data: Any, work: Any, robot: Any, item: Any) -> Any:
    """Do the robot's item-th walk if it does not FAIL (R16); return whether it was done."""
    target = find_landing(data, work, robot, item)
    return target >= 0 and try_move(data, work, robot, target)


@borrowing
def home_direction(data: Any, work: Any, robot: Any) -> Any:
    """Return the direction of a robot's home by the signs of home minus robot: 0 to 8, columns first (R19)."""
    cell, home = work[CELLS + robot], home_of(data, robot)
    dx = data[LINES + 8 * home + COLUMN] - data[LINES + 8 * cell + COLUMN]
    dy = row_of(data, home) - row_of(data, cell)
    column = 2 if dx > 0 else (1 if dx == 0 else 0)
    row = 2 if dy > 0 else (1 if dy == 0 else 0)
    return 3 * column + row


@borrowing
def is_on_hint(data: Any, work: Any, robot: Any) -> Any:
    """Return whether a robot stands on a hint tile."""
    return work[CODES + work[CELLS + robot]] == HINT


@borrowing
def count_hints(data: Any, work: Any, robot: Any) -> Any:
    """Return the number of outcomes of a walk that has ended here (R19)."""
    return _HINTS[home_direction(data, work, robot)] if is_on_hint(data, work, robot) else np.int64(1)


@borrowing
def write_successors(
    data: Any, work: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any
) -> Any:
    """Write the successors, and return their number."""
    load_state(data, work, state)
    if is_won(data, work):
        return 0
    count = number = 0
    for robot in range(data[ROBOTS]):
        turning = has_rule_b(data, robot)
        for item in range(3 if turning else 4):
            if try_walk(data, work, robot, item):
                ways = count_hints(data, work, robot)
                run_belts(data, work)  # R18
                for _ in range(ways):
                    write_state(data, work, state, out, count)
                    action[count], reward[count], weight[count] = number, 0, 1
                    count += 1
                restore_robots(data, work)
            number += 1
        if not turning:
            continue
        before = work[TURNS + robot]
        for by in range(4):
            work[TURNS + robot] = (before + by) & 3
            write_state(data, work, state, out, count)
            action[count], reward[count], weight[count] = number, 0, 1
            count += 1
            number += 1
        work[TURNS + robot] = before
    return count


@kernel
def successors(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """Write all requests not answered FAILED, robot by robot (R12-R20); return their number."""
    return write_successors(data, allocate_work(data), state, out, action, reward, weight)


@borrowing
def write_mask(data: Any, work: Any, mask: Any) -> Any:
    """Mark the requests of the loaded state that are not answered FAILED; return their number."""
    over = is_won(data, work)
    count = number = 0
    for robot in range(data[ROBOTS]):
        turning = has_rule_b(data, robot)
        for item in range(7 if turning else 4):
            allowed = not over
            if allowed and item < (3 if turning else 4):
                allowed = try_walk(data, work, robot, item)
                restore_robots(data, work)
            mask[number] = 1 if allowed else 0
            count += allowed
            number += 1
    return count


@borrowing
def status_of(data: Any, work: Any) -> Any:
    """Return the loaded state's status: some robot has rule B (R8a), and can always ask for a rotation (R13)."""
    return WON if is_won(data, work) else PLAYING
