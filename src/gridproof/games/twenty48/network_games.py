"""Whole games of a network by kernels, one slide ahead: millions of moves a second."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gridproof.core.rng import check_seed, derive
from gridproof.games.twenty48.kernel.cells import NIBBLES
from gridproof.games.twenty48.kernel.packing import data_of
from gridproof.games.twenty48.kernel.temporal_difference import playing_kernel
from gridproof.games.twenty48.network import Network, pack_board
from gridproof.games.twenty48.rules import Level

Array = np.ndarray[Any, Any]

_MOST_MOVES = 1 << 17
"""The most moves of a game."""


class NetworkGames(NamedTuple):
    """Results of games; arrays have shape (games,)."""

    lengths: Array
    """The number of moves of each game."""
    scores: Array
    """The score of each game (T7)."""
    largest: Array
    """The largest tile of each game, at most 32768."""


def play_games(network: Network, level: Level, games: int, seed: int = 0) -> NetworkGames:
    """Play games by a network, one slide ahead; game n has the chance of a session with the seed `derive(seed, n)` (T18).

    The network sees late boards as they are. Two tiles 32768 become one of them, so a game with larger tiles is not exact.

    Raises
    ------
    GridproofError
        When the network is for boards of another size.
    """
    network.check_level(level)
    seeds = np.array([derive(check_seed(seed), number) for number in range(games)], np.uint64)
    lengths, scores, exponents = (np.zeros(games, np.int64) for _ in range(3))
    start = pack_board(level.start().cells)
    data, play = data_of(level, NIBBLES), playing_kernel(network.kernels)
    play(data, network.tables, start, seeds, _MOST_MOVES, (lengths, scores, exponents))
    return NetworkGames(lengths, scores, np.left_shift(1, exponents))
