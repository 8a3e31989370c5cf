"""Checker of the kind "distance": a solution is the cheapest one.

Each line is `[TEXT, COST, ...]`: a position, and what is left to pay from there at least, by each measure. What is not
listed may cost nothing. The bound of a position is at most the price of a step and the bound after it. So no way from a
start to the goal costs less than the bound of the start.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gridproof.core.game import Measure
from gridproof.core.measure import ACTIONS, find_measure
from gridproof.core.position import Position
from gridproof.prove.certificate_file import CertificateFile, Defect, locate_defect
from gridproof.prove.checkers.goal_statements import DistanceStatement
from gridproof.prove.checkers.position_list import PositionList

Costs = tuple[int, ...]
"""Costs by each measure; the first one counts most."""


def measures_of(said: DistanceStatement) -> tuple[Measure, ...]:
    """Return the measures that are minimised, the first one first."""
    measure = find_measure(said.level.game, said.minimise)
    return measure.parts or (measure,)


def check(said: DistanceStatement, listed: CertificateFile, positions: int) -> None:
    """Check a certificate; Defect at the first thing that is wrong."""
    checker = _CostChecker(said, listed)
    with locate_defect(1):
        if checker.replay() != said.cost:
            raise Defect(
                1, f"the solution does not cost {list(said.cost)}, or does not reach {said.goal_text}"
            )
    listed.read_texts(positions, checker.store)
    for start in said.starts:
        if checker.bound(checker.positions.find(start)) < said.cost:
            raise Defect(1, f"a cheaper solution is possible from a start:\n{start.text()}")
    for line, position in checker.positions:
        with locate_defect(line):
            checker.check_position(line, position)


class _CostChecker:
    """The bounds of the listed positions."""

    def __init__(self, said: DistanceStatement, listed: CertificateFile) -> None:
        self._said, self.positions = said, PositionList(said, listed)
        with locate_defect(1):
            self._measures = measures_of(said)
        self._nothing = (0,) * len(self._measures)
        self._bounds: list[Costs] = []

    def store(self, numbers: list[Any]) -> bool:
        """Store the bound of a line; return whether it is one, and more than nothing."""
        bound = tuple(numbers)
        self._bounds.append(bound)
        are_numbers = all(type(one) is int for one in numbers)
        return len(bound) == len(self._nothing) and are_numbers and bound > self._nothing

    def bound(self, line: int) -> Costs:
        """Return the bound of a line; nothing for what is not listed."""
        return self._bounds[line - 2] if line else self._nothing

    def replay(self) -> Costs | None:
        """Return the costs of the solution; None if it does not end at the goal."""
        position, costs = self._said.solution_start, self._nothing
        for text, label in self._said.steps:
            action = next((one for one in self._actions(position) if str(one) == text), None)
            if action is None:
                raise position.refusal(text)
            outcome = position.outcome(action, label)
            price = tuple(one.cost(position, action, outcome) for one in self._measures)
            position, costs = outcome.position, _add(costs, price)
        return costs if self._said.goal(position) else None

    def _actions(self, position: Position[Any]) -> Iterator[Any]:
        return (action for actor in self._said.who for action in position.actions(actor))

    def check_position(self, line: int, position: Position[Any]) -> None:
        """Check that a listed position has not the goal, and that no step pays more than its price."""
        if self._said.goal(position):
            raise Defect(line, f"{self._said.goal_text} holds here:\n{position.text()}")
        for price, after in self._steps(position):
            if min(price) < 0 or self.bound(line) > _add(price, self.bound(after)):
                raise Defect(
                    line, f"a step from here costs {list(price)}, and saves more:\n{position.text()}"
                )

    def _steps(self, position: Position[Any]) -> Iterator[tuple[Costs, int]]:
        """Yield the price of each step, with the line that it leads to."""
        if self._measures == (ACTIONS,):
            yield from (((1,), after) for after in self.positions.after(position))
            return
        for action in self._actions(position):
            for outcome in position.outcomes(action):
                price = tuple(one.cost(position, action, outcome) for one in self._measures)
                yield price, self.positions.line_of(outcome.position)


def _add(one: Costs, two: Costs) -> Costs:
    return tuple(left + right for left, right in zip(one, two, strict=True))
