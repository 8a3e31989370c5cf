"""Checker of the kind "value": bounds of a chance or of the expected points, by Bellman's inequalities.

Each line is `[TEXT, LOW, HIGH, RANK, LOW, HIGH, RANK]`: a position with bounds for the best play and for the worst, as
texts of fractions. HIGH is at least what the actions make of the HIGH after them: all actions for the best play, one of
them for the worst. LOW is at most what an action makes of the LOW after it, and some outcome of that action has a lower
RANK, so that the play ends almost surely; for the worst play, this is true of every action. What is not listed has the
bounds that are always right, for a game in which no points can be lost.
"""

from __future__ import annotations

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
)
from gridproof.prove.checkers.goal_statements import ValueStatement, read_fraction
from gridproof.prove.checkers.position_list import PositionList


def check(said: ValueStatement, listed: CertificateFile, positions: int) -> None:
    """Check a certificate; Defect at the first thing that is wrong."""
    check_bounds(_ValueChecker(said, listed), listed, positions)


class _ValueChecker:
    """The bounds of the listed positions."""

    def __init__(self, said: ValueStatement, listed: CertificateFile) -> None:
        self._said, self.positions = said, PositionList(said, listed)
        self._lines: list[tuple[ProvedBounds, ProvedBounds]] = []
        self._unknown = ProvedBounds(Fraction(0), None if said.goal is None else Fraction(1), 0)

    def store(self, values: list[Any]) -> bool:
        """Store the bounds of a line; return whether they are bounds."""
        numbers = [read_fraction(value) for value in (*values[:2], *values[3:5])]
        ranks = values[2:6:3]
        if len(values) != 6 or None in numbers or any(type(rank) is not int or rank < 0 for rank in ranks):
            return False
        low, high, lowest, highest = numbers
        self._lines.append((ProvedBounds(low, high, ranks[0]), ProvedBounds(lowest, highest, ranks[1])))  # type: ignore[arg-type]  # none is None
        return True

    def _bounds(self, play: int) -> Bounds:
        """Return the bounds of lines for the best or the worst play."""
        return lambda line: self._lines[line - 2][play] if line else self._unknown

    def check_starts(self) -> None:
        """Check that the bounds of the starts have the claimed mean."""
        starts = [(chance, self.positions.find(start)) for chance, start in self._said.chances()]
        for play, (low, high) in enumerate((self._said.best, self._said.worst)):
            mean, bounds = StochasticAction(Fraction(0), starts), self._bounds(play)
            most = mean.high(bounds)
            if low > mean.low(bounds) or most is None or high < most:
                raise Defect(1, f"the bounds of the starts do not prove {low} to {high}")

    def check_position(self, line: int, position: Position[Any]) -> None:
        """Check the bounds of a listed position."""
        ends = self._said.goal is not None and self._said.goal(position)
        actions = [] if ends else list(self._actions(position))
        for play in (BEST, WORST):
            after = self._bounds(play)
            bounds = after(line)
            low, high, _ = bounds
            if not actions:
                right = low <= ends and high is not None and high >= ends
            else:
                right = self._is_low(bounds, actions, play, after) and self._is_high(
                    bounds, actions, play, after
                )
            if not right:
                name = "worst" if play else "best"
                raise Defect(
                    line, f"the bounds {low} and {high} for the {name} play are wrong:\n{position.text()}"
                )

    def _is_low(
        self, bounds: ProvedBounds, actions: list[StochasticAction], play: int, after: Bounds
    ) -> bool:
        """Return whether a lower bound is right for the best action, or for all."""
        sure = (bounds.low <= one.low(after) and one.is_nearer(after, bounds.rank) for one in actions)
        return bounds.low == 0 or (all if play == WORST else any)(sure)

    def _is_high(
        self, bounds: ProvedBounds, actions: list[StochasticAction], play: int, after: Bounds
    ) -> bool:
        """Return whether an upper bound is right for all actions, or for the worst one."""
        most = (one.high(after) for one in actions)
        right = (one is not None and bounds.high is not None and one <= bounds.high for one in most)
        return (any if play == WORST else all)(right)

    def _actions(self, position: Position[Any]) -> Iterator[StochasticAction]:
        for actor in self._said.who:
            for action in position.actions(actor):
                outcomes = list(position.outcomes(action))
                gains = [outcome.probability * outcome.reward for outcome in outcomes]
                if self._said.goal is None and min(gains) < 0:
                    raise Defect(1, "points can be lost: the lower bounds prove nothing")
                lines = [
                    (outcome.probability, self.positions.line_of(outcome.position)) for outcome in outcomes
                ]
                yield StochasticAction(Fraction(0) if self._said.goal else Fraction(sum(gains)), lines)
