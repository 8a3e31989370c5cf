"""Strategies of values: players that reach the best or the worst value that was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.position import Position
from gridproof.prove.decision_process import DecisionProcess
from gridproof.prove.graph_strategy import choose_for_goal, choose_greedily
from gridproof.prove.interval import Interval
from gridproof.prove.interval_iteration import IntervalValues
from gridproof.prove.quantity_solver import QuantityValues
from gridproof.search.graph import Array
from gridproof.search.space import StateSpace


class ValueStrategy:
    """A player: called with a position, it returns the action that reaches a value.

    In a graph with a way back, it is one choice for each position; else the action with the best value, the first of several.
    """

    def __init__(
        self, values: Any, side: int, action_bounds: Callable[[Position[Any]], Mapping[Any, Interval]]
    ) -> None:
        self._values, self._action_bounds, self._choose = values, action_bounds, (max, min)[side]
        self._space: StateSpace | None = None
        chosen = None
        if isinstance(values, QuantityValues):
            chosen = values.choose(side)
            self._space, self._process = values.space, values.process
        elif isinstance(values, IntervalValues):
            self._space, self._process = values.space, _process_of(values)
            chosen = _choose(values, self._process, side)
        self._chosen: Array | None = chosen

    def __call__(self, position: Position[Any]) -> Any:
        """Return the action in a position; GridproofError where nothing is left to decide, or the position was not found."""
        if self._values.of(position) is None:
            raise GridproofError("the position was not reached")
        bounds = self._action_bounds(position)
        if not bounds:
            raise GridproofError("nothing is left to decide in this position")
        if self._chosen is None or self._space is None:
            numbers = {action: one.middle for action, one in bounds.items()}
            return self._choose(numbers, key=numbers.__getitem__)
        choice = int(self._chosen[self._space.number(position)])
        if choice < 0:
            raise GridproofError("the position was not explored before the limit")
        graph = self._process.graph
        return graph.labels[int(graph.actions[self._process.begins[choice]])]


def _process_of(values: IntervalValues) -> DecisionProcess:
    cut = ~values.reached
    cut[: values.space.expanded_count] = False
    return DecisionProcess(values.space.partial_graph(), values.reached, cut)


def _choose(values: IntervalValues, process: DecisionProcess, side: int) -> Array:
    if side:
        return choose_greedily(process, values.bounds[1].high, best=False)
    return choose_for_goal(process, values.reached, values.bounds[0].low)
