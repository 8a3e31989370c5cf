"""Probabilities in any graph of positions, also where ways lead back: from below and from above, until both meet.

Each step from below stays below the value, each one from above stays above it (Haddad and Monmege, "Interval iteration
algorithm for MDPs and IMDPs", 2018): what is between them is a proved error, rounding included. Whoever can go round in
circles for ever may keep the upper bound up; then the error says so.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Meter
from gridproof.core.position import Position
from gridproof.search.graph import Graph
from gridproof.search.space import StateSpace

Number = Fraction | float
Array = np.ndarray[Any, Any]

_CLOSE = 1e-12
_UNIT = 2.0**-53


class Rows:
    """The edges of a graph by action and by position."""

    def __init__(self, graph: Graph) -> None:
        sources = np.repeat(np.arange(len(graph.offsets) - 1), np.diff(graph.offsets))
        new = np.ones(len(graph), bool)
        new[1:] = (sources[1:] != sources[:-1]) | (graph.actions[1:] != graph.actions[:-1])
        self._begins = np.flatnonzero(new)
        """Where the edges of each action in a position begin."""
        owners = sources[self._begins]
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

    def hoped(self, values: Array, best: bool) -> Array:
        """The values of the positions that have an action, from those of the positions that follow (Bellman operator)."""
        means = np.add.reduceat(values[self._graph.targets] * self._chances, self._begins)
        return (np.maximum if best else np.minimum).reduceat(means, self._firsts)

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
    reached, rows = space.values(goal), Rows(space.graph())
    best = _bounded(rows, reached, True, meter)
    worst = _bounded(rows, reached, False, meter)
    if best is None or worst is None:
        return None
    return IteratedValues(space, best[0], worst[0], max(best[1], worst[1]))


def _bounded(rows: Rows, goal: Array, best: bool, meter: Meter) -> tuple[Array, float] | None:
    """Values from below, and the largest distance from the true ones."""
    able = _closed(rows, goal, best)
    low = goal.astype(np.float64)
    if rows.sure:
        return able.astype(np.float64), 0.0
    high = able.astype(np.float64)
    steps, rounding = 0, (rows.most + 2) * 2 * _UNIT
    while (gap := float((high - low).max(initial=0.0))) > _CLOSE:
        if meter.reached(len(goal)):
            return None
        before = low[rows.acting], high[rows.acting]
        free = ~goal[rows.acting] & able[rows.acting]
        low[rows.acting] = np.where(free, np.maximum(before[0], rows.hoped(low, best)), before[0])
        high[rows.acting] = np.where(free, np.minimum(before[1], rows.hoped(high, best)), before[1])
        steps += 1
        if _moved(before[0], low[rows.acting]) + _moved(before[1], high[rows.acting]) <= rounding:
            break  # no later step moves them farther: the proved error would only grow
    return low, gap + (steps + 1) * rounding


def _moved(before: Array, after: Array) -> float:
    return float(np.abs(after - before).max(initial=0.0))


def _closed(rows: Rows, goal: Array, best: bool) -> Array:
    """The positions whose value is more than 0: the goal can be reached, or cannot be avoided for sure."""
    able = goal.copy()
    while True:
        following = (rows.possible if best else rows.forced)(able)
        new = following & ~able[rows.acting]
        if not new.any():
            return able
        able[rows.acting[new]] = True
