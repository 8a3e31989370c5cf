"""Bounds of the greatest probability that an automaton accepts, which Bellman's inequalities prove, and the choices that reach the lower ones.

A certificate lists them, and a strategy follows them.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.limit import Meter, check_stop
from gridproof.prove.decision_process import DecisionProcess
from gridproof.prove.end_components import OUTSIDE, end_components
from gridproof.prove.fraction_values import find_fractions
from gridproof.prove.limit_deterministic import MOST_OPERATORS, LimitDeterministic
from gridproof.prove.path_probability import AutomatonProduct, LabelledPartialGraph
from gridproof.prove.qualitative_reachability import may_reach, will_reach
from gridproof.search.graph import Array

_NOTHING = Fraction(0)
_LAYER = math.lcm(*range(1, MOST_OPERATORS + 1))
"""Levels of one layer: for each number of goals, some have each remainder."""
_BITS = 62


class _Bounds(NamedTuple):
    """Bounds at some nodes, and which choices keep the lower ones: bool (choices,)."""

    low: list[Fraction]
    high: list[Fraction]
    keeping: Array


class PathBounds:
    """The product with one automaton, and bounds of the greatest probability that it accepts."""

    def __init__(
        self, known: LabelledPartialGraph, automaton: LimitDeterministic, starts: list[int], meter: Meter
    ) -> None:
        self._automaton, self.product = automaton, AutomatonProduct(known, automaton, starts, meter)
        product, uncut = self.product, np.zeros(len(self.product.places), bool)
        self._decided = np.array([one.is_sure for one in automaton.states])[product.states]
        accepting = product.find_accepting()
        process = DecisionProcess(product.graph, self._decided, uncut)
        sure, able = will_reach(process, accepting, True), may_reach(process, accepting, True)
        open_process = DecisionProcess(product.graph, sure | ~able, uncut)
        bounds = _find_bounds(open_process, sure)
        self._low, self._high = bounds.low, bounds.high
        ranks = _rank(process, accepting, process.all(sure))
        ends, most = sure | ~able, int(ranks.max(initial=0))
        self._ranks = np.where(ends, ranks, most + _rank(open_process, ends, bounds.keeping))
        self._goal_ranks = self._rank_goals(accepting)
        self._levels = self._find_levels(np.array([one < 1 for one in bounds.high], bool))

    def mean(self, chances: list[tuple[Fraction, int]]) -> tuple[Fraction, Fraction]:
        """Return the mean bounds of the starts."""
        nodes = [(chance, self.product.starts[number]) for chance, number in chances]
        low, high = (
            sum((chance * column[node] for chance, node in nodes), _NOTHING)
            for column in (self._low, self._high)
        )
        return low, high

    def entries(self) -> dict[int, list[list[Any]]]:
        """Return the entries of each position that has some."""
        found: dict[int, list[list[Any]]] = {}
        for node in np.flatnonzero(~self._decided).tolist():
            entry = [int(self.product.states[node]), str(self._low[node]), str(self._high[node])]
            numbers = [int(self._levels[node]), max(int(self._ranks[node]), 0)]
            found.setdefault(int(self.product.places[node]), []).append(
                [*entry, *numbers, *self._goal_ranks[node]]
            )
        return found

    @functools.cached_property
    def _missing(self) -> Array:
        return self.product.missing

    @functools.cached_property
    def _begins(self) -> Array:
        """The first edge of each choice, and the end of all."""
        return np.append(self.product.graph.choices(), len(self.product.graph))

    def choose(self, node: int, goal: int) -> tuple[range, int] | None:
        """Return the edges of the choice in a node that reaches the lower bound, and the next goal to pursue; None without choices."""
        first, last = np.searchsorted(self._begins, self.product.graph.offsets[[node, node + 1]]).tolist()
        choices = [range(int(self._begins[one]), int(self._begins[one + 1])) for one in range(first, last)]
        if not choices or not self._low[node]:
            return (choices[0], 0) if choices else None
        ranks = self._goal_ranks[node]
        if not ranks:
            return next(edges for edges in choices if self._leads_on(node, edges)), 0
        is_missing = int(self._missing[node]) >> goal & 1
        chosen = next(edges for edges in choices if self._stays(node, edges, goal if is_missing else None))
        return chosen, goal if is_missing else (goal + 1) % len(ranks)

    def _leads_on(self, node: int, edges: range) -> bool:
        """Return whether a choice keeps the lower bound and comes nearer to where it is reached, or stays there."""
        graph = self.product.graph
        targets = graph.targets[edges.start : edges.stop].tolist()
        if not self._ranks[node]:
            return self._stays(node, edges, None)
        weights = graph.weights[edges.start : edges.stop].tolist()
        total = sum(weight * self._low[to] for weight, to in zip(weights, targets, strict=True))
        is_nearer = any(not self._low[to] or self._ranks[to] < self._ranks[node] for to in targets)
        return is_nearer and self._low[node] * graph.whole <= total

    def _stays(self, node: int, edges: range, goal: int | None) -> bool:
        """Return whether a choice stays where the automaton accepts, and comes nearer to a goal if one is given."""
        targets = self.product.graph.targets[edges.start : edges.stop].tolist()
        if not all(self._low[to] > 0 and not self._ranks[to] for to in targets):
            return False
        return goal is None or any(
            self._decided[to] or self._goal_ranks[to][goal] < self._goal_ranks[node][goal] for to in targets
        )

    def _rank_goals(self, accepting: Array) -> list[list[int]]:
        """Return for each accepting node the distance to each goal, by choices that stay accepting; no goals for others."""
        process = DecisionProcess(self.product.graph, self._decided | ~accepting, np.zeros_like(accepting))
        staying, missing = process.all(accepting), self.product.missing
        counts = [len(one.goals or ()) for one in self._automaton.states]
        columns = [
            _rank(process, (missing >> goal & 1 == 0) | self._decided, staying).tolist()
            for goal in range(max(counts))
        ]
        sizes = np.where(accepting, np.array(counts)[self.product.states], 0).tolist()
        return [[max(column[node], 0) for column in columns[:size]] for node, size in enumerate(sizes)]

    def _find_levels(self, inside: Array) -> Array:
        """Return the levels of nodes whose upper bound is below 1, int64 (nodes,): those of an end component are equal."""
        graph = self.product.graph
        process = DecisionProcess(graph, ~inside, np.zeros_like(inside))
        components, staying = end_components(process.graph, inside)
        classes = np.where(
            components == OUTSIDE, components.max(initial=0) + 1 + np.arange(len(inside)), components
        )
        layers = np.where(inside, -1, 0)
        layer = 0
        while (layers < 0).any():
            check_stop()
            layer += 1
            leads = staying | process.some(layers >= 0) if len(process.begins) else staying
            ready = np.ones(int(classes.max()) + 1, bool)
            ready[classes[process.owners[~leads]]] = False
            layers[(layers < 0) & ready[classes]] = layer
        common = np.full(len(inside) + int(classes.max()) + 1, -1)
        np.bitwise_and.at(common, classes, self.product.missing)
        lowest = common[classes] & -common[classes]
        goals = np.where(
            (components == OUTSIDE) | (lowest <= 0), 0, np.log2(np.maximum(lowest, 1)).astype(np.int64)
        )
        return layers * _LAYER + goals


def _rank(process: DecisionProcess, ends: Array, allowed: Array) -> Array:
    """Return the distance of each node to some by allowed choices, int64 (nodes,): one outcome comes nearer; -1 for none."""
    ranks = np.where(ends, 0, -1)
    rank = 0
    while len(process.begins):
        check_stop()
        rank += 1
        new = process.owners[allowed & process.some(ranks >= 0)]
        new = new[ranks[new] < 0]
        if not len(new):
            break
        ranks[new] = rank
    return ranks


def _find_bounds(process: DecisionProcess, sure: Array) -> _Bounds:
    """Return bounds of the greatest probability to reach the nodes `sure`, where the process stops."""
    exact = find_fractions(process, [Fraction(int(one)) for one in sure], True)
    if exact is not None:
        numbers = [Fraction(one) for one in exact]
        return _Bounds(numbers, numbers, np.array(_fitting(process, numbers), bool))
    unit = 1 << max(_BITS - process.graph.whole.bit_length(), 1)
    low = _iterate(process, np.where(sure, unit, 0), 0)
    high = _iterate(process, low, process.graph.whole - 1)
    keeping = low[process.owners] <= _totals(process, low) // process.graph.whole
    low_numbers, high_numbers = ([Fraction(one, unit) for one in column.tolist()] for column in (low, high))
    return _Bounds(low_numbers, high_numbers, keeping)


def _fitting(process: DecisionProcess, numbers: list[Fraction]) -> list[bool]:
    """Return for each choice whether its mean is no less than the number of its node."""
    graph, limits = process.graph, [*process.begins.tolist(), len(process.graph)]
    found = []
    for choice, owner in enumerate(process.owners.tolist()):
        edges = range(limits[choice], limits[choice + 1])
        total = sum((int(graph.weights[edge]) * numbers[graph.targets[edge]] for edge in edges), _NOTHING)
        found.append(numbers[owner] * graph.whole <= total)
    return found


def _totals(process: DecisionProcess, values: Array) -> Array:
    """Return for each choice the sum of its outcomes' values by their weights, int64."""
    graph = process.graph
    totals: Array = np.add.reduceat(values[graph.targets] * graph.weights.astype(np.int64), process.begins)
    return totals


def _iterate(process: DecisionProcess, values: Array, rounding: int) -> Array:
    """Increase whole numbers to the greatest mean of the choices until they stay; with `rounding` whole - 1, rounded up."""
    values = values.copy()
    while len(process.begins):
        check_stop()
        means = (_totals(process, values) + rounding) // process.graph.whole
        after = np.maximum(values[process.acting], np.maximum.reduceat(means, process.firsts))
        if np.array_equal(after, values[process.acting]):
            break
        values[process.acting] = after
    return values
