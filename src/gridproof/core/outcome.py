"""Outcomes of an action with their probabilities, and the draw of one of them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

from gridproof.core.errors import GridproofError
from gridproof.core.rng import Rng, check_rng

P = TypeVar("P")
ONE = Fraction(1)


class Outcome(NamedTuple, Generic[P]):
    """One of the possible results of an action."""

    position: P
    """The position after it."""
    probability: Fraction = ONE
    """Its probability; the outcomes of one action sum to 1."""
    reward: int = 0
    """The score gained."""
    events: tuple[object, ...] = ()
    """Events in order: small frozen dataclasses told apart by type."""
    label: str = ""
    """Tells the outcomes of one action apart; "" where there is no chance."""


def draw(outcomes: Iterable[Outcome[P]], rng: Rng) -> Outcome[P]:
    """Draw one of the outcomes by their exact probabilities; a single one draws no number."""
    listed = tuple(outcomes)
    if len(listed) == 1:
        return listed[0]
    whole = math.lcm(*(outcome.probability.denominator for outcome in listed))
    number = check_rng(rng).below(whole)
    for outcome in listed:
        number -= int(outcome.probability * whole)
        if number < 0:
            return outcome
    raise GridproofError("the probabilities of the outcomes do not sum to 1")
