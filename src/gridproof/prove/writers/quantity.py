"""Proofs of the kind "quantity": bounds of probabilities of paths, and of expected costs."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from gridproof.core.game import Measure
from gridproof.core.limit import Meter, Stopped
from gridproof.core.position import Position
from gridproof.prove.checkers.goal_statements import Ends, Number, ends_to_data, opposite_ends, start_chances
from gridproof.prove.checkers.quantity_statement import QUANTITY, QuantityStatement, check_quantity
from gridproof.prove.checkers.statements import Setting
from gridproof.prove.evaluate import test_of
from gridproof.prove.formula import Quantity
from gridproof.prove.writers.infinite_costs import ChoiceRows, find_endless_ranks
from gridproof.prove.writers.proof import Proof
from gridproof.prove.writers.step_graph import StepGraph, StepTurn
from gridproof.prove.writers.value import BEST, WORST, Action, Play, Test, ValueGraph, round_value
from gridproof.search.actors import Who

_CHECK_EVERY = 64
_UNIT = 1 << 64
"""Rounded numbers are multiples of 1 / _UNIT."""
_NEVER = Fraction(1 << 40)
"""A number in place of an infinite cost, for the bounds of other positions."""
_SWEEPS, _SMALL = 1000, 1 << 24
_SLACKS = (Fraction(0), *(Fraction(1, 1 << bits) for bits in (50, 40, 30, 20, 10)))
"""Upper bounds are tried that are greater than the lower ones by one of these parts."""
_NOTHING = Fraction(0)


def find_proof(setting: Setting, question: Quantity, meter: Meter) -> tuple[QuantityStatement, Proof]:
    """Return the statement about the bounds of a question that can be proved, and its proof; Stopped at a limit.

    GridproofError for a question that no certificate can have.
    """
    check_quantity(question)
    said = QuantityStatement(*setting, question, (_NOTHING, _NOTHING), (_NOTHING, _NOTHING))
    inside = said.in_memory
    starts, task = list(dict.fromkeys(inside.starts)), inside.task
    hold, reach = (test_of(one, inside.level, inside.who) for one in (task.hold, task.reach))
    graph: ProbabilityGraph | CostGraph | StepGraph
    if inside.measure:
        graph = CostGraph(starts, reach, setting.who, meter, inside.measure)
    elif task.steps is not None:
        turns = [StepTurn(setting.who, False, (max, min))]
        graph = StepGraph(starts, (hold, reach), turns, meter, task)
    else:
        graph = ProbabilityGraph(starts, reach, setting.who, meter, lambda position: not hold(position))
    chances = [(chance, graph.positions.index(start)) for chance, start in start_chances(inside)]
    best, worst = (mean_ends(chances, graph.ends(play)) for play in (0, 1))
    if task.negated:
        best, worst = opposite_ends(worst), opposite_ends(best)
    said = replace(said, best=best, worst=worst)
    return said, Proof(QUANTITY, said.facts, len(graph.positions), graph.lines())


def mean_ends(chances: list[tuple[Fraction, int]], ends: Callable[[int], Ends]) -> Ends:
    """Return the mean of bounds that belong to the numbers of positions."""
    listed = [(chance, *ends(number)) for chance, number in chances]
    if any(below == math.inf for _, below, _ in listed):
        return math.inf, None
    low = sum((chance * below for chance, below, _ in listed), _NOTHING)
    if any(above is None for _, _, above in listed):
        return low, None
    return low, sum((chance * above for chance, _, above in listed if above is not None), _NOTHING)


class ProbabilityGraph(ValueGraph):
    """The positions of a path without a bound of actions."""

    def ends(self, play: int) -> Callable[[int], Ends]:
        """Return the bounds of the best or the worst play, as a function of the position's number."""
        columns = (self.best, self.worst)[play]
        return lambda number: (columns.low[number], columns.high[number])


class CostGraph(ValueGraph):
    """The positions before a goal, with the mean cost of each action."""

    def __init__(
        self, starts: list[Position[Any]], goal: Test, who: Who, meter: Meter, measure: Measure
    ) -> None:
        self._measure = measure
        super().__init__(starts, goal, who, meter)

    def _actions_of(self, position: Position[Any]) -> Iterator[Action]:
        actions = (action for actor in self._who for action in position.actions(actor))
        for action, plain in zip(actions, super()._actions_of(position), strict=True):
            outcomes = position.outcomes(action)
            gain = sum(
                (one.probability * self._measure.cost(position, action, one) for one in outcomes), _NOTHING
            )
            yield plain._replace(gain=gain)

    def ends(self, play: int) -> Callable[[int], Ends]:
        """Return the bounds of the best or the worst play, as a function of the position's number."""
        low, high, _ = self._costs[play]
        return lambda number: (low[number], high[number])

    def lines(self) -> Iterator[list[Any]]:
        """Yield the line of each position."""
        for number, position in enumerate(self.positions):
            line: list[Any] = [position.text()]
            for low, high, ranks in self._costs:
                line += [*ends_to_data((low[number], high[number])), max(ranks[number], 0)]
            yield line

    @functools.cached_property
    def _costs(self) -> list[tuple[list[Number], list[Fraction | None], list[int]]]:
        """The lower and upper bounds of the greatest and the least cost, and the ranks of the upper ones, or of infinite ones."""
        return [self._bounds_and_ranks(play, way) for play, way in ((BEST, WORST), (WORST, BEST))]

    def _bounds_and_ranks(
        self, play: Play, way: Play
    ) -> tuple[list[Number], list[Fraction | None], list[int]]:
        """Return the bounds of a play, as `_bounds`, with the infinite ones."""
        possible = [rank >= 0 for rank in self._attractor(self._sure, way, lambda number, action: True)]
        finite = self._certain(possible, way)
        low, high, ranks = self._bounds(play, way, finite)
        infinite = ~np.array(finite, bool)
        with self._meter.enforce():
            endless = find_endless_ranks(self._moves, infinite, np.full(len(low), play is WORST)).tolist()
        lows: list[Number] = [math.inf if rank >= 0 else one for one, rank in zip(low, endless, strict=True)]
        ranks = [one if one >= 0 else rank for one, rank in zip(endless, ranks, strict=True)]
        return lows, high, ranks

    @functools.cached_property
    def _moves(self) -> ChoiceRows:
        """The actions of all positions."""
        listed = [(number, one) for number, actions in enumerate(self._actions) for one in actions]
        sizes = np.array([len(one.outcomes) for _, one in listed], np.int64)
        targets = np.array([after for _, one in listed for _, after in one.outcomes], np.int64)
        owners = np.array([number for number, _ in listed], np.int64)
        return ChoiceRows(targets, np.cumsum(sizes) - sizes, owners)

    def _bounds(
        self, play: Play, way: Play, finite: list[bool]
    ) -> tuple[list[Fraction], list[Fraction | None], list[int]]:
        """Return the bounds if `play` chooses by cost, so that the goal comes almost surely by some actions or by all (`way`).

        Infinite ones are large numbers.
        """
        reachable = [rank >= 0 for rank in self._attractor(self._sure, BEST, lambda number, action: True)]
        far = [_NOTHING if sure else _NEVER for sure in self._sure]
        near = [_NOTHING if one else _NEVER for one in reachable]
        if self.is_acyclic:
            low = self._sweep(far, play, False)
        elif play is WORST:  # from below, a circle that costs nothing would seem to be the cheapest
            above = self._improve(far, play, True)
            low = self._first_below(above) or self._improve(near, play, False)
        else:
            low = self._improve(near, play, False)
        for slack in _SLACKS:
            high = [
                None if not one else round_value(bound * (1 + slack), True)
                for one, bound in zip(finite, low, strict=True)
            ]
            ranks = self._attractor(self._sure, way, functools.partial(self._is_above, high))
            if all(rank >= 0 for one, rank in zip(finite, ranks, strict=True) if one):
                return low, high, ranks
        return low, [_NOTHING if sure else None for sure in self._sure], [0] * len(low)

    def _first_below(self, above: list[Fraction]) -> list[Fraction] | None:
        """Return the greatest lower bounds of the least cost that are slightly below some upper ones; None without any."""
        for slack in _SLACKS:
            low = [round_value(one * (1 - slack), False) for one in above]
            if all(
                low[number] <= action.value(low)
                for number, actions in enumerate(self._actions)
                for action in actions
            ):
                return low
        return None

    def _is_above(self, high: list[Fraction | None], number: int, action: Action) -> bool:
        """Return whether the upper bound of a position is right for an action."""
        bound, total = high[number], action.gain
        for chance, after in action.outcomes:
            above = high[after]
            if above is None:
                return False
            total += chance * above
        return bound is not None and total <= bound

    def _improve(self, values: list[Fraction], play: Play, down: bool) -> list[Fraction]:
        """Improve lower bounds upwards, or upper ones downwards, until they hardly change."""
        whole, better = (math.ceil, min) if down else (math.floor, max)
        rounded = [whole(value * _UNIT) for value in values]
        gains = [[whole(one.gain * _UNIT) for one in actions] for actions in self._actions]
        for _ in range(_SWEEPS):
            change = 0
            for place, number in enumerate(self._order):
                if place % _CHECK_EVERY == 0 and self._meter.is_reached(0):
                    raise Stopped
                if self._actions[number]:
                    listed = zip(gains[number], self._actions[number], strict=True)
                    value = play.choose(gain + one.rounded_value(rounded, down) for gain, one in listed)
                    value = better(value, rounded[number])
                    change = max(change, abs(value - rounded[number]))
                    rounded[number] = value
            if change <= _SMALL:
                break
        return [Fraction(value, _UNIT) for value in rounded]
