"""A 4 x 4 board in one word, moved by tables of its rows: the quick twin of `kernel.py`'s layout NIBBLES.

A row of four exponents has 16 bits; two tables of 65,536 entries say what each becomes to the left and
to the right, and columns are rows of the transposed board. An exponent of 15, the tile 32768, is the
largest, and whoever plays here sees to it that two of them never combine.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from gridproof.games.twenty48.kernel import NIBBLES, slide, tables_of
from gridproof.games.twenty48.rules import Level
from gridproof.kernels.compile import kernel

ROWS = 1 << 16

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
_ROW = np.uint64(ROWS - 1)
_ZERO, _ONE, _TWO, _FOUR = (np.uint64(value) for value in (0, 1, 2, 4))
_12, _16, _24, _32, _48, _56, _60 = (np.uint64(bits) for bits in (12, 16, 24, 32, 48, 56, 60))


@functools.cache
def row_tables() -> np.ndarray[Any, Any]:
    """What each row becomes: uint16 (2 * 65536,), moved to the left, then to the right (T6).

    Where two tiles 32768 would combine, the entry means nothing.
    """
    rows = np.zeros((2, ROWS), np.uint16)
    fill(tables_of(Level(4, 2), NIBBLES), rows)
    return rows.ravel()


@kernel
def fill(tables: Any, rows: Any) -> None:
    """Slide each row, as the first one of a board that has nothing else."""
    row, after = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    for number in range(rows.shape[1]):
        row[0] = np.uint64(number)
        for direction in range(2):
            slide(tables, row, direction, after)
            rows[direction, number] = np.uint16(after[0] & _ROW)


@kernel
def transposed(board: Any) -> Any:
    """Rows become columns."""
    pairs = (board & _KEPT) | ((board & _LEFTWARDS) << _12) | ((board & _RIGHTWARDS) >> _12)
    return (pairs & _BLOCKS) | ((pairs & _HIGH_BLOCK) >> _24) | ((pairs & _LOW_BLOCK) << _24)


@kernel
def moved(rows: Any, board: Any, direction: Any) -> Any:
    """The board after a slide (T6): direction, a uint64, counts left, right, up, down.

    Without a branch on the direction, which nobody could predict in random play.
    """
    upright = _ZERO - (direction >> _ONE)  # all ones for up and down
    lying = board ^ ((board ^ transposed(board)) & upright)
    table = (direction & _ONE) << _16
    after = (
        np.uint64(rows[table | (lying & _ROW)])
        | np.uint64(rows[table | ((lying >> _16) & _ROW)]) << _16
        | np.uint64(rows[table | ((lying >> _32) & _ROW)]) << _32
        | np.uint64(rows[table | (lying >> _48)]) << _48
    )
    return after ^ ((after ^ transposed(after)) & upright)


@kernel
def empties(board: Any) -> Any:
    """The empty cells of a board: a 1 in the lowest bit of each one's nibble."""
    board |= board >> _TWO
    board |= board >> _ONE
    return ~board & _ONE_A_CELL


@kernel
def count(empty: Any) -> Any:
    """How many, at most 15."""
    return (empty * _ONE_A_CELL) >> _60


@kernel
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
