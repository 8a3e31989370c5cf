"""Exact values of positions, as fractions: by the rules, for few positions without a way back."""

from __future__ import annotations

from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from itertools import islice
from typing import Any, NamedTuple

from gridproof.core.limit import Meter
from gridproof.core.position import Position
from gridproof.core.proposition import Goal
from gridproof.prove.interval import ANYTHING, Interval
from gridproof.search.actors import Who

MOST = 1500
"""The most positions with exact values: their fractions have more and more digits."""
_MOST_OUTCOMES = 50_000
_CHECK_EVERY = 64

_NOTHING, _SURE = Fraction(0), Fraction(1)


class _Choice(NamedTuple):
    """The average gain of an action, and its outcomes with their probabilities."""

    gained: Fraction
    after: tuple[tuple[Fraction, Position[Any]], ...]


class ExactValues:
    """Best and worst values of all positions that can be reached from some; without a goal, of the score."""

    error, unknown = 0.0, ANYTHING

    def __init__(self, starts: list[Position[Any]], goal: Goal | None, who: Who) -> None:
        self._goal, self._who = goal, who
        self._choices: dict[Position[Any], list[_Choice]] = {}
        self._open, self._outcomes = list(starts), 0
        self._values: dict[Position[Any], tuple[Fraction, Fraction]] = {}

    @property
    def states(self) -> int:
        """Positions found."""
        return len(self._values)

    def of(self, position: Position[Any]) -> tuple[Interval, Interval] | None:
        """Return the bounds of a position's best and worst value; None when it was not found."""
        found = self._values.get(position)
        return found and (Interval(found[0], found[0]), Interval(found[1], found[1]))

    def run(self, meter: Meter) -> bool:
        """Find all values; return False when there are too many positions or a cycle, or a limit is reached."""
        return self._explore(meter) and self._compute_values()

    def _explore(self, meter: Meter) -> bool:
        while self._open:
            position = self._open.pop()
            if position in self._choices:
                continue
            if len(self._choices) >= MOST:
                return False
            if len(self._choices) % _CHECK_EVERY == 0 and meter.is_reached(len(self._choices)):
                return False
            self._choices[position] = self._choices_in(position)
            if self._outcomes > _MOST_OUTCOMES:
                return False
            self._open += [after for choice in self._choices[position] for _, after in choice.after]
        return True

    def _choices_in(self, position: Position[Any]) -> list[_Choice]:
        if self._goal and self._goal(position):
            return []
        choices = list[_Choice]()
        for actor in self._who:
            for action in position.actions(actor):
                outcomes = list(islice(position.outcomes(action), _MOST_OUTCOMES))
                self._outcomes += len(outcomes)
                if self._outcomes > _MOST_OUTCOMES:
                    return choices
                gained = sum((one.probability * one.reward for one in outcomes), _NOTHING)
                after = tuple((one.probability, one.position) for one in outcomes)
                choices.append(_Choice(_NOTHING if self._goal else gained, after))
        return choices

    def _compute_values(self) -> bool:
        """Compute the value of each position after the values of its successors; return False when there is a cycle."""
        successors = {
            position: [after for choice in choices for _, after in choice.after]
            for position, choices in self._choices.items()
        }
        try:
            order = list(TopologicalSorter(successors).static_order())
        except CycleError:
            return False
        for position in order:
            self._values[position] = self._value_of(position)
        return True

    def _value_of(self, position: Position[Any]) -> tuple[Fraction, Fraction]:
        if self._goal and self._goal(position):
            return _SURE, _SURE
        best, worst = (
            [
                choice.gained
                + sum((chance * self._values[after][which] for chance, after in choice.after), _NOTHING)
                for choice in self._choices[position]
            ]
            for which in (0, 1)
        )
        return max(best, default=_NOTHING), min(worst, default=_NOTHING)
