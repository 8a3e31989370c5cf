"""Random games by the million: each valid move is as likely.

Game number n of a seed is a game whose own seed is `derive(seed, n)`: its start and all its tiles are
those of a `Session` with that seed (T18). Its directions come from the generator
`Rng(derive(own seed))`, which draws among all four until one is valid. So each game is independent
of the others, and `playout` plays it again by the rules.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.rng import Rng, check_seed, derive
from gridproof.core.trace import Step, Trace
from gridproof.games.twenty48.kernel.cells import BYTES, NIBBLES
from gridproof.games.twenty48.kernel.packing import data_of, max_exponent, pack_cells
from gridproof.games.twenty48.kernel.playout import play, play_rows
from gridproof.games.twenty48.rules import Level, Move

_CHUNK = 1 << 13  # games between two chances to interrupt
_DIRECTIONS = tuple(Move)

_LARGEST = 56
"""The largest exponent: a board of tiles whose sum is below 2^57 has scored less than 56 * 2^57."""

_Numbers = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, slots=True, eq=False)
class Playouts:
    """Results of random games; arrays have shape (games,), in the order of the games' numbers."""

    level: Level
    seed: int
    lengths: _Numbers
    """The number of moves of each game."""
    scores: _Numbers
    """The score of each game (T7)."""
    largest: _Numbers
    """The largest tile of each game at its end."""

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.lengths)

    @property
    def moves(self) -> int:
        """The number of moves of all games together."""
        return int(self.lengths.sum())

    @property
    def mean_score(self) -> float:
        """The average score of a game; 0 when there is none."""
        return float(self.scores.mean()) if self.games else 0.0

    @property
    def tiles(self) -> Mapping[int, int]:
        """The number of games that ended with each tile as their largest; smaller tiles first."""
        tiles, games = np.unique(self.largest, return_counts=True)
        return dict(zip(tiles.tolist(), games.tolist(), strict=True))

    def trace(self, number: int) -> Trace:
        """Play a game again by the rules, by its number from 0.

        Raises
        ------
        GridproofError
            When there is none.
        """
        if not 0 <= number < self.games:
            raise GridproofError(f"game {number}: there are {self.games}")
        return playout(self.level, self.seed, number)


def playout(level: Level, seed: int = 0, number: int = 0) -> Trace:
    """Play one random game by the rules: the meaning of `playouts`, slowly.

    Returns
    -------
    Trace
        From the start to a lost position; its `seed` is the game's own.
    """
    own = derive(seed, number)
    choices, position = Rng(derive(own)), level.start(own)
    start, steps = position, list[Step]()
    while not position.lost:
        move = choices.choice(_DIRECTIONS)
        if position.can_move(move):
            outcome = position.step(move, Rng(own, len(steps) + 1))
            steps.append(Step(move, outcome.label))
            position = outcome.position
    return Trace(start, tuple(steps), seed=own)


def playouts(level: Level, games: int, seed: int = 0) -> Playouts:
    """Play random games to their ends.

    Tables of rows play 4 x 4 boards without tiles above 32768. Other boards are played cell by cell, a few
    times slower.

    Parameters
    ----------
    level : Level
        Each game has a new random start, or the level's board.
    games : int
        The number of games, 24 bytes each.
    seed : int
        64 bits.

    Raises
    ------
    GridproofError
        When the level is not of 2048 or could make tiles above 2^56, the number of games is negative
        or no int, or the seed is invalid.
    """
    _check(level, games)
    own_seed = np.uint64(check_seed(seed))
    lengths, scores, exponents = (np.full(games, item, np.int64) for item in (-1, 0, 0))
    for first in range(0, games, _CHUNK):
        part = slice(first, first + _CHUNK)
        _play(level, own_seed, first, (lengths[part], scores[part], exponents[part]))
    return Playouts(level, seed, lengths, scores, np.left_shift(1, exponents))


def _check(level: object, games: object) -> None:
    if not isinstance(level, Level):
        raise GridproofError(f"a level of 2048 is needed, not {type(level).__name__}")
    if type(games) is not int or games < 0:
        raise GridproofError(f"games {games!r}: it must be a whole number from 0 on")
    if max_exponent(level, level.start().cells) > _LARGEST:
        raise GridproofError(f"the board's tiles could grow above 2^{_LARGEST}: `playout` plays single games")


def _play(level: Level, seed: np.uint64, first: int, results: tuple[_Numbers, _Numbers, _Numbers]) -> None:
    """Play a part of the games, quickly where possible, then the others."""
    most, cells = _count_row_moves(level), level.start().cells
    if most > 0:
        play_rows(data_of(level, NIBBLES), most, pack_cells(cells, NIBBLES), seed, first, results)
    if results[0].min() < 0:
        play(data_of(level, BYTES), pack_cells(cells, BYTES), seed, first, results)


def _count_row_moves(level: Level) -> int:
    """Count the moves in which two tiles 32768 cannot combine: the tiles' sum is below 65536.

    A random start has at most 8, and each move adds at most 4. No such sum has tiles above 32768.
    """
    if (level.width, level.height) != (4, 4):
        return 0
    start = sum(itertools.chain(*level.board)) if level.board else 8
    return (65536 - start + 3) // 4
