"""Stores of found states of K words, with parent links: arrays that grow.

A state costs 8 K + 4 bytes and 8 to 16 of the hash table; while the store grows, the old and the new
words stand side by side.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.limit import Meter
from gridproof.core.position import Position
from gridproof.kernels.game import Packing
from gridproof.kernels.states import (
    Buffer,
    States,
    add_new,
    claim,
    find,
    parts_of,
    rebuild,
    rebuild_part,
    rebuild_rest,
    settle,
)
from gridproof.search.thread_pool import Each

_FIRST = 1 << 12  # states in the first store
_SPARE = 1 << 15  # states that keep expansions from being too few at a time
MOST_STATES = (1 << 32) - 2
"""Numbers of states are 32 bits."""
_APART = 16  # items, so that no two threads write into one cache line

Array = np.ndarray[Any, Any]


class Outcomes(NamedTuple):
    """Room for the outcomes of an expansion."""

    words: Array
    """uint64 (most, words)"""
    actions: Array
    """int32 (most,)"""
    rewards: Array
    """int64 (most,)"""
    weights: Array
    """int64 (most,)"""


def scratch(most: int, words: int) -> Outcomes:
    """Make room for `most` outcomes of so many words."""
    return Outcomes(
        np.zeros((most, words), np.uint64),
        np.zeros(most, np.int32),
        np.zeros(most, np.int64),
        np.zeros(most, np.int64),
    )


class StateStore:
    """Found states, in the order they were found.

    Parameters
    ----------
    packing : Packing
    starts : list of Position
        Distinct.
    most : int
        The most states that an expansion finds.
    """

    extra = 0
    """Further bytes that a search keeps of each state."""

    def __init__(self, packing: Packing, starts: list[Position[Any]], most: int) -> None:
        self.packing = packing
        self.count = self._starts = len(starts)
        self.most_outcomes = most
        self.most = MOST_STATES
        """The most states to keep."""
        self.has_overflow = False
        """True if a state was left out because there were `most`."""
        self._growth_seconds = 0.0
        self.words, self.parents, self.table = self._arrays(max(_FIRST, 2 * most, 2 * len(starts)))
        for number, start in enumerate(starts):
            self.words[number] = packing.pack(start)
        rebuild(self.words, self.count, self.table)

    @property
    def index(self) -> tuple[Array, Array]:
        """The words and the table in which `find` looks up a state."""
        return self.words, self.table

    @property
    def arrays(self) -> States:
        """The arrays that kernels read and write; others after the store has grown."""
        return States(self.words, self.parents, self.table)

    def _arrays(self, room: int) -> tuple[Array, Array, Array]:
        """Return empty words, parents and table with a capacity of `room` states."""
        table = np.zeros(1 << (2 * room - 1).bit_length(), np.uint32)
        return np.zeros((room, self.packing.words), np.uint64), np.zeros(room, np.uint32), table

    @property
    def has_full_capacity(self) -> bool:
        """True if the store has room for `most` states."""
        return len(self.words) >= self.most

    @property
    def is_full(self) -> bool:
        """True if the next expansions may find more states than the store has room for."""
        return not self.has_full_capacity and self.count + max(
            self.most_outcomes, min(256 * self.most_outcomes, _SPARE)
        ) > len(self.words)

    def can_continue(self, meter: Meter) -> bool:
        """Return whether the store is large enough or may grow."""
        if not self.is_full:
            return True
        more = self._larger - len(self.words)
        size = 1 << (2 * self._larger - 1).bit_length()
        growth = more * (8 * self.packing.words + 4 + self.extra) + 4 * (size - len(self.table))
        return meter.has_time(2 * self._growth_seconds) and meter.has_room(growth + self.words.nbytes)

    @property
    def _larger(self) -> int:
        return min(2 * len(self.words), max(self.most, self._starts))

    def grow(self, each: Each = map, threads: int = 1) -> None:
        """Double the capacity, by some threads, or raise MemoryError and change nothing."""
        begin = time.perf_counter()
        words, parents, table = self._arrays(self._larger)
        edges = [self.count * i // threads for i in range(threads + 1)]

        def copy(first: int, last: int) -> None:
            words[first:last], parents[first:last] = self.words[first:last], self.parents[first:last]

        list(each(copy, edges, edges[1:]))
        self._rebuild(words, table, each, threads)
        self.words, self.parents, self.table = words, parents, table
        self._growth_seconds = time.perf_counter() - begin

    def _rebuild(self, words: Array, table: Array, each: Each, threads: int) -> None:
        """Fill the table, a part by each thread; one thread adds the states that overflow a part."""
        late = np.empty((threads, self.count), np.uint32)  # of which hardly any is touched
        edges = np.array(parts_of(table, threads), np.uint64)
        given = [words] * threads, [self.count] * threads, [table] * threads
        left = each(rebuild_part, *given, edges, edges[1:], late)
        for numbers, count in zip(late, left, strict=True):
            rebuild_rest(words, table, numbers[:count])

    def position(self, number: int) -> Position[Any]:
        """Return the position of a state's number."""
        return self.packing.unpack(self.words[number])

    def number(self, position: Position[Any]) -> int | None:
        """Return the number of a position, None when it has not been found."""
        if not self.packing.fits(position):
            return None
        found = int(find(self.words, self.table, self.packing.pack(position)))
        return found if found >= 0 else None

    def is_same(self, one: Position[Any], other: Position[Any]) -> bool:
        """Return whether two positions are one state."""
        return bool(np.array_equal(self.packing.pack(one), self.packing.pack(other)))

    def path(self, number: int) -> list[Position[Any]]:
        """Return the positions from a start to a state, by the parent links."""
        numbers = [number]
        while numbers[-1] >= self._starts:
            numbers.append(int(self.parents[numbers[-1]]))
        return [self.position(item) for item in reversed(numbers)]


class InsertBuffer:
    """Buffer for the states that some threads gather, in parts: places one behind the other.

    Each thread owns a part of the store's table, by the states' hashes, and alone looks for the new states there. So
    each part is read and written by one thread at a time.

    Attributes
    ----------
    arrays : Buffer
        The arrays that kernels gather into; without lists if one thread adds.
    """

    def __init__(self, parts: int, room: int, words: int, owners: int) -> None:
        self.parts, self._room, self._owners, places = parts, room, owners, parts * room
        self.arrays = Buffer(
            np.zeros((places, words), np.uint64),
            np.zeros(places, np.uint64),
            np.zeros(places, np.uint32),
            np.zeros(places, np.int64),
            np.zeros((parts, owners, room if owners > 1 else 0), np.uint32),
            np.zeros((parts, _APART * owners), np.int64),
        )

    def total(self, ends: list[int]) -> int:
        """Count the states gathered in the first parts, up to these places."""
        return sum(ends) - sum(range(len(ends))) * self._room

    def add(self, store: StateStore, ends: list[int], each: Each) -> bool:
        """Add the states gathered in the first parts, each up to its end, in order; return whether there was room."""
        most = min(store.most, len(store.words))
        parts = [(part * self._room, end) for part, end in enumerate(ends)]
        fit = store.count + self.total(ends) <= most
        if self._owners > 1 and fit and store.count + len(self.arrays.words) < MOST_STATES:
            self._add_by_all(store, parts, each)
            return True
        return all(self._add(store, most, *part) for part in parts)

    def _add(self, store: StateStore, most: int, first: int, last: int) -> bool:
        total = int(add_new(store.arrays, store.count, most, self.arrays, first, last))
        store.count = total if total >= 0 else -1 - total
        return total >= 0

    def _add_by_all(self, store: StateStore, parts: list[tuple[int, int]], each: Each) -> None:
        """Let each owner find the new states of its part of the table, then write the new states of each part."""
        owners, edges = range(self._owners), parts_of(store.table, self._owners)
        new = np.zeros((self._owners, len(parts)), np.int64)

        def look(owner: int, end: int) -> None:
            claim(store.arrays, store.count, self.arrays, owner, new[owner], np.uint64(end))

        list(each(look, owners, [*edges[1:-1], 0]))  # the first slot follows the last
        for owner in owners:
            look(owner, edges[-1])  # on into the next one's part, and to no end
        counts = new.sum(axis=0)
        firsts = (store.count + np.cumsum(counts) - counts).tolist()

        def write(part: tuple[int, int], count: int) -> None:
            settle(store.arrays, self.arrays, *part, count)

        list(each(write, parts, firsts))
        store.count += int(counts.sum())
