"""Checks of chance: probabilities sum to 1, and labels are distinct."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from gridproof.core.position import Outcome, Position
from gridproof.testing.conformance.fault import require

MANY = 20_000
"""Largest number of outcomes to check at the start of a walk."""
FEW = 200
"""Largest number of outcomes to check at later positions of a walk."""


def check_outcomes(outcomes: Iterable[Outcome[Any]], what: str, most: int) -> tuple[Outcome[Any], ...]:
    """Check each outcome and, if there are at most `most`, their sum; return the first `most` of them."""
    listed = tuple(itertools.islice(outcomes, most + 1))
    require(listed, f"there are no {what}")
    labels = set()
    for outcome in listed:
        _check_outcome(outcome)
        require(outcome.label not in labels, f"two {what} have the label {outcome.label!r}")
        labels.add(outcome.label)
    if len(listed) <= most:
        total = sum((outcome.probability for outcome in listed), Fraction(0))
        require(total == 1, f"the probabilities of the {what} sum to {total}, not 1")
    return listed


def _check_outcome(outcome: Outcome[Any]) -> None:
    require(isinstance(outcome, Outcome), f"a {type(outcome).__name__} is no Outcome")
    probability, label = outcome.probability, outcome.label
    require(isinstance(probability, Fraction), f"the probability {probability!r} is no Fraction")
    require(0 < probability <= 1, f"the probability {probability} is not above 0 and at most 1")
    require(isinstance(outcome.position, Position), f"a {type(outcome.position).__name__} is no Position")
    require(isinstance(outcome.reward, int), f"the reward {outcome.reward!r} is no whole number")
    require(isinstance(label, str) and "\n" not in label, f"the label {label!r} is not one line of text")
    require(isinstance(outcome.events, tuple), f"the events are a {type(outcome.events).__name__}, no tuple")
