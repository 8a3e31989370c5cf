"""Kernel of an expectimax search on a 4 x 4 board in one word, with tables of rows and a transposition table.

A board's worth is the sum of the worths of its rows and columns, which a table has for each of the 65,536 lines, or its value
by a network. It is looked up after the last slide that is looked ahead, before a tile appears. With a network, the score of
each slide is added: the network's value is what follows.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from gridproof.games.twenty48.kernel.cells import ENTRIES, KINDS, MOVES, OFTEN, TILES, ZERO
from gridproof.games.twenty48.kernel.network import NetworkKernels
from gridproof.games.twenty48.kernel.rows import (
    board_gain,
    count_bits,
    empty_bits,
    move_board,
    orient,
    slide_rows,
    transpose,
)
from gridproof.kernels.compile import borrowing, kernel

NONE = -np.inf
"""The value of a slide that changes nothing."""
_BOARD, _MARK, _VALUE = range(3)
STAMP, NODES = range(2)
"""Counters: the number of the search, and how many worths of boards it has looked up."""
_ONE, _LINE, _LEFT, _RIGHT = (np.uint64(bits) for bits in (1, (1 << 16) - 1, 0, 1))
_SECOND, _THIRD, _FOURTH = (np.uint64(bits) for bits in (16, 32, 48))
_GOLDEN = np.uint64(0x9E37_79B9_7F4A_7C15)
"""2^64 divided by the golden ratio: its products spread over the table (Knuth, "The Art of Computer Programming", 6.4)."""


@borrowing
def rows_worth(worths: Any, board: Any) -> Any:
    """Return the sum of the worths of a board's rows."""
    return (
        worths[board & _LINE]
        + worths[(board >> _SECOND) & _LINE]
        + worths[(board >> _THIRD) & _LINE]
        + worths[board >> _FOURTH]
    )


@borrowing
def board_worth(worths: Any, board: Any) -> Any:
    """Return the worth of a board."""
    return rows_worth(worths, board) + rows_worth(worths, transpose(board))


@borrowing
def no_gain(data: Any, lying: Any) -> Any:
    """Return 0: the worths of lines leave the score aside."""
    return 0.0


@borrowing
def score_gain(data: Any, lying: Any) -> Any:
    """Return the score of a slide of the rows (T7)."""
    return np.float64(board_gain(data, lying))


gain_of = no_gain


@borrowing
def best_worth(data: Any, worths: Any, board: Any, counters: Any, lost: Any) -> Any:
    """Return the greatest worth after a slide, `lost` where none is possible."""
    most = lost
    for lying in (board, transpose(board)):
        for direction in (_LEFT, _RIGHT):
            after = slide_rows(data, lying, direction)
            if after != lying:
                counters[NODES] += 1
                most = max(most, gain_of(data, lying) + board_worth(worths, after))
    return most


@borrowing
def average_value(
    data: Any, worths: Any, table: Any, counters: Any, board: Any, plies: Any, limits: Any
) -> Any:
    """Return the average value of a board over the tiles that may appear, with the best slides afterwards.

    Parameters
    ----------
    table : uint64 (n, 4)
        The transposition table: boards, searches with plies, and the bits of values; n is a power of two. An entry is half
        a cache line.
    plies : int
        The slides that are looked ahead, from 0.
    limits : (float, float, float)
        The chance of this board, the least one of which the tiles that may appear are looked at, and the value of a lost board.
    """
    chance, least, lost = limits
    if plies == 0:
        counters[NODES] += 1
        return np.float64(board_worth(worths, board))
    entry = table[np.int64((board * _GOLDEN) >> np.uint64(40)) & (table.shape[0] - 1)]
    mark = np.uint64(counters[STAMP] << 8 | plies)
    if entry[_BOARD] == board and entry[_MARK] == mark:
        return entry.view(np.float64)[_VALUE]
    empty, total = empty_bits(board), 0.0
    cells = np.float64(count_bits(empty))
    while empty != ZERO:
        rest = empty & (empty - _ONE)
        for kind in range(data[KINDS]):
            share = data[data[OFTEN] + kind] / data[ENTRIES]
            after = board | (empty ^ rest) * np.uint64(data[data[TILES] + kind])
            ahead = chance * share / cells, least, lost
            if plies == 1 or ahead[0] < least:
                most = best_worth(data, worths, after, counters, lost)
            else:
                most = lost
                for number in range(MOVES):
                    following = move_board(data, after, np.uint64(number))
                    if following != after:
                        worth = average_value(data, worths, table, counters, following, plies - 1, ahead)
                        gain = gain_of(data, orient(after, np.uint64(number)))
                        most = max(most, gain + worth)
            total += share * most
        empty = rest
    value = total / cells
    entry[_BOARD], entry[_MARK], entry.view(np.float64)[_VALUE] = board, mark, value
    return value


@kernel
def search_moves(
    data: Any, worths: Any, memory: Any, board: Any, plies: Any, limits: Any, found: Any
) -> None:
    """Write the value of each slide, NONE where it changes nothing, looking `plies` slides ahead, at least 1.

    `memory` has the transposition table and the counters, `limits` the last two numbers of those of `average_value`.
    """
    table, counters = memory
    counters[STAMP] += 1
    for number in range(MOVES):
        after = move_board(data, board, np.uint64(number))
        found[number] = NONE
        if after != board:
            value = average_value(data, worths, table, counters, after, plies - 1, (1.0, *limits))
            found[number] = gain_of(data, orient(board, np.uint64(number))) + value


@functools.lru_cache(maxsize=16)
def network_search(kernels: NetworkKernels) -> Any:
    """Return `search_moves` for networks of a pattern; `worths` are their tables."""
    worth = {"board_worth": kernels.board_value, "gain_of": score_gain}
    best = borrowing(best_worth, **worth)
    average = borrowing(average_value, best_worth=best, **worth)
    return kernel(search_moves, average_value=average, gain_of=score_gain)
