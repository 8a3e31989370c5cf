"""Breadth-first search over ranks: two bits a position, and two or three more while it runs.

The two bits hold the depth modulo 3, which is enough to find a shortest way back (R. E. Korf,
"Minimizing disk I/O in two-bit breadth-first search", AAAI 2008). Layers are bit sets; each core
scans a part of the frontier into a set of its own.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.game import Position
from gridproof.core.limit import Meter
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.game import GameKernel, Ranking

_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_UNSEEN = 3
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_SHIFT = np.uint64(58)
_PLACES = np.zeros(64, np.int64)
for _place in range(64):
    _PLACES[(int(_DE_BRUIJN) << _place & 0xFFFF_FFFF_FFFF_FFFF) >> 58] = _place
_PART = 1 << 14  # words of a frontier that each core scans between two looks at the clock
_MOST_CORES = 8  # each has a set of all ranks

successors: Any = Hole()


@kernel
def lowest(word: Any) -> Any:
    """The place of the lowest bit of a word that is not 0 (de Bruijn's sequence)."""
    return _PLACES[((word & (~word + _ONE)) * _DE_BRUIJN) >> _SHIFT]


@kernel
def depth_of(depths: Any, rank: Any) -> Any:
    """The depth modulo 3 of a rank, or 3 when it has not been seen."""
    return (depths[rank >> 2] >> np.uint8((rank & 3) * 2)) & np.uint8(3)


def scan(
    tables: Any, depths: Any, frontier: Any, first: Any, last: Any, found: Any, out: Any, scratch: Any
) -> Any:
    """Expand the frontier's words `first` to `last`: unseen successors into `found`; their number."""
    transitions = 0
    for place in range(first, last):
        word = frontier[place]
        while word != _ZERO:
            count = successors(tables, place * 64 + lowest(word), out, scratch, False)
            word &= word - _ONE
            transitions += count
            for i in range(count):
                rank = out[i]
                if depth_of(depths, rank) == _UNSEEN:
                    found[rank >> 6] |= _ONE << np.uint64(rank & 63)
    return transitions


@kernel
def settle(depths: Any, found: Any, frontier: Any, first: Any, last: Any, depth: Any) -> Any:
    """Make what was found the frontier, of this depth modulo 3; clear what was found; how many."""
    count = 0
    change = np.uint8(_UNSEEN ^ depth)
    for place in range(first, last):
        word = _ZERO
        for part in range(found.shape[0]):
            word |= found[part, place]
            found[part, place] = _ZERO
        frontier[place] = word
        while word != _ZERO:
            rank = place * 64 + lowest(word)
            word &= word - _ONE
            depths[rank >> 2] ^= change << np.uint8((rank & 3) * 2)
            count += 1
    return count


def _cores() -> int:
    allowed = getattr(os, "sched_getaffinity", None)
    return min(len(allowed(0)) if allowed else os.cpu_count() or 1, _MOST_CORES)


class RankedStates:
    """The ranks reached from the starts, layer by layer.

    Parameters
    ----------
    game, ranking : GameKernel, Ranking
    starts : list of Position
        Distinct.
    cores : int, optional
        How many threads work; those that this process may use by default, 8 at most.
    """

    def __init__(
        self, game: GameKernel, ranking: Ranking, starts: list[Position[Any]], cores: int | None = None
    ) -> None:
        self.ranking = ranking
        self.count = self.transitions = 0
        self.by_depth: list[int] = []
        self._cores = cores or _cores()
        self._successors = game.ranked_successors
        self._scan = kernel(scan, successors=game.ranked_successors)
        self._words = -(-ranking.size // 64)
        self.depths = np.full(self._words * 16, 0xFF, np.uint8)
        self._frontier = np.zeros(self._words, np.uint64)
        self._found = np.zeros((self._cores, self._words), np.uint64)
        self._out = np.zeros((self._cores, ranking.most), np.int64)
        self._scratch = np.zeros((self._cores, ranking.scratch), np.uint64)
        self._starts = {ranking.rank(start) for start in starts}
        for rank in self._starts:
            self._found[0, rank >> 6] |= np.uint64(1 << (rank & 63))

    @staticmethod
    def size(ranking: Ranking) -> int:
        """The bytes that a search takes, all at once."""
        return ranking.size // 4 + ranking.size // 8 * (1 + _cores())

    def can_go_on(self, meter: Meter) -> bool:
        """Always: nothing grows."""
        return True

    def run(self) -> Iterator[int]:
        """Expand everything; now and then the number of states."""
        with ThreadPoolExecutor(self._cores) as pool:
            while True:
                size = self._settle(pool)
                if not size:
                    return
                self.by_depth.append(size)
                self.count += size
                yield self.count
                for first in range(0, self._words, _PART * self._cores):
                    self._scan_part(pool, first, min(self._words, first + _PART * self._cores))
                    yield self.count

    def _bounds(self, first: int, last: int) -> list[tuple[int, int]]:
        edges = np.linspace(first, last, self._cores + 1).astype(int).tolist()
        return list(itertools.pairwise(edges))

    def _settle(self, pool: ThreadPoolExecutor) -> int:
        depth = np.uint8(len(self.by_depth) % 3)
        jobs = [
            pool.submit(settle, self.depths, self._found, self._frontier, first, last, depth)
            for first, last in self._bounds(0, self._words)
        ]
        return sum(int(job.result()) for job in jobs)

    def _scan_part(self, pool: ThreadPoolExecutor, first: int, last: int) -> None:
        tables, depths, frontier = self.ranking.tables, self.depths, self._frontier
        jobs = [
            pool.submit(
                self._scan,
                tables,
                depths,
                frontier,
                low,
                high,
                self._found[core],
                self._out[core],
                self._scratch[core],
            )
            for core, (low, high) in enumerate(self._bounds(first, last))
        ]
        self.transitions += sum(int(job.result()) for job in jobs)

    def __contains__(self, rank: int) -> bool:
        return 0 <= rank < self.ranking.size and bool(depth_of(self.depths, rank) != _UNSEEN)

    def __iter__(self) -> Iterator[int]:
        return (rank for rank in range(self.ranking.size) if rank in self)

    def path(self, rank: int) -> list[int]:
        """The ranks from a start to one that was reached, on a shortest way."""
        path = [rank]
        while path[-1] not in self._starts:
            path.append(self._before(path[-1]))
        return path[::-1]

    def _before(self, rank: int) -> int:
        """A rank one layer nearer to the starts that leads to this one."""
        wanted = (int(depth_of(self.depths, rank)) - 1) % 3
        for before in self._neighbours(rank, through=True):
            if depth_of(self.depths, before) == wanted and rank in self._neighbours(before, through=False):
                return before
        raise GridproofError("the actions are not reversible, though the ranking says so")

    def _neighbours(self, rank: int, through: bool) -> list[int]:
        out, scratch = self._out[0], self._scratch[0]
        count = self._successors(self.ranking.tables, rank, out, scratch, through)
        return [int(number) for number in out[:count]]
