"""Solver of what a coalition can force with some probability or cost, on growing parts of the positions.

The positions, each with the next player, are a game of turns in which each player may pass. Nothing is known of what follows
positions that are not expanded. A bound counts turns, a pass included.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Meter
from gridproof.core.measure import ACTIONS
from gridproof.core.position import Position
from gridproof.prove.decision_process import DecisionProcess, Until
from gridproof.prove.expected_cost import CostBounds
from gridproof.prove.forced_cost import find_forced_costs
from gridproof.prove.formula import Coalition, Quantity
from gridproof.prove.interval import ANYTHING, Interval, enclose, limit_to, raise_to
from gridproof.prove.quantity import COSTS, chance_in_time, fewest_actions, measure_of, opposite, task_of
from gridproof.prove.quantity_solver import SideBounds, Solver, mean_costs, round_sums, truth_values
from gridproof.prove.recurrence_value import RecurrenceGame
from gridproof.prove.step_bounds import StepChoices, find_step_bounds
from gridproof.prove.stochastic_game import GameBounds, StochasticGame, turn_graph
from gridproof.prove.turn_order import turn_order
from gridproof.search.actors import Who
from gridproof.search.graph import Array
from gridproof.search.space import Progress, StateSpace

_UNIT = 2.0**-53


class ForcedValues:
    """The probability that a coalition can force, at the first player's turn in each start; Stopped at a limit.

    If the coalition keeps a probability low, it is the least one.
    """

    error, unknown = 0.0, ANYTHING

    def __init__(self, coalition: Coalition, quantity: Quantity, space: StateSpace, meter: Meter) -> None:
        with meter.enforce():
            turns = _turns_of(coalition, quantity, space)
        self._space, self.states, self._task = space, space.states, task_of(quantity)
        maximal = turns.wants if quantity.is_more_wanted is not self._task.negated else ~turns.wants
        self.turns, self._maximal = turns, maximal
        self.game = StochasticGame(turns.process, maximal, turns.path.reach)
        self.bounds = (
            SideBounds(*self.game.find_bounds(meter))
            if turns.path.steps is None
            else SideBounds(*find_step_bounds(turns.process, turns.path, maximal, meter))
        )
        """The bounds of the task's path at each turn, which fit those after each action."""

    def of(self, position: Position[Any]) -> tuple[Interval, Interval] | None:
        """Return the bounds at the first player's turn in a position, twice; None when it was not found."""
        bounds = _first_turn(self.bounds, self._space, position)
        if bounds is None:
            return None
        bounds = limit_to(bounds, chance_in_time(self._task, position, self._space.who))
        found = enclose(*(opposite(bounds) if self._task.negated else bounds))
        return found, found

    def chooser(self, wants: bool) -> Callable[[Position[Any], int, int], Any]:
        """Return a function of a position, the place of the player and the turns left: the action of the coalition, or of the others.

        It is None for a pass.
        """
        process, wanted, path = self.turns
        maximal = self._maximal
        if path.steps is None:
            chosen = self.game.choose(GameBounds(self.bounds.low, self.bounds.high))

            def choose(number: int, left: int) -> int:
                return int(chosen[number])

        else:
            is_cut_reached = not maximal[wanted if wants else ~wanted].all()
            choose = StepChoices(process, path, maximal, is_cut_reached).choose

        return _act_by(self._space, process, choose)


class ForcedRecurrence:
    """The probability with which a coalition can force that something comes again and again, as `ForcedValues`."""

    error, unknown = 0.0, ANYTHING

    def __init__(self, coalition: Coalition, quantity: Quantity, space: StateSpace, meter: Meter) -> None:
        with meter.enforce():
            self._process, wants, (_, goal, *_) = _turns_of(coalition, quantity, space)
        self._space, self.states, self._task = space, space.states, task_of(quantity)
        self._is_wanted = quantity.is_more_wanted is not self._task.negated
        maximal, cut = wants if self._is_wanted else ~wants, self._process.cut
        self.game = RecurrenceGame(self._process, maximal, goal & ~cut)
        self.bounds = self.game.find_bounds(meter)
        """The bounds at each turn."""
        if (
            cut.any()
        ):  # nothing is known of what follows: the goal never comes at worst, and again and again at best
            best = RecurrenceGame(self._process, maximal, goal | cut).find_bounds(meter)
            self.bounds = self.bounds._replace(high=best.high, theirs=best.theirs)

    def of(self, position: Position[Any]) -> tuple[Interval, Interval] | None:
        """Return the bounds at the first player's turn in a position, twice; None when it was not found."""
        both = (
            _first_turn(SideBounds(one, one), self._space, position)
            for one in (self.bounds.missed, self.bounds.high)
        )
        missed, high = both
        if missed is None or high is None:
            return None
        found = Interval(opposite(missed).low, high.high)
        found = enclose(*(opposite(found) if self._task.negated else found))
        return found, found

    def chooser(self, wants: bool) -> Callable[[Position[Any], int, int], Any]:
        """Return the actions of the coalition, or of the others, as `ForcedValues.chooser`."""
        mine, theirs = self.bounds.mine, self.bounds.theirs
        chosen = mine if wants is self._is_wanted else theirs
        return _act_by(self._space, self._process, lambda turn, left: int(chosen[turn]))


class ForcedCosts:
    """The expected cost that a coalition can force, as `ForcedValues`; Stopped at a limit."""

    error, unknown = 0.0, COSTS

    def __init__(self, coalition: Coalition, quantity: Quantity, space: StateSpace, meter: Meter) -> None:
        with meter.enforce():
            process, wants, path = _turns_of(coalition, quantity, space)
        measure = measure_of(quantity, space.level)
        self._task, self._counts_actions = task_of(quantity), measure is ACTIONS
        costs = mean_costs(measure, space, process, meter)
        minimal = ~wants if quantity.is_more_wanted else wants
        self.costs = np.array([float(cost) for cost in costs])
        """The mean cost of each choice."""
        bounds = find_forced_costs(process, minimal, path.reach, self.costs, meter)
        if process.cut.any():  # what follows costs nothing at best, and the goal never comes at worst
            ends = path.reach | process.cut
            bounds = CostBounds(find_forced_costs(process, minimal, ends, self.costs, meter).low, bounds.high)
        self._space, self.states = space, space.states
        self.process, self.goal, self.minimal = process, path.reach, minimal
        self.game = StochasticGame(process, minimal, path.reach)
        self.bounds = round_sums(process, bounds)
        """The bounds at each turn, which fit those after each action, except lower ones that are infinite."""

    def find_ranks(self) -> tuple[Array, Array]:
        """Return a rank at each turn, int64 (n,), as `StochasticGame.rank`, and the choices that fit the upper bounds, bool."""
        high, process = self.bounds.high, self.process
        finite = np.isfinite(high)
        sizes = np.diff(np.append(process.begins, len(process.graph)))
        # less than in the bounds, so that they fit
        rounding = 0.0 if process.choices.sure else (sizes + 3) * _UNIT
        after = (process.means(np.where(finite, high, 0.0)) + self.costs) * (1 + rounding)
        fits = process.all(finite) & (after <= high[process.owners])
        return self.game.rank(self.goal, fits), fits

    def chooser(self) -> Callable[[Position[Any], int, int], Any]:
        """Return a function of a position, the place of the player and 0: the action of those who want a low cost, None for a pass."""
        process, (ranks, fits) = self.process, self.find_ranks()
        if (np.isfinite(self.bounds.high) & (ranks < 0)).any():
            raise GridproofError("no strategy was found, since rounding leaves no action that fits")
        lowest = np.minimum.reduceat(
            np.where(ranks < 0, len(ranks), ranks)[process.graph.targets], process.begins
        )
        nearer = np.flatnonzero(fits & self.minimal[process.owners] & (lowest < ranks[process.owners]))[::-1]
        chosen = np.full(process.states, -1)
        chosen[process.owners[nearer]] = nearer  # the first of each turn is written last
        return _act_by(self._space, process, lambda turn, left: int(chosen[turn]))

    def of(self, position: Position[Any]) -> tuple[Interval, Interval] | None:
        """Return the bounds at the first player's turn in a position, twice; None when it was not found."""
        bounds = _first_turn(self.bounds, self._space, position)
        if bounds is None:
            return None
        if self._counts_actions:
            bounds = raise_to(bounds, Fraction(fewest_actions(self._task, position, self._space.who)))
        return enclose(*bounds), enclose(*bounds)


class ForcedSolver(Solver):
    """Solver of what a coalition can force on growing parts of the positions; arguments as of `Solver`."""

    def __init__(
        self,
        coalition: Coalition,
        starts: list[Position[Any]],
        who: Who,
        meter: Meter,
        progress: Progress | None,
    ) -> None:
        assert isinstance(coalition.operand, Quantity)
        self._coalition, self._quantity = coalition, coalition.operand
        super().__init__(self._quantity, starts, who, meter, progress)
        self.copies = len(turn_order(starts[0].level, who))

    def _solve(self, space: StateSpace, meter: Meter) -> ForcedCosts | ForcedRecurrence | ForcedValues:
        kind = ForcedCosts if self._measure else ForcedRecurrence if self._task.again else ForcedValues
        return kind(self._coalition, self._quantity, space, meter)


class _Turns(NamedTuple):
    """The process of turns, the turns of the coalition, bool (n,), and the path."""

    process: DecisionProcess
    wants: Array
    path: Until


def _turns_of(coalition: Coalition, quantity: Quantity, space: StateSpace) -> _Turns:
    order, task = turn_order(space.level, space.who), task_of(quantity)
    hold, reach = (np.tile(truth_values(one, space), len(order)) for one in (task.hold, task.reach))
    players = np.repeat(np.isin(np.array(order, object), coalition.names), space.states)
    path = Until(hold, reach, task.steps, task.exactly)
    cut = np.tile(np.arange(space.states) >= space.expanded_count, len(order))
    stopped = np.zeros_like(cut) if task.again else path.stopped
    return _Turns(DecisionProcess(turn_graph(space), stopped, cut), players, path)


def _act_by(
    space: StateSpace, process: DecisionProcess, choose: Callable[[int, int], int]
) -> Callable[[Position[Any], int, int], Any]:
    """Return the action of a choice, as a function of a position, the place of the player and the turns left; None for a pass."""

    def act(position: Position[Any], place: int, left: int) -> Any:
        turn = place * space.states + space.number(position)
        if process.cut[turn]:
            raise GridproofError("the position was not explored before the limit")
        choice = choose(turn, left)
        return None if choice < 0 else process.graph.labels[process.graph.actions[process.begins[choice]]]

    return act


def _first_turn(bounds: SideBounds, space: StateSpace, position: Position[Any]) -> Interval | None:
    """Return the bounds at the first player's turn in a position; None when it was not found."""
    try:
        return bounds.interval(space.number(position))
    except GridproofError:
        return None
