"""Probability of an event if a condition comes true: `P=? [F tile(16) || F lost]`.

A path that misses the condition starts again. Then the greatest conditional probability is the greatest probability to
reach the event and the condition, and the least one is 1 minus the greatest probability of the condition without the
event (Baier, Klein, Klüppelholz and Märcker, "Computing conditional probabilities in Markovian models efficiently", 2014).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Meter
from gridproof.core.position import Position
from gridproof.prove.decision_process import DecisionProcess, Until
from gridproof.prove.formula import Quantity
from gridproof.prove.fraction_values import find_ratio
from gridproof.prove.interval import ANYTHING, Interval, enclose
from gridproof.prove.qualitative_reachability import may_reach
from gridproof.prove.quantity import opposite, task_of
from gridproof.prove.quantity_solver import Solver, find_probability_bounds, truth_values
from gridproof.search.actors import Who
from gridproof.search.explore import space_of
from gridproof.search.graph import Array, Graph
from gridproof.search.question import Question
from gridproof.search.space import Progress, StateSpace

OPEN, EVENT_CAME, CONDITION_CAME, EVENT_MISSED = range(4)
"""Copies of the positions: what has been decided on the way there."""
COPIES = 4
_ENDS = 4
"""Further nodes: both came true, the condition alone did, the path starts again, it starts."""
_LONG = 1 << 62

Starts = Sequence[tuple[Fraction, Position[Any]]]


class DecidedPositions(NamedTuple):
    """Positions where an event came true, and where it cannot any more, or can be avoided for sure: bool (n,) each."""

    came: Array
    missed: Array
    avoidable: Array


class RestartGraph:
    """The positions in four copies, with edges back to the starts where the condition is missed.

    Parameters
    ----------
    graph : Graph
        Of the positions.
    cut : array of bool (n,)
        Positions of which nothing is known that follows.
    starts : list of (probability, number)
    event, condition : DecidedPositions
    best : bool
        Whether the event should happen, or else should not.
    """

    def __init__(
        self,
        graph: Graph,
        cut: Array,
        starts: Sequence[tuple[Fraction, int]],
        event: DecidedPositions,
        condition: DecidedPositions,
        best: bool,
    ) -> None:
        count = len(cut)
        self._graph, self._cut, self._count = graph, cut, count
        self._both, self._alone, self._again, self.start = range(COPIES * count, COPIES * count + _ENDS)
        self._event, self._condition, self._best, self._starts = event, condition, best, starts
        self.goal = self._mark(self._both if best else self._alone)

    def process(self, restarts: bool) -> DecisionProcess:
        """Return the decision process, whose paths end at a restart or go on from there."""
        cut = np.concatenate([np.tile(self._cut, COPIES), np.zeros(_ENDS, bool)])
        stopped = self._mark() if restarts else self._mark(self._again)
        return DecisionProcess(self._edges, stopped, cut)

    def ends(self) -> tuple[Array, Array]:
        """Return the nodes that count as the wanted event, and as the condition: bool each."""
        return self.goal, self._mark(self._both, self._alone)

    def _mark(self, *nodes: int) -> Array:
        marked = np.zeros(COPIES * self._count + _ENDS, bool)
        marked[list(nodes)] = True
        return marked

    @functools.cached_property
    def _edges(self) -> Graph:
        graph, firsts = self._graph, np.array([number for _, number in self._starts])
        whole = math.lcm(graph.whole, *(chance.denominator for chance, _ in self._starts))
        kind = object if whole >= _LONG else np.int64
        weights = graph.weights.astype(kind) * (whole // graph.whole)
        avoiding = np.flatnonzero(self._condition.avoidable & ~self._cut)
        rows = [self._copy(one, weights, whole, avoiding) for one in range(COPIES)]
        ending = (
            np.array([0, 0, 1, len(firsts)]),
            np.append(self.start, self._nodes(OPEN)[firsts]),
            np.zeros(1 + len(firsts), np.int64),
            np.array([whole, *(int(chance * whole) for chance, _ in self._starts)], kind),
        )
        sizes, targets, actions, all_weights = (
            np.concatenate(parts) for parts in zip(*rows, ending, strict=True)
        )
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        return Graph(
            offsets,
            targets.astype(np.int32),
            actions.astype(np.int32),
            all_weights,
            whole,
            (*graph.labels, "restart"),
        )

    def _copy(
        self, copy: int, weights: Array, whole: int, avoiding: Array
    ) -> tuple[Array, Array, Array, Array]:
        """Return the sizes of a copy's rows and its edges; with an edge back where the condition can be avoided."""
        graph = self._graph
        sizes, targets = np.diff(graph.offsets), self._nodes(copy)[graph.targets]
        if copy == CONDITION_CAME:
            return sizes, targets, graph.actions, weights
        ends = graph.offsets[1:][avoiding]
        sizes = sizes.copy()
        sizes[avoiding] += 1
        return (
            sizes,
            np.insert(targets, ends, self._again),
            np.insert(graph.actions, ends, len(graph.labels)),
            np.insert(weights, ends, whole),
        )

    def _nodes(self, copy: int) -> Array:
        """Return the node at which each position is entered from a copy."""
        event, condition = self._event, self._condition
        stay = copy * self._count + np.arange(self._count)
        if copy == CONDITION_CAME:
            missed = event.missed if self._best else event.avoidable
            return np.where(event.came, self._both, np.where(missed, self._alone, stay))
        if copy == OPEN:
            came, missed = (stay + one * self._count for one in (EVENT_CAME, EVENT_MISSED))
            undecided = np.where(event.came, came, np.where(event.missed, missed, stay))
            decided = self._nodes(CONDITION_CAME)
        else:
            undecided = stay
            decided = np.full(self._count, self._both if copy == EVENT_CAME else self._alone)
        return np.where(condition.missed, self._again, np.where(condition.came, decided, undecided))


def find_fate(graph: Graph, cut: Array, event: Until) -> DecidedPositions:
    """Find the fate of an event from the graph alone, so exactly."""
    process = DecisionProcess(graph, event.stopped, cut)
    possible = event.reach | process.cut
    missed, avoidable = (~may_reach(process, possible, best) for best in (True, False))
    return DecidedPositions(event.reach, missed, avoidable)


class ConditionalValues:
    """The conditional probability, which is about the start alone."""

    error, unknown = 0.0, ANYTHING

    def __init__(self, states: int, best: Interval, worst: Interval) -> None:
        self.states, self._bounds = states, (best, worst)

    def of(self, position: Position[Any]) -> tuple[Interval, Interval] | None:
        """Return the bounds of the best and the worst value, from a start."""
        return self._bounds


class ConditionalSolver(Solver):
    """Solver of one conditional probability on growing parts of the positions; arguments as of `Solver`."""

    copies = COPIES

    def __init__(
        self, quantity: Quantity, starts: Starts, who: Who, meter: Meter, progress: Progress | None
    ) -> None:
        event, condition = quantity.operand.left, quantity.operand.right  # type: ignore[attr-defined]  # || has both
        super().__init__(
            replace(quantity, operand=event), [start for _, start in starts], who, meter, progress
        )
        self._condition = task_of(replace(quantity, operand=condition))
        self._weighted, self._text = starts, condition

    def _explore(self, meter: Meter) -> StateSpace:
        return space_of(Question(starts=self._starts, who=self._who, meter=meter, progress=self._progress))

    def _solve(self, space: StateSpace, meter: Meter) -> ConditionalValues:
        cut = np.ones(space.states, bool)
        cut[: space.expanded_count] = False
        graph = space.partial_graph()
        with meter.enforce():
            event, condition = (
                find_fate(graph, cut, Until(truth_values(one.hold, space), truth_values(one.reach, space)))
                for one in (self._task, self._condition)
            )
        starts = [(chance, space.number(start)) for chance, start in self._weighted]
        if all(condition.missed[number] for _, number in starts):
            raise GridproofError(f"the condition {self._text} has probability 0, whatever is done")
        found = [ANYTHING, ANYTHING]
        for side in self._asked:
            best = side is not self._task.negated
            bounds = find_bounds(RestartGraph(graph, cut, starts, event, condition, best), meter)
            found[not side] = bounds if side else opposite(bounds)
        return ConditionalValues(space.states, *(enclose(*one) for one in found))


def find_bounds(graph: RestartGraph, meter: Meter) -> Interval:
    """Return bounds of the greatest conditional probability of what is wanted."""
    exact = find_ratio(graph.process(restarts=False), *graph.ends(), graph.start)
    if exact is not None:
        return Interval(exact, exact)
    return find_probability_bounds(graph.process(restarts=True), graph.goal, True, meter).interval(
        graph.start
    )
