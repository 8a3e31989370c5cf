"""Layers of ranks as bit sets: one bit for each rank, in a file for each layer and one for all seen ranks.

Each word of a layer is read and written once, in order. The successors of a layer, in any order, are gathered in memory,
one bit for each rank; if there is not enough of it, for some of the ranks at a time, and the layer is expanded for each of
these parts. (Two bits that hold the depth modulo 3, as in `two_bit_bfs`, take less of the disk. But they change in place, and
they do not tell the depth of a position without actions.)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Meter
from gridproof.core.memory import memory_in_use
from gridproof.core.position import Position
from gridproof.kernels.atomics import unite
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.game import GameKernel, Packing, Ranking
from gridproof.search.disk.layer_store import WORD, DiskLayer, LayerStore, WordWriter
from gridproof.search.disk.layers import DiskSearch, NextLayer
from gridproof.search.thread_pool import Each, available_cores, thread_map
from gridproof.search.two_bit_bfs import count_ranks, list_ranks, lowest_bit

Array = np.ndarray[Any, Any]

U = np.uint64
_ONE, _ZERO, _SIX, _WORD = U(1), U(0), U(6), U(63)
_BLOCK = 1 << 15  # words that are read at once, and expanded between two checks of the clock
_SHARES = 4  # of a block and thread: the next free thread takes the next one
_MOST_PARTS = 64  # of the ranks: the layers are expanded for each
_RESERVE = 1 << 24  # bytes for blocks of words

successors: Any = Hole()
state_of: Any = Hole()


def scan_shared(data: Any, frontier: Any, begin: Any, found: Any, first: Any, room: Any) -> Any:
    """Expand the ranks in words of a frontier, of which `begin` is the first; return the number of successors.

    The successors in the words from `first` on are added to `found`, which other threads write to as well.
    """
    transitions, (out, scratch), size = 0, room, U(found.shape[0])
    for place in range(U(frontier.shape[0])):
        word = frontier[place]
        while word != _ZERO:
            count = successors(data, (begin + place) * 64 + lowest_bit(word), out, scratch, False)
            word &= word - _ONE
            transitions += count
            for i in range(count):
                rank = U(out[i])
                slot, bit = (rank >> _SIX) - first, _ONE << (rank & _WORD)
                if slot < size and not found[slot] & bit:
                    unite(found, slot, bit)
    return transitions


def write_states(data: Any, ranks: Any, states: Any) -> None:
    """Write the states of ranks."""
    for i in range(ranks.shape[0]):
        state_of(data, ranks[i], states[i])


class BitLayers(DiskSearch):
    """The ranks reached from distinct starts, layer by layer, by all cores.

    Parameters
    ----------
    game, packing, ranking : GameKernel, Packing, Ranking
    starts : list of Position
    store : LayerStore
    meter : Meter
        Its limit of memory says how many ranks are gathered at a time.
    """

    def __init__(
        self,
        game: GameKernel,
        packing: Packing,
        ranking: Ranking,
        starts: list[Position[Any]],
        store: LayerStore,
        meter: Meter,
    ) -> None:
        super().__init__(game, packing, store)
        self.ranking, self._meter = ranking, meter
        self._starts = [ranking.rank(start) for start in starts]
        self._words = -(-ranking.size // 64)
        self._cores = available_cores()
        self._successors = game.ranked.successors
        self._scan = kernel(scan_shared, successors=game.ranked.successors)
        self._rooms = [self._make_room() for _ in range(_SHARES * self._cores)]

    def _make_room(self) -> tuple[Array, Array]:
        return np.zeros(self.ranking.most, np.int64), np.zeros(self.ranking.scratch, np.uint64)

    def prepare(self) -> None:
        nothing = np.zeros(1, np.uint64)
        self._scan(self.ranking.data, nothing, np.int64(0), nothing, U(0), self._rooms[0])
        count_ranks(nothing, 0, 1)

    def _write_next_layer(self) -> NextLayer:
        number, positions, transitions = len(self.store.content.layers), 0, 0
        self._check_room()
        found = np.zeros(self._words_at_once() if number else min(self._words, _BLOCK), np.uint64)
        with (
            thread_map(self._cores) as each,
            self.store.write(f"{number:04}-layer") as layer,
            self.store.write(f"{number:04}-seen") as seen,
        ):
            for first in range(0, self._words, len(found)):
                part = found[: self._words - first]
                for more in self._gather(part, first, each) if number else self._gather_starts(part, first):
                    transitions += more if first == 0 else 0
                    yield self.count
                for some in self._settle(part, first, layer, seen):
                    positions += some
                    yield self.count
                part.fill(0)
            return DiskLayer(positions, transitions, layer.finish()), (seen.finish(),)

    def _check_room(self) -> None:
        """Raise DiskFull if the next layer may not fit on the disk."""
        last = self.store.content.layers[-1].positions if self.store.content.layers else 0
        most, page = self._words * WORD, 4096
        new = min(most, page * last * self.ranking.most)
        self.store.check_room(new + min(most, new + page * self.count))

    def _words_at_once(self) -> int:
        """Return for how many words the successors are gathered at once; MemoryError if too little memory is left."""
        room = self._meter.memory - memory_in_use() - _RESERVE
        if room * _MOST_PARTS < self._words * WORD:
            raise MemoryError
        parts = -(-self._words * WORD // room)
        return -(-self._words // parts)

    def _gather_starts(self, found: Array, first: int) -> Iterator[int]:
        """Put the starts into `found`, of which `first` is the first word."""
        for rank in self._starts:
            if first <= rank >> 6 < first + len(found):
                found[(rank >> 6) - first] |= U(1 << (rank & 63))
        yield 0

    def _gather(self, found: Array, first: int, each: Each) -> Iterator[int]:
        """Put the successors of the last layer into `found`, of which `first` is the first word; yield their numbers."""
        for begin, words in self._blocks(len(self.store.content.layers) - 1):
            if not words.any():
                continue
            shares = np.array_split(words, len(self._rooms))
            begins = begin + np.cumsum([0, *map(len, shares[:-1])])
            work = partial(self._scan, self.ranking.data)
            same = [found] * len(shares), [U(first)] * len(shares)
            yield sum(map(int, each(work, shares, begins, *same, self._rooms)))

    def _settle(self, found: Array, first: int, layer: WordWriter, seen: WordWriter) -> Iterator[int]:
        """Write the new ranks of `found`, and all seen ones; yield the numbers of new ones."""
        before = self.store.content.seen[0] if self.store.content.seen else None
        for begin in range(0, len(found), _BLOCK):
            words = found[begin : begin + _BLOCK]
            old = self.store.read(before, first + begin, len(words)) if before else np.zeros_like(words)
            new = words & ~old
            layer.write(new)
            seen.write(new | old)
            yield int(count_ranks(new, 0, len(new)))

    def _blocks(self, layer: int) -> Iterator[tuple[int, Array]]:
        """Yield the words of a layer, some at a time, each time with the number of the first one."""
        file = self.store.content.layers[layer].file
        for begin in range(0, file.words, _BLOCK):
            yield begin, self.store.read(file, begin, _BLOCK)

    def _has(self, layer: int, rank: int) -> bool:
        word = self.store.read(self.store.content.layers[layer].file, rank >> 6, 1)
        return bool(int(word[0]) >> (rank & 63) & 1)

    def contains(self, layer: int, position: Position[Any]) -> bool:
        return self.ranking.has(position) and self._has(layer, self.ranking.rank(position))

    def place(self, layer: int, position: Position[Any]) -> int | None:
        if not self.contains(layer, position):
            return None
        rank, place = self.ranking.rank(position), 0
        for begin, words in self._blocks(layer):
            if begin + len(words) > rank >> 6:
                return place + int(np.searchsorted(self._ranks(begin, words), rank))
            place += int(count_ranks(words, 0, len(words)))
        raise IndexError(rank)

    def position(self, layer: int, place: int) -> Position[Any]:
        for begin, words in self._blocks(layer):
            count = int(count_ranks(words, 0, len(words)))
            if place < count:
                return self.ranking.unrank(int(self._ranks(begin, words)[place]))
            place -= count
        raise IndexError(place)

    def state_blocks(self, layer: int) -> Iterator[Array]:
        ranked = self.game.ranked.state
        write = kernel(write_states, state_of=ranked) if ranked else self._write_states
        for begin, words in self._blocks(layer):
            ranks = self._ranks(begin, words)
            states = np.empty((len(ranks), self.packing.words), np.uint64)
            write(self.ranking.data, ranks, states)
            yield states

    def _write_states(self, data: Array, ranks: Array, states: Array) -> None:
        """Write the states of ranks, where a kernel has no function for it."""
        for i, rank in enumerate(ranks.tolist()):
            states[i] = self.packing.pack(self.ranking.unrank(rank))

    @staticmethod
    def _ranks(begin: int, words: Array) -> Array:
        """Return the ranks in words of which `begin` is the first, sorted."""
        ranks: Array = list_ranks(words, 0, len(words)) + begin * 64
        return ranks

    def _parent(self, layer: int, position: Position[Any]) -> Position[Any]:
        rank = self.ranking.rank(position)
        for before in self._neighbours(rank, through=True):
            if self._has(layer, before) and rank in self._neighbours(before, through=False):
                return self.ranking.unrank(before)
        raise GridproofError("the actions are not reversible, though the ranking says so")

    def _neighbours(self, rank: int, through: bool) -> list[int]:
        out, scratch = self._rooms[0]
        count = self._successors(self.ranking.data, rank, out, scratch, through)
        return [int(number) for number in out[:count]]
