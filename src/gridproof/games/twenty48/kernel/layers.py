"""Positions of 2048 up to symmetry, by layers of the tile sum, and what they are worth: as kernels.

A slide keeps the sum of the tiles, and what appears adds to it: so all that follows from a layer lies in later ones, and one
pass backwards gives every value (J. D. Leesmiller, "The Mathematics of 2048: Optimal Play with Markov Decision Processes", 2018).
Each position stands for those that are the same turned or mirrored, by the least word of them.

A board is one word with 4 bits a cell. A table of boards is uint64 with a power of two of slots, at most half of them taken;
0, the empty board, is no position. Values are float64 (slots, 2): the best and the worst.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.twenty48.kernel.cells import CELLS, KINDS, MOVES, OFTEN, TILES, slide
from gridproof.kernels.compile import Hole, borrowing, kernel
from gridproof.kernels.states import mix

ZERO, ONE, FOUR, CELL = (np.uint64(value) for value in (0, 1, 4, 15))

holds: Any = Hole()


@borrowing
def least_image(images: Any, board: Any) -> Any:
    """The least of all images of a board; an image has in cell i what the board has in `images[g, i]`, times 4."""
    least = board
    for g in range(1, images.shape[0]):
        image = ZERO
        for i in range(images.shape[1]):
            image = (image << FOUR) | ((board >> images[g, i]) & CELL)
        least = min(least, image)
    return least


@borrowing
def fixed(images: Any, board: Any) -> Any:
    """How many of the images of a board are the board itself."""
    count = 1
    for g in range(1, images.shape[0]):
        image = ZERO
        for i in range(images.shape[1]):
            image = (image << FOUR) | ((board >> images[g, i]) & CELL)
        if image == board:
            count += 1
    return count


@borrowing
def slot_of(table: Any, board: Any) -> Any:
    """The slot that holds a board, or into which it belongs."""
    last = np.uint64(table.shape[0] - 1)
    slot = mix(board) & last
    while table[slot] != ZERO and table[slot] != board:
        slot = (slot + ONE) & last
    return slot


@borrowing
def put_new(images: Any, table: Any, board: Any) -> Any:
    """Put the least image of a board into a table; how many boards are new by that."""
    least = least_image(images, board)
    slot = slot_of(table, least)
    if table[slot] != ZERO:
        return 0
    table[slot] = least
    return 1


@kernel
def put_all(boards: Any, table: Any, values: Any, worth: Any) -> None:
    """Put different boards into an empty table, with what they are worth; `worth` has no rows where they are worth nothing."""
    for i in range(boards.shape[0]):
        slot = slot_of(table, boards[i])
        table[slot] = boards[i]
        if worth.shape[0]:
            values[slot, 0], values[slot, 1] = worth[i, 0], worth[i, 1]


@kernel
def slide_all(data: Any, images: Any, boards: Any, first: Any, table: Any, count: Any) -> Any:
    """Put what slides make of the boards from `first` on into a table that has `count`, until it is half full.

    Returns the number of the first board that has been left, and the new count.
    """
    state, after = np.empty(1, np.uint64), np.empty(1, np.uint64)
    for i in range(first, boards.shape[0]):
        if 2 * (count + MOVES) > table.shape[0]:
            return i, count
        state[0] = boards[i]
        for number in range(MOVES):
            slide(data, state, number, after)
            if after[0] == state[0]:
                continue
            count += put_new(images, table, after[0])
    return boards.shape[0], count


def spawn_all(
    data: Any, arguments: Any, images: Any, afters: Any, first: Any, exponent: Any, table: Any, count: Any
) -> Any:
    """Put what appears on the boards in the slots from `first` on into a table, but no goals; as `slide_all`."""
    state = np.empty(1, np.uint64)
    cells = data[CELLS]
    for i in range(first, afters.shape[0]):
        if afters[i] == ZERO:
            continue
        if 2 * (count + cells) > table.shape[0]:
            return i, count
        for cell in range(cells):
            shift = np.uint64(4 * cell)
            if (afters[i] >> shift) & CELL:
                continue
            state[0] = afters[i] | (np.uint64(exponent) << shift)
            if holds(data, state, arguments):
                continue
            count += put_new(images, table, state[0])
    return afters.shape[0], count


def value_afters(
    data: Any,
    arguments: Any,
    images: Any,
    afters: Any,
    first: Any,
    last: Any,
    tables: Any,
    values: Any,
    worth: Any,
) -> None:
    """What the boards in the slots `first` to `last` are worth before a tile appears.

    `tables` and `values` are those of the positions that the first kind of tile leads to, and the second.
    """
    state = np.empty(1, np.uint64)
    for i in range(first, last):
        if afters[i] == ZERO:
            continue
        best, worst, whole, empty = 0.0, 0.0, 0, 0
        for kind in range(data[KINDS]):
            exponent, often = np.uint64(data[data[TILES] + kind]), data[data[OFTEN] + kind]
            whole += often
            high, low, empty = 0.0, 0.0, 0
            for cell in range(data[CELLS]):
                shift = np.uint64(4 * cell)
                if (afters[i] >> shift) & CELL:
                    continue
                empty += 1
                state[0] = afters[i] | (exponent << shift)
                if holds(data, state, arguments):
                    high += 1.0
                    low += 1.0
                    continue
                slot = slot_of(tables[kind], least_image(images, state[0]))
                high += values[kind][slot, 0]
                low += values[kind][slot, 1]
            best += often * high
            worst += often * low
        worth[i, 0], worth[i, 1] = best / (whole * empty), worst / (whole * empty)


@kernel
def value_boards(
    data: Any,
    images: Any,
    boards: Any,
    first: Any,
    last: Any,
    afters: Any,
    after_worth: Any,
    scores: Any,
    worth: Any,
) -> Any:
    """What the positions `first` to `last` are worth; what slides gain counts where `scores`.

    Returns how many positions have an action, all images of each counted.
    """
    state, after = np.empty(1, np.uint64), np.empty(1, np.uint64)
    live = 0
    for i in range(first, last):
        state[0] = boards[i]
        best, worst, moved = 0.0, 0.0, False
        for number in range(MOVES):
            gained = slide(data, state, number, after)
            if after[0] == state[0]:
                continue
            slot = slot_of(afters, least_image(images, after[0]))
            gain = float(gained) if scores else 0.0
            high, low = gain + after_worth[slot, 0], gain + after_worth[slot, 1]
            best = max(best, high)
            worst = min(worst, low) if moved else low
            moved = True
        worth[i, 0], worth[i, 1] = best, worst
        if moved:
            live += images.shape[0] // fixed(images, boards[i])
    return live


@borrowing
def nothing(data: Any, state: Any, arguments: Any) -> Any:
    """The goal of those who want points: none."""
    return False
