"""Kernel that looks for slides which make a tile for sure in a few slides, whatever tiles appear.

A board is a word with 4 bits a cell.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.twenty48.kernel.cells import CELLS, KINDS, MOVES, TILES, ZERO
from gridproof.games.twenty48.kernel.rows import empty_bits, has_tile
from gridproof.games.twenty48.kernel.snake import slide_board
from gridproof.kernels.compile import borrowing, kernel

_BOARD, _ANSWER = range(2)
_ONE, _CELL, _ALL = (np.uint64(bits) for bits in (1, 15, (1 << 64) - 1))
_GOLDEN = np.uint64(0x9E37_79B9_7F4A_7C15)
"""2^64 divided by the golden ratio: its products spread over the table (Knuth, "The Art of Computer Programming", 6.4)."""


@borrowing
def can_make(data: Any, board: Any, goal: Any, slides: Any, counts: Any) -> Any:
    """Return whether the tiles could make the goal in so many slides if all equal ones combined, and a tile 4 came each time."""
    counts[:] = 0
    for cell in range(data[CELLS]):
        counts[(board >> np.uint64(4 * cell)) & _CELL] += 1
    for _ in range(slides):
        for exponent in range(goal - 1, 0, -1):  # each tile combines once in a slide
            counts[exponent + 1] += counts[exponent] // 2
            counts[exponent] %= 2
        counts[2] += 1
    return counts[goal] > 0


@borrowing
def is_sure(data: Any, goal: Any, board: Any, slides: Any, memory: Any) -> Any:
    """Return whether a board after a slide has the goal, or surely gets it in so many slides; False once the nodes are used up."""
    table, counts, room, nodes = memory
    if has_tile(board, goal):
        return True
    if slides == 0 or nodes[0] <= 0 or not can_make(data, board, goal, slides, counts):
        return False
    nodes[0] -= 1
    entry = table[np.int64((board * _GOLDEN) >> np.uint64(40)) & (table.shape[0] - 1)]
    if entry[_BOARD] == board and entry[_ANSWER] >> _ONE == np.uint64(slides):
        return entry[_ANSWER] & _ONE != ZERO
    empty, found = empty_bits(board) & (_ALL >> np.uint64(64 - 4 * data[CELLS])), True
    while empty != ZERO and found:
        rest = empty & (empty - _ONE)
        for kind in range(data[KINDS]):
            before = board | (empty ^ rest) * np.uint64(data[data[TILES] + kind])
            wins = False
            for number in range(MOVES):
                after = slide_board(data, before, number, room)
                if after != before and is_sure(data, goal, after, slides - 1, memory):
                    wins = True
                    break
            if not wins:
                found = False
                break
        empty = rest
    entry[_BOARD], entry[_ANSWER] = board, np.uint64(2 * slides + found)
    return found


@kernel
def find_sure_slides(data: Any, goal: Any, board: Any, most: Any, nodes: Any, found: Any) -> Any:
    """Mark the slides that make a tile of exponent `goal` surely and fastest: bool (4,); return the slides, 0 if none in `most`.

    `nodes` limits the boards that are looked at; beyond it, no slide is found.
    """
    memory = (
        np.zeros((1 << 16, 2), np.uint64),
        np.zeros(17, np.int64),
        np.empty((2, 1), np.uint64),
        np.full(1, nodes),
    )
    for slides in range(1, most + 1):
        for number in range(MOVES):
            after = slide_board(data, board, number, memory[2])
            found[number] = after != board and is_sure(data, goal, after, slides - 1, memory)
        if found.any():
            return slides
    return 0
