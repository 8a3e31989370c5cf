"""Probability of an event if a condition comes true: `P=? [F tile(16) || F lost]`.

A path that misses the condition starts again. Then the greatest conditional probability is the greatest probability to
reach the event and the condition, and the least one is 1 minus the greatest probability of the condition without the
event (Baier, Klein, Klüppelholz and Märcker, "Computing conditional probabilities in Markovian models efficiently", 2014).
A condition such as `G p` comes true where a path stays in an end component. With bounds of actions, positions are copied
for each number of actions.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.lazy_import import load
from gridproof.core.limit import Meter, Stopped, check_stop, start_meter
from gridproof.core.position import Position
from gridproof.prove.decision_process import DecisionProcess, Until
from gridproof.prove.end_components import OUTSIDE, end_components
from gridproof.prove.formula import Formula, Quantity, parts
from gridproof.prove.fraction_values import find_ratio
from gridproof.prove.interval import ANYTHING, Interval, enclose
from gridproof.prove.qualitative_reachability import may_reach, will_reach
from gridproof.prove.quantity import Task, opposite, tasks_of
from gridproof.prove.quantity_solver import Solver, find_probability_bounds, truth_values
from gridproof.prove.strategy import NumberStrategy
from gridproof.search.actors import Who
from gridproof.search.graph import Array, Graph
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
    by_staying: bool = False
    """True if it also comes true on paths on which it is never decided."""


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
        self.graph, self._cut, self.count = graph, cut, count
        self._both, self.alone, self._again, self.start = range(COPIES * count, COPIES * count + _ENDS)
        self.event, self.condition, self._best, self._starts = event, condition, best, starts
        self.goal = self._mark(self._both if best else self.alone)

    def process(self, restarts: bool) -> DecisionProcess:
        """Return the decision process, whose paths end at a restart or go on from there."""
        cut = np.concatenate([np.tile(self._cut, COPIES), np.zeros(_ENDS, bool)])
        stopped = self._mark() if restarts else self._mark(self._again)
        return DecisionProcess(self._edges, stopped, cut)

    def ends(self) -> tuple[Array, Array]:
        """Return the nodes that count as the wanted event, and as the condition: bool each."""
        return self.goal, self._mark(self._both, self.alone)

    def _mark(self, *nodes: int) -> Array:
        marked = np.zeros(COPIES * self.count + _ENDS, bool)
        marked[list(nodes)] = True
        return marked

    @functools.cached_property
    def _edges(self) -> Graph:
        graph, firsts = self.graph, np.array([number for _, number in self._starts])
        whole = math.lcm(graph.whole, *(chance.denominator for chance, _ in self._starts))
        kind = object if whole >= _LONG else np.int64
        weights = graph.weights.astype(kind) * (whole // graph.whole)
        rows = [self._copy(one, weights, whole) for one in range(COPIES)]
        check_stop()
        ending = (
            np.array([0, 0, 1, len(firsts)]),
            np.append(self.start, self.nodes(OPEN)[firsts]).astype(np.int32),
            np.zeros(1 + len(firsts), np.int32),
            np.array([whole, *(int(chance * whole) for chance, _ in self._starts)], kind),
        )
        joined = []
        for part in zip(*rows, ending, strict=True):
            check_stop()
            joined.append(np.concatenate(part))
        sizes, targets, actions, all_weights = joined
        check_stop()
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        return Graph(
            offsets,
            targets.astype(np.int32, copy=False),
            actions.astype(np.int32, copy=False),
            all_weights,
            whole,
            (*graph.labels, "restart"),
        )

    def _copy(self, copy: int, weights: Array, whole: int) -> tuple[Array, Array, Array, Array]:
        """Return the sizes of a copy's rows and its edges; with one more where a path may end without a decision."""
        check_stop()
        graph = self.graph
        sizes, targets = np.diff(graph.offsets), self.nodes(copy).astype(np.int32)[graph.targets]
        if copy == CONDITION_CAME:
            return sizes, targets, graph.actions, weights
        ending, end = self._undecided(copy)
        ends = graph.offsets[1:][ending]
        sizes = sizes.copy()
        sizes[ending] += 1
        return (
            sizes,
            np.insert(targets, ends, end),
            np.insert(graph.actions, ends, len(graph.labels)),
            np.insert(weights, ends, whole),
        )

    def _undecided(self, copy: int) -> tuple[Array, int]:
        """Return the positions of a copy where the condition may stay undecided for ever, and the node that this leads to."""
        if not self.condition.by_staying:
            return np.flatnonzero(self.condition.avoidable & ~self._cut), self._again
        free = self.nodes(copy) == copy * self.count + np.arange(self.count)
        components, _ = end_components(self.graph, free)
        return np.flatnonzero(components != OUTSIDE), self._both if copy == EVENT_CAME else self.alone

    def nodes(self, copy: int) -> Array:
        """Return the node at which each position is entered from a copy."""
        event, condition = self.event, self.condition
        stay = copy * self.count + np.arange(self.count)
        if copy == CONDITION_CAME:
            missed = event.missed if self._best else event.avoidable
            return np.where(event.came, self._both, np.where(missed, self.alone, stay))
        if copy == OPEN:
            came, missed = (stay + one * self.count for one in (EVENT_CAME, EVENT_MISSED))
            undecided = np.where(event.came, came, np.where(event.missed, missed, stay))
            decided = self.nodes(CONDITION_CAME)
        else:
            undecided = stay
            decided = np.full(self.count, self._both if copy == EVENT_CAME else self.alone)
        return np.where(condition.missed, self._again, np.where(condition.came, decided, undecided))


def find_fate(graph: Graph, cut: Array, event: Until) -> DecidedPositions:
    """Find the fate of an event from the graph alone, so exactly."""
    process = DecisionProcess(graph, event.stopped, cut)
    possible = event.reach | process.cut
    missed, avoidable = (~may_reach(process, possible, best) for best in (True, False))
    return DecidedPositions(event.reach, missed, avoidable)


def find_fate_of_condition(graph: Graph, cut: Array, condition: Until, negated: bool) -> DecidedPositions:
    """Find the fate of a condition, or of the opposite of one that is `negated`."""
    if not negated:
        return find_fate(graph, cut, condition)
    process = DecisionProcess(graph, condition.stopped, cut)
    never = ~may_reach(process, condition.reach | process.cut, best=True)
    surely = will_reach(process, condition.reach, best=False)
    return DecidedPositions(never, surely, np.zeros_like(never), by_staying=True)


def unfold_graph(graph: Graph, cut: Array, steps: int) -> Graph:
    """Return the graph of positions after 0, 1, ... actions; after `steps` of them, they are not counted any more.

    What has no action is followed by itself.
    """
    count = len(cut)
    ends = np.flatnonzero((np.diff(graph.offsets) == 0) & ~cut)
    places = graph.offsets[1:][ends]
    sizes = np.diff(graph.offsets)
    sizes[ends] += 1
    targets, actions, weights = (
        np.insert(row, places, value)
        for row, value in ((graph.targets, ends), (graph.actions, 0), (graph.weights, graph.whole))
    )
    ahead = [targets.astype(np.int64) + layer * count for layer in range(1, steps + 1)]
    offsets = np.concatenate([[0], np.cumsum(np.append(np.tile(sizes, steps), np.diff(graph.offsets)))])
    return Graph(
        offsets.astype(np.int64),
        np.concatenate([*ahead, graph.targets.astype(np.int64) + steps * count]).astype(np.int32),
        np.append(np.tile(actions, steps), graph.actions).astype(np.int32),
        np.append(np.tile(weights, steps), graph.weights),
        graph.whole,
        graph.labels,
    )


def unfold_event(event: Until, steps: int) -> Until:
    """Return the same event, without a bound, on the graph that `unfold_graph` makes."""
    hold, reach = np.tile(event.hold, steps + 1), np.tile(event.reach, steps + 1)
    if event.steps is None:
        return Until(hold, reach)
    actions = np.repeat(np.arange(steps + 1), len(event.hold))
    in_time = actions == event.steps if event.exactly else actions <= event.steps
    return Until(hold & (actions < event.steps), reach & in_time)


class ConditionalProblem(NamedTuple):
    """The parts of both restart graphs."""

    graph: Graph
    cut: Array
    starts: list[tuple[Fraction, int]]
    event: DecidedPositions
    condition: DecidedPositions

    def restarts(self, best: bool) -> RestartGraph:
        """Return the graph in which the event should happen, or else should not."""
        return RestartGraph(*self, best)


@dataclass(frozen=True)
class ConditionalValues:
    """The conditional probability, which is about the start alone.

    `best_graphs` has for each side, at best and at worst, whether its graph is of the event or its opposite; None for a side
    that was not asked for.
    """

    space: StateSpace
    bounds: tuple[Interval, Interval]
    problem: ConditionalProblem
    best_graphs: tuple[bool | None, bool | None]
    starts: Starts
    paths: tuple[Formula, Formula]
    error, unknown = 0.0, ANYTHING

    @property
    def states(self) -> int:
        """Number of positions."""
        return self.space.states

    def of(self, position: Position[Any]) -> tuple[Interval, Interval] | None:
        """Return the bounds of the best and the worst value, from a start."""
        return self.bounds

    def strategy(self, side: int) -> NumberStrategy:
        """Return a player of one play that reaches the best (0) or the worst value (1)."""
        best = self.best_graphs[side]
        if best is None:
            raise GridproofError("this side of the value was not asked for")
        build = load("gridproof.prove.conditional_strategy").ConditionalStrategy
        player: NumberStrategy = build(
            self.space, self.starts, self.problem.restarts(best), self.paths, start_meter(None)
        )
        return player


class ConditionalSolver(Solver):
    """Solver of one conditional probability on growing parts of the positions; arguments as of `Solver`."""

    def __init__(
        self, quantity: Quantity, starts: Starts, who: Who, meter: Meter, progress: Progress | None
    ) -> None:
        event, condition = parts(quantity.operand)
        super().__init__(
            replace(quantity, operand=event), [start for _, start in starts], who, meter, progress
        )
        self._condition = tasks_of(quantity)[1]
        self._weighted, self._text, self._paths = starts, condition, (event, condition)
        self._steps = max(self._task.steps or 0, self._condition.steps or 0)
        self.copies = COPIES * (self._steps + 1)

    def _explore(self, meter: Meter) -> StateSpace:
        return self._explore_all(meter)

    def _solve(self, space: StateSpace, meter: Meter) -> ConditionalValues:
        if not meter.has_room(self.size_of(space)):
            raise Stopped
        cut = np.ones(space.states, bool)
        cut[: space.expanded_count] = False
        with meter.enforce():
            graph = unfold_graph(space.partial_graph(), cut, self._steps)
            cut = np.tile(cut, self._steps + 1)
            event = find_fate(graph, cut, self._unfold(self._task, space))
            until = self._unfold(self._condition, space)
            condition = find_fate_of_condition(graph, cut, until, self._condition.negated)
        starts = [(chance, space.number(start)) for chance, start in self._weighted]
        if all(condition.missed[number] for _, number in starts):
            raise GridproofError(f"the condition {self._text} has probability 0, whatever is done")
        found, graphs = [ANYTHING, ANYTHING], list[bool | None]([None, None])
        problem = ConditionalProblem(graph, cut, starts, event, condition)
        for side in self._asked:
            graphs[not side] = best = side is not self._task.negated
            bounds = find_bounds(problem.restarts(best), meter)
            found[not side] = enclose(*(bounds if side else opposite(bounds)))
        return ConditionalValues(
            space, (found[0], found[1]), problem, (graphs[0], graphs[1]), self._weighted, self._paths
        )

    def _unfold(self, task: Task, space: StateSpace) -> Until:
        """Return where the sides of a task hold, after each number of actions."""
        hold, reach = (truth_values(one, space) for one in (task.hold, task.reach))
        return unfold_event(Until(hold, reach, task.steps, task.exactly), self._steps)


def find_bounds(graph: RestartGraph, meter: Meter) -> Interval:
    """Return bounds of the greatest conditional probability of what is wanted."""
    with meter.enforce():
        process = graph.process(restarts=False)
    exact = find_ratio(process, *graph.ends(), graph.start)
    if exact is not None:
        return Interval(exact, exact)
    with meter.enforce():
        process = graph.process(restarts=True)
        check_stop()
    return find_probability_bounds(process, graph.goal, True, meter).interval(graph.start)
