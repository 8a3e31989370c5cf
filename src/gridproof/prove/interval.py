"""Intervals that contain a value."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

Number = Fraction | float

_FIRST, _GROWTH = 10_000, 8


class Interval(NamedTuple):
    """Bounds of a value, equal if it is known."""

    low: Number
    high: Number

    @property
    def middle(self) -> Number:
        """The number with the least possible error."""
        return self.low if self.low == self.high else (self.low + self.high) / 2

    @property
    def error(self) -> float:
        """The largest possible error of the middle."""
        return float(self.high - self.low) / 2


ANYTHING = Interval(Fraction(0), Fraction(1))
"""The bounds of any probability."""

CERTAIN = Interval(Fraction(1), Fraction(1))
"""The probability of a goal that holds already."""


def round_sizes() -> Iterator[int]:
    """Yield the numbers of positions to explore before bounds are computed; they grow fast, so little work is repeated."""
    return (_FIRST * _GROWTH**number for number in itertools.count())
