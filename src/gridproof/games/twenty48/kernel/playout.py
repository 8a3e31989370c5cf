"""Kernels for the random games of `playouts.py`.

Both kernels write the number of moves, the score and the exponent of the largest tile of each game that
they play to its end; `lengths` is below 0 for other games.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.twenty48.kernel import begin, step
from gridproof.games.twenty48.kernel.cells import CELLS, copy, exponent_at, largest_exponent
from gridproof.games.twenty48.kernel.rows import empty_bits, move_board, spawn_tile
from gridproof.kernels.chance import derive_stream, word
from gridproof.kernels.compile import kernel
from gridproof.kernels.game import REFUSED

ALL = 15  # the set of the four directions
LANES = 4  # games played in turns, so that the processor does not wait for memory or for results of one game
_ONE, _TWO, _THREE = (np.uint64(value) for value in (1, 2, 3))


@kernel
def begin_game(data: Any, start: Any, seed: Any, random: Any, out: Any) -> None:
    """Draw the start of a seed from its stream 0; copy `start` where the level has a board."""
    copy(start, out)
    random[0] = derive_stream(seed, 0)
    begin(data, random, out)


@kernel
def play(data: Any, start: Any, seed: Any, first: Any, results: Any) -> None:
    """Play the games that are not played yet, on boards of any size and layout."""
    lengths, scores, tiles = results
    state, after = np.empty_like(start), np.empty_like(start)
    random, choices = np.empty(1, np.uint64), np.empty(1, np.uint64)
    for game in range(lengths.shape[0]):
        if lengths[game] >= 0:
            continue
        own = derive_stream(seed, first + game)
        begin_game(data, start, own, random, state)
        choices[0] = derive_stream(derive_stream(own, 1), 0)
        moves, score = 0, 0
        tried: Any = 0
        while tried != ALL:
            number = np.int64(word(choices) & _THREE)
            random[0] = derive_stream(own, moves + 1)
            gained, _, event = step(data, state, number, random, after)
            if event == REFUSED:
                tried |= 1 << number
                continue
            tried = 0
            moves += 1
            score += gained
            copy(after, state)
        lengths[game], scores[game], tiles[game] = moves, score, largest_exponent(data, state)


@kernel
def potential(data: Any, state: Any) -> Any:
    """Return the score of a board if only 2s had appeared: a tile 2^e has scored (e - 1) 2^e."""
    found = 0
    for cell in range(data[CELLS]):
        exponent = exponent_at(data, state, cell)
        if exponent:
            found += (exponent - 1) << exponent
    return found


# -- 4 x 4, quickly

BOARD, CHANCE, CHOICES = range(3)
"""The words of a lane: the board, the game's seed, and the state of the generator that chooses moves."""


@kernel
def begin_lane(data: Any, start: Any, own: Any, random: Any, lane: Any) -> None:
    """Begin the game of a seed in a lane."""
    begin_game(data, start, own, random, lane[:1])
    lane[CHANCE], lane[CHOICES] = own, derive_stream(derive_stream(own, 1), 0)


@kernel
def play_rows(data: Any, most: Any, start: Any, seed: Any, first: Any, results: Any) -> None:
    """Play on 4 x 4 boards of one word, with at most `most` moves; longer games stay unplayed.

    The score of a game is the potential of its board, less that of its start, less 4 for each 4 that
    appeared (T7).
    """
    lengths, scores, tiles = results
    lanes, games, tried = (
        np.zeros((LANES, 3), np.uint64),
        np.zeros(LANES, np.int64),
        np.zeros(LANES, np.int64),
    )
    random = np.empty(1, np.uint64)
    waiting, active = 0, 0
    while True:
        while active < LANES and waiting < lengths.shape[0]:
            begin_lane(data, start, derive_stream(seed, first + waiting), random, lanes[active])
            lengths[waiting], scores[waiting] = 0, -potential(data, lanes[active])
            games[active], tried[active] = waiting, 0
            waiting, active = waiting + 1, active + 1
        if active == 0:
            return
        for lane in range(active):
            board, game = lanes[lane, BOARD], games[lane]
            random[0] = lanes[lane, CHOICES]
            direction = word(random) & _THREE
            lanes[lane, CHOICES] = random[0]
            after = move_board(data, board, direction)
            if after != board and lengths[game] < most:
                tried[lane] = 0
                lengths[game] += 1
                random[0] = derive_stream(lanes[lane, CHANCE], lengths[game])
                lanes[lane, BOARD], exponent = spawn_tile(data, after, empty_bits(after), random)
                scores[game] -= np.int64(exponent & _TWO) << 1
                continue
            tried[lane] |= 1 << np.int64(direction)  # T9
            if after != board:
                lengths[game] = -1
            elif tried[lane] == ALL:
                scores[game] += potential(data, lanes[lane])
                tiles[game] = largest_exponent(data, lanes[lane])
            else:
                continue
            active -= 1
            lanes[lane], games[lane], tried[lane] = lanes[active], games[active], tried[active]
            break
