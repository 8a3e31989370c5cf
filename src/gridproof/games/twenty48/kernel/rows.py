"""A 4 x 4 board in one word, moved by tables of its rows: faster moves for the layout NIBBLES.

A row of four exponents has 16 bits; tables of 65,536 entries have each row after a slide to the left and
to the right, and its score; columns are rows of the transposed board. An exponent of 15, the tile 32768, is the
largest, and callers ensure that two of them never combine.
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
    """Return the row table as words of a level's data: int64 (40960,).

    It holds uint16 (2, 65536), rows moved to the left and to the right (T6), and uint8 (65536,), the
    exponents of the new tiles (T7), four bits each. It is undefined where two tiles 32768 would combine.
    `data` is that of a board of 4 x 2 cells of four bits.
    """
    rows, gains = np.zeros((2, _COUNT), np.uint16), np.zeros(_COUNT, np.uint8)
    fill_rows(data, rows, gains)
    return np.concatenate([rows.ravel().view(np.int64), gains.view(np.int64)])


@borrowing
def exponents_of(gained: Any) -> Any:
    """Return two exponents, four bits each, of powers of two whose sum is the score of a row; 0 stands for nothing."""
    if gained == 1 << 16:
        return 15 << 4 | 15
    found = 0
    for exponent in range(15, 0, -1):
        if gained & (1 << exponent):
            found = found << 4 | exponent
    return found & 255


@kernel
def fill_rows(data: Any, rows: Any, gains: Any) -> None:
    """Slide each row, as the first row of an empty board."""
    row, after = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    for number in range(rows.shape[1]):
        row[0] = np.uint64(number)
        for direction in range(2):
            gained = slide(data, row, direction, after)
            rows[direction, number] = np.uint16(after[0] & _ROW)
            gains[number] = exponents_of(gained)


@borrowing
def transpose(board: Any) -> Any:
    """Return the board with rows and columns exchanged."""
    pairs = (board & _KEPT) | ((board & _LEFTWARDS) << _12) | ((board & _RIGHTWARDS) >> _12)
    return (pairs & _BLOCKS) | ((pairs & _HIGH_BLOCK) >> _24) | ((pairs & _LOW_BLOCK) << _24)


_GAINED = np.array([((1 << (pair & 15)) & ~1) + ((1 << (pair >> 4)) & ~1) for pair in range(256)])
"""The score of two exponents, four bits each."""


@borrowing
def row_gain(data: Any, row: Any) -> Any:
    """Return the score of a row, moved to either side (T7)."""
    begin = np.uint64(data[ROWS] + _GAINS) << _THREE
    return _GAINED[data.view(np.uint8)[begin + row]]


@borrowing
def orient(board: Any, direction: Any) -> Any:
    """Transpose the board for a slide up or down, so that rows slide: direction counts left, right, up, down.

    There is no branch on the direction, which the processor could not predict in random play.
    """
    return board ^ ((board ^ transpose(board)) & (_ZERO - (direction >> _ONE)))


@borrowing
def slide_rows(data: Any, board: Any, direction: Any) -> Any:
    """Return the board after its rows slide to the left or right (T6), by the lowest bit of the direction."""
    rows, table = data.view(np.uint16), (np.uint64(data[ROWS]) << _TWO) + ((direction & _ONE) << _16)
    return (
        np.uint64(rows[table + (board & _ROW)])
        | np.uint64(rows[table + ((board >> _16) & _ROW)]) << _16
        | np.uint64(rows[table + ((board >> _32) & _ROW)]) << _32
        | np.uint64(rows[table + (board >> _48)]) << _48
    )


@borrowing
def board_gain(data: Any, board: Any) -> Any:
    """Return the score of a board when its rows slide to either side (T7)."""
    first, second = row_gain(data, board & _ROW), row_gain(data, (board >> _16) & _ROW)
    return first + second + row_gain(data, (board >> _32) & _ROW) + row_gain(data, board >> _48)


@borrowing
def move_board(data: Any, board: Any, direction: Any) -> Any:
    """Return the board after a slide (T6): direction, a uint64, counts left, right, up, down."""
    return orient(slide_rows(data, orient(board, direction), direction), direction)


@borrowing
def empty_bits(board: Any) -> Any:
    """Return the empty cells of a board: a 1 in the lowest bit of the nibble of each."""
    board |= board >> _TWO
    board |= board >> _ONE
    return ~board & _ONE_A_CELL


@borrowing
def count_bits(empty: Any) -> Any:
    """Count the empty cells, at most 15."""
    return (empty * _ONE_A_CELL) >> _60


@borrowing
def place_of_empty(empty: Any, number: Any) -> Any:
    """Return the place, from 0 to 15, of the empty cell of a number, from 0 (a uint64).

    The place is the number of cells with at most `number` empty cells up to themselves: all cells are
    compared at once, even ones and odd ones in bytes.
    """
    until = empty * _ONE_A_CELL
    bound = number * _ONE_A_BYTE + _SIXTEENS
    even = (bound - (until & _LOW_NIBBLES)) & _SIXTEENS
    odd = (bound - ((until >> _FOUR) & _LOW_NIBBLES)) & _SIXTEENS
    return (((even >> _FOUR) + (odd >> _FOUR)) * _ONE_A_BYTE) >> _56


# -- steps


@inlined
def is_small(data: Any, state: Any) -> Any:
    """Return whether the board fits one word: no slide can make a tile above 32768."""
    if data[SHIFT] == NIBBLES:
        return True
    return ((state[0] + _BELOW_15) | (state[1] + _BELOW_15)) & _HIGH_BITS == _ZERO


@borrowing
def to_nibbles(word: Any) -> Any:
    """Pack eight cells of a byte into eight of four bits."""
    word = (word | (word >> _FOUR)) & _PAIRS_OF_CELLS
    word = (word | (word >> _8)) & _FOURS_OF_CELLS
    return (word | (word >> _16)) & _LOW_HALF


@borrowing
def to_bytes(half: Any) -> Any:
    """Unpack eight cells of four bits into eight of a byte."""
    half = (half | (half << _16)) & _FOURS_OF_CELLS
    half = (half | (half << _8)) & _PAIRS_OF_CELLS
    return (half | (half << _FOUR)) & _LOW_NIBBLES


@borrowing
def board_of(data: Any, state: Any) -> Any:
    """Return the word of a small board."""
    return state[0] if data[SHIFT] == NIBBLES else to_nibbles(state[0]) | (to_nibbles(state[1]) << _32)


@borrowing
def write_board(data: Any, board: Any, out: Any) -> None:
    """Write the state of a small board from its word."""
    if data[SHIFT] == NIBBLES:
        out[0] = board
    else:
        out[0], out[1] = to_bytes(board & _LOW_HALF), to_bytes(board >> _32)


@borrowing
def write_cells(data: Any, state: Any, out: Any) -> None:
    """Write the exponents of all cells, a byte each."""
    cells = out.view(np.uint64)
    if data[SHIFT] == NIBBLES:
        cells[0], cells[1] = to_bytes(state[0] & _LOW_HALF), to_bytes(state[0] >> _32)
    else:
        cells[0], cells[1] = state[0], state[1]


@inlined
def has_tile(board: Any, exponent: Any) -> Any:
    """Return whether some tile has this exponent, at most 15, or a larger one; all cells are compared at once."""
    missing = np.uint64(16 - exponent) * _ONE_A_BYTE
    large = ((board & _LOW_NIBBLES) + missing) | (((board >> _FOUR) & _LOW_NIBBLES) + missing)
    return large & _SIXTEENS != _ZERO


@inlined
def is_won(data: Any, board: Any) -> Any:
    """Return whether some tile is as large as the target."""
    if data[TARGET] >= 16:
        return False
    return has_tile(board, data[TARGET])


@borrowing
def status_of(data: Any, board: Any, full: Any) -> Any:
    """Return the status as `Position.status` does (T11), of a full board or not; all cells are compared at once."""
    if is_won(data, board):
        return WON
    if not full:
        return PLAYING
    alike = empty_bits(board ^ (board >> _FOUR)) & _NOT_LAST_COLUMN
    alike |= empty_bits(board ^ (board >> _16)) & _NOT_LAST_ROW
    return PLAYING if alike != _ZERO else LOST


@inlined
def spawn_tile(data: Any, board: Any, empty: Any, random: Any) -> Any:
    """Draw a tile in an empty cell (T10, T18); return the board and the tile's exponent."""
    entries = np.uint64(data[ENTRIES])
    drawn = np.uint64(below(random, count_bits(empty) * entries))
    number = (drawn * np.uint64(data[INVERSE])) >> _32
    exponent = np.uint64(data[data[URN] + np.int64(drawn - number * entries)])
    return board | exponent << (place_of_empty(empty, number) << _TWO), exponent


@inlined
def quick_step(data: Any, state: Any, number: Any, random: Any, out: Any) -> Any:
    """Make a move as `kernel.step`, on a small board of 4 x 4 cells."""
    board, direction = board_of(data, state), np.uint64(number)
    lying = orient(board, direction)
    after = slide_rows(data, lying, direction)
    if after == lying:
        write_board(data, board, out)
        return 0, status_of(data, board, empty_bits(board) == _ZERO), REFUSED
    after = orient(after, direction)
    empty = empty_bits(after)
    after, _ = spawn_tile(data, after, empty, random)
    write_board(data, after, out)
    return board_gain(data, lying), status_of(data, after, count_bits(empty) == _ONE), DONE


@inlined
def quick_mask(data: Any, board: Any, mask: Any) -> Any:
    """Write the mask as `kernel.mask`, of a small board of 4 x 4 cells; return whether there is any move.

    A line moves when some tile has an empty cell ahead of it, or an equal tile beside it (T8).
    """
    empty = empty_bits(board)
    tile = empty ^ _ONE_A_CELL
    alike = empty_bits(board ^ (board >> _FOUR)) & tile
    left, right = (empty & (tile >> _FOUR)) | alike, (tile & (empty >> _FOUR)) | alike
    alike = empty_bits(board ^ (board >> _16)) & tile
    up, down = (empty & (tile >> _16)) | alike, (tile & (empty >> _16)) | alike
    mask[0], mask[1] = left & _NOT_LAST_COLUMN != _ZERO, right & _NOT_LAST_COLUMN != _ZERO
    mask[2], mask[3] = up & _NOT_LAST_ROW != _ZERO, down & _NOT_LAST_ROW != _ZERO
    return ((left | right) & _NOT_LAST_COLUMN) | ((up | down) & _NOT_LAST_ROW) != _ZERO


@inlined
def quick_update(data: Any, state: Any, number: Any, random: Any, observation: Any, mask: Any) -> Any:
    """Make a move as `kernel.update`, on a small board of 4 x 4 cells."""
    direction = np.uint64(number)
    lying = orient(board_of(data, state), direction)
    after = orient(slide_rows(data, lying, direction), direction)
    after, _ = spawn_tile(data, after, empty_bits(after), random)
    cells = observation.view(np.uint64)
    cells[0], cells[1] = to_bytes(after & _LOW_HALF), to_bytes(after >> _32)
    if data[SHIFT] == NIBBLES:
        state[0] = after
    else:
        state[0], state[1] = cells[0], cells[1]
    some = quick_mask(data, after, mask)
    return board_gain(data, lying), WON if is_won(data, after) else PLAYING if some else LOST
