"""What threads have gathered for a store of states: added by one of them, or by all, with the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.kernels.states import add_new, claim, parts_of, settle
from gridproof.search.cores import Each
from gridproof.search.stored import MOST_STATES, StateStore

_APART = 16  # items: so that no two threads write into one line of a cache


class Gathered:
    """Room for the states that some threads gather, in parts: places one behind the other.

    Each thread owns a part of the store's table, by where a state's hash points; it alone finds out which of the
    states that belong there are new. So all that is asked for is read and written by one thread at a time.

    Parameters
    ----------
    parts, room, words : int
        How many parts; the states of each; the words of a state.
    owners : int
        How many threads add.

    Attributes
    ----------
    words : uint64 array (parts * room, words)
    """

    def __init__(self, parts: int, room: int, words: int, owners: int) -> None:
        self.parts, self._room, self._owners, places = parts, room, owners, parts * room
        self.words, self._hashes = np.zeros((places, words), np.uint64), np.zeros(places, np.uint64)
        self._origins, self._slots = np.zeros(places, np.uint32), np.zeros(places, np.int64)
        self._listed = np.zeros((parts, owners, room if owners > 1 else 0), np.uint32)
        """By part and owner: places."""
        self._numbers = np.zeros((parts, _APART * owners), np.int64)
        """How many there are."""

    def part(self, number: int) -> tuple[Any, ...]:
        """What is gathered into for one part."""
        found = self.words, self._hashes, self._origins, self._listed, self._numbers
        return number, number * self._room, *found

    def total(self, ends: list[int]) -> int:
        """How many have been gathered in the first parts, up to these places."""
        return sum(ends) - sum(range(len(ends))) * self._room

    def add(self, store: StateStore, ends: list[int], each: Each) -> bool:
        """Add the states gathered in the first parts, each up to its end, in order; returns whether there was room."""
        most = min(store.most, len(store.words))
        parts = [(part * self._room, end) for part, end in enumerate(ends)]
        fit = store.count + self.total(ends) <= most
        if self._owners > 1 and fit and store.count + len(self.words) < MOST_STATES:
            self._add_by_all(store, parts, each)
            return True
        return all(self._add(store, most, *part) for part in parts)

    def _add(self, store: StateStore, most: int, first: int, last: int) -> bool:
        """Add what has been gathered for one part."""
        part = slice(first, last)
        found = self.words[part], self._hashes[part], self._origins[part]
        total = int(add_new(store.words, store.parents, store.table, store.count, most, *found, last - first))
        store.count = total if total >= 0 else -1 - total
        return total >= 0

    def _add_by_all(self, store: StateStore, parts: list[tuple[int, int]], each: Each) -> None:
        """Each owner finds out what is new; then what is new of each part is written down."""
        owners, edges = range(self._owners), parts_of(store.table, self._owners)
        new = np.zeros((self._owners, len(parts)), np.int64)
        found = self.words, self._hashes, self._slots, self._listed, self._numbers

        def look(owner: int, end: int) -> None:
            claim(store.words, store.table, store.count, *found, owner, new[owner], np.uint64(end))

        list(each(look, owners, [*edges[1:-1], 0]))  # the first slot follows the last
        for owner in owners:
            look(owner, edges[-1])  # on into the next one's part, and to no end
        counts = new.sum(axis=0)
        firsts = (store.count + np.cumsum(counts) - counts).tolist()

        def write(part: tuple[int, int], count: int) -> None:
            made = self.words, self._origins, self._slots
            settle(store.words, store.parents, store.table, *made, *part, count)

        list(each(write, parts, firsts))
        store.count += int(counts.sum())
