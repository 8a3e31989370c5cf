"""Kernels of a quick snake player, which looks two moves ahead.

It makes the move after which its next board is best on the average over the cells in which the most frequent tile may
appear. A board is a word with 4 bits a cell, and its value is that of `snake.snake_value`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.twenty48.kernel.cells import CELLS, MOVES, SQUARE, TILES, ZERO, slide
from gridproof.games.twenty48.kernel.rows import board_gain, empty_bits, move_board, orient
from gridproof.kernels.compile import borrowing, inlined

NONE = -1
"""The move of a board without one."""
_ONE, _ROW, _ALL = (np.uint64(bits) for bits in (1, (1 << 16) - 1, (1 << 64) - 1))
_FIRST, _SECOND, _THIRD = (np.uint64(bits) for bits in (16, 32, 48))


@inlined
def slide_board(data: Any, board: Any, number: Any, room: Any) -> Any:
    """Return a board after a slide (T6)."""
    if data[SQUARE]:
        return move_board(data, board, np.uint64(number))
    room[0, 0] = board
    slide(data, room[0], number, room[1])
    return room[1, 0]


@inlined
def slide_gain(data: Any, board: Any, number: Any, room: Any) -> Any:
    """Return the score of a slide (T7)."""
    if data[SQUARE]:
        return board_gain(data, orient(board, np.uint64(number)))
    room[0, 0] = board
    return slide(data, room[0], number, room[1])


@inlined
def board_value(values: Any, board: Any) -> Any:
    """Return the value of a board, the sum of those of its parts of four cells."""
    return (
        values[0, board & _ROW]
        + values[1, (board >> _FIRST) & _ROW]
        + values[2, (board >> _SECOND) & _ROW]
        + values[3, board >> _THIRD]
    )


@borrowing
def best_value(data: Any, values: Any, board: Any, room: Any) -> Any:
    """Return the best value after a slide; -1 where none is possible."""
    most = -1.0
    for number in range(MOVES):
        after = slide_board(data, board, number, room)
        if after != board:
            most = max(most, board_value(values, after))
    return most


@borrowing
def average_value(data: Any, values: Any, board: Any, room: Any) -> Any:
    """Return the average of the best values after a tile has appeared."""
    total, count, tile = 0.0, 0, np.uint64(data[data[TILES]])
    empty = empty_bits(board) & (_ALL >> np.uint64(64 - 4 * data[CELLS]))
    while empty != ZERO:
        after = empty & (empty - _ONE)
        total += best_value(data, values, board | (empty ^ after) * tile, room)
        count += 1
        empty = after
    return total / count


@borrowing
def choose_move(data: Any, values: Any, board: Any, room: Any) -> Any:
    """Return the number of the player's move, or NONE."""
    found, most = NONE, -2.0
    for number in range(MOVES):
        after = slide_board(data, board, number, room)
        if after == board:
            continue
        worth = average_value(data, values, after, room)
        if worth > most:
            found, most = number, worth
    return found
