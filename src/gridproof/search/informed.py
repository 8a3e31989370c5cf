"""A* over packed states, where a game bounds from below how many actions are left.

A state costs 8 bytes more than in breadth-first search, and 8 or more of the heap of what is open.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gridproof.core.game import Position
from gridproof.core.limit import Meter
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.game import Compiled, GameKernel, Packing
from gridproof.kernels.heap import pop, push
from gridproof.kernels.states import find
from gridproof.search.stored import StateStore, scratch

_CHUNK = 1 << 14  # expansions between two looks at the clock
_ALL = np.uint64((1 << 32) - 1)
_HIGH = np.uint64(32)
_UNREACHED = np.int32(2**31 - 1)
_MOST = 1 << 30  # what is further away than that is as far

COST, BOUND = range(2)
"""The columns of a state's figures: actions from a start, and at least so many to the goal."""
SIZE, STATES, GOAL, REFUSED = range(4)
"""The counters: words in the heap, states found, the number of the goal or -1, and 1 when a state has
been left out."""

successors: Any = Hole()
is_goal: Any = Hole()
bound: Any = Hole()


@kernel
def key_of(figures: Any, number: Any) -> Any:
    """What is open in the heap: least cost and bound first, of equals the one found last."""
    total = np.uint64(figures[number, COST]) + np.uint64(figures[number, BOUND])
    return (total << _HIGH) | (_ALL - np.uint64(number))


def advance(
    tables: Any,
    words: Any,
    parents: Any,
    table: Any,
    figures: Any,
    heap: Any,
    counters: Any,
    expansions: int,
    most: int,
    out: Any,
    action: Any,
    reward: Any,
    chance: Any,
    arguments: Any,
    bound_arguments: Any,
) -> None:
    """Expand so many states, while there is room; stop at a goal, which is on a shortest way.

    Stops as well when there would be more than `most` states. A state of which a shorter way is found is
    opened again: the bound need not be consistent.
    """
    size, count = counters[SIZE], counters[STATES]
    room = words.shape[0] if words.shape[0] >= most else words.shape[0] - out.shape[0]
    while expansions > 0 and size > 0 and count <= room and size + out.shape[0] <= heap.shape[0]:
        expansions -= 1
        key = heap[0]
        size = pop(heap, size)
        number = np.int64(_ALL - (key & _ALL))
        if key != key_of(figures, number):
            continue
        if is_goal(tables, words[number], arguments):
            counters[GOAL] = number
            break
        cost = figures[number, COST] + 1
        for i in range(successors(tables, words[number], out, action, reward, chance)):
            place = find(words, table, out[i])
            if place < 0:
                if count >= most:
                    counters[REFUSED] = 1
                    break
                for word in range(words.shape[1]):
                    words[count, word] = out[i, word]
                table[-1 - place] = count + 1
                place = count
                figures[place, COST] = _UNREACHED
                figures[place, BOUND] = min(bound(tables, out[i], bound_arguments), _MOST)
                count += 1
            if cost < figures[place, COST]:
                figures[place, COST] = cost
                parents[place] = number
                size = push(heap, size, key_of(figures, place))
        if counters[REFUSED]:
            break
    counters[SIZE], counters[STATES] = size, count


class InformedStates(StateStore):
    """States found by A*, with parent links, costs and bounds.

    Parameters
    ----------
    game, packing : GameKernel, Packing
    starts : list of Position
        Distinct.
    goal : compiled (tables, state, arguments) -> bool
    bound : compiled (tables, state, arguments) -> int64
        A lower bound of the actions left, at least 0; 0 at a goal.
    arguments, bound_arguments : int64 array
        The goal's, and the bound's.
    """

    engine = "kernel, A*"
    extra = 8 + 16  # of figures and heap

    def __init__(
        self,
        game: GameKernel,
        packing: Packing,
        starts: list[Position[Any]],
        goal: Compiled,
        arguments: Any,
        bound: Compiled,
        bound_arguments: Any,
    ) -> None:
        super().__init__(packing, starts, packing.most)
        self._search = kernel(advance, successors=game.successors, is_goal=goal, bound=bound)
        self._arguments = arguments, bound_arguments
        self._scratch = scratch(packing.most, packing.words)
        self._figures = np.zeros((len(self.words), 2), np.int32)
        self._heap = np.zeros(2 * len(self.words), np.uint64)
        self._counters = np.array([0, self.count, -1, 0], np.int64)
        for number in range(self.count):
            self._figures[number, BOUND] = min(
                bound(packing.tables, self.words[number], bound_arguments), _MOST
            )
            self._counters[SIZE] = push(self._heap, int(self._counters[SIZE]), key_of(self._figures, number))

    @property
    def goal(self) -> int | None:
        """The number of the goal, once it is reached on a shortest way."""
        number = int(self._counters[GOAL])
        return number if number >= 0 else None

    def prepare(self) -> None:
        """Load or compile what `run` calls, which may take seconds."""
        self._advance(0)

    def grow(self) -> None:
        """Make room for twice as many states, or raise MemoryError."""
        super().grow()
        self._figures = np.concatenate([self._figures, np.zeros_like(self._figures)])[: len(self.words)]

    def can_go_on(self, meter: Meter) -> bool:
        """Whether neither store nor heap need grow, or may."""
        larger = 16 * len(self._heap) if self._heap_full else 0
        return super().can_go_on(meter) and (not larger or meter.has_room(larger))

    @property
    def _heap_full(self) -> bool:
        return int(self._counters[SIZE]) + self._most > len(self._heap)

    def run(self) -> Iterator[int]:
        """Search until a goal is reached or nothing is open; now and then the number of states."""
        while self.goal is None and not self.refused and self._counters[SIZE]:
            if self.full:
                self.grow()
            if self._heap_full:
                self._heap = np.concatenate([self._heap, np.zeros_like(self._heap)])
            self._advance(_CHUNK)
            yield self.count

    def _advance(self, expansions: int) -> None:
        found = self.words, self.parents, self.table, self._figures, self._heap, self._counters
        self._search(self.packing.tables, *found, expansions, self.most, *self._scratch, *self._arguments)
        self.count, self.refused = int(self._counters[STATES]), bool(self._counters[REFUSED])
