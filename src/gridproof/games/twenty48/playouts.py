"""Games played at random, by the million: each move is one of the valid ones, each as likely.

Game number n of a seed is a game whose own seed is `derive(seed, n)`: its start and all its tiles are
those of a `Session` with that seed (T18). Its directions come from the generator
`Rng(derive(own seed))`, which draws among all four until it meets a valid one. So every game can be
had by itself, whatever else is played, and `playout` plays it again by the rules.
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
from gridproof.games.twenty48.kernel.packing import data_of, packed, reach
from gridproof.games.twenty48.kernel.playing import play, play_rows
from gridproof.games.twenty48.rules import Level, Move

_CHUNK = 1 << 13  # games between two chances to interrupt
_DIRECTIONS = tuple(Move)

_LARGEST = 56
"""No exponent may exceed it: a board of tiles whose sum is below 2^57 has scored less than 56 * 2^57."""

_Numbers = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, slots=True, eq=False)
class Playouts:
    """What random games came to; arrays have shape (games,), in the order of the games' numbers."""

    level: Level
    seed: int
    lengths: _Numbers
    """How many moves each game had."""
    scores: _Numbers
    """The score of each (T7)."""
    largest: _Numbers
    """The largest tile of each at its end."""

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.lengths)

    @property
    def moves(self) -> int:
        """How many moves all games had together."""
        return int(self.lengths.sum())

    @property
    def mean_score(self) -> float:
        """The average score of a game; 0 when there is none."""
        return float(self.scores.mean()) if self.games else 0.0

    @property
    def tiles(self) -> Mapping[int, int]:
        """How many games ended with each tile as their largest; smaller tiles first."""
        tiles, games = np.unique(self.largest, return_counts=True)
        return dict(zip(tiles.tolist(), games.tolist(), strict=True))

    def trace(self, number: int) -> Trace:
        """The game of that number, from 0, played again by the rules.

        Raises
        ------
        GridproofError
            When there is none.
        """
        if not 0 <= number < self.games:
            raise GridproofError(f"game {number}: there are {self.games}")
        return playout(self.level, self.seed, number)


def playout(level: Level, seed: int = 0, number: int = 0) -> Trace:
    """One random game by the rules: the meaning of `playouts`, slowly.

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
        if position.can(move):
            outcome = position.step(move, Rng(own, len(steps) + 1))
            steps.append(Step(move, outcome.label))
            position = outcome.position
    return Trace(start, tuple(steps), seed=own)


def playouts(level: Level, games: int, seed: int = 0) -> Playouts:
    """Play random games to their ends.

    4 x 4 boards without tiles above 32768 are played by tables of rows, all other ones cell by cell:
    the same games, a few times slower.

    Parameters
    ----------
    level : Level
        Where each game starts: drawn anew, or the level's board.
    games : int
        How many; 24 bytes each.
    seed : int
        64 bits.

    Raises
    ------
    GridproofError
        When the level is none of 2048 or could make tiles above 2^56, the number of games is negative
        or no int, or the seed is none.
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
    if reach(level, level.start().cells) > _LARGEST:
        raise GridproofError(f"the board's tiles could grow above 2^{_LARGEST}: `playout` plays single games")


def _play(level: Level, seed: np.uint64, first: int, results: tuple[_Numbers, _Numbers, _Numbers]) -> None:
    """Play a part of the games, quickly where it can be done; then those that are left."""
    most, cells = _moves_by_rows(level), level.start().cells
    if most > 0:
        play_rows(data_of(level, NIBBLES), most, packed(cells, NIBBLES), seed, first, results)
    if results[0].min() < 0:
        play(data_of(level, BYTES), packed(cells, BYTES), seed, first, results)


def _moves_by_rows(level: Level) -> int:
    """How many moves two tiles 32768 cannot combine in: as long as the tiles' sum is below 65536.

    A start has 8 by chance and each move adds 4, at the most. Tiles above 32768 are in no such sum.
    """
    if (level.width, level.height) != (4, 4):
        return 0
    start = sum(itertools.chain(*level.board)) if level.board else 8
    return (65536 - start + 3) // 4
