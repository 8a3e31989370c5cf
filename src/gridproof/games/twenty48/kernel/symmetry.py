"""Boards of 2048 up to symmetry: the least of all turned and mirrored images stands for a board.

Slides and spawns look the same turned and mirrored: an empty cell gets a tile with the same chance wherever it is (T10).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.twenty48.kernel.cells import NIBBLES, SHIFT, SQUARE
from gridproof.games.twenty48.kernel.layers import count_fixed_images, least_image
from gridproof.games.twenty48.kernel.rows import board_of, is_small, transpose, write_board
from gridproof.games.twenty48.rules import Level
from gridproof.kernels.compile import borrowing
from gridproof.kernels.game import Packing, SymmetryKernel

_LOW_NIBBLES, _LOW_BYTES = np.uint64(0x0F0F_0F0F_0F0F_0F0F), np.uint64(0x00FF_00FF_00FF_00FF)
_LOW_ROWS = np.uint64(0x0000_FFFF_0000_FFFF)
_4, _8, _16, _32 = (np.uint64(bits) for bits in (4, 8, 16, 32))


@borrowing
def mirror(board: Any) -> Any:
    """Return a 4 x 4 board with the columns in reverse order."""
    board = ((board & _LOW_NIBBLES) << _4) | ((board >> _4) & _LOW_NIBBLES)
    return ((board & _LOW_BYTES) << _8) | ((board >> _8) & _LOW_BYTES)


@borrowing
def turn_over(board: Any) -> Any:
    """Return a 4 x 4 board with the rows in reverse order."""
    board = (board << _32) | (board >> _32)
    return ((board & _LOW_ROWS) << _16) | ((board >> _16) & _LOW_ROWS)


@borrowing
def least_square_image(board: Any) -> Any:
    """Return the least of the eight images of a 4 x 4 board of one word."""
    least = board
    for _ in range(2):
        for _ in range(2):
            least = min(least, board, turn_over(board))
            board = mirror(board)
        board = transpose(board)
    return least


@borrowing
def canonicalize(data: Any, images: Any, state: Any) -> None:
    """Replace a state by its least image; one with a tile of 32768 or more on 4 x 4 cells stays as it is."""
    if data[SQUARE]:
        if is_small(data, state):
            write_board(data, least_square_image(board_of(data, state)), state)
    else:
        state[0] = least_image(images, state[0])


@borrowing
def orbit_size(data: Any, images: Any, state: Any) -> Any:
    """Return the number of different images of a state; -1 with a tile of 32768 or more on 4 x 4 cells."""
    if data[SQUARE] and not is_small(data, state):
        return -1
    board = board_of(data, state) if data[SQUARE] else state[0]
    return images.shape[0] // count_fixed_images(images, board)


def symmetry_images(level: Level) -> np.ndarray[Any, Any]:
    """Return the symmetries of a board for `layers.least_image`: uint64 (8 or 4, cells)."""
    numbers = np.arange(level.width * level.height).reshape(level.height, level.width)
    turns = range(4) if level.width == level.height else (0, 2)
    found = [np.rot90(one, turn).ravel() for turn in turns for one in (numbers, numbers[:, ::-1])]
    return (
        4 * np.array(found, np.uint64)[:, ::-1]
    )  # the last cell first, and the board itself the first image


def find_images(packing: Packing) -> np.ndarray[Any, Any] | None:
    """Return the symmetries of a board; None where `canonicalize` does not know its layout."""
    is_known = packing.data[SQUARE] or (packing.data[SHIFT] == NIBBLES and packing.words == 1)
    return symmetry_images(packing.level) if is_known else None  # type: ignore[arg-type]  # 2048's


SYMMETRY = SymmetryKernel(
    canonicalize=canonicalize,
    data=find_images,
    size=orbit_size,
    invariant=frozenset({"won", "lost", "ended", "empty", "max_tile", "valid", "tile"}),
)
