"""Positions of Robots as words, and the memory to work on them.

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

from gridproof.kernels.compile import borrowing, kernel

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
