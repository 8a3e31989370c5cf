"""Checker of lists of ranks: some fixpoints of coalitions have a list in place of a number.

A list has natural numbers, the first of which is 1 where the coalition can force its objective, else 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from gridproof.core.position import Position
from gridproof.prove.certificate_file import CertificateFile, Defect
from gridproof.prove.checkers.fixpoints import NEVER, RankChecker
from gridproof.prove.checkers.statements import FormulaStatement


class CoalitionTurn(NamedTuple):
    """A turn of a listed position, and what may follow, for one fixpoint."""

    name: str
    is_mine: bool
    """True if the player is of the coalition."""
    holds: bool
    reaches: bool
    """The truths of the two formulas of the fixpoint."""
    moves: list[tuple[list[int], str]]
    """A pass and each action: the bases of the turns to which its outcomes lead, and its text, "" for the pass."""


class RankListChecker(RankChecker):
    """The lists of the listed positions, beside their numbers."""

    kinds: frozenset[str]
    """The kinds of fixpoints that have lists."""

    def __init__(self, said: FormulaStatement, listed: CertificateFile) -> None:
        super().__init__(said, listed)
        self._lists: list[list[int]] = []

    def has_form(self, place: int, numbers: list[int]) -> bool:
        """Return whether a list has the length and the truths of those for the fixpoint at a place."""
        raise NotImplementedError

    def is_right(self, base: int, place: int, turn: CoalitionTurn) -> bool:
        """Return whether the list at a base fits those of the turns that may follow."""
        raise NotImplementedError

    def store(self, values: list[Any]) -> bool:
        """Store the numbers and lists of a line; return whether they have their form."""
        numbers = list[Any]()
        for column, value in enumerate(values if len(values) == self.width else ()):
            place = column % len(self._fixpoints)
            if self._fixpoints[place].kind not in self.kinds:
                numbers.append(value)
                self._lists.append([])
                continue
            if not isinstance(value, list) or not all(type(one) is int and one >= 0 for one in value):
                return False
            if value[:1] not in ([0], [1]) or not self.has_form(place, value):
                return False
            numbers.append(value[0] - 1)
            self._lists.append(value)
        return super().store(numbers)

    def check_position(self, line: int, position: Position[Any]) -> None:
        """Check the numbers and lists of a listed position."""
        self.check_numbers(line, position, self.kinds)
        for number, name in enumerate(self._order):
            after = (number + 1) % len(self._order)
            moves = [([self.base(line, after)], "")]
            for action in position.actions(name):
                lines = (self.positions.line_of(one.position) for one in position.outcomes(action))
                moves.append(([self.base(one, after) for one in lines], str(action)))
            base = self.base(line, number)
            for place, (one, hold, goal) in enumerate(self._tests):
                if one.kind in self.kinds:
                    is_mine = name in getattr(one.formula, "names", ())
                    turn = CoalitionTurn(name, is_mine, hold(position, base), goal(position, base), moves)
                    if not self.is_right(base, place, turn):
                        raise Defect(line, f"the list is wrong for {one.formula} here:\n{position.text()}")

    def list_of(self, base: int, place: int) -> list[int]:
        """Return the list of a fixpoint at a base."""
        return self._lists[(base - self.base(2, 0)) * len(self._fixpoints) + place]

    def is_forced(self, base: int, place: int) -> bool:
        """Return whether the coalition can force its objective."""
        return self._numbers[place][base] != NEVER
