"""Engines that find values: the rules, a game's own engine, and solvers over the graph of positions."""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Protocol, runtime_checkable

from gridproof.core.errors import GridproofError
from gridproof.core.extension import find_extension
from gridproof.core.lazy_import import load
from gridproof.core.limit import Meter, Stopped
from gridproof.core.position import Level, Position
from gridproof.core.proposition import Goal
from gridproof.prove import quantity
from gridproof.prove.exact_values import ExactValues
from gridproof.prove.formula import Coalition, Quantity
from gridproof.prove.interval import ANYTHING, Interval, Number, enclose, round_sizes
from gridproof.search.actors import Who, starts_of
from gridproof.search.explore import explore_until_goal
from gridproof.search.question import GoalQuestion
from gridproof.search.refusal import Refused
from gridproof.search.space import Progress, StateSpace

_EDGE, _STATE = 64, 64
"""Bytes of an edge and of a position while values are iterated."""


class Values(Protocol):
    """Values that an engine has found.

    A text `remark`, if there is one, says how far the search went, and which question would get a closer answer.
    """

    @property
    def states(self) -> int:
        """Number of stored positions."""

    @property
    def error(self) -> float:
        """The largest relative error of a bound, absolute for values below 1; 0 for fractions."""

    @property
    def unknown(self) -> Interval:
        """The bounds of any position's value."""

    def of(self, position: Position[Any]) -> tuple[Interval, Interval] | None:
        """Return the bounds of a position's best and worst value, but for `error`; None when it was not found."""


@runtime_checkable
class ValueEngine(Protocol):
    """A game's own engine for values: the object `VALUES` of its extension `values`."""

    def __call__(
        self, starts: list[Any], goal: Goal | None, meter: Meter, progress: Progress | None, /
    ) -> Values | None:
        """Return the values of all positions that follow from some; None at a limit.

        Without a goal, of the score. It raises `gridproof.search.refusal.Refused` when it cannot tell.
        """


@dataclass(frozen=True, slots=True)
class InitialBounds:
    """Bounds before anything was found."""

    unknown: Interval
    states, error = 0, 0.0

    def of(self, position: Position[Any]) -> tuple[Interval, Interval] | None:
        """Return None: nothing was found."""
        return None


def multiply(probability: Fraction, value: Number) -> Number:
    """Return a product, exactly, also for an infinite value."""
    return probability * Fraction(value) if value != math.inf else math.inf


class GraphEngine(NamedTuple):
    """A solver over graphs of positions, which is loaded when it is needed."""

    module: str
    solver: str
    name: str


GRAPH = GraphEngine("gridproof.prove.quantity_solver", "Solver", "graph, from below and above")
RESTARTS = GraphEngine("gridproof.prove.conditional_probability", "ConditionalSolver", "graph, with restarts")
TURNS = GraphEngine("gridproof.prove.forced_values", "ForcedSolver", "graph of turns, from below and above")
AUTOMATON = GraphEngine(
    "gridproof.prove.path_probability", "PathSolver", "graph with an automaton, from below and above"
)


def ask_solver(
    engine: GraphEngine,
    asked: Quantity | Coalition,
    subject: Level | Position[Any],
    who: Who,
    meter: Meter,
    progress: Progress | None,
    space: StateSpace | None,
) -> tuple[Values, str]:
    """Return what the solver of an engine finds from the starts, and the name of the engine."""
    with meter.pause():
        build = getattr(load(engine.module), engine.solver)
    starts = weighted_starts(subject) if engine is RESTARTS else starts_of(subject)
    solver = build(asked, starts, who, meter, progress)
    compared = asked.operand if isinstance(asked, Coalition) else asked
    assert isinstance(compared, Quantity)

    def is_decided(found: Values) -> bool:
        if compared.bound is None:
            return False
        pair = mean_bounds(subject, found, not compared.measure)
        return quantity.compare(compared, pair[compared.is_least]) is not None

    return solver.find(space, is_decided) or InitialBounds(solver.unknown), engine.name


def find_quantity(
    asked: Quantity,
    subject: Level | Position[Any],
    who: Who,
    meter: Meter,
    progress: Progress | None,
    space: StateSpace | None,
) -> tuple[Values, str]:
    """Return the values of a question, of the first engine that can compute them, and its name."""
    task, unknown = quantity.task_of(asked), quantity.COSTS if asked.measure else ANYTHING
    starts = starts_of(subject)
    try:
        if space is None and quantity.is_score(asked):
            found = _find_exactly(starts, None, who, meter, progress)
            if found:
                return found
        if space is None and not asked.measure and (goal := quantity.goal_of(task, starts[0].level)):
            found = _find_exactly(starts, goal, who, meter, progress)
            if found:
                return (quantity.Opposite(found[0]) if task.negated else found[0]), found[1]
        return ask_solver(GRAPH, asked, subject, who, meter, progress, space)
    except Stopped:
        meter.is_reached(0)
        return InitialBounds(unknown), "none"


def find_values(
    starts: list[Position[Any]],
    goal: Goal | None,
    text: str,
    who: Who,
    meter: Meter,
    progress: Progress | None,
) -> tuple[Values, str]:
    """Return the values of the first engine that can compute them, and its name."""
    try:
        found = _find_exactly(starts, goal, who, meter, progress)
        if found:
            return found
        if goal is None:
            raise GridproofError("the expected score is not available for so many positions")
        return _find_by_graph(starts, goal, text, who, meter, progress), "graph, from below and above"
    except Stopped:  # before there was a kernel to work with
        meter.is_reached(0)
        return InitialBounds(ANYTHING if goal else Interval(0, math.inf)), "none"


def _find_exactly(
    starts: list[Position[Any]], goal: Goal | None, who: Who, meter: Meter, progress: Progress | None
) -> tuple[Values, str] | None:
    """Return the values by the rules, if the positions are few, or by the game's own engine, if it can compute them."""
    exact = ExactValues(starts, goal, who)
    if exact.run(meter):
        return exact, "rules, exactly"
    meter.stopped_by = ""
    own = _find_by_own_engine(starts, goal, who, meter, progress)
    return (own, "backwards by layers, up to symmetry") if own else None


def _find_by_own_engine(
    starts: list[Position[Any]], goal: Goal | None, who: Who, meter: Meter, progress: Progress | None
) -> Values | None:
    """Return the values of the game's own engine, if there is an engine that can compute them."""
    if who != (None,):
        return None
    with meter.pause():
        engine = find_extension(starts[0].level.game, "values", ValueEngine)
    if engine is None:
        return None
    try:
        return engine(starts, goal, meter, progress)
    except Refused:
        return None


def _find_by_graph(
    starts: list[Position[Any]], goal: Goal, text: str, who: Who, meter: Meter, progress: Progress | None
) -> Values:
    """Return bounds from more and more positions, until they are all or a limit is reached."""
    found: Values = InitialBounds(ANYTHING)
    for most in round_sizes():
        part = meter.limit_states(most)
        space = explore_until_goal(
            GoalQuestion(starts=starts, who=who, meter=part, progress=progress, goal=goal)
        )
        reason, part.stopped_by = part.stopped_by, ""
        first = isinstance(found, InitialBounds)
        if (first or reason in ("", "states")) and part.has_room(
            _EDGE * space.transitions + _STATE * space.states
        ):
            with part.pause():
                module = load("gridproof.prove.interval_iteration")
            with contextlib.suppress(Stopped):  # then the values of fewer positions remain
                found = min(module.values(space, text, part), found, key=lambda one: _width(one, starts))
        meter.start_time, meter.stopped_by = part.start_time, part.stopped_by or reason
        if space.complete or meter.stopped_by != "states" or space.states < most:
            break
    return found


def _width(found: Values, starts: list[Position[Any]]) -> float:
    """Return the total error at the starts."""
    bounds = [found.of(start) or (found.unknown, found.unknown) for start in starts]
    return sum(best.error + worst.error for best, worst in bounds)


def weighted_starts(subject: Level | Position[Any]) -> list[tuple[Fraction, Position[Any]]]:
    """Return the starts with their probabilities."""
    if isinstance(subject, Position):
        return [(Fraction(1), subject)]
    return [(outcome.probability, outcome.position) for outcome in subject.starts()]


def mean_bounds(
    subject: Level | Position[Any], found: Values, probability: bool
) -> tuple[Interval, Interval]:
    """Return the bounds of the mean over all starts, rounding included."""
    starts = weighted_starts(subject)
    worth = [(chance, found.of(start) or (found.unknown, found.unknown)) for chance, start in starts]
    part = found.error + (len(starts) + 2) * 2.0**-53 if found.error else 0.0
    best, worst = (
        Interval(*(sum(multiply(chance, pair[which][end]) for chance, pair in worth) for end in (0, 1)))
        for which in (0, 1)
    )
    return _widen(best, part, probability), _widen(worst, part, probability)


def _widen(bounds: Interval, part: float, probability: bool) -> Interval:
    """Widen bounds by a relative error."""
    if not part:
        return enclose(*bounds)
    low, high = (float(bound) for bound in bounds)
    low, high = low - part * max(1.0, low), high + part * max(1.0, high)
    return Interval(max(low, 0.0), min(high, 1.0) if probability else high)
