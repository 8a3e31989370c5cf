"""Intervals that contain a value."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

Number = Fraction | float

_FIRST, _GROWTH = 10_000, 8
_LONGEST = 12
"""The most characters of a fraction in messages."""
NOTICEABLE = 1e-6
"""A bound that is closer than this to the least or greatest possible value says nothing."""


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
        return 0.0 if self.low == self.high else float(self.high - self.low) / 2

    def to_dict(self) -> dict[str, Any]:
        """Return the middle and both bounds as JSON data, None for infinite ones, and the fraction of an exact value."""
        exact = isinstance(self.low, Fraction) and self.low == self.high
        bounds = [finite_float(bound) for bound in self]
        return {
            "value": finite_float(self.middle),
            "fraction": str(self.low) if exact else None,
            "bounds": bounds,
        }


def format_bounds(bounds: Interval) -> str:
    """Return a value as a short fraction, or else as a decimal number with its error, or with both bounds if that is large."""
    number = bounds.middle
    if bounds.high == math.inf:
        return "infinite" if bounds.low == math.inf else f"{float(bounds.low):.6g} or more"
    if not isinstance(number, float) and not bounds.error and len(exact := str(number)) <= _LONGEST:
        return exact
    if bounds.error >= NOTICEABLE:
        return f"between {float(bounds.low):.6g} and {float(bounds.high):.6g}"
    return f"{float(number):.6g}" + (f" ± {bounds.error:.0e}" if bounds.error else "")


def finite_float(number: Number) -> float | None:
    """Return a number for JSON, which has no infinite ones: None for those."""
    return None if number == math.inf else float(number)


def enclose(low: Number, high: Number) -> Interval:
    """Return an interval with given bounds: fractions if they are equal, else numbers rounded outwards."""
    if low == high:
        return Interval(low, high)
    below, above = float(low), float(high)
    return Interval(
        below if below <= low else math.nextafter(below, -math.inf),
        above if above >= high else math.nextafter(above, math.inf),
    )


def limit_to(bounds: Interval, most: Number) -> Interval:
    """Return bounds of a number that is at most another one."""
    return bounds if bounds.high <= most else Interval(min(bounds.low, most), most)


def raise_to(bounds: Interval, least: Number) -> Interval:
    """Return bounds of a number that is at least another one."""
    return bounds if bounds.low >= least else Interval(least, max(bounds.high, least))


ANYTHING = Interval(Fraction(0), Fraction(1))
"""The bounds of any probability."""

CERTAIN = Interval(Fraction(1), Fraction(1))
"""The probability of a goal that holds already."""


def round_sizes() -> Iterator[int]:
    """Yield the numbers of positions to explore before bounds are computed; they grow fast, so little work is repeated."""
    return (_FIRST * _GROWTH**number for number in itertools.count())
