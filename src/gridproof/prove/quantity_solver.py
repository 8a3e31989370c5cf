"""Solver of probabilities and expected costs of paths on the graph of positions, from below and from above."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from gridproof.core import proposition
from gridproof.core.errors import GridproofError
from gridproof.core.game import Measure
from gridproof.core.limit import Meter, Stopped, check_stop
from gridproof.core.measure import ACTIONS
from gridproof.core.position import Position
from gridproof.prove import evaluate
from gridproof.prove.ctl import Evaluator
from gridproof.prove.decision_process import DecisionProcess, Until
from gridproof.prove.expected_cost import CostBounds, find_cost_bounds
from gridproof.prove.formula import (
    TRUE,
    Deadlock,
    Executable,
    Formula,
    Quantity,
    negate,
    subformulas,
)
from gridproof.prove.fraction_values import find_fractions
from gridproof.prove.graph_strategy import choose_for_goal, choose_greedily
from gridproof.prove.interval import ANYTHING, Interval, Number, enclose, limit_to, raise_to, round_sizes
from gridproof.prove.interval_iteration import iterate_bounds
from gridproof.prove.model import Model
from gridproof.prove.qualitative_reachability import may_reach, will_reach
from gridproof.prove.quantity import (
    COSTS,
    Task,
    chance_in_time,
    fewest_actions,
    implying_literals,
    mean_cost,
    measure_of,
    opposite,
    sides_of,
    task_of,
)
from gridproof.prove.step_bounds import StepChoices, find_step_bounds
from gridproof.prove.value_engines import Values
from gridproof.search.actors import Who
from gridproof.search.explore import explore_until_goal, space_of
from gridproof.search.graph import Array
from gridproof.search.question import GoalQuestion, Question
from gridproof.search.space import Progress, StateSpace

_EDGE, _STATE = 64, 96
"""Bytes of an edge and of a position while values are iterated."""
_CHECK_EVERY = 256
_FEWEST = 500
"""The fewest positions of the first bounds, if each has many copies."""


class SideBounds(NamedTuple):
    """Bounds of the values of all positions, rounding included: numbers, or whole numbers divided by `whole`."""

    low: Any
    high: Any
    whole: int = 0

    def interval(self, number: int) -> Interval:
        """Return the bounds of a position's value, as fractions unless they are infinite."""
        low, high = self.low[number], self.high[number]
        return Interval(self._number(low), self._number(high))

    def _number(self, value: Any) -> Number:
        if self.whole:
            return Fraction(int(value), self.whole)
        if isinstance(value, Fraction):
            return value
        return math.inf if value == math.inf else Fraction(float(value))


class QuantityValues:
    """Values of the positions of a space; the bounds of a side that was not asked for are those of any value."""

    error = 0.0

    def __init__(
        self,
        space: StateSpace,
        process: DecisionProcess,
        paths: Until,
        sides: tuple[SideBounds | None, SideBounds | None],
        task: Task,
        costs: Array | None,
        counts_actions: bool = False,
    ) -> None:
        self.space, self.process, self.states = space, process, space.states
        self.unknown = ANYTHING if costs is None else COSTS
        self._paths, self._sides, self._task, self._costs = paths, sides, task, costs
        self._counts_actions = counts_actions

    def of(self, position: Position[Any]) -> tuple[Interval, Interval] | None:
        """Return the bounds of a position's best and worst value; None when it was not found."""
        try:
            number = self.space.number(position)
        except GridproofError:
            return None
        found = [side.interval(number) if side else self.unknown for side in self._sides]
        who = self.space.who
        if self._costs is None:
            most = chance_in_time(self._task, position, who)
            found = [limit_to(one, most) for one in found]
        elif self._counts_actions:
            least = Fraction(fewest_actions(self._task, position, who))
            found = [raise_to(one, least) for one in found]
        if self._task.negated:
            found = [opposite(one) for one in found]
        return enclose(*found[0]), enclose(*found[1])

    def choose(self, side: int) -> Array | None:
        """Return the choice of each position for the best (0) or the worst value (1); None where the best action will do.

        GridproofError when this side was not asked for.
        """
        bounds, costs, reach = self._asked_side(side), self._costs, self._paths.reach
        if isinstance(bounds.low, list):
            return None
        if bool(side) is self._task.negated:
            if costs is None:
                return choose_for_goal(self.process, reach, bounds.low)
            return choose_greedily(self.process, bounds.low, True, costs)
        if costs is None:
            return choose_greedily(self.process, bounds.high, False)
        return choose_for_goal(self.process, reach, bounds.high, costs)

    def choose_by_steps(self, side: int) -> StepChoices:
        """Return the choices for the best (0) or the worst value (1) of a path with steps; errors as of `choose`."""
        self._asked_side(side)
        wants_more = bool(side) is self._task.negated
        return StepChoices(self.process, self._paths, wants_more, is_cut_reached=not wants_more)

    def _asked_side(self, side: int) -> SideBounds:
        bounds = self._sides[side]
        if bounds is None:
            raise GridproofError("this side of the value was not asked for")
        return bounds


class Solver:
    """Solver of one quantity on growing parts of the positions."""

    copies = 1
    """Copies of the positions in the graph that is solved."""

    def __init__(
        self,
        quantity: Quantity,
        starts: list[Position[Any]],
        who: Who,
        meter: Meter,
        progress: Progress | None,
    ) -> None:
        self._starts, self._who, self._meter, self._progress = starts, who, meter, progress
        self._task = task_of(quantity)
        level = starts[0].level
        self._measure = measure_of(quantity, level) if quantity.measure else None
        self.unknown = COSTS if quantity.measure else ANYTHING
        self._asked = sides_of(quantity)
        self._found: Values | None = None

    def find(
        self, given: StateSpace | None = None, is_decided: Callable[[Values], bool] = lambda found: False
    ) -> Values | None:
        """Return the values, or bounds of them, that of `is_decided` at the latest; None at a limit before anything was found."""
        try:
            return self._solve(given, self._meter) if given is not None else self._find(is_decided)
        except Stopped:
            self._meter.stopped_by = self._meter.reason
            return self._found

    def _find(self, is_decided: Callable[[Values], bool]) -> Values | None:
        found: Values | None = None
        for most in (max(size // self.copies, _FEWEST) for size in round_sizes()):
            part = self._meter.limit_states(most)
            space = self._explore(part)
            reason, part.stopped_by = part.stopped_by, ""
            may_go_on = found is None or reason in ("", "states")
            if may_go_on and part.has_room(self.size_of(space)):
                found = self._found = min(
                    filter(None, (self._solve(space, part), found)), key=self._looseness
                )
            self._meter.start_time = part.start_time
            self._meter.stopped_by = part.stopped_by or reason
            if space.complete or self._meter.stopped_by != "states" or space.states < most:
                break
            if found and (not self._looseness(found)[0] or is_decided(found)):
                self._meter.stopped_by = ""
                break
        return found

    def size_of(self, space: StateSpace) -> int:
        """Return the bytes that the values of a space take while they are iterated."""
        return self.copies * (_EDGE * space.transitions + _STATE * space.states)

    def _looseness(self, found: Values) -> tuple[float, float]:
        """Return the total error of what was asked for at the starts; then, as it may be infinite, minus the lower bounds."""
        pairs = [found.of(start) or (self.unknown, self.unknown) for start in self._starts]
        bounds = [pair[0 if side else 1] for pair in pairs for side in self._asked]
        return sum(one.error for one in bounds), -float(sum(one.low for one in bounds))

    def _explore_all(self, meter: Meter) -> StateSpace:
        return space_of(Question(starts=self._starts, who=self._who, meter=meter, progress=self._progress))

    def _explore(self, meter: Meter) -> StateSpace:
        """Explore until the path is decided, where one proposition tells that."""
        task, game = self._task, self._starts[0].level.game
        ends = [] if task.exactly or task.again else [*implying_literals(task.reach)]
        ends += [] if task.hold == TRUE else [*implying_literals(negate(task.hold))]
        if not ends:
            return self._explore_all(meter)
        goal = proposition.parse_goal(game, str(ends[0]))
        return explore_until_goal(
            GoalQuestion(starts=self._starts, who=self._who, meter=meter, progress=self._progress, goal=goal)
        )

    def _solve(self, space: StateSpace, meter: Meter) -> Values:
        task = self._task
        cut = np.ones(space.states, bool)
        cut[: space.expanded_count] = False
        with meter.enforce():
            hold, reach = (truth_values(one, space) for one in (task.hold, task.reach))
            path = Until(hold, reach, task.steps, task.exactly)
            process = DecisionProcess(space.partial_graph(), path.stopped, cut)
            check_stop()
        costs = mean_costs(self._measure, space, process, self._meter) if self._measure else None
        best, worst = (
            self._side(process, path, one is not task.negated, costs, meter) if one in self._asked else None
            for one in (True, False)
        )
        numbers = None if costs is None else np.array([float(cost) for cost in costs])
        counts_actions = self._measure is ACTIONS
        return QuantityValues(space, process, path, (best, worst), task, numbers, counts_actions)

    def _side(
        self,
        process: DecisionProcess,
        path: Until,
        best: bool,
        costs: list[Fraction] | None,
        meter: Meter,
    ) -> SideBounds:
        if costs is not None:
            return _cost_side(process, path, best, costs, meter)
        if path.steps is not None:
            return SideBounds(*find_step_bounds(process, path, best, meter))
        exact = find_fractions(process, [Fraction(int(one)) for one in path.reach], best)
        return (
            SideBounds(exact, exact) if exact else find_probability_bounds(process, path.reach, best, meter)
        )


def truth_values(formula: Formula, space: StateSpace) -> Array:
    """Return the positions of a space, which may be incomplete, where a formula without temporal operators holds."""
    if any(isinstance(one, Executable | Deadlock) for one in subformulas(formula)):
        return np.array([evaluate.holds(formula, position, space.who) for position in space], bool)
    return Evaluator(Model(space)).values(formula)


def mean_costs(measure: Measure, space: StateSpace, process: DecisionProcess, meter: Meter) -> list[Fraction]:
    """Return the mean cost of each choice, by the rules; a pass costs nothing. Stopped at a limit.

    In a graph of turns, the positions are repeated for each player.
    """
    labels, costs = process.graph.labels, list[Fraction]()
    actions = process.graph.actions[process.begins].tolist()
    with meter.enforce():
        for owner, action in zip((process.owners % space.states).tolist(), actions, strict=True):
            if len(costs) % _CHECK_EVERY == 0:
                check_stop()
            if labels[action] is None:
                costs.append(Fraction())
            elif measure is ACTIONS:
                costs.append(Fraction(1))
            else:
                costs.append(mean_cost(measure, space[owner], labels[action]))
    return costs


def _cost_side(
    process: DecisionProcess, path: Until, best: bool, costs: list[Fraction], meter: Meter
) -> SideBounds:
    ends: list[Number] = [Fraction(0) if one else math.inf for one in path.reach]
    exact = find_fractions(process, ends, best, costs)
    if exact:
        return SideBounds(exact, exact)
    numbers = np.array([float(cost) for cost in costs])
    return round_sums(process, find_cost_bounds(process, path.reach, numbers, best, meter))


def round_sums(process: DecisionProcess, bounds: CostBounds) -> SideBounds:
    """Return bounds of costs, rounded inwards where they are sums of whole numbers."""
    if process.choices.sure and not process.cut.any():
        return SideBounds(np.ceil(bounds.low), np.floor(bounds.high))
    return SideBounds(*bounds)


def find_probability_bounds(process: DecisionProcess, reach: Array, best: bool, meter: Meter) -> SideBounds:
    """Return bounds of the probability to reach something; 0 and 1 are found without rounding."""
    with meter.enforce():
        sure, able = will_reach(process, reach, best), may_reach(process, reach | process.cut, best)
    bounds = iterate_bounds(process.choices, sure, best, meter, process.cut & ~sure)
    low = np.maximum(bounds.low - bounds.error, 0.0)
    high = np.minimum(bounds.high + bounds.error, 1.0)
    low[sure], high[~able] = 1.0, 0.0
    return SideBounds(low, high)
