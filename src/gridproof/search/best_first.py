"""Search by cost over packed states: uniform-cost, A*, and greedy where any solution will do.

Open states are expanded in the order of cost + weight * bound, where the bound is the game's lower bound of the
actions left. Weight 0 ignores it and suits every measure. Weight 1 is A*, for fewest actions. A greater weight
is greedy, for any solution. A state takes 8 bytes more than in breadth-first search, and 8 or more for the heap
of open states.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gridproof.core.limit import Meter
from gridproof.core.position import Position
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.game import Compiled, GameKernel, Packing
from gridproof.kernels.heap import pop, push
from gridproof.kernels.states import find
from gridproof.search.cores import Each
from gridproof.search.packed import PLAYERS, Acting, acting_kernel
from gridproof.search.refusal import Refused
from gridproof.search.stored import StateStore, scratch

_CHUNK = 1 << 14  # expansions between two looks at the clock,
_OUTCOMES = 1 << 18  # or as many as may have so many outcomes
_ALL = np.uint64((1 << 32) - 1)
_HIGH = np.uint64(32)
_UNREACHED = np.int32(2**31 - 1)
_MOST = 1 << 28  # greater bounds are cut to this
BY_ACTIONS = -1
"""The measure by which every action costs 1; others are the game's own, by their number."""

COST, BOUND = range(2)
"""The columns of a state's figures: its cost from a start, and the lower bound of the actions to the goal."""
SIZE, STATES, GOAL, REFUSED, DEAR = range(5)
"""The counters: words in the heap, states found, the number of the goal or -1, 1 when a state has
been left out, and 1 when a way has been left out whose cost is more than figures hold."""

successors: Any = Hole()
is_goal: Any = Hole()
bound: Any = Hole()
cost_of: Any = Hole()


@kernel
def no_bound(data: Any, state: Any, arguments: Any) -> Any:
    """The bound that is always true: 0."""
    return 0


own_cost: Any = Hole()


def by_measure(data: Any, state: Any, action: Any, after: Any, measure: Any) -> Any:
    """The cost by a game's own measures, or by actions."""
    return 1 if measure < 0 else own_cost(data, state, action, after, measure)


@kernel
def each_one(data: Any, state: Any, action: Any, after: Any, measure: Any) -> Any:
    """The cost where a game has no measure of its own."""
    return 1


@kernel
def key_of(figures: Any, number: Any, weight: Any) -> Any:
    """The key of an open state in the heap: least cost plus weighted bound first; of equals, the one found last."""
    total = np.uint64(figures[number, COST]) + np.uint64(weight) * np.uint64(figures[number, BOUND])
    return (min(total, _ALL) << _HIGH) | (_ALL - np.uint64(number))


def advance(
    data: Any,
    acting: Any,
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
    shares: Any,
    arguments: Any,
    bound_arguments: Any,
    measure: Any,
    weight: Any,
) -> None:
    """Expand up to `expansions` states, while there is room; stop at a goal, whose cost is the least for a weight of at most 1.

    `acting` are the data of those who act.
    Stops as well when there would be more than `most` states. A state of which a cheaper way is found is
    opened again, unless any solution will do: the bound need not be consistent.
    """
    size, count = counters[SIZE], counters[STATES]
    room = words.shape[0] if words.shape[0] >= most else words.shape[0] - out.shape[0]
    while expansions > 0 and size > 0 and count <= room and size + out.shape[0] <= heap.shape[0]:
        expansions -= 1
        key = heap[0]
        size = pop(heap, size)
        number = np.int64(_ALL - (key & _ALL))
        if key != key_of(figures, number, weight):
            continue
        if is_goal(data, words[number], arguments):
            counters[GOAL] = number
            break
        for i in range(successors(acting, words[number], out, action, reward, shares)):
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
                figures[place, BOUND] = min(bound(data, out[i], bound_arguments), _MOST)
                count += 1
            cost = figures[number, COST] + cost_of(data, words[number], action[i], out[i], measure)
            counters[DEAR] |= cost >= _UNREACHED
            if cost < figures[place, COST] and (weight < 2 or figures[place, COST] == _UNREACHED):
                figures[place, COST] = cost
                parents[place] = number
                size = push(heap, size, key_of(figures, place, weight))
        if counters[REFUSED]:
            break
    counters[SIZE], counters[STATES] = size, count


class InformedStates(StateStore):
    """States found by their costs, with parent links, costs and bounds.

    Parameters
    ----------
    game, packing : GameKernel, Packing
    starts : list of Position
        Distinct.
    goal : compiled (data, state, arguments) -> bool
    bound : compiled (data, state, arguments) -> int64
        A lower bound of the actions left, at least 0; 0 at a goal.
    arguments, bound_arguments : int64 array
        The goal's, and the bound's.
    measure : int
        `BY_ACTIONS`, or the number of one of the game's own measures.
    weight : int
        Of the bound: 0, 1 or `GREEDY`.
    who : str or tuple of str
        Who acts, as of `PackedStates`.
    """

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
        measure: int = BY_ACTIONS,
        weight: int = 1,
        who: Acting = PLAYERS,
    ) -> None:
        successors, self._acting, most = acting_kernel(game, packing, who)
        super().__init__(packing, starts, most)
        cost = kernel(by_measure, own_cost=game.cost) if game.cost else each_one
        holes = {"is_goal": goal, "bound": bound, "cost_of": cost}
        self._search = kernel(advance, successors=successors, **holes)
        self._arguments = arguments, bound_arguments, measure, weight
        self._scratch = scratch(most, packing.words)
        self._figures = np.zeros((len(self.words), 2), np.int32)
        self._heap = np.zeros(2 * len(self.words), np.uint64)
        self._counters = np.array([0, self.count, -1, 0, 0], np.int64)
        for number in range(self.count):
            self._figures[number, BOUND] = min(
                bound(packing.data, self.words[number], bound_arguments), _MOST
            )
            key = key_of(self._figures, number, weight)
            self._counters[SIZE] = push(self._heap, int(self._counters[SIZE]), key)

    @property
    def goal(self) -> int | None:
        """The number of the goal, once it is reached."""
        number = int(self._counters[GOAL])
        return number if number >= 0 else None

    def prepare(self) -> None:
        """Load or compile what `run` calls, which may take seconds."""
        self._advance(0)

    def grow(self, each: Each = map, threads: int = 1) -> None:
        """Make room for twice as many states, or raise MemoryError."""
        super().grow(each, threads)
        self._figures = np.concatenate([self._figures, np.zeros_like(self._figures)])[: len(self.words)]

    def can_go_on(self, meter: Meter) -> bool:
        """Whether store and heap are large enough or may grow."""
        larger = 16 * len(self._heap) if self._heap_full else 0
        return super().can_go_on(meter) and (not larger or meter.has_room(larger))

    @property
    def _heap_full(self) -> bool:
        return int(self._counters[SIZE]) + self.most_outcomes > len(self._heap)

    def run(self) -> Iterator[int]:
        """Search until a goal is reached or nothing is open; now and then the number of states.

        Raises
        ------
        Refused
            When no goal was found, but ways were left out whose cost is more than the figures hold.
        """
        expansions = max(1, min(_CHUNK, _OUTCOMES // self.most_outcomes))
        while self.goal is None and not self.refused and self._counters[SIZE]:
            if self.full:
                self.grow()
            if self._heap_full:
                self._heap = np.concatenate([self._heap, np.zeros_like(self._heap)])
            self._advance(expansions)
            yield self.count
        if self.goal is None and not self.refused and self._counters[DEAR]:
            raise Refused(f"ways that cost {_UNREACHED:,} or more are not followed by the kernel")

    def _advance(self, expansions: int) -> None:
        found = self.words, self.parents, self.table, self._figures, self._heap, self._counters
        self._search(
            self.packing.data, self._acting, *found, expansions, self.most, *self._scratch, *self._arguments
        )
        self.count, self.refused = int(self._counters[STATES]), bool(self._counters[REFUSED])
