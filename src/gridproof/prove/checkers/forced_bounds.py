"""Checker of what a coalition can force, as of `<<a>> P>=0.9 [F won(a)]` or `<<a>> R<=12 [F won(a)]`: a part of "comparisons".

The values of a position are `LOW, HIGH, RANK` for the turn of each player, in their order: bounds of the probability that
`hold` lasts until `reach`, or of the cost until `reach`, as texts of fractions; HIGH is null where a cost has none. Each
player may pass, which costs nothing. The coalition wants a great number or a small one, the others the opposite. A path
within some turns, passes included, has such values for each number of turns that are left: 0, 1, 2, ...

LOW is at most what one action of those who want a great number makes of the LOW after it, and what each action of the others
does. HIGH is at least what each action of those who want a great number makes of the HIGH after it, and what one action of
the others does. A positive LOW of a probability, and each HIGH of a cost, need an outcome of a lower RANK, so that the play
ends almost surely: at the goal, or where LOW is 0; within some turns, it always ends. A cost is infinite if LOW is null: one action of those who want a great
number, and each of the others, has an infinite outcome of a lower RANK, or infinite ones of no greater RANK alone. What is not listed has the bounds 0 and 1, a cost 0 and none.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.game import Measure
from gridproof.core.position import NATURE, Position
from gridproof.core.proposition import COMPARE
from gridproof.prove.certificate import describe_actors
from gridproof.prove.certificate_file import Defect
from gridproof.prove.checkers.bellman import (
    Bounds,
    ProvedBounds,
    StochasticAction,
    read_proved_bounds,
    stochastic_action,
)
from gridproof.prove.checkers.goal_statements import (
    Ends,
    bounds_text,
    ends_to_data,
    opposite_ends,
    read_ends,
    start_chances,
)
from gridproof.prove.checkers.position_list import PositionList
from gridproof.prove.checkers.quantity_statement import check_quantity
from gridproof.prove.checkers.statements import ExactStatement, Header, Setting, check_names, players_of
from gridproof.prove.evaluate import test_of
from gridproof.prove.formula import Coalition, Quantity
from gridproof.prove.quantity import Task, measure_of, task_of

FORCED = "forced"
"""The key of the bounds."""
_VALUES = 3
"""Values of a line for each turn."""


@dataclass(frozen=True)
class ForcedStatement(ExactStatement):
    """Statement about bounds of the probability or the cost that a coalition can force, at the first player's turn."""

    question: Coalition
    forced: Ends

    @property
    def quantity(self) -> Quantity:
        """The comparison with the probability."""
        assert isinstance(self.question.operand, Quantity)
        return self.question.operand

    @property
    def task(self) -> Task:
        """The path that the listed bounds are about."""
        return task_of(self.quantity)

    @property
    def measure(self) -> Measure | None:
        """The cost; None for a probability."""
        return measure_of(self.quantity, self.level) if self.quantity.measure else None

    def wants_more(self, name: str) -> bool:
        """Return whether a player wants a great number of the path of the task."""
        return (name in self.question.names) is (self.quantity.is_more_wanted is not self.task.negated)

    @property
    def inner(self) -> Ends:
        """The claimed bounds of the path that the lines are about."""
        return opposite_ends(self.forced) if self.task.negated else self.forced

    @property
    def holds(self) -> bool | None:
        """The truth of the comparison; None for a number that is asked for, and where the bounds do not decide it."""
        if self.quantity.bound is None:
            return None
        low, high = self.forced
        ends = low, math.inf if high is None else high
        truths = {COMPARE[self.quantity.sign](end, self.quantity.bound) for end in ends}
        return truths.pop() if len(truths) == 1 else None

    @property
    def claim(self) -> str:
        """Return what is claimed, without the level."""
        value, who = bounds_text(*self.forced), describe_actors(self.who)
        if self.quantity.bound is None:
            return f"`{self.question}` is {value}{who}"
        side = "greatest" if self.quantity.is_more_wanted else "least"
        answer = "holds" if self.holds else "does not hold"
        return f"`{self.question}` {answer}, as the {side} value that they can force is {value}{who}"

    def check_names(self) -> None:
        """Check the names in the path; GridproofError if the level does not know one. Costs need a level that counts them."""
        for part in (self.task.hold, self.task.reach):
            check_names(part, Setting(self.level, self.starts, self.who, self.kind))

    @property
    def facts(self) -> Header:
        """Return the statement's own values of the first line."""
        return {FORCED: ends_to_data(self.forced)}


def read_forced(question: Coalition, listed: list[Any], setting: Setting) -> ForcedStatement:
    """Read the bounds of what a coalition can force; GridproofError if it means nothing on the level."""
    ends = read_ends(*listed) if len(listed) == 2 else None
    if ends is None:
        raise GridproofError("bounds are two texts of fractions, or null in place of the second or of both")
    said = ForcedStatement(*setting, question, ends)
    check_quantity(said.quantity)
    if said.measure is None and ends[1] is None:
        raise GridproofError("a probability has an upper bound")
    if NATURE in said.who or not set(question.names) <= set(players_of(said)):
        raise GridproofError(f"{question} names somebody who takes no turn, or {NATURE} acts")
    return said


class ForcedBoundChecker:
    """Checker of the bounds of the listed positions; lines without values know nothing."""

    def __init__(self, said: ForcedStatement, positions: PositionList) -> None:
        self._said, self.positions = said, positions
        self._turns = [(name, said.wants_more(name)) for name in players_of(said)]
        self._cost, self._task = said.measure, said.task
        self._steps, task = said.task.steps, said.task
        self._unknown = ProvedBounds(Fraction(0), None if self._cost else Fraction(1), 0)
        self._hold, self._reach = (test_of(one, said.level, said.who) for one in (task.hold, task.reach))
        self._lines: list[list[ProvedBounds]] = []

    def store(self, values: list[Any]) -> bool:
        """Store the bounds of a line; return whether they are bounds."""
        found = []
        for place in range(0, len(values) - 2, _VALUES):
            one = read_proved_bounds(values[place : place + _VALUES], self._cost is not None)
            if one is None:
                return False
            found.append(one)
        self._lines.append(found)
        if self._steps is None:
            return len(values) in (0, _VALUES * len(self._turns))
        return len(values) % _VALUES == 0 and len(found) <= self._steps + 1

    def _bounds(self, place: int) -> Bounds:
        """Return the bounds of lines at a place: that of a turn, or with so many turns left."""

        def bounds(line: int) -> ProvedBounds:
            known = self._lines[line - 2] if line else []
            return known[place] if place < len(known) else self._unknown

        return bounds

    def _place_after(self, place: int) -> int:
        """Return the place of the next turn."""
        return (place + 1) % len(self._turns) if self._steps is None else place - 1

    def _turn(self, place: int) -> tuple[str, bool]:
        """Return the player at a place, and whether a great number is wanted then."""
        done = place if self._steps is None else self._steps - place
        return self._turns[done % len(self._turns)]

    def check_starts(self) -> None:
        """Check that the bounds of the starts have the claimed mean."""
        starts = [(chance, self.positions.find(start)) for chance, start in start_chances(self._said)]
        (low, high), bounds = self._said.inner, self._bounds(self._steps or 0)
        mean = StochasticAction(Fraction(0), starts)
        if low > mean.low(bounds) or not _is_at_most(mean.high(bounds), high):
            raise Defect(1, f"the bounds of the starts do not prove {bounds_text(low, high)}")

    def check_position(self, line: int, position: Position[Any]) -> None:
        """Check the bounds of a listed position at each turn."""
        moves: dict[str, list[StochasticAction]] = {}
        for place, bounds in enumerate(self._lines[line - 2]):
            (name, wants_more), value = self._turn(place), self._value(position, place)
            if value is not None:
                right = bounds.low <= value and _is_at_most(value, bounds.high)
            else:
                if name not in moves:
                    moves[name] = list(self._actions(position, name, line))
                after = self._bounds(self._place_after(place))
                right = self._are_right(bounds, moves[name], after, wants_more)
            if not right:
                raise Defect(line, f"bounds at the turn of {name} are wrong:\n{position.text()}")

    def _value(self, position: Position[Any], place: int) -> Fraction | None:
        """Return the value of a position that decides it by itself."""
        is_last = self._steps is not None and place == 0
        if (not self._task.exactly or is_last) and self._reach(position):
            return Fraction(not self._cost)
        return Fraction(0) if is_last or not self._hold(position) else None

    def _actions(self, position: Position[Any], name: str, line: int) -> Iterator[StochasticAction]:
        """Yield a pass, and the actions of a player."""
        yield StochasticAction(Fraction(0), [(Fraction(1), line)])
        for action in position.actions(name):
            yield stochastic_action(position, action, self.positions.line_of, self._cost)

    def _are_right(
        self, bounds: ProvedBounds, actions: list[StochasticAction], after: Bounds, wants_more: bool
    ) -> bool:
        """Return whether bounds fit those after the actions of a player."""
        some, each = (any, all) if wants_more else (all, any)
        if bounds.low == math.inf:
            return bounds.high is None and some(one.is_endless(after, bounds.rank) for one in actions)
        needs_rank = self._cost is None and self._steps is None
        is_nearer = [one.is_nearer(after, bounds.rank) for one in actions]
        low_fits = (
            bounds.low <= one.low(after) and (is_near or not needs_rank)
            for one, is_near in zip(actions, is_nearer, strict=True)
        )
        high_fits = (
            _is_at_most(one.high(after), bounds.high) and (is_near or self._cost is None)
            for one, is_near in zip(actions, is_nearer, strict=True)
        )
        return (not bounds.low or some(low_fits)) and (bounds.high is None or each(high_fits))


def _is_at_most(one: Fraction | None, two: Fraction | None) -> bool:
    """Return whether a bound is at most another; None is infinite."""
    return two is None or (one is not None and one <= two)
