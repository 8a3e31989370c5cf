"""Kernels of n-tuple networks: the value of an afterstate is a sum of weights, which tuples of cells look up.

Boards have 4 bits a cell, 16 cells a word, as in `afterstates.py`; 15 stands for larger tiles, too. A tuple of n cells has a
table of 16^n weights, and every symmetry of the board looks one up. On 4 x 4 cells shifts and masks cut the tuples from the
eight images of the board; they are constants of the compiled code, so each pattern has kernels of its own (eight times as
fast as the same loop with arrays). On other boards each lookup collects its cells. A stage of the game has tables of its own: it
begins with a tile.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from gridproof.games.twenty48.kernel.cells import SQUARE, is_same, slide
from gridproof.games.twenty48.kernel.rows import board_gain, has_tile, orient, slide_rows, transpose
from gridproof.games.twenty48.kernel.symmetry import mirror, turn_over
from gridproof.kernels.atomics import prefetch
from gridproof.kernels.compile import Hole, borrowing, inlined, kernel

Array = np.ndarray[Any, Any]

INVALID = -1
"""The gain of a slide that changes nothing (T9)."""
_CELL, _WORD, _BITS = np.uint64(15), np.int64(15), np.uint64(4)

FIRSTS: Any = Hole()
"""uint64 (tuples,): the first weight of each tuple's table."""
CUTS: Any = Hole()
"""uint64 (tuples, runs, 2): shift and mask of each run of cells of a tuple, on 4 x 4 cells; the mask 0 fills up."""
COUNT: Any = Hole()
RUNS: Any = Hole()
index_in: Any = Hole()
image_value: Any = Hole()
fetch_image: Any = Hole()
board_value: Any = Hole()
value_of: Any = Hole()


class Tables(NamedTuple):
    """A network for its kernels."""

    weights: Array
    """float32 (n,): the tables of all tuples, one after the other."""
    lookups: Array
    """int64 (images * tuples, 1 + cells): a table's first weight and the tuple's cells, -1 fills up; by images."""
    stages: Array
    """int64 (stages - 1, 2): the exponent of the tile with which each stage begins, rising, and its first weight."""


class NetworkKernels(NamedTuple):
    """Kernels of one pattern of tuples."""

    board_value: Any
    """board_value(tables, board): the value of a 4 x 4 afterstate in one word; None on other boards."""
    value_of: Any
    """value_of(tables, state): the value of an afterstate."""
    fetch: Any
    """fetch(tables, state): fetch the weights that it looks up into the cache."""
    find_indices: Any
    """find_indices(tables, state, found): write the numbers of all weights that it looks up."""
    value_states: Any
    """value_states(tables, states, found): write the values of many afterstates."""


@inlined
def begin_of_stage(stages: Any, word: Any) -> Any:
    """Return the first weight of the last stage whose tile, or a larger one, is in a word of cells."""
    begin = np.int64(0)
    for number in range(stages.shape[0]):
        if has_tile(word, stages[number, 0]):
            begin = stages[number, 1]
    return begin


@inlined
def begin_of_board(stages: Any, state: Any) -> Any:
    """Return the first weight of the stage of a board of any size."""
    begin = np.int64(0)
    for place in range(state.shape[0]):
        begin = max(begin, begin_of_stage(stages, state[place]))
    return begin


def cut_index(number: Any, board: Any) -> Any:
    """Return the weight's number that a tuple looks up on an image of a 4 x 4 board."""
    found = FIRSTS[number]
    for run in range(RUNS):
        found += (board >> CUTS[number, run, 0]) & CUTS[number, run, 1]
    return found


def cut_value(weights: Any, board: Any) -> Any:
    """Return the sum of the weights that one image of a 4 x 4 board looks up."""
    total = np.float32(0)
    for number in range(COUNT):
        total += weights[index_in(number, board)]
    return total


def square_value(tables: Any, board: Any) -> Any:
    """Return the value of a 4 x 4 afterstate in one word."""
    weights = tables[0][begin_of_stage(tables[2], board) :]
    mirrored, turned = mirror(board), transpose(board)
    both = mirror(turned)
    first = image_value(weights, board) + image_value(weights, turn_over(board))
    second = image_value(weights, mirrored) + image_value(weights, turn_over(mirrored))
    third = image_value(weights, turned) + image_value(weights, turn_over(turned))
    fourth = image_value(weights, both) + image_value(weights, turn_over(both))
    return (first + second) + (third + fourth)


def cut_fetch(weights: Any, board: Any) -> None:
    """Fetch the weights that one image of a 4 x 4 board looks up."""
    for number in range(COUNT):
        prefetch(weights, np.int64(index_in(number, board)))


def fetch_square(tables: Any, state: Any) -> None:
    """Fetch all weights that a 4 x 4 afterstate looks up."""
    board = state[0]
    weights = tables[0][begin_of_stage(tables[2], board) :]
    mirrored, turned = mirror(board), transpose(board)
    both = mirror(turned)
    fetch_image(weights, board)
    fetch_image(weights, turn_over(board))
    fetch_image(weights, mirrored)
    fetch_image(weights, turn_over(mirrored))
    fetch_image(weights, turned)
    fetch_image(weights, turn_over(turned))
    fetch_image(weights, both)
    fetch_image(weights, turn_over(both))


@borrowing
def fetch_nothing(tables: Any, state: Any) -> None:
    """Fetch nothing: tables of small boards are in the cache anyway."""


def first_value(tables: Any, state: Any) -> Any:
    """Return the value of a 4 x 4 afterstate."""
    return board_value(tables, state[0])


def find_square_indices(tables: Any, state: Any, found: Any) -> None:
    """Write the numbers of all weights that a 4 x 4 afterstate looks up, those of each image together: int64 (8 * tuples,)."""
    board, place = state[0], 0
    begin = begin_of_stage(tables[2], board)
    for _ in range(2):
        for _ in range(2):
            for image in (board, turn_over(board)):
                for number in range(COUNT):
                    found[place] = begin + np.int64(index_in(number, image))
                    place += 1
            board = mirror(board)
        board = transpose(board)


@borrowing
def collect_index(lookups: Any, lookup: Any, state: Any) -> Any:
    """Return the weight's number that a lookup finds on a board of any size."""
    found, shift = np.uint64(lookups[lookup, 0]), np.uint64(0)
    for place in range(1, lookups.shape[1]):
        cell = lookups[lookup, place]
        if cell < 0:
            break
        found += ((state[cell >> 4] >> np.uint64((cell & _WORD) << 2)) & _CELL) << shift
        shift += _BITS
    return np.int64(found)


@borrowing
def any_value(tables: Any, state: Any) -> Any:
    """Return the value of an afterstate of any size."""
    weights, lookups = tables[0][begin_of_board(tables[2], state) :], tables[1]
    total = np.float32(0)
    for lookup in range(lookups.shape[0]):
        total += weights[collect_index(lookups, lookup, state)]
    return total


@borrowing
def find_any_indices(tables: Any, state: Any, found: Any) -> None:
    """Write the numbers of all weights that an afterstate of any size looks up, those of each image together."""
    lookups, begin = tables[1], begin_of_board(tables[2], state)
    for lookup in range(lookups.shape[0]):
        found[lookup] = begin + collect_index(lookups, lookup, state)


def value_all(tables: Any, states: Any, found: Any) -> None:
    """Write the values of afterstates, uint64 (n, words), into float64 (n,)."""
    for number in range(states.shape[0]):
        found[number] = value_of(tables, states[number])


@inlined
def slide_state(data: Any, state: Any, number: Any, out: Any) -> Any:
    """Write the board after a slide (T6); return its score (T7), or INVALID.

    Two tiles 32768 become one of them.
    """
    if data[SQUARE]:
        direction = np.uint64(number)
        lying = orient(state[0], direction)
        after = slide_rows(data, lying, direction)
        out[0] = orient(after, direction)
        return board_gain(data, lying) if after != lying else INVALID
    gain = slide(data, state, number, out)
    return INVALID if is_same(state, out) else gain


@functools.lru_cache(maxsize=16)
def _pattern_kernels(key: tuple[tuple[int, ...], ...]) -> NetworkKernels:
    """Make the kernels of a pattern on 4 x 4 cells: for each tuple its first weight, then shifts and masks."""
    rows = np.array(key, np.uint64)
    cuts = np.ascontiguousarray(rows[:, 1:]).reshape(len(key), -1, 2)
    cut = inlined(cut_index, FIRSTS=np.ascontiguousarray(rows[:, 0]), CUTS=cuts, RUNS=cuts.shape[1])
    image = inlined(cut_value, index_in=cut, COUNT=len(key))
    board = borrowing(square_value, image_value=image)
    value = borrowing(first_value, board_value=board)
    return NetworkKernels(
        board,
        value,
        borrowing(fetch_square, fetch_image=inlined(cut_fetch, index_in=cut, COUNT=len(key))),
        borrowing(find_square_indices, index_in=cut, COUNT=len(key)),
        kernel(value_all, value_of=value),
    )


@functools.cache
def _any_kernels() -> NetworkKernels:
    return NetworkKernels(
        None, any_value, fetch_nothing, find_any_indices, kernel(value_all, value_of=any_value)
    )


def network_kernels(cuts: tuple[tuple[int, ...], ...] | None) -> NetworkKernels:
    """Return the kernels of a pattern.

    Parameters
    ----------
    cuts : tuple of tuples of int, optional
        On 4 x 4 cells, for each tuple: its first weight, and shift and mask of each run of cells. None on other boards.
    """
    return _pattern_kernels(cuts) if cuts else _any_kernels()
