"""Checker of the kind "quantity": bounds of a probability of paths or of an expected cost, by Bellman's inequalities.

Each line is `[TEXT, LOW, HIGH, RANK, LOW, HIGH, RANK, ...]`: a position with bounds for the best play and for the worst, as
texts of fractions; HIGH is null where there is none. A question with a bound of actions has six such values for each
number of actions that are left: 0, 1, 2, ... Best is the greatest number, worst the least.

HIGH is at least what the actions make of the HIGH after them: all actions for the best play, one of them for the worst.
LOW is at most what one action makes of the LOW after it, for the worst play what all do. A positive LOW of a probability,
and each HIGH of a cost, need an outcome of a lower RANK, so that a play that follows them ends almost surely. With a
bound of actions, all plays end. A cost is infinite if LOW is null: the goal is missed with some probability. One action, for
the worst play each, has an infinite outcome of a lower RANK, or infinite ones of no greater RANK alone. What is not listed has the bounds that are always right:
costs are at least 0 everywhere, as games promise (`Measure.cost`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from gridproof.core.position import Position
from gridproof.prove.certificate_file import CertificateFile, Defect
from gridproof.prove.checkers.bellman import (
    BEST,
    WORST,
    Bounds,
    ProvedBounds,
    StochasticAction,
    check_bounds,
    read_proved_bounds,
    stochastic_action,
)
from gridproof.prove.checkers.goal_statements import bounds_text, start_chances
from gridproof.prove.checkers.position_list import PositionList
from gridproof.prove.checkers.quantity_statement import QuantityStatement
from gridproof.prove.evaluate import test_of

_VALUES = 6
"""Values of a line for each number of actions left."""


def check(said: QuantityStatement, listed: CertificateFile, positions: int) -> None:
    """Check a certificate; Defect at the first thing that is wrong."""
    check_bounds(QuantityBoundChecker(said, PositionList(said, listed)), listed, positions)


class QuantityBoundChecker:
    """Checker of the bounds of the listed positions; lines without values know nothing."""

    def __init__(self, said: QuantityStatement, positions: PositionList) -> None:
        self._said, self.positions = said, positions
        self._task, self._cost = said.task, said.measure
        self._steps = self._task.steps
        self._hold, self._reach = (
            test_of(one, said.level, said.who) for one in (self._task.hold, self._task.reach)
        )
        self._lines: list[list[ProvedBounds]] = []
        self._unknown = ProvedBounds(Fraction(0), None if self._cost else Fraction(1), 0)

    def store(self, values: list[Any]) -> bool:
        """Store the bounds of a line; return whether they are bounds."""
        found = []
        for place in range(0, len(values) - 2, 3):
            one = read_proved_bounds(values[place : place + 3], self._cost is not None)
            if one is None:
                return False
            found.append(one)
        most = 1 if self._steps is None else self._steps + 1
        if len(values) % _VALUES or len(values) > most * _VALUES:
            return False
        self._lines.append(found)
        return True

    def _bounds(self, play: int, left: int) -> Bounds:
        """Return the bounds of lines for the best or the worst play, with some actions left."""
        place = 2 * left + play

        def bounds(line: int) -> ProvedBounds:
            known = self._lines[line - 2] if line else []
            return known[place] if place < len(known) else self._unknown

        return bounds

    def check_starts(self) -> None:
        """Check that the bounds of the starts have the claimed mean."""
        starts = [(chance, self.positions.find(start)) for chance, start in start_chances(self._said)]
        for play in (BEST, WORST):
            low, high = self._said.inner(play)
            mean, bounds = StochasticAction(Fraction(0), starts), self._bounds(play, self._steps or 0)
            most = mean.high(bounds)
            is_high = high is None if most is None else high is None or high >= most
            if low > mean.low(bounds) or not is_high:
                raise Defect(1, f"the bounds of the starts do not prove {bounds_text(low, high)}")

    def check_position(self, line: int, position: Position[Any]) -> None:
        """Check the bounds of a listed position."""
        actions: list[StochasticAction] | None = None
        for place, bounds in enumerate(self._lines[line - 2]):
            left, play = divmod(place, 2)
            if (value := self._value(position, left)) is not None:
                right = bounds.low <= value and bounds.high is not None and bounds.high >= value
            else:
                actions = list(self._actions(position, line)) if actions is None else actions
                after = self._bounds(play, left if self._steps is None else left - 1)
                right = self._is_low(bounds, actions, play, after) and self._is_high(
                    bounds, actions, play, after
                )
            if not right:
                name = "worst" if play else "best"
                raise Defect(line, f"bounds for the {name} play are wrong:\n{position.text()}")

    def _value(self, position: Position[Any], left: int) -> Fraction | None:
        """Return the value of a position that decides it by itself."""
        is_last = self._steps is not None and left == 0
        if self._cost:
            return Fraction(0) if self._reach(position) else None
        if (not self._task.exactly or is_last) and self._reach(position):
            return Fraction(1)
        is_stuck = self._steps is None and not any(position.actions(actor) for actor in self._said.who)
        return Fraction(0) if is_last or is_stuck or not self._hold(position) else None

    def _is_low(
        self, bounds: ProvedBounds, actions: list[StochasticAction], play: int, after: Bounds
    ) -> bool:
        if bounds.low == math.inf:
            endless = [one.is_endless(after, bounds.rank) for one in actions]
            return bounds.high is None and (not endless or (all if play == WORST else any)(endless))
        needs_rank = not self._cost and self._steps is None
        right = (
            bounds.low <= one.low(after) and (not needs_rank or one.is_nearer(after, bounds.rank))
            for one in actions
        )
        return bounds.low == 0 or not actions or (all if play == WORST else any)(right)

    def _is_high(
        self, bounds: ProvedBounds, actions: list[StochasticAction], play: int, after: Bounds
    ) -> bool:
        if bounds.high is None:
            return True
        most = ((one, one.high(after)) for one in actions)
        right = (
            high is not None and high <= bounds.high and (not self._cost or one.is_nearer(after, bounds.rank))
            for one, high in most
        )
        return bool(actions) and (any if play == WORST else all)(right)

    def _actions(self, position: Position[Any], line: int) -> Iterator[StochasticAction]:
        """Yield the actions; where there is none, the position is followed by itself."""
        is_stuck = True
        for actor in self._said.who:
            for action in position.actions(actor):
                is_stuck = False
                yield stochastic_action(position, action, self.positions.line_of, self._cost)
        if is_stuck and not self._cost:
            yield StochasticAction(Fraction(0), [(Fraction(1), line)])
