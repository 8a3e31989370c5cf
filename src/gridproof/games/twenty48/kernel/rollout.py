"""Kernels for games that a player plays out from a board: the quick snake player, or a network.

A board is a word with 4 bits a cell. Each game has chance of its own, as in `playout.py`.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from gridproof.games.twenty48.kernel import spawn
from gridproof.games.twenty48.kernel.cells import CELLS, MOVES, ZERO
from gridproof.games.twenty48.kernel.network import NetworkKernels
from gridproof.games.twenty48.kernel.rows import board_gain, has_tile, move_board, orient
from gridproof.games.twenty48.kernel.snake import NONE, choose_move, slide_board, slide_gain
from gridproof.kernels.chance import derive_stream
from gridproof.kernels.compile import Hole, borrowing, kernel

NEVER = 16
"""The exponent of a goal that no board has."""
board_value: Any = Hole()
choose: Any = Hole()
_CELL = np.uint64(15)


def choose_by_network(data: Any, tables: Any, board: Any, room: Any) -> Any:
    """Return the number of the slide of a 4 x 4 board with the largest sum of score and value, or NONE."""
    found, most = NONE, -np.inf
    for number in range(MOVES):
        direction = np.uint64(number)
        after = move_board(data, board, direction)
        if after == board:
            continue
        worth = board_gain(data, orient(board, direction)) + board_value(tables, after)
        if worth > most:
            found, most = number, worth
    return found


def play_out(data: Any, values: Any, start: Any, goal: Any, most: Any, seed: Any, results: Any) -> None:
    """Play games from a board, each with a given first move, to the end, to a tile of exponent `goal`, or to `most` moves.

    `results` are arrays of a number a game: the first move, which is replaced by the largest exponent, and the score.
    """
    exponents, scores = results
    random, room = np.empty(1, np.uint64), np.empty((2, 1), np.uint64)
    for game in range(scores.shape[0]):
        own = derive_stream(seed, game)
        board, number, moves = start, exponents[game], 0
        scores[game] = 0
        while number != NONE and moves < most and not has_tile(board, goal):
            scores[game] += slide_gain(data, board, number, room)
            room[0, 0] = slide_board(data, board, number, room)
            random[0] = derive_stream(own, moves + 1)
            spawn(data, random, room[0])
            board = room[0, 0]
            moves += 1
            number = choose(data, values, board, room)
        largest = ZERO
        for cell in range(data[CELLS]):
            largest = max(largest, (board >> np.uint64(4 * cell)) & _CELL)
        exponents[game] = np.int64(largest)


play_snake = kernel(play_out, choose=choose_move)


@functools.lru_cache(maxsize=16)
def network_rollout(kernels: NetworkKernels) -> Any:
    """Return `play_out` for networks of a pattern; `values` are their tables."""
    return kernel(play_out, choose=borrowing(choose_by_network, board_value=kernels.board_value))
