"""States of K words that a search has found, with parent links: arrays that grow.

A state costs 8 K + 4 bytes and 8 to 16 of the hash table; while the store grows, the old and the new
words stand side by side.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.core.limit import Meter
from gridproof.core.position import Position
from gridproof.kernels.game import Packing
from gridproof.kernels.states import find, parts_of, rebuild, rebuild_part, rebuild_rest
from gridproof.search.cores import Each

_FIRST = 1 << 12  # states there is room for at first
_SPARE = 1 << 15  # with less room left, there are too few expansions at a time
MOST_STATES = (1 << 32) - 2
"""Numbers of states are 32 bits."""

Array = np.ndarray[Any, Any]


def scratch(most: int, words: int) -> tuple[Array, Array, Array, Array]:
    """Room for an expansion's states, actions, rewards and weights."""
    return (
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
        No expansion finds more states.
    """

    extra = 0
    """Further bytes that a search keeps of each state."""

    def __init__(self, packing: Packing, starts: list[Position[Any]], most: int) -> None:
        self.packing = packing
        self.count = self._starts = len(starts)
        self.most_outcomes = most
        self.most = MOST_STATES
        """No more states than that are kept."""
        self.refused = False
        """Whether a state has been left out for that."""
        self.words, self.parents, self.table = self._arrays(max(_FIRST, 2 * most, 2 * len(starts)))
        for number, start in enumerate(starts):
            self.words[number] = packing.pack(start)
        rebuild(self.words, self.count, self.table)

    @property
    def found(self) -> tuple[Array, Array]:
        """What `find` looks a state up in."""
        return self.words, self.table

    def _arrays(self, room: int) -> tuple[Array, Array, Array]:
        """Empty words, parents and table with a capacity of `room` states."""
        table = np.zeros(1 << (2 * room - 1).bit_length(), np.uint32)
        return np.zeros((room, self.packing.words), np.uint64), np.zeros(room, np.uint32), table

    @property
    def last_room(self) -> bool:
        """Whether there is room for as many states as may be kept."""
        return len(self.words) >= self.most

    @property
    def full(self) -> bool:
        """Whether the next expansions may find more states than there is room for yet."""
        return not self.last_room and self.count + max(
            self.most_outcomes, min(256 * self.most_outcomes, _SPARE)
        ) > len(self.words)

    def can_go_on(self, meter: Meter) -> bool:
        """Whether the store is large enough or may grow."""
        if not self.full:
            return True
        more = self._larger - len(self.words)
        size = 1 << (2 * self._larger - 1).bit_length()
        growth = more * (8 * self.packing.words + 4 + self.extra) + 4 * (size - len(self.table))
        return meter.has_room(growth + self.words.nbytes)

    @property
    def _larger(self) -> int:
        return min(2 * len(self.words), max(self.most, self._starts))

    def grow(self, each: Each = map, threads: int = 1) -> None:
        """Double the capacity, by some threads, or raise MemoryError and change nothing."""
        words, parents, table = self._arrays(self._larger)
        edges = [self.count * i // threads for i in range(threads + 1)]

        def copied(first: int, last: int) -> None:
            words[first:last], parents[first:last] = self.words[first:last], self.parents[first:last]

        list(each(copied, edges, edges[1:]))
        self._rebuild(words, table, each, threads)
        self.words, self.parents, self.table = words, parents, table

    def _rebuild(self, words: Array, table: Array, each: Each, threads: int) -> None:
        """Each thread fills its own part of the table; the states that overflow a part are added last, by one."""
        late = np.empty((threads, self.count), np.uint32)  # of which hardly any is touched
        edges = np.array(parts_of(table, threads), np.uint64)
        given = [words] * threads, [self.count] * threads, [table] * threads
        left = each(rebuild_part, *given, edges, edges[1:], late)
        for numbers, count in zip(late, left, strict=True):
            rebuild_rest(words, table, numbers[:count])

    def position(self, number: int) -> Position[Any]:
        """The position of a state's number."""
        return self.packing.unpack(self.words[number])

    def number(self, position: Position[Any]) -> int | None:
        """The number of a position, None when it has not been found."""
        if not self.packing.fits(position):
            return None
        found = int(find(self.words, self.table, self.packing.pack(position)))
        return found if found >= 0 else None

    def same(self, one: Position[Any], other: Position[Any]) -> bool:
        """Whether two positions are one state."""
        return bool(np.array_equal(self.packing.pack(one), self.packing.pack(other)))

    def path(self, number: int) -> list[Position[Any]]:
        """The positions from a start to a state, by the parent links."""
        numbers = [number]
        while numbers[-1] >= self._starts:
            numbers.append(int(self.parents[numbers[-1]]))
        return [self.position(item) for item in reversed(numbers)]
