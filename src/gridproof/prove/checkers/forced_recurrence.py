"""Checker of what a coalition can force again and again with some probability, `<<a>> P>=0.9 [G F won(a)]`: a part of "comparisons".

The values of a position are `LOW, HIGH, RANK, RANK` for the turn of each player, in their order: bounds of the probability
that the goal comes again and again. Players, passes and claims are as in `forced_bounds`.

LOW is at most what one action of those who want the goal makes of the LOW after it, and what each action of the others does.
If it is positive, such an action also has an outcome of a lower first RANK, but at the goal. So the goal comes again and
again, or LOW is 0 in the end; and LOW never falls on average.

HIGH is at least what each action of those who want the goal makes of the HIGH after it, and what one action of the others does.
If it is below 1, such an action also has an outcome of a lower second RANK; or away from the goal, only outcomes of no greater one.
So in the end the goal comes no more, or HIGH is 1: from the least second RANK that comes again and again, no outcome has a lower one.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from gridproof.core.position import Position
from gridproof.prove.certificate_file import Defect
from gridproof.prove.checkers.bellman import ProvedBounds, StochasticAction
from gridproof.prove.checkers.forced_bounds import ForcedBoundChecker, ForcedStatement
from gridproof.prove.checkers.position_list import PositionList

_VALUES = 4
"""Values of a line for each turn."""


class ForcedRecurrenceChecker(ForcedBoundChecker):
    """Checker of the bounds of the listed positions; lines without values know nothing."""

    def __init__(self, said: ForcedStatement, positions: PositionList) -> None:
        super().__init__(said, positions)
        self._last_ranks: list[list[int]] = []

    def store(self, values: list[Any]) -> bool:
        """Store the bounds of a line; return whether they are bounds."""
        ranks = values[_VALUES - 1 :: _VALUES]
        if len(values) != _VALUES * len(ranks) or not all(type(one) is int and one >= 0 for one in ranks):
            return False
        self._last_ranks.append(ranks)
        return super().store([one for place, one in enumerate(values) if place % _VALUES < _VALUES - 1])

    def _last_rank(self, line: int, place: int) -> int:
        ranks = self._last_ranks[line - 2] if line else []
        return ranks[place] if ranks else 0

    def check_position(self, line: int, position: Position[Any]) -> None:
        """Check the bounds of a listed position at each turn."""
        comes = self._reach(position)
        for place, bounds in enumerate(self._lines[line - 2]):
            name, wants_more = self._turn(place)
            actions = list(self._actions(position, name, line))
            some, each = (any, all) if wants_more else (all, any)
            if not (
                (not bounds.low or some(self._fits_low(bounds, one, place, comes) for one in actions))
                and (bounds.high == 1 or each(self._fits_high(line, one, place, comes) for one in actions))
            ):
                raise Defect(line, f"bounds at the turn of {name} are wrong:\n{position.text()}")

    def _fits_low(self, bounds: ProvedBounds, action: StochasticAction, place: int, comes: bool) -> bool:
        after = self._bounds(self._place_after(place))
        return bounds.low <= action.low(after) and (comes or action.is_nearer(after, bounds.rank))

    def _fits_high(self, line: int, action: StochasticAction, place: int, comes: bool) -> bool:
        following = self._place_after(place)
        own, high = self._last_rank(line, place), action.high(self._bounds(following))
        ranks = [self._last_rank(one, following) for _, one in action.outcomes]
        limit = self._bounds(place)(line).high or Fraction(0)
        return (high or Fraction(0)) <= limit and (min(ranks) < own or (not comes and max(ranks) <= own))
