"""Interval iteration: probabilities in any graph of positions, from below and from above, until both meet.

Each step from below stays below the value, each one from above stays above it (Haddad and Monmege, "Interval iteration
algorithm for MDPs and IMDPs", 2018): the gap between them is a proved error, rounding included. End components, in
which a player can stay for ever, would keep the upper bound up: all positions of one have the same value here.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Meter, check_stop
from gridproof.core.position import Position
from gridproof.prove.end_components import OUTSIDE, end_components
from gridproof.prove.interval import ANYTHING, Interval
from gridproof.search.graph import Array, Graph
from gridproof.search.space import StateSpace

_CLOSE = 1e-12
_UNIT = 2.0**-53


class Choices:
    """The actions of each position, and their outcomes."""

    def __init__(self, graph: Graph) -> None:
        self._begins = graph.choices()
        owners = graph.sources()[self._begins]
        first = np.ones(len(owners), bool)
        first[1:] = owners[1:] != owners[:-1]
        self._firsts = np.flatnonzero(first)
        """The first action of each position that has one."""
        self.acting = owners[self._firsts]
        """These positions."""
        self._graph = graph
        self.most = int(np.diff(np.append(self._begins, len(graph))).max(initial=0))
        self.sure = graph.whole == 1
        """True if nothing is left to chance."""
        self._chances = np.ones(1) if self.sure else graph.weights.astype(np.float64) / graph.whole

    def collapse(self, free: Array) -> None:
        """Limit the best values of end components among these positions to the best value of leaving them.

        Then the equations that `apply_bellman` iterates have only one solution.
        """
        components, self._staying = end_components(self._graph, free)
        component = components[self.acting]
        self._together = np.flatnonzero(component != OUTSIDE)
        self._component = component[self._together]

    def apply_bellman(self, values: Array, best: bool) -> Array:
        """Return the values of the positions that have an action, from the values of their successors (Bellman operator)."""
        means = np.add.reduceat(values[self._graph.targets] * self._chances, self._begins)
        if not best:
            return np.minimum.reduceat(means, self._firsts)
        means[self._staying] = 0.0
        found = np.maximum.reduceat(means, self._firsts)
        if len(self._together):
            most = np.zeros(self._component.max() + 1)
            np.maximum.at(most, self._component, found[self._together])
            found[self._together] = most[self._component]
        return found

    def may_reach(self, reached: Array, best: bool) -> Array:
        """Return where some action (`best`) or every one may lead into `reached`, among the positions with actions."""
        found = np.logical_or.reduceat(reached[self._graph.targets], self._begins)
        return (np.logical_or if best else np.logical_and).reduceat(found, self._firsts)


class IntervalValues:
    """Values of all positions of a space, or bounds where it is not complete."""

    unknown = ANYTHING

    def __init__(self, space: StateSpace, reached: Array, best: Bounds, worst: Bounds) -> None:
        self.space, self.reached, self.bounds = space, reached, (best, worst)
        self.states, self.error = space.states, max(best.error, worst.error)

    def of(self, position: Position[Any]) -> tuple[Interval, Interval] | None:
        """Return the bounds of a position's best and worst value, but for rounding; None when it was not found."""
        try:
            number = self.space.number(position)
        except GridproofError:
            return None
        best, worst = (self._interval(bounds, number) for bounds in self.bounds)
        return best, worst

    def _interval(self, bounds: Bounds, number: int) -> Interval:
        low, high = float(bounds.low[number]), float(bounds.high[number])
        return Interval(low, high) if self.error else Interval(Fraction(low), Fraction(high))


def values(space: StateSpace, goal: str, meter: Meter) -> IntervalValues:
    """Return the probabilities of a goal, or bounds where the space is not complete or a limit is reached.

    Stopped at a limit before there are bounds.
    """
    with meter.enforce():
        reached, graph = space.values(goal), space.partial_graph()
    cut = ~reached
    cut[: space.expanded_count] = False
    best, worst = (iterate_bounds(Choices(graph), reached, one, meter, cut) for one in (True, False))
    return IntervalValues(space, reached, best, worst)


class Bounds(NamedTuple):
    """Bounds of the values of all positions."""

    low: Array
    high: Array
    error: float
    """The largest error by rounding."""


def iterate_bounds(
    choices: Choices, goal: Array, best: bool, meter: Meter, cut: Array | None = None
) -> Bounds:
    """Bound the best or the worst values from below and from above; nothing is known of those in `cut`.

    Stopped at a limit before it is known where they are 0.
    """
    some = goal if cut is None else goal | cut
    with meter.enforce():
        able = _positive_positions(choices, some, best)
        sure = able if cut is None or not choices.sure else _positive_positions(choices, goal, best)
    if choices.sure:
        return Bounds(sure.astype(np.float64), able.astype(np.float64), 0.0)
    low, high = goal.astype(np.float64), able.astype(np.float64)
    if best:
        with meter.enforce():
            choices.collapse(able & ~some)
    steps, rounding = 0, (choices.most + 2) * 2 * _UNIT
    free = ~goal[choices.acting] & able[choices.acting]
    while float((high - low).max(initial=0.0)) > _CLOSE and not meter.is_interrupted():
        moved = 0.0
        for bound, tighter in ((low, np.maximum), (high, np.minimum)):
            before = bound[choices.acting]
            after = np.where(free, tighter(before, choices.apply_bellman(bound, best)), before)
            moved += float(np.abs(after - before).max(initial=0.0))
            bound[choices.acting] = after
        steps += 1
        if moved <= rounding:
            break  # no later step moves them farther: the proved error would only grow
    return Bounds(low, high, (steps + 1) * rounding)


def _positive_positions(choices: Choices, goal: Array, best: bool) -> Array:
    """Return the positions with a value above 0: the goal can be reached, or cannot be avoided for sure."""
    able = goal.copy()
    while True:
        check_stop()
        new = choices.may_reach(able, best) & ~able[choices.acting]
        if not new.any():
            return able
        able[choices.acting[new]] = True
