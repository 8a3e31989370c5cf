"""Bellman's inequalities: what the bounds of positions make of an action that leads to them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from gridproof.core.errors import GridproofError
from gridproof.core.game import Measure
from gridproof.core.position import Position
from gridproof.prove.certificate_file import CertificateFile, locate_defect
from gridproof.prove.checkers.goal_statements import Number, read_ends

BEST, WORST = 0, 1


class ProvedBounds(NamedTuple):
    """Bounds of a value, None for no upper one, and their rank."""

    low: Number
    high: Fraction | None
    rank: int


Bounds = Callable[[int], ProvedBounds]
"""The bounds of a line."""


class StochasticAction(NamedTuple):
    """An action: what it gains or costs on average, and the lines of its outcomes with their chances."""

    gain: Fraction
    outcomes: Sequence[tuple[Fraction, int]]

    def low(self, bounds: Bounds) -> Number:
        """Return the lower bound that those of the outcomes make."""
        total = self.gain
        for chance, line in self.outcomes:
            low = bounds(line).low
            if not isinstance(low, Fraction):
                return math.inf
            total += chance * low
        return total

    def high(self, bounds: Bounds) -> Fraction | None:
        """Return the upper bound that those of the outcomes make; None for none."""
        total = self.gain
        for chance, line in self.outcomes:
            high = bounds(line).high
            if high is None:
                return None
            total += chance * high
        return total

    def is_nearer(self, bounds: Bounds, rank: int) -> bool:
        """Return whether some outcome has a lower rank."""
        return any(bounds(line).rank < rank for _, line in self.outcomes)

    def is_endless(self, bounds: Bounds, rank: int) -> bool:
        """Return whether some outcome is infinite with a lower rank, or all are infinite with no greater one.

        A play that chooses such actions from infinite positions alone misses the goal with some probability: from the
        first rank that it never leaves downwards, all outcomes are infinite, for ever.
        """
        ranks = [
            one.rank if one.low == math.inf else math.inf
            for one in (bounds(line) for _, line in self.outcomes)
        ]
        return min(ranks) < rank or max(ranks) <= rank


def stochastic_action(
    position: Position[Any], action: Any, line_of: Callable[[Position[Any]], int], cost: Measure | None = None
) -> StochasticAction:
    """Return an action with its mean cost; GridproofError if a cost is negative, since bounds then prove nothing."""
    outcomes, gain = list(position.outcomes(action)), Fraction(0)
    for one in outcomes if cost else ():
        price = cost.cost(position, action, one)  # type: ignore[union-attr]  # there is one here
        if price < 0:
            raise GridproofError("a cost is negative: the bounds prove nothing")
        gain += one.probability * price
    return StochasticAction(gain, [(one.probability, line_of(one.position)) for one in outcomes])


def read_proved_bounds(values: Sequence[Any], is_cost: bool) -> ProvedBounds | None:
    """Return the bounds of three values of a line, LOW, HIGH and RANK; None if they are none. Costs may be infinite."""
    low, high, rank = values
    ends = read_ends(low, high)
    if ends is None or (ends[1] is None and not is_cost) or type(rank) is not int or rank < 0:
        return None
    return ProvedBounds(*ends, rank)


class BoundChecker(Protocol):
    """Checker of the bounds of the listed positions."""

    @property
    def positions(self) -> Iterable[tuple[int, Position[Any]]]:
        """The listed positions with their lines."""

    def store(self, values: list[Any]) -> bool:
        """Store the bounds of a line; return whether they are bounds."""

    def check_starts(self) -> None:
        """Check that the bounds of the starts have the claimed mean."""

    def check_position(self, line: int, position: Position[Any]) -> None:
        """Check the bounds of a listed position."""


def check_bounds(checker: BoundChecker, listed: CertificateFile, positions: int) -> None:
    """Check all bounds of a certificate; Defect at the first thing that is wrong."""
    listed.read_texts(positions, checker.store)
    with locate_defect(1):
        checker.check_starts()
    for line, position in checker.positions:
        with locate_defect(line):
            checker.check_position(line, position)
