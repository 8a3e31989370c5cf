"""Insertion of gathered states into a store: by one thread or by all, with the same numbers."""

from __future__ import annotations

import numpy as np

from gridproof.kernels.states import Buffer, add_new, claim, parts_of, settle
from gridproof.search.state_store import MOST_STATES, StateStore
from gridproof.search.thread_pool import Each

_APART = 16  # items, so that no two threads write into one cache line


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
