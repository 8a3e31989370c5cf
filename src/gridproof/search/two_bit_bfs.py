"""Breadth-first search over ranks: two bits a position; while it runs, one more and one for each core.

The two bits hold the depth modulo 3, which is enough to find a shortest way back (R. E. Korf,
"Minimizing disk I/O in two-bit breadth-first search", AAAI 2008). Layers are bit sets; each core
scans a part of the frontier into a set of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Meter
from gridproof.core.position import Position
from gridproof.kernels.bits import count_ones
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.game import GameKernel, Packing, Ranking
from gridproof.search.thread_pool import Each, available_cores, thread_map

Array = np.ndarray[Any, Any]

U = np.uint64
_ONE = U(1)
_ZERO = U(0)
_UNSEEN = 3
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_SHIFT = np.uint64(58)
_PLACES = np.zeros(64, np.int64)
for _place in range(64):
    _PLACES[(int(_DE_BRUIJN) << _place & 0xFFFF_FFFF_FFFF_FFFF) >> 58] = _place
_PART = 1 << 14  # words of a frontier that each core scans between two checks of the clock
_ALONE = 1 << 12  # positions of a layer that are not worth a second thread

successors: Any = Hole()
state_of: Any = Hole()
expand: Any = Hole()


@kernel
def lowest_bit(word: Any) -> Any:
    """Return the place of the lowest bit of a word that is not 0 (de Bruijn's sequence)."""
    return _PLACES[((word & (~word + _ONE)) * _DE_BRUIJN) >> _SHIFT]


@kernel
def depth_of(low: Any, high: Any, rank: Any) -> Any:
    """Return the depth modulo 3 of a rank, or 3 when it has not been seen."""
    bit = U(rank & 63)
    return ((low[rank >> 6] >> bit) & _ONE) | (((high[rank >> 6] >> bit) & _ONE) << _ONE)


def scan(data: Any, frontier: Any, first: Any, last: Any, found: Any, out: Any, scratch: Any) -> Any:
    """Expand the frontier's words `first` to `last` into `found`; return the number of successors."""
    transitions = 0
    for place in range(first, last):
        word = frontier[place]
        while word != _ZERO:
            count = successors(data, place * 64 + lowest_bit(word), out, scratch, False)
            word &= word - _ONE
            transitions += count
            for i in range(count):
                rank = U(out[i])  # an unsigned index saves the test for a negative one
                found[rank >> U(6)] |= _ONE << (rank & U(63))
    return transitions


def expand_by_parts(data: Any, rank: Any, out: Any, scratch: Any, state: Any) -> Any:
    """Expand a rank and write its state, where a kernel has no quicker function for both."""
    state_of(data, rank, state)
    return successors(data, rank, out, scratch, False)


def scan_states(data: Any, frontier: Any, first: Any, last: Any, found: Any, room: Any, kept: Any) -> Any:
    """Expand as `scan` does, and keep the words of all states, and whether they have successors."""
    transitions, number = 0, U(0)
    (out, scratch), (states, has_successors) = room, kept
    for place in range(first, last):
        word = frontier[place]
        while word != _ZERO:
            count = expand(data, place * 64 + lowest_bit(word), out, scratch, states[number])
            has_successors[number] = count > 0
            word &= word - _ONE
            number += _ONE
            transitions += count
            for i in range(count):
                rank = U(out[i])
                found[rank >> U(6)] |= _ONE << (rank & U(63))
    return transitions


@kernel
def count_ranks(frontier: Any, first: Any, last: Any) -> Any:
    """Return how many ranks are in the frontier's words `first` to `last`."""
    count = _ZERO
    for place in range(first, last):
        count += count_ones(frontier[place])
    return np.int64(count)


@kernel
def settle(low: Any, high: Any, found: Any, frontier: Any, depth: Any, first: Any, last: Any) -> Any:
    """Make the newly found ranks the frontier, at this depth modulo 3, and clear `found`; return their number."""
    count = _ZERO
    for place in range(first, last):
        word = _ZERO
        for part in range(found.shape[0]):
            word |= found[part, place]
            found[part, place] = _ZERO
        word &= low[place] & high[place]
        frontier[place] = word
        if word != _ZERO:
            count += count_ones(word)
            if depth != 1:
                low[place] ^= word
            if depth != 2:
                high[place] ^= word
    return np.int64(count)


@kernel
def list_ranks(frontier: Any, first: Any, last: Any) -> Any:
    """Return the ranks in the frontier's words `first` to `last`, int64."""
    ranks = np.empty(count_ranks(frontier, first, last), np.int64)
    number = 0
    for place in range(first, last):
        word = frontier[place]
        while word != _ZERO:
            ranks[number] = place * 64 + lowest_bit(word)
            word &= word - _ONE
            number += 1
    return ranks


class FrontierPart(NamedTuple):
    """Some positions of the last layer, just expanded."""

    first: int
    """The number of the first of them among all positions."""
    last: int
    """The number of the first position after them."""
    words: tuple[int, int]
    """The first of the frontier's words that contain them, and the one after the last."""
    states: Array
    """Their states, uint64 (positions, words), until the next part is expanded."""
    has_successors: Array
    """Marks of those that have successors, bool (positions,), until then."""


class TwoBitStates:
    """The ranks reached from distinct starts, layer by layer, by all cores or by so many threads."""

    def __init__(
        self, game: GameKernel, ranking: Ranking, starts: list[Position[Any]], cores: int | None = None
    ) -> None:
        self.game, self.ranking = game, ranking
        self._positions = starts
        self.count = self.transitions = 0
        self.by_depth: list[int] = []
        self._cores = cores or available_cores()
        self._successors = game.ranked.successors
        self._scan = kernel(scan, successors=game.ranked.successors)
        self._words = -(-ranking.size // 64)
        self._depths = np.full((2, self._words), 0xFFFF_FFFF_FFFF_FFFF, np.uint64)  # low bits and high ones
        self._frontier = np.zeros(self._words, np.uint64)
        self._found = np.zeros((self._cores, self._words), np.uint64)
        self._out = np.zeros((self._cores, ranking.most), np.int64)
        self._scratch = np.zeros((self._cores, ranking.scratch), np.uint64)
        self.packing: Packing | None = None
        """The packing of states, if they are kept."""
        self.part: FrontierPart | None = None
        """The positions that were expanded last, if states are kept; None at the beginning of a layer."""
        self._room = self._make_room(0)
        self.starts = sorted({ranking.rank(start) for start in starts})
        """The ranks of the starts."""
        for rank in self.starts:
            self._found[0, rank >> 6] |= np.uint64(1 << (rank & 63))

    def keep_states(self, packing: Packing) -> None:
        """Keep the states of each part until the next one, for the price of a few nanoseconds a position."""
        ranked = self.game.ranked
        both = ranked.expand or kernel(expand_by_parts, successors=ranked.successors, state_of=ranked.state)
        self._scan = kernel(scan_states, expand=both)
        self.packing = packing
        self._room = self._make_room(0)

    def prepare(self) -> None:
        """Load or compile what `run` calls, which may take seconds."""
        out, scratch = self._out[0], self._scratch[0]
        room = ((out, scratch), self._room) if self.packing else (out, scratch)
        self._scan(self.ranking.data, self._frontier, 0, 0, self._found[0], *room)
        settle(*self._depths, self._found, self._frontier, 0, 0, 0)

    @staticmethod
    def size(ranking: Ranking) -> int:
        """Return the bytes that a search takes, all at once."""
        return ranking.size // 4 + ranking.size // 8 * (1 + available_cores())

    most = 1 << 62  # there is room for all
    has_overflow = False

    def can_continue(self, meter: Meter) -> bool:
        """Return True: nothing grows."""
        return True

    def run(self) -> Iterator[int]:
        """Expand everything; yield the number of states now and then."""
        for _ in self._layers():
            yield self.count

    def _layers(self) -> Iterator[bool]:
        """Expand everything, part by part; yield True when the frontier is a new layer."""
        step = _PART * self._cores
        with thread_map(self._cores) as each:
            while size := self._settle(each if self._words > _PART else map):
                self.by_depth.append(size)
                self.count += size
                self.part = None
                yield True
                for first in range(0, self._words, step):
                    some = each if size > _ALONE else map
                    self._scan_part(some, first, min(self._words, first + step))
                    yield False

    def rank_blocks(self) -> Iterator[Array]:
        """Yield arrays of ranks in breadth-first order, sorted within a layer.

        Only the depths modulo 3 are kept, so the layers are searched again one after the other.
        """
        again = TwoBitStates(self.game, self.ranking, self._positions, self._cores)
        for new in again._layers():
            if new:
                yield from again.frontier_blocks()
            if len(again.by_depth) == len(self.by_depth) and new:
                return

    def frontier_blocks(self) -> Iterator[Array]:
        """Yield arrays of the ranks of the last layer, sorted."""
        for first in range(0, self._words, _PART):
            yield list_ranks(self._frontier, first, min(self._words, first + _PART))

    def _bounds(self, first: int, last: int) -> tuple[list[int], list[int]]:
        """Return where the parts of all cores begin and end."""
        edges = np.linspace(first, last, self._cores + 1).astype(int).tolist()
        return edges[:-1], edges[1:]

    def _settle(self, each: Each) -> int:
        depth = len(self.by_depth) % 3
        work = partial(settle, *self._depths, self._found, self._frontier, depth)
        return sum(map(int, each(work, *self._bounds(0, self._words))))

    def _scan_part(self, each: Each, first: int, last: int) -> None:
        """Expand a part of the frontier, and keep its states if that is wanted."""
        bounds, work = self._bounds(first, last), partial(self._scan, self.ranking.data, self._frontier)
        room: tuple[Iterable[Any], ...] = self._out, self._scratch
        if self.packing:
            sizes = list(map(int, each(partial(count_ranks, self._frontier), *bounds)))
            self.part = self._next_part(sum(sizes), first, last)
            cuts = np.cumsum(sizes)[:-1]
            kept = (np.split(one, cuts) for one in (self.part.states, self.part.has_successors))
            room = zip(*room, strict=True), zip(*kept, strict=True)
        self.transitions += sum(map(int, each(work, *bounds, self._found, *room)))

    def _next_part(self, size: int, first: int, last: int) -> FrontierPart:
        """Return the part of the frontier's words `first` to `last`, with room for its states."""
        if size > len(self._room[0]):
            self._room = self._make_room(size)
        number = self.part.last if self.part else self.count - self.by_depth[-1]
        return FrontierPart(number, number + size, (first, last), *(one[:size] for one in self._room))

    def _make_room(self, size: int) -> tuple[Array, Array]:
        words = self.packing.words if self.packing else 0
        return np.empty((size, words), np.uint64), np.empty(size, bool)

    def ranks_of(self, part: FrontierPart) -> Array:
        """Return the ranks of the last part that was expanded, sorted."""
        ranks: Array = list_ranks(self._frontier, *part.words)
        return ranks

    def __contains__(self, rank: int) -> bool:
        return 0 <= rank < self.ranking.size and self._depth(rank) != _UNSEEN

    def __iter__(self) -> Iterator[int]:
        return (int(rank) for some in self.rank_blocks() for rank in some)

    def path(self, rank: int) -> list[int]:
        """Return the ranks from a start to one that was reached, on a shortest path.

        A position without actions may have predecessors of which some are 3, 6, ... layers deeper than others.
        """
        if rank in self.starts:
            return [rank]
        return [*min(map(self._path_without_ends, self._predecessors(rank)), key=len), rank]

    def _path_without_ends(self, rank: int) -> list[int]:
        """Return the ranks on a shortest path to a position with actions."""
        path, starts = [rank], frozenset(self.starts)
        while path[-1] not in starts:
            path.append(next(self._predecessors(path[-1])))
        return path[::-1]

    def _depth(self, rank: int) -> int:
        return int(depth_of(*self._depths, rank))

    def _predecessors(self, rank: int) -> Iterator[int]:
        """Yield the ranks that lead to this one, one layer nearer to the starts if that has actions."""
        wanted, is_reached = (self._depth(rank) - 1) % 3, False
        for before in self._neighbours(rank, through=True):
            if self._depth(before) == wanted and rank in self._neighbours(before, through=False):
                is_reached = True
                yield before
        if not is_reached:
            raise GridproofError("the actions are not reversible, though the ranking says so")

    def _neighbours(self, rank: int, through: bool) -> list[int]:
        out, scratch = self._out[0], self._scratch[0]
        count = self._successors(self.ranking.data, rank, out, scratch, through)
        return [int(number) for number in out[:count]]
