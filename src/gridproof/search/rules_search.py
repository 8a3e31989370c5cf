"""Searches that know a game by its rules alone: from the start by cost, and from both ends."""

from __future__ import annotations

import heapq
import itertools
import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from gridproof.core.game import Measure
from gridproof.core.limit import Meter
from gridproof.core.measure import ACTIONS, combine_measures
from gridproof.core.position import Action, Outcome, Position
from gridproof.core.proposition import Goal
from gridproof.core.trace import Step, Trace
from gridproof.search.actors import Who

_CHECK_EVERY = 256  # outcomes between two checks of the clock

Bound = Callable[[Position[Any]], int]
"""A lower bound of the remaining cost."""


GREEDY = 5
"""The weight of a bound where any solution will do."""


class ForwardSearch:
    """A* where a bound is known; else uniform-cost search, which is breadth-first where every action costs 1.

    If any solution will do (`greedy`), the bound weighs more than the cost, and the first goal found ends the search.
    """

    def __init__(
        self,
        starts: list[Position[Any]],
        goal: Goal,
        measure: Measure,
        actors: Who,
        bound: Bound | None = None,
        greedy: bool = False,
    ) -> None:
        self._is_goal, self._actors = goal, actors
        by_actions = measure is ACTIONS or greedy or ACTIONS in measure.parts
        self._measure = measure if by_actions else combine_measures(measure, ACTIONS)
        self._bound, self.greedy = bound or (lambda position: 0), greedy
        self._weight = GREEDY if greedy else 1
        self.lower_bound = 0
        """A lower bound of the cost of every goal, while none is found, unless any will do."""
        self._parents: dict[Position[Any], tuple[Position[Any], Step] | None] = dict.fromkeys(starts)
        self._costs = dict.fromkeys(starts, 0)
        self._ticket = itertools.count()
        self._heap = [
            (self._weight * self._bound(start), 0, next(self._ticket), start) for start in self._parents
        ]
        heapq.heapify(self._heap)
        self._outcomes = self._looks = 0
        self.goal: Position[Any] | None = None
        """The goal that was reached first."""

    @property
    def count(self) -> int:
        """The number of positions found."""
        return len(self._costs)

    @property
    def count_with_goal(self) -> int:
        """The number of positions found when the goal's parent has been expanded, for breadth-first search.

        Kernels find as many, since they test for the goal when a position is found, not when it is expanded.
        """
        link = None if self.goal is None else self._parents[self.goal]
        from_here = [link is None or other is None or other[0] is link[0] for other in self._parents.values()]
        return len(from_here) - from_here[::-1].index(True)

    @property
    def cost(self) -> int | None:
        """The cost to reach the goal; the fewest actions break ties."""
        return None if self.goal is None else self._costs[self.goal]

    def run(self, meter: Meter, most: int | None = None) -> Iterator[int]:
        """Search until a goal is reached, nothing is open, a limit is reached, or `most` outcomes were seen.

        Yields the number of positions now and then.
        """
        seen = self._outcomes
        while self._heap and self.goal is None and (most is None or self._outcomes < most):
            self.lower_bound, negative, _, position = heapq.heappop(self._heap)
            if self._costs[position] < -negative:
                continue
            if self._is_goal(position):
                self.goal = position
                return
            if self._outcomes >= seen + _CHECK_EVERY:
                seen = self._outcomes
                yield self.count
            if self._is_limit_reached(meter) or not self._expand(position, -negative, meter):
                return

    @property
    def is_exhausted(self) -> bool:
        """True if nothing is open and no goal was found: there is none."""
        return not self._heap and self.goal is None

    def _is_limit_reached(self, meter: Meter) -> bool:
        """Return whether a limit is reached; the clock and the memory are checked now and then."""
        self._looks += 1
        return self._looks % _CHECK_EVERY == 1 and meter.is_reached(self.count)

    def _expand(self, position: Position[Any], cost: int, meter: Meter) -> bool:
        """Find the successors of a position; return False when a limit is reached."""
        for actor in self._actors:
            for action in position.actions(actor):
                for outcome in position.outcomes(action):
                    self._outcomes += 1
                    if outcome.position not in self._costs and meter.is_full(self.count):
                        return False
                    self._reach(position, action, outcome, cost)
                    if self.goal is not None or self._is_limit_reached(meter):
                        return False
        return True

    def _reach(self, position: Position[Any], action: Action, outcome: Outcome[Any], cost: int) -> None:
        target = outcome.position
        if self.greedy and target in self._costs:
            return
        total = cost + self._measure.cost(position, action, outcome)
        if total < self._costs.get(target, total + 1):
            self._costs[target] = total
            self._parents[target] = (position, Step(action, outcome.label))
            if self.greedy and self._is_goal(target):
                self.goal = target
                return
            # of equal keys, the position of greatest cost
            promise = total + self._weight * self._bound(target)
            heapq.heappush(self._heap, (promise, -total, next(self._ticket), target))

    def trace(self) -> Trace:
        """Return the path to the goal."""
        steps, position = [], self.goal
        while (link := self._parents[position]) is not None:  # type: ignore[index]  # there is a goal
            position, step = link
            steps.append(step)
        return Trace(position, tuple(reversed(steps)))  # type: ignore[arg-type]  # steps, read backwards


class _Full(Exception):
    """No more positions may be kept."""


class _Side:
    """Breadth-first search from one end, a layer at a time."""

    def __init__(
        self, ends: Iterable[Position[Any]], neighbours: Callable[[Position[Any]], Iterable[Position[Any]]]
    ) -> None:
        self.parents: dict[Position[Any], Position[Any] | None] = dict.fromkeys(ends)
        self.frontier = list(self.parents)
        self._neighbours = neighbours

    def expand(self, most: int) -> Iterator[Position[Any] | None]:
        """Make the next layer: yield its positions as they are found, and None for each known one.

        _Full when there would be more than `most` positions.
        """
        following: list[Position[Any]] = []
        for position in self.frontier:
            for other in self._neighbours(position):
                new = other not in self.parents
                if new and len(self.parents) >= most:
                    raise _Full
                if new:
                    self.parents[other] = position
                    following.append(other)
                yield other if new else None
        self.frontier = following

    def path_from(self, position: Position[Any] | None) -> Iterator[Position[Any]]:
        """Yield the positions from one to the end."""
        while position is not None:
            yield position
            position = self.parents[position]


class BidirectionalRulesSearch:
    """Breadth-first search from the starts and, by `Game.predecessors`, from all goals.

    The first position found from both ends lies on a shortest path: each layer is made as a whole.
    """

    def __init__(
        self,
        starts: list[Position[Any]],
        goals: Iterable[Position[Any]],
        predecessors: Callable[[Position[Any]], Iterable[Position[Any]]],
    ) -> None:
        self._forward = _Side(starts, _successors)
        self._backward = _Side(goals, predecessors)
        self.most = 1 << 62
        """The most positions to keep."""
        self.has_overflow = False
        """True if a position was left out because there were `most`."""
        self.goal = next(filter(self._backward.parents.__contains__, starts), None)
        """A position found from both ends."""
        self.lower_bound = 0
        """A lower bound of the cost of every goal, while none is found: a layer more than are expanded."""

    @property
    def count(self) -> int:
        """The number of positions found, from both ends together."""
        return len(self._forward.parents) + len(self._backward.parents)

    is_same = staticmethod(operator.eq)

    def can_continue(self, meter: Meter) -> bool:
        """Return True: memory is the meter's concern."""
        return True

    def run(self) -> Iterator[int]:
        """Search until both ends meet, or one has nothing left; yield the number of positions now and then."""
        try:
            for looks, _ in enumerate(self._layers()):
                if looks % _CHECK_EVERY == 0:
                    yield self.count
        except _Full:
            self.has_overflow = True

    def _layers(self) -> Iterator[None]:
        """Expand the smaller frontier, again and again, until both ends meet; yield after each outcome."""
        while self.goal is None and self._forward.frontier and self._backward.frontier:
            side, other = sorted((self._forward, self._backward), key=lambda side: len(side.frontier))
            for position in side.expand(self.most - len(other.parents)):
                if position in other.parents:
                    self.goal = position
                    return
                yield
            self.lower_bound = max(self.lower_bound, 1) + 1

    def path(self, meeting: Position[Any]) -> list[Position[Any]]:
        """Return the positions from a start to a goal through the one where both ends met."""
        before = list(self._forward.path_from(meeting))
        return [*reversed(before), *self._backward.path_from(self._backward.parents[meeting])]


def _successors(position: Position[Any]) -> Iterator[Position[Any]]:
    for action in position.actions():
        for outcome in position.outcomes(action):
            yield outcome.position
