"""Boards of 2048 on packed words: cells, slides, and the layout of a level's data.

A cell is the exponent of its tile, 0 when it is empty: four bits where no exponent above 15 can come,
else eight. Cells stand in reading order from the lowest bits of the first word on, so that a state
of 4 x 4 cells takes two words, of 3 x 4 one, and of 6 x 6 five.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.twenty48.rules import Move
from gridproof.kernels.compile import borrowing

CELLS, SHIFT, MASK, TARGET, ENTRIES, KINDS, STARTS, SQUARE, INVERSE = range(9)
"""Numbers at the beginning of a level's data: cells; 2 or 3 (a cell has 2^SHIFT bits); the mask of a cell;
the target's exponent; tiles in the urn, and different ones; pairs of them at the start, 0 where the level
has a board; 1 if the board is 4 x 4; 2^32 divided by the number of tiles in the urn, rounded up: a product
with it is faster than a division."""
DIRECTIONS, URN, TILES, OFTEN, PAIRS, ROWS = range(9, 15)
"""Beginnings of the tables: the directions; the exponents in the urn; different ones, and how often each is
there; the pairs of exponents; the row table of a 4 x 4 board (`rows.py`)."""

NIBBLES, BYTES = 2, 3
MOST = {NIBBLES: 15, BYTES: 62}
"""The largest exponent of each layout. All tiles of a board and the score of one move are less
than twice the largest tile: below 2^63."""

MOVES = len(Move)
ZERO = np.uint64(0)
FIRST, LINES, LENGTH, ACROSS, ALONG = range(5)
"""The five numbers of a direction: its first cell, the number and the length of its lines, and the steps
to the next line and to the line's next cell, from the edge towards which tiles move."""


@borrowing
def exponent_at(data: Any, state: Any, cell: Any) -> Any:
    """Return the exponent of a cell's tile, 0 when it is empty."""
    bit = cell << data[SHIFT]
    return np.int64((state[bit >> 6] >> np.uint64(bit & 63)) & np.uint64(data[MASK]))


@borrowing
def put_exponent(state: Any, cell: Any, exponent: Any, shift: Any) -> None:
    """Put a tile into an empty cell of 2^shift bits."""
    bit = cell << shift
    state[bit >> 6] |= np.uint64(exponent) << np.uint64(bit & 63)


@borrowing
def put(data: Any, state: Any, cell: Any, exponent: Any) -> None:
    """Put a tile into an empty cell."""
    put_exponent(state, cell, exponent, data[SHIFT])


@borrowing
def copy(state: Any, out: Any) -> None:
    """Copy the state to `out`."""
    for i in range(state.shape[0]):
        out[i] = state[i]


@borrowing
def is_same(state: Any, other: Any) -> Any:
    """Return whether two states are equal."""
    different = ZERO
    for i in range(state.shape[0]):
        different |= state[i] ^ other[i]
    return different == ZERO


@borrowing
def count_empty(data: Any, state: Any) -> Any:
    """Count the empty cells."""
    count = 0
    for cell in range(data[CELLS]):
        if exponent_at(data, state, cell) == 0:
            count += 1
    return count


@borrowing
def find_empty(data: Any, state: Any, number: Any) -> Any:
    """Return the empty cell of a number, from 0, in reading order."""
    cell = 0
    while True:
        if exponent_at(data, state, cell) == 0:
            if number == 0:
                return cell
            number -= 1
        cell += 1


@borrowing
def largest_exponent(data: Any, state: Any) -> Any:
    """Return the exponent of the largest tile."""
    found = 0
    for cell in range(data[CELLS]):
        found = max(found, exponent_at(data, state, cell))
    return found


@borrowing
def slide_into(data: Any, state: Any, number: Any, out: Any, shift: Any, most: Any) -> Any:
    """Slide as `slide`, into cells of 2^shift bits; exponents above `most` become `most`."""
    move = data[DIRECTIONS] + 5 * number
    along = data[move + ALONG]
    gained = 0
    for i in range(out.shape[0]):
        out[i] = ZERO
    for line in range(data[move + LINES]):
        cell = data[move + FIRST] + line * data[move + ACROSS]
        target, waiting = cell, 0  # where the next tile comes to lie, and the one that may still combine
        for _ in range(data[move + LENGTH]):
            exponent = exponent_at(data, state, cell)
            cell += along
            if exponent == 0:
                continue
            if exponent == waiting:
                put_exponent(out, target, min(exponent + 1, most), shift)
                gained += 1 << (exponent + 1)
                target, waiting = target + along, 0
                continue
            if waiting:
                put_exponent(out, target, min(waiting, most), shift)
                target += along
            waiting = exponent
        if waiting:
            put_exponent(out, target, min(waiting, most), shift)
    return gained


@borrowing
def slide(data: Any, state: Any, number: Any, out: Any) -> Any:
    """Slide all tiles in a direction, by its number (T6); return the sum of the new tiles (T7)."""
    return slide_into(data, state, number, out, data[SHIFT], data[MASK])


@borrowing
def is_valid(data: Any, state: Any, number: Any) -> Any:
    """Return whether some tile can slide or combine in that direction (T8)."""
    move = data[DIRECTIONS] + 5 * number
    for line in range(data[move + LINES]):
        cell = data[move + FIRST] + line * data[move + ACROSS]
        before = exponent_at(data, state, cell)
        for _ in range(1, data[move + LENGTH]):
            cell += data[move + ALONG]
            exponent = exponent_at(data, state, cell)
            if exponent and (before in (0, exponent)):
                return True
            before = exponent
    return False


@borrowing
def is_lost(data: Any, state: Any, arguments: Any) -> Any:
    """Return the propositions `lost` and `ended`: no move is valid (T11)."""
    for number in range(MOVES):
        if is_valid(data, state, number):
            return 0
    return 1
