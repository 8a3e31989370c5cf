"""Kernels for positions of 2048 up to symmetry, by layers of the tile sum, and their values.

A slide keeps the sum of the tiles, and a spawn adds to it: so the successors of a layer lie in later layers, and one
pass backwards gives every value (J. D. Leesmiller, "The Mathematics of 2048: Optimal Play with Markov Decision Processes", 2018).
The least word of all turned and mirrored images stands for a position.

A board is one word with 4 bits a cell. A table of boards is uint64 with a power of two of slots, at most half of them taken;
0, the empty board, is no position. Values are float64 (slots, 2): the best and the worst; or (slots, 4): bounds of the best, then
bounds of the worst. A slot without a board has the values of an unknown board.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gridproof.games.twenty48.kernel.cells import CELLS, KINDS, MOVES, OFTEN, TILES, slide
from gridproof.kernels.compile import Hole, borrowing, kernel
from gridproof.kernels.states import mix

ZERO, ONE, FOUR, CELL = (np.uint64(value) for value in (0, 1, 4, 15))

holds: Any = Hole()


class Setup(NamedTuple):
    """The data of a level and its goal."""

    data: Any
    """The data of the level's packing."""
    arguments: Any
    """The arguments of the goal."""
    images: Any
    """uint64 (symmetries, cells): 4 times the cell that each cell of an image comes from."""
    fixed: Any
    """uint64: the bits of the cells that no slide may change."""


class ValueTable(NamedTuple):
    """Boards and their values."""

    boards: Any
    """uint64 (n,): a table or a list."""
    values: Any
    """float64 (n, 2 or 4)."""


@borrowing
def least_image(images: Any, board: Any) -> Any:
    """Return the least image of a board; cell i of image g is the board's cell `images[g, i]` / 4."""
    least = board
    for g in range(1, images.shape[0]):
        image = ZERO
        for i in range(images.shape[1]):
            image = (image << FOUR) | ((board >> images[g, i]) & CELL)
        least = min(least, image)
    return least


@borrowing
def count_fixed_images(images: Any, board: Any) -> Any:
    """Count the images of a board that are the board itself."""
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
    """Return the slot of a board, or the slot where it belongs."""
    last = np.uint64(table.shape[0] - 1)
    slot = mix(board) & last
    while table[slot] != ZERO and table[slot] != board:
        slot = (slot + ONE) & last
    return slot


@borrowing
def add_board(images: Any, table: Any, board: Any) -> Any:
    """Add the least image of a board to a table; return the number of new boards."""
    least = least_image(images, board)
    slot = slot_of(table, least)
    if table[slot] != ZERO:
        return 0
    table[slot] = least
    return 1


@kernel
def add_boards(boards: Any, table: Any, values: Any, worth: Any) -> None:
    """Add different boards to an empty table, with their values; `worth` has no rows for boards without values."""
    for i in range(boards.shape[0]):
        slot = slot_of(table, boards[i])
        table[slot] = boards[i]
        if worth.shape[0]:
            values[slot] = worth[i]


@kernel
def slide_all(setup: Setup, boards: Any, first: Any, table: Any, count: Any) -> Any:
    """Add the results of slides of the boards from `first` on to a table of `count` boards, until it is half full.

    Returns the number of the first board left out, and the new count.
    """
    data, _, images, fixed = setup
    state, after = np.empty(1, np.uint64), np.empty(1, np.uint64)
    for i in range(first, boards.shape[0]):
        if 2 * (count + MOVES) > table.shape[0]:
            return i, count
        state[0] = boards[i]
        for number in range(MOVES):
            slide(data, state, number, after)
            if after[0] == state[0] or (after[0] ^ state[0]) & fixed != ZERO:
                continue
            count += add_board(images, table, after[0])
    return boards.shape[0], count


def spawn_all(setup: Setup, exponent: Any, afters: Any, first: Any, table: Any, count: Any) -> Any:
    """Add the results of spawns on the boards in the slots from `first` on to a table, except goals; as `slide_all`."""
    data, arguments, images, _ = setup
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
            count += add_board(images, table, state[0])
    return afters.shape[0], count


def value_afters(setup: Setup, afters: ValueTable, following: Any, first: Any, last: Any) -> None:
    """Value the boards in the slots `first` to `last` before a tile appears.

    `following` has the tables of the positions after the first kind of tile and after the second.
    """
    (data, arguments, images, _), (boards, worth) = setup, afters
    tables = (following[0].boards, following[1].boards)
    values = (following[0].values, following[1].values)
    state, columns = np.empty(1, np.uint64), worth.shape[1]
    sums = np.empty(columns)
    for i in range(first, last):
        if boards[i] == ZERO:
            continue
        whole, empty = 0, 0
        worth[i] = 0.0
        for kind in range(data[KINDS]):
            exponent, often = np.uint64(data[data[TILES] + kind]), data[data[OFTEN] + kind]
            whole += often
            empty = 0
            sums[:] = 0.0
            for cell in range(data[CELLS]):
                shift = np.uint64(4 * cell)
                if (boards[i] >> shift) & CELL:
                    continue
                empty += 1
                state[0] = boards[i] | (exponent << shift)
                if holds(data, state, arguments):
                    sums += 1.0
                    continue
                slot = slot_of(tables[kind], least_image(images, state[0]))
                for column in range(columns):
                    sums[column] += values[kind][slot, column]
            for column in range(columns):
                worth[i, column] += often * sums[column]
        for column in range(columns):
            worth[i, column] /= whole * empty


@kernel
def value_boards(
    setup: Setup, layer: ValueTable, after: ValueTable, scores: Any, first: Any, last: Any
) -> Any:
    """Value the positions `first` to `last`; scores of slides count if `scores`.

    Returns the number of positions with an action, counting all images of each.
    """
    (data, _, images, fixed), (boards, worth), (afters, after_worth) = setup, layer, after
    state, moved_to = np.empty(1, np.uint64), np.empty(1, np.uint64)
    live, best = 0, worth.shape[1] // 2
    for i in range(first, last):
        state[0] = boards[i]
        moved = False
        worth[i] = 0.0
        for number in range(MOVES):
            gained = slide(data, state, number, moved_to)
            if moved_to[0] == state[0] or (moved_to[0] ^ state[0]) & fixed != ZERO:
                continue
            slot = slot_of(afters, least_image(images, moved_to[0]))
            gain = float(gained) if scores else 0.0
            for column in range(worth.shape[1]):
                value = gain + after_worth[slot, column]
                if not moved or (value > worth[i, column]) == (column < best):
                    worth[i, column] = value
            moved = True
        if moved:
            live += images.shape[0] // count_fixed_images(images, boards[i])
    return live


@borrowing
def no_goal(data: Any, state: Any, arguments: Any) -> Any:
    """Return False: the score has no goal."""
    return False


@borrowing
def has_free_tile(data: Any, state: Any, arguments: Any) -> Any:
    """Return whether a cell that is not fixed has an exponent; `arguments` are the exponent and the bits of fixed cells."""
    board = state[0] & ~arguments[1]
    for _ in range(data[CELLS]):
        if board & CELL == arguments[0]:
            return True
        board >>= FOUR
    return False
