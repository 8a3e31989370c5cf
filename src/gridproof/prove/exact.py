"""What positions are worth, in fractions: by the rules, where there are few of them and no way leads back."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from typing import Any, NamedTuple

from gridproof.core.limit import Meter
from gridproof.core.position import Position
from gridproof.core.proposition import Goal
from gridproof.search.actors import Who

MOST = 1500
"""The most positions that are valued exactly: their fractions have more and more digits."""
_MOST_OUTCOMES = 50_000
_CHECK_EVERY = 64

_NOTHING, _SURE = Fraction(0), Fraction(1)


class _Choice(NamedTuple):
    """What an action may lead to, each with its probability, and what it gains on average."""

    gained: Fraction
    after: tuple[tuple[Fraction, Position[Any]], ...]


class ExactValues:
    """The best and the worst value of all positions that can be reached from some.

    Parameters
    ----------
    goal : Goal or None
        None for the score.
    """

    error = 0.0

    def __init__(self, starts: list[Position[Any]], goal: Goal | None, who: Who) -> None:
        self._goal, self._who = goal, who
        self._choices: dict[Position[Any], list[_Choice]] = {}
        self._open, self._outcomes = list(starts), 0
        self._worth: dict[Position[Any], tuple[Fraction, Fraction]] = {}

    @property
    def states(self) -> int:
        """Positions found."""
        return len(self._worth)

    def of(self, position: Position[Any]) -> tuple[Fraction, Fraction] | None:
        """The best and the worst value of a position; None when it was not found."""
        return self._worth.get(position)

    def run(self, meter: Meter) -> bool:
        """Find all values; False when there are too many positions, a way leads back, or a limit is reached."""
        return self._explored(meter) and self._valued()

    def _explored(self, meter: Meter) -> bool:
        while self._open:
            position = self._open.pop()
            if position in self._choices:
                continue
            if len(self._choices) >= MOST:
                return False
            if len(self._choices) % _CHECK_EVERY == 0 and meter.reached(len(self._choices)):
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

    def _valued(self) -> bool:
        """Value each position after all that follow from it; False when one follows from itself."""
        missing, before = dict[Position[Any], int](), dict[Position[Any], list[Position[Any]]]()
        for position, choices in self._choices.items():
            following = {after for choice in choices for _, after in choice.after}
            missing[position] = len(following)
            for after in following:
                before.setdefault(after, []).append(position)
        order = [position for position, count in missing.items() if not count]
        for position in order:
            for earlier in before.get(position, ()):
                missing[earlier] -= 1
                if not missing[earlier]:
                    order.append(earlier)
        if len(order) < len(self._choices):
            return False
        for position in order:
            self._worth[position] = self._value_of(position)
        return True

    def _value_of(self, position: Position[Any]) -> tuple[Fraction, Fraction]:
        if self._goal and self._goal(position):
            return _SURE, _SURE
        best, worst = (
            [
                choice.gained
                + sum((chance * self._worth[after][which] for chance, after in choice.after), _NOTHING)
                for choice in self._choices[position]
            ]
            for which in (0, 1)
        )
        return max(best, default=_NOTHING), min(worst, default=_NOTHING)
