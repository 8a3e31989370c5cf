"""A 4 x 4 board in one word, moved by tables of its rows: a faster way for the layout NIBBLES.

A row of four exponents has 16 bits; tables of 65,536 entries say what each becomes to the left and
to the right, and what it gains; and columns are rows of the transposed board. An exponent of 15, the tile 32768, is the
largest, and whoever plays here sees to it that two of them never combine.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.twenty48.kernel.cells import (
    ENTRIES,
    INVERSE,
    NIBBLES,
    ROWS,
    SHIFT,
    TARGET,
    URN,
    slide,
)
from gridproof.kernels.chance import below
from gridproof.kernels.compile import borrowing, inlined, kernel
from gridproof.kernels.game import DONE, LOST, PLAYING, REFUSED, WON

_COUNT = 1 << 16
_GAINS = _COUNT // 2  # words of rows, before those of gains

# masks of the transposition: four nibbles in two by two blocks, then the blocks
_KEPT, _LEFTWARDS, _RIGHTWARDS = (
    np.uint64(bits) for bits in (0xF0F0_0F0F_F0F0_0F0F, 0x0000_F0F0_0000_F0F0, 0x0F0F_0000_0F0F_0000)
)
_BLOCKS, _HIGH_BLOCK, _LOW_BLOCK = (
    np.uint64(bits) for bits in (0xFF00_FF00_00FF_00FF, 0x00FF_00FF_0000_0000, 0x0000_0000_FF00_FF00)
)
_ONE_A_CELL = np.uint64(0x1111_1111_1111_1111)
_ONE_A_BYTE = np.uint64(0x0101_0101_0101_0101)
_LOW_NIBBLES = np.uint64(0x0F0F_0F0F_0F0F_0F0F)
_SIXTEENS = np.uint64(0x1010_1010_1010_1010)
_BELOW_15, _HIGH_BITS = np.uint64(0x7171_7171_7171_7171), np.uint64(0x8080_8080_8080_8080)
_PAIRS_OF_CELLS, _FOURS_OF_CELLS = np.uint64(0x00FF_00FF_00FF_00FF), np.uint64(0x0000_FFFF_0000_FFFF)
_LOW_HALF = np.uint64(0xFFFF_FFFF)
_NOT_LAST_COLUMN, _NOT_LAST_ROW = np.uint64(0x0111_0111_0111_0111), np.uint64(0x0000_1111_1111_1111)
_ROW = np.uint64(_COUNT - 1)
_ZERO, _ONE, _TWO, _THREE, _FOUR = (np.uint64(value) for value in range(5))
_8, _12, _16, _24, _32, _48, _56, _60 = (np.uint64(bits) for bits in (8, 12, 16, 24, 32, 48, 56, 60))


def row_table(data: Any) -> np.ndarray[Any, Any]:
    """What each row becomes, as words of a level's data: int64 (40960,).

    They hold uint16 (2, 65536), rows moved to the left and to the right (T6), and uint8 (65536,), what
    either gains (T7): the exponents of the tiles that are new, four bits each. Where two tiles 32768 would
    combine, it means nothing. `data` is that of a board of 4 x 2 cells of four bits.
    """
    rows, gains = np.zeros((2, _COUNT), np.uint16), np.zeros(_COUNT, np.uint8)
    fill(data, rows, gains)
    return np.concatenate([rows.ravel().view(np.int64), gains.view(np.int64)])


@borrowing
def exponents_of(gained: Any) -> Any:
    """Two exponents, four bits each, of powers of two that sum to what a row gains; 0 stands for nothing."""
    if gained == 1 << 16:
        return 15 << 4 | 15
    found = 0
    for exponent in range(15, 0, -1):
        if gained & (1 << exponent):
            found = found << 4 | exponent
    return found & 255


@kernel
def fill(data: Any, rows: Any, gains: Any) -> None:
    """Slide each row, as the first one of a board that has nothing else."""
    row, after = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    for number in range(rows.shape[1]):
        row[0] = np.uint64(number)
        for direction in range(2):
            gained = slide(data, row, direction, after)
            rows[direction, number] = np.uint16(after[0] & _ROW)
            gains[number] = exponents_of(gained)


@borrowing
def transposed(board: Any) -> Any:
    """Rows become columns."""
    pairs = (board & _KEPT) | ((board & _LEFTWARDS) << _12) | ((board & _RIGHTWARDS) >> _12)
    return (pairs & _BLOCKS) | ((pairs & _HIGH_BLOCK) >> _24) | ((pairs & _LOW_BLOCK) << _24)


_GAINED = np.array([((1 << (pair & 15)) & ~1) + ((1 << (pair >> 4)) & ~1) for pair in range(256)])
"""What two exponents, four bits each, gain together."""


@borrowing
def gain(data: Any, row: Any) -> Any:
    """What a row gains, moved to either side (T7)."""
    begin = np.uint64(data[ROWS] + _GAINS) << _THREE
    return _GAINED[data.view(np.uint8)[begin + row]]


@borrowing
def upright(board: Any, direction: Any) -> Any:
    """The board, or transposed, so that a slide up or down is one of rows: direction counts left, right, up, down.

    There is no branch on the direction, which the processor could not predict in random play.
    """
    return board ^ ((board ^ transposed(board)) & (_ZERO - (direction >> _ONE)))


@borrowing
def slid(data: Any, board: Any, direction: Any) -> Any:
    """The board after its rows have slid to the left or right (T6); of the direction, the lowest bit counts."""
    rows, table = data.view(np.uint16), (np.uint64(data[ROWS]) << _TWO) + ((direction & _ONE) << _16)
    return (
        np.uint64(rows[table + (board & _ROW)])
        | np.uint64(rows[table + ((board >> _16) & _ROW)]) << _16
        | np.uint64(rows[table + ((board >> _32) & _ROW)]) << _32
        | np.uint64(rows[table + (board >> _48)]) << _48
    )


@borrowing
def gained(data: Any, board: Any) -> Any:
    """What a board gains when its rows slide to either side (T7)."""
    first, second = gain(data, board & _ROW), gain(data, (board >> _16) & _ROW)
    return first + second + gain(data, (board >> _32) & _ROW) + gain(data, board >> _48)


@borrowing
def moved(data: Any, board: Any, direction: Any) -> Any:
    """The board after a slide (T6): direction, a uint64, counts left, right, up, down."""
    return upright(slid(data, upright(board, direction), direction), direction)


@borrowing
def empties(board: Any) -> Any:
    """The empty cells of a board: a 1 in the lowest bit of each one's nibble."""
    board |= board >> _TWO
    board |= board >> _ONE
    return ~board & _ONE_A_CELL


@borrowing
def count(empty: Any) -> Any:
    """The number of empty cells, at most 15."""
    return (empty * _ONE_A_CELL) >> _60


@borrowing
def place(empty: Any, number: Any) -> Any:
    """The place, from 0 to 15, of the empty cell of that number, from 0 (a uint64).

    It is how many cells have at most `number` empty ones up to themselves: all cells are compared
    at once, the even ones and the odd ones in bytes.
    """
    until = empty * _ONE_A_CELL
    bound = number * _ONE_A_BYTE + _SIXTEENS
    even = (bound - (until & _LOW_NIBBLES)) & _SIXTEENS
    odd = (bound - ((until >> _FOUR) & _LOW_NIBBLES)) & _SIXTEENS
    return (((even >> _FOUR) + (odd >> _FOUR)) * _ONE_A_BYTE) >> _56


# -- steps


@inlined
def is_small(data: Any, state: Any) -> Any:
    """Whether no slide can make a tile above 32768: the board has one word here."""
    if data[SHIFT] == NIBBLES:
        return True
    return ((state[0] + _BELOW_15) | (state[1] + _BELOW_15)) & _HIGH_BITS == _ZERO


@borrowing
def squeezed(word: Any) -> Any:
    """Eight cells of a byte as eight of four bits."""
    word = (word | (word >> _FOUR)) & _PAIRS_OF_CELLS
    word = (word | (word >> _8)) & _FOURS_OF_CELLS
    return (word | (word >> _16)) & _LOW_HALF


@borrowing
def widened(half: Any) -> Any:
    """The same the other way."""
    half = (half | (half << _16)) & _FOURS_OF_CELLS
    half = (half | (half << _8)) & _PAIRS_OF_CELLS
    return (half | (half << _FOUR)) & _LOW_NIBBLES


@borrowing
def board_of(data: Any, state: Any) -> Any:
    """The one word of a small board."""
    return state[0] if data[SHIFT] == NIBBLES else squeezed(state[0]) | (squeezed(state[1]) << _32)


@borrowing
def write_board(data: Any, board: Any, out: Any) -> None:
    """The state of a board's one word."""
    if data[SHIFT] == NIBBLES:
        out[0] = board
    else:
        out[0], out[1] = widened(board & _LOW_HALF), widened(board >> _32)


@borrowing
def write_cells(data: Any, state: Any, out: Any) -> None:
    """The exponents of all cells, a byte each."""
    cells = out.view(np.uint64)
    if data[SHIFT] == NIBBLES:
        cells[0], cells[1] = widened(state[0] & _LOW_HALF), widened(state[0] >> _32)
    else:
        cells[0], cells[1] = state[0], state[1]


@inlined
def is_won(data: Any, board: Any) -> Any:
    """Whether some tile is as large as the target; cells are compared all at once."""
    if data[TARGET] >= 16:
        return False
    missing = np.uint64(16 - data[TARGET]) * _ONE_A_BYTE
    large = ((board & _LOW_NIBBLES) + missing) | (((board >> _FOUR) & _LOW_NIBBLES) + missing)
    return large & _SIXTEENS != _ZERO


@borrowing
def status_of(data: Any, board: Any, full: Any) -> Any:
    """As `Position.status` (T11), of a board that is known to be full or not; cells are compared all at once."""
    if is_won(data, board):
        return WON
    if not full:
        return PLAYING
    alike = empties(board ^ (board >> _FOUR)) & _NOT_LAST_COLUMN
    alike |= empties(board ^ (board >> _16)) & _NOT_LAST_ROW
    return PLAYING if alike != _ZERO else LOST


@inlined
def spawned(data: Any, board: Any, empty: Any, random: Any) -> Any:
    """The board after a tile has appeared in one of its empty cells (T10, T18), and its exponent."""
    entries = np.uint64(data[ENTRIES])
    drawn = np.uint64(below(random, count(empty) * entries))
    number = (drawn * np.uint64(data[INVERSE])) >> _32
    exponent = np.uint64(data[data[URN] + np.int64(drawn - number * entries)])
    return board | exponent << (place(empty, number) << _TWO), exponent


@inlined
def quick_step(data: Any, state: Any, number: Any, random: Any, out: Any) -> Any:
    """`kernel.step` of a small board of 4 x 4 cells."""
    board, direction = board_of(data, state), np.uint64(number)
    lying = upright(board, direction)
    after = slid(data, lying, direction)
    if after == lying:
        write_board(data, board, out)
        return 0, status_of(data, board, empties(board) == _ZERO), REFUSED
    after = upright(after, direction)
    empty = empties(after)
    after, _ = spawned(data, after, empty, random)
    write_board(data, after, out)
    return gained(data, lying), status_of(data, after, count(empty) == _ONE), DONE


@inlined
def quick_mask(data: Any, board: Any, mask: Any) -> Any:
    """`kernel.mask` of a small board of 4 x 4 cells; whether there is any move.

    A line moves when some tile has an empty cell ahead of it, or an equal tile beside it (T8).
    """
    empty = empties(board)
    tile = empty ^ _ONE_A_CELL
    alike = empties(board ^ (board >> _FOUR)) & tile
    left, right = (empty & (tile >> _FOUR)) | alike, (tile & (empty >> _FOUR)) | alike
    alike = empties(board ^ (board >> _16)) & tile
    up, down = (empty & (tile >> _16)) | alike, (tile & (empty >> _16)) | alike
    mask[0], mask[1] = left & _NOT_LAST_COLUMN != _ZERO, right & _NOT_LAST_COLUMN != _ZERO
    mask[2], mask[3] = up & _NOT_LAST_ROW != _ZERO, down & _NOT_LAST_ROW != _ZERO
    return ((left | right) & _NOT_LAST_COLUMN) | ((up | down) & _NOT_LAST_ROW) != _ZERO


@inlined
def quick_update(data: Any, state: Any, number: Any, random: Any, seen: Any, mask: Any) -> Any:
    """`kernel.update` of a small board of 4 x 4 cells."""
    direction = np.uint64(number)
    lying = upright(board_of(data, state), direction)
    after = upright(slid(data, lying, direction), direction)
    after, _ = spawned(data, after, empties(after), random)
    cells = seen.view(np.uint64)
    cells[0], cells[1] = widened(after & _LOW_HALF), widened(after >> _32)
    if data[SHIFT] == NIBBLES:
        state[0] = after
    else:
        state[0], state[1] = cells[0], cells[1]
    some = quick_mask(data, after, mask)
    return gained(data, lying), WON if is_won(data, after) else PLAYING if some else LOST
