"""The words of a level's data and of its states, as the compiled functions of Sokoban read them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.sokoban.kernel.packing import ALONE
from gridproof.kernels.compile import borrowing

U = np.uint64
_ZERO, _ONE, _SIX, _LOW = U(0), U(1), U(6), U(63)

# What the data begin with: how many squares; whether there are bombs; the word that holds the player,
# the shift and the mask there; where four tables begin; how many cells the picture has. Then a mask for each word
# of a state: the squares that are no depots.
SQUARES, HAS_BOMBS, PLACE, SHIFT, PLAYER, TABLE, NEAR, PLACES, PICTURE, CELLS, MASKS = map(U, range(11))
# The table has 8 words a square. 0 to 3 are the neighbours up, down, left, right, or NONE; the last is
# how far it is to a depot.
STRIDE = U(8)
WALL, ROW, COLUMN, DEPOT = U(4), U(5), U(6), U(7)
# Where a board without bombs is observed, NEAR has 8 numbers of 16 bits a square: the neighbours again, and the squares
# behind them. An update looks only there, so that many levels fit into the processor's cache.
# PLACES has the place of each square in the picture, 16 bits each. The picture is the symbols of all cells, a byte
# each, without boxes and player.


@borrowing
def square_entry(data: Any, square: Any, column: Any) -> Any:
    """Return an entry of a square in the table."""
    return data[data[TABLE] + STRIDE * square + column]


@borrowing
def box_bit(state: Any, square: Any) -> Any:
    """Return 1 when a box stands on a square, else 0."""
    return (state[square >> _SIX] >> (square & _LOW)) & _ONE


@borrowing
def player_of(data: Any, state: Any) -> Any:
    """Return the player's square."""
    return (state[data[PLACE]] >> data[SHIFT]) & data[PLAYER]


@borrowing
def bombs_of(data: Any, state: Any) -> Any:
    """Return the number of bombs left."""
    return state[data[PLACE]] >> U(ALONE) if data[HAS_BOMBS] else _ZERO


@borrowing
def is_wall(data: Any, state: Any, square: Any) -> Any:
    """Return whether a square is a wall that is left (K8)."""
    if not square_entry(data, square, WALL):
        return False
    rows, columns = state[data[PLACE] + _ONE], state[data[PLACE] + U(2)]
    gone = (rows >> square_entry(data, square, ROW)) | (columns >> square_entry(data, square, COLUMN))
    return gone & _ONE == _ZERO


@borrowing
def is_won(data: Any, state: Any) -> Any:
    """Return whether each box stands on a depot: there are as many (K3, K9)."""
    for word in range(U(state.shape[0])):  # noqa: SIM110  # numba compiles no generators
        if state[word] & data[MASKS + U(word)] != _ZERO:
            return False
    return True
