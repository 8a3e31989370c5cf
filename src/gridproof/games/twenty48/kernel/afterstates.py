"""Afterstates by kernels: the board after a slide, before a tile appears (T17), and the score of the slide.

A learning player values afterstates, and makes the move with the largest sum of reward and value: it does not choose
the spawn (M. Szubert and W. Jaśkowski, "Temporal difference learning of N-tuple networks for the game 2048", CIG 2014).
Afterstates have 4 bits a cell, 16 cells a word, in reading order from the lowest bits on, whatever the level's own
packing: a board of 4 x 4 cells is one word, from which shifts and masks cut tuples. A kernel that plays by a network
calls `afterstates`, with the network's weights among its arguments.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.text.phrases import short_repr
from gridproof.games.twenty48.kernel.cells import (
    CELLS,
    MOST,
    MOVES,
    NIBBLES,
    SQUARE,
    ZERO,
    is_valid,
    slide_into,
)
from gridproof.games.twenty48.kernel.rows import board_gain, board_of, is_small, slide_rows, transpose
from gridproof.games.twenty48.rules import Level
from gridproof.kernels.batch import Batch
from gridproof.kernels.compile import borrowing, kernel
from gridproof.kernels.game import packing_of

Array = np.ndarray[Any, Any]

INVALID = -1
"""The reward of a direction in which no tile can slide or combine (T8)."""

_MOST = MOST[NIBBLES]
_ONE = np.uint64(1)


class Afterstates(NamedTuple):
    """The afterstates of n boards; directions are left, right, up, down."""

    boards: Array
    """uint64 (n, 4, words): exponents up to 15. The board itself where a direction is not valid."""
    rewards: Array
    """int64 (n, 4): the score of each slide (T7), or INVALID."""

    @property
    def valid(self) -> Array:
        """True for each valid direction: bool (n, 4)."""
        return np.not_equal(self.rewards, INVALID)


@borrowing
def row_afterstates(data: Any, board: Any, boards: Any, rewards: Any) -> None:
    """Write the afterstates to the left and to the right of a small board of 4 x 4 cells."""
    gain = board_gain(data, board)
    boards[0, 0], boards[1, 0] = slide_rows(data, board, ZERO), slide_rows(data, board, _ONE)
    for number in range(2):
        rewards[number] = gain if boards[number, 0] != board else INVALID


@borrowing
def afterstates(data: Any, state: Any, boards: Any, rewards: Any) -> None:
    """Write the afterstates of a state into uint64 (4, words), their rewards into int64 (4,)."""
    if data[SQUARE] and is_small(data, state):
        board = board_of(data, state)
        row_afterstates(data, board, boards, rewards)
        upright = transpose(board)
        row_afterstates(data, upright, boards[2:], rewards[2:])
        boards[2, 0], boards[3, 0] = transpose(boards[2, 0]), transpose(boards[3, 0])
        return
    for number in range(MOVES):
        gain = slide_into(data, state, number, boards[number], NIBBLES, _MOST)
        rewards[number] = gain if is_valid(data, state, number) else INVALID


@kernel
def afterstates_all(data: Any, levels: Any, widths: Any, states: Any, boards: Any, rewards: Any) -> None:
    """Write the afterstates of many states, each on one of the levels."""
    for number in range(states.shape[0]):
        level = levels[number]
        words = (data[level, CELLS] + 15) >> 4
        state = states[number, : widths[level]]
        afterstates(data[level], state, boards[number, :, :words], rewards[number])


def afterstates_of(level: Level, states: Array) -> Afterstates:
    """Return the afterstates of states of a level.

    Parameters
    ----------
    level : Level
    states : uint64 array (n, K) or (K,)
        In the level's packing, `packing_of(level)`.

    Raises
    ------
    GridproofError
        When it is no level of 2048, tiles above 2^62 are possible, which no kernel holds, or the states have another
        shape or type.
    """
    _check_level(level)
    known = packing_of(level)
    if known is None:
        raise GridproofError("tiles above 2^62 could come on the level: no kernel holds it")
    packing, rows = known[1], np.atleast_2d(states)
    if rows.dtype != np.uint64 or rows.ndim != 2 or rows.shape[1] != packing.words:
        wanted = f"uint64 (n, {packing.words})"
        raise GridproofError(f"states of the level: {wanted} is needed, not {rows.dtype} {rows.shape}")
    widths, levels = np.array([packing.words]), np.zeros(len(rows), np.int64)
    return _afterstates(packing.data[np.newaxis], levels, widths, rows)


def afterstates_in(batch: Batch) -> Afterstates:
    """Return the afterstates of all games of a batch, on boards of any sizes.

    Raises
    ------
    GridproofError
        When it is no batch of games of 2048.
    """
    _check_level(batch.packings[0].level)
    return _afterstates(batch.data, batch.current, batch.widths, batch.plays)


def _check_level(level: Any) -> None:
    if not isinstance(level, Level):
        raise GridproofError(f"afterstates are of levels of 2048, not of {short_repr(level)}")


def _afterstates(data: Array, levels: Array, widths: Array, states: Array) -> Afterstates:
    words = int(data[:, CELLS].max() + 15) // 16
    found = Afterstates(
        np.zeros((len(states), MOVES, words), np.uint64), np.zeros((len(states), MOVES), np.int64)
    )
    afterstates_all(data, levels, widths, states, *found)
    return found
