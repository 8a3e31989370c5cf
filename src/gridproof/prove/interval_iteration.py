"""Probabilities in any graph of positions, also where ways lead back: from below and from above, until both meet.

Each step from below stays below the value, each one from above stays above it (Haddad and Monmege, "Interval iteration
algorithm for MDPs and IMDPs", 2018): what is between them is a proved error, rounding included. Whoever can go round in
circles for ever would keep the upper bound up: where one can stay for ever, all positions are taken together.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Meter
from gridproof.core.position import Position
from gridproof.prove.components import OUTSIDE, end_components
from gridproof.search.graph import Graph
from gridproof.search.space import StateSpace

Number = Fraction | float
Array = np.ndarray[Any, Any]

_CLOSE = 1e-12
_UNIT = 2.0**-53


class Choices:
    """The actions of each position, and where each may lead."""

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
        """Whether nothing is left to chance."""
        self._chances = np.ones(1) if self.sure else graph.weights.astype(np.float64) / graph.whole

    def collapse(self, free: Array) -> None:
        """From now on a best value is one of leaving where one could stay for ever among these positions.

        Then only one solution is left of the equations that `hoped` iterates.
        """
        components, self._staying = end_components(self._graph, free)
        component = components[self.acting]
        self._together = np.flatnonzero(component != OUTSIDE)
        self._component = component[self._together]

    def hoped(self, values: Array, best: bool) -> Array:
        """The values of the positions that have an action, from those of the positions that follow (Bellman operator)."""
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

    def possible(self, reached: Array) -> Array:
        """Of the positions that have an action, those with one that may lead to what is reached."""
        found = np.logical_or.reduceat(reached[self._graph.targets], self._begins)
        return np.logical_or.reduceat(found, self._firsts)

    def forced(self, reached: Array) -> Array:
        """Those of which every action may lead to what is reached."""
        found = np.logical_or.reduceat(reached[self._graph.targets], self._begins)
        return np.logical_and.reduceat(found, self._firsts)


class IteratedValues:
    """The values of all positions of a space."""

    def __init__(self, space: StateSpace, best: Array, worst: Array, error: float) -> None:
        self._space, self._worth = space, (best, worst)
        self.states, self.error = space.states, error

    def of(self, position: Position[Any]) -> tuple[Number, Number] | None:
        """The best and the worst value of a position; None when it was not found."""
        try:
            number = self._space.number(position)
        except GridproofError:
            return None
        best, worst = (float(values[number]) for values in self._worth)
        return (best, worst) if self.error else (Fraction(best), Fraction(worst))


def values(space: StateSpace, goal: str, meter: Meter) -> IteratedValues | None:
    """The probabilities of a goal in a complete space; None when a limit is reached."""
    reached, choices = space.values(goal), Choices(space.graph())
    best = _bounded(choices, reached, True, meter)
    worst = _bounded(choices, reached, False, meter)
    if best is None or worst is None:
        return None
    return IteratedValues(space, best[0], worst[0], max(best[1], worst[1]))


def _bounded(choices: Choices, goal: Array, best: bool, meter: Meter) -> tuple[Array, float] | None:
    """Values from below, and the largest distance from the true ones."""
    able = _closed(choices, goal, best)
    if choices.sure:
        return able.astype(np.float64), 0.0
    low, high = goal.astype(np.float64), able.astype(np.float64)
    if best:
        choices.collapse(able & ~goal)
    steps, rounding = 0, (choices.most + 2) * 2 * _UNIT
    while (gap := float((high - low).max(initial=0.0))) > _CLOSE:
        if meter.reached(len(goal)):
            return None
        before = low[choices.acting], high[choices.acting]
        free = ~goal[choices.acting] & able[choices.acting]
        low[choices.acting] = np.where(free, np.maximum(before[0], choices.hoped(low, best)), before[0])
        high[choices.acting] = np.where(free, np.minimum(before[1], choices.hoped(high, best)), before[1])
        steps += 1
        if _moved(before[0], low[choices.acting]) + _moved(before[1], high[choices.acting]) <= rounding:
            break  # no later step moves them farther: the proved error would only grow
    return low, gap + (steps + 1) * rounding


def _moved(before: Array, after: Array) -> float:
    return float(np.abs(after - before).max(initial=0.0))


def _closed(choices: Choices, goal: Array, best: bool) -> Array:
    """The positions whose value is more than 0: the goal can be reached, or cannot be avoided for sure."""
    able = goal.copy()
    while True:
        following = (choices.possible if best else choices.forced)(able)
        new = following & ~able[choices.acting]
        if not new.any():
            return able
        able[choices.acting[new]] = True
