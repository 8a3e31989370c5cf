"""Search by cost over packed states: uniform-cost, A*, and greedy where any solution will do.

Open states are expanded in the order of cost + weight * bound, where the bound is the game's lower bound of the
actions left. Weight 0 ignores it and suits every measure. Weight 1 is A*, for fewest actions. A greater weight
is greedy, for any solution. A state takes 8 bytes more than in breadth-first search, and 8 or more for the heap
of open states.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.limit import Meter
from gridproof.core.position import Position
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.game import Compiled, GameKernel, Packing
from gridproof.kernels.heap import pop, push
from gridproof.kernels.states import States, find
from gridproof.search.packed_bfs import PLAYERS, Acting, Problem, build_expansion
from gridproof.search.refusal import Refused
from gridproof.search.state_store import Outcomes, StateStore, scratch
from gridproof.search.thread_pool import Each

_CHUNK = 1 << 14  # the most expansions between two checks of the clock
_OUTCOMES = 1 << 18  # the most outcomes between them, and
_WORDS = 1 << 22  # the most words of outcomes
_ALL = np.uint64((1 << 32) - 1)
_HIGH = np.uint64(32)
_UNREACHED = np.int32(2**31 - 1)
_MOST = 1 << 28  # greatest bound
BY_ACTIONS = -1
"""The measure by which every action costs 1; others are numbers of the game's own measures."""

COST, BOUND = range(2)
"""The columns of a state's figures: its cost from a start, and the lower bound of the actions to the goal."""
SIZE, STATES, GOAL, OVERFLOW, COST_OVERFLOW = range(5)
"""The counters: words in the heap, states found, the number of the goal or -1, 1 when a state was
left out, and 1 when a path was left out because figures cannot hold its cost."""

successors: Any = Hole()
is_goal: Any = Hole()
bound: Any = Hole()
cost_of: Any = Hole()


@kernel
def zero_bound(data: Any, state: Any, arguments: Any) -> Any:
    """Return 0, a bound that is always true."""
    return 0


own_cost: Any = Hole()


def game_cost(data: Any, state: Any, action: Any, after: Any, measure: Any) -> Any:
    """Return the cost by one of a game's own measures, or by actions."""
    return 1 if measure < 0 else own_cost(data, state, action, after, measure)


@kernel
def unit_cost(data: Any, state: Any, action: Any, after: Any, measure: Any) -> Any:
    """Return the cost of an action in a game without measures of its own."""
    return 1


@kernel
def key_of(figures: Any, number: Any, weight: Any) -> Any:
    """Return the key of an open state in the heap: least cost plus weighted bound first; of equals, the newest."""
    total = np.uint64(figures[number, COST]) + np.uint64(weight) * np.uint64(figures[number, BOUND])
    return (min(total, _ALL) << _HIGH) | (_ALL - np.uint64(number))


class Frontier(NamedTuple):
    """Open states, and the figures of all states."""

    figures: Any
    """int32 (n, 2): cost and bound"""
    heap: Any
    """uint64: keys"""
    counters: Any
    """int64 (5,)"""


class Estimate(NamedTuple):
    """Inputs of bounds, costs and keys."""

    arguments: Any
    """The bound's arguments."""
    measure: int
    weight: int


def advance(
    problem: Problem,
    states: States,
    frontier: Frontier,
    estimate: Estimate,
    room: Outcomes,
    expansions: int,
    most: int,
) -> None:
    """Expand up to `expansions` states, while there is room; stop at a goal, whose cost is the least for a weight of at most 1.

    Stops as well when there would be more than `most` states. A cheaper path to a state opens
    it again, unless any solution will do: the bound need not be consistent.
    """
    (data, acting, arguments), (words, parents, table), (figures, heap, counters) = problem, states, frontier
    (bound_arguments, measure, weight), (out, action, reward, shares) = estimate, room
    size, count = counters[SIZE], counters[STATES]
    last = words.shape[0] if words.shape[0] >= most else words.shape[0] - out.shape[0]
    while expansions > 0 and size > 0 and count <= last and size + out.shape[0] <= heap.shape[0]:
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
                    counters[OVERFLOW] = 1
                    break
                for word in range(words.shape[1]):
                    words[count, word] = out[i, word]
                table[-1 - place] = count + 1
                place = count
                figures[place, COST] = _UNREACHED
                figures[place, BOUND] = min(bound(data, out[i], bound_arguments), _MOST)
                count += 1
            cost = figures[number, COST] + cost_of(data, words[number], action[i], out[i], measure)
            counters[COST_OVERFLOW] |= cost >= _UNREACHED
            if cost < figures[place, COST] and (weight < 2 or figures[place, COST] == _UNREACHED):
                figures[place, COST] = cost
                parents[place] = number
                size = push(heap, size, key_of(figures, place, weight))
        if counters[OVERFLOW]:
            break
    counters[SIZE], counters[STATES] = size, count


class Order(NamedTuple):
    """The order in which open states are expanded."""

    bound: Compiled
    """(data, state, arguments) -> int64: a lower bound of the actions left, at least 0; 0 at a goal."""
    arguments: Any
    """The bound's arguments: int64 array."""
    measure: int = BY_ACTIONS
    """`BY_ACTIONS`, or the number of one of the game's own measures."""
    weight: int = 1
    """The bound's weight: 0, 1 or `GREEDY`."""


class BestFirstStates(StateStore):
    """States found by their costs, with parent links, costs and bounds; the parameters are as of `PackedStates`."""

    extra = 8 + 16  # of figures and heap

    def __init__(
        self,
        game: GameKernel,
        packing: Packing,
        starts: list[Position[Any]],
        goal: Compiled,
        arguments: Any,
        order: Order,
        who: Acting = PLAYERS,
    ) -> None:
        successors, acting, most = build_expansion(game, packing, who)
        bound, bound_arguments, measure, weight = order
        super().__init__(packing, starts, most)
        cost = kernel(game_cost, own_cost=game.search.cost) if game.search.cost else unit_cost
        holes = {"is_goal": goal, "bound": bound, "cost_of": cost}
        self._search = kernel(advance, successors=successors, **holes)
        self._problem = Problem(packing.data, acting, arguments)
        self._estimate = Estimate(bound_arguments, measure, weight)
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
        """The number of the goal once it is reached, else None."""
        number = int(self._counters[GOAL])
        return number if number >= 0 else None

    @property
    def lower_bound(self) -> int:
        """A lower bound of the cost of every goal, while none is found; 0 for greedy search."""
        is_bound = self._estimate.weight <= 1 and self._counters[SIZE] and not self.has_overflow
        return int(self._heap[0] >> _HIGH) if is_bound else 0

    def prepare(self) -> None:
        """Load or compile what `run` calls, which may take seconds."""
        self._advance(0)

    def grow(self, each: Each = map, threads: int = 1) -> None:
        """Make room for twice as many states, or raise MemoryError."""
        super().grow(each, threads)
        self._figures = np.concatenate([self._figures, np.zeros_like(self._figures)])[: len(self.words)]

    def can_continue(self, meter: Meter) -> bool:
        """Return whether store and heap are large enough or may grow."""
        larger = 16 * len(self._heap) if self._is_heap_full else 0
        return super().can_continue(meter) and (not larger or meter.has_room(larger))

    @property
    def _is_heap_full(self) -> bool:
        return int(self._counters[SIZE]) + self.most_outcomes > len(self._heap)

    def run(self) -> Iterator[int]:
        """Search until a goal is reached or nothing is open; yield the number of states now and then.

        Refused when no goal was found, but paths were left out because the figures cannot hold their costs.
        """
        outcomes = min(_OUTCOMES, _WORDS // self.packing.words)
        expansions = max(1, min(_CHUNK, outcomes // self.most_outcomes))
        while self.goal is None and not self.has_overflow and self._counters[SIZE]:
            if self.is_full:
                self.grow()
            if self._is_heap_full:
                self._heap = np.concatenate([self._heap, np.zeros_like(self._heap)])
            self._advance(expansions)
            yield self.count
        if self.goal is None and not self.has_overflow and self._counters[COST_OVERFLOW]:
            raise Refused(f"ways that cost {_UNREACHED:,} or more are not followed by the kernel")

    def _advance(self, expansions: int) -> None:
        frontier = Frontier(self._figures, self._heap, self._counters)
        room = self._scratch, expansions, self.most
        self._search(self._problem, self.arrays, frontier, self._estimate, *room)
        self.count, self.has_overflow = int(self._counters[STATES]), bool(self._counters[OVERFLOW])
