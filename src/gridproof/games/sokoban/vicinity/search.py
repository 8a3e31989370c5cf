"""One search in the vicinity of a path: the store that grows around the compiled loop of `kernel`.

A state costs 8 K bytes for K words, 20 for its figures, 8 of the hash table, and 8 for each time that it waits.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gridproof.games.sokoban.solver.flood_fill import allocate_scratch
from gridproof.games.sokoban.solver.pull_search import enlarge
from gridproof.games.sokoban.vicinity import kernel
from gridproof.games.sokoban.vicinity.kernel import Prices, Store, Tables, Vicinity
from gridproof.kernels.states import rebuild

_FIRST = 1 << 12
_WORK = 1 << 23
"""Squares that are looked at between two looks at the clock, roughly."""


class PushState(NamedTuple):
    """The boxes, a bit a square, and the player's square."""

    boxes: int
    player: int


class VicinitySearch:
    """A search for a path that costs less than `best`, among at most `most` states.

    Attributes
    ----------
    is_complete : bool
        True if nothing waits and no state was refused: the vicinity has no path cheaper than
        that of `path`, or than `best` where it is None.
    """

    def __init__(
        self, tables: Tables, vicinity: Vicinity, prices: Prices, start: PushState, best: int, most: int
    ) -> None:
        self._tables, self._vicinity, self._prices = tables, vicinity, prices
        squares, words = len(tables.goal), len(tables.target) + 1
        boxes = start.boxes.bit_count()
        self._room = 4 * boxes + 2
        self._scratch = allocate_scratch(squares, boxes, words)
        self._counters = np.zeros(kernel.COUNTERS, np.int64)
        self._counters[[kernel.BEST, kernel.GOAL, kernel.MOST]] = best, kernel.NONE, most
        size = _FIRST
        self._words = np.zeros((size, words), np.uint64)
        self._costs, self._figures = np.zeros(size, np.int64), np.zeros((size, 3), np.int32)
        self._heap = np.zeros(size, np.uint64)
        self._words[0] = [*split_words(start.boxes, words - 1), start.player]
        self._figures[0] = kernel.NONE, 0, 0
        self._counters[[kernel.STATES, kernel.SIZE]] = 1
        self._rebuild()

    def _rebuild(self) -> None:
        self._table = np.zeros(4 * len(self._words), np.uint32)
        rebuild(self._words, self.states, self._table)

    @property
    def states(self) -> int:
        """The number of states found."""
        return int(self._counters[kernel.STATES])

    @property
    def is_complete(self) -> bool:
        return not self._counters[kernel.SIZE] and not self._counters[kernel.FULL]

    @property
    def cost(self) -> int:
        """The cost of the best path so far, the given one among them."""
        return int(self._counters[kernel.BEST])

    def prepare(self) -> None:
        """Load or compile the kernels of `run`, which may take seconds."""
        self._advance(0)

    def run(self) -> Iterator[int]:
        """Search; yield the number of states now and then."""
        while self._counters[kernel.SIZE] and not self._counters[kernel.FULL]:
            self._grow()
            self._advance(_WORK)
            yield self.states

    def _advance(self, work: int) -> None:
        self._counters[kernel.LEFT] = work
        store = Store(self._words, self._table, self._costs, self._figures, self._heap)
        kernel.advance(self._tables, self._vicinity, self._prices, store, self._scratch, self._counters)

    def _grow(self) -> None:
        if self.states + self._room >= len(self._words):
            size = 2 * len(self._words)
            self._words, self._costs = enlarge(self._words, size), enlarge(self._costs, size)
            self._figures = enlarge(self._figures, size)
            self._rebuild()
        if self._counters[kernel.SIZE] + self._room >= len(self._heap):
            self._heap = enlarge(self._heap, 2 * len(self._heap))

    def path(self) -> list[PushState] | None:
        """Return the states of a cheaper path; None if none is found. Each player stands where the last push has left it."""
        number = int(self._counters[kernel.GOAL])
        if number < 0:
            return None
        arrangements = list[int]()
        while number >= 0:
            words = self._words[number, :-1].tolist()
            arrangements.append(sum(word << 64 * place for place, word in enumerate(words)))
            number = int(self._figures[number, kernel.PARENT])
        arrangements.reverse()
        players = (next(bits_of(before & ~after)) for before, after in itertools.pairwise(arrangements))
        first = PushState(arrangements[0], int(self._words[0, -1]))
        return [first, *map(PushState, arrangements[1:], players)]


def bits_of(places: int) -> Iterator[int]:
    """Yield the squares of some bits."""
    while places:
        lowest = places & -places
        yield lowest.bit_length() - 1
        places ^= lowest


def split_words(places: int, words: int) -> list[int]:
    """Return bits as words."""
    return [places >> 64 * word & (1 << 64) - 1 for word in range(words)]


def to_words(arrangements: list[int], words: int) -> np.ndarray[Any, Any]:
    """Return arrangements of boxes as uint64 (arrangements, words)."""
    return np.array([split_words(places, words) for places in arrangements], np.uint64)
