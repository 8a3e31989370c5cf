"""Bounds of probabilities of paths within some turns, by the rules: for each number of turns that are left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from gridproof.core.limit import Meter, Stopped
from gridproof.core.position import Position
from gridproof.prove.checkers.goal_statements import Ends
from gridproof.prove.quantity import Task
from gridproof.prove.writers.value import Test, round_value
from gridproof.search.actors import Who

_CHECK_EVERY = 64
_NOTHING = Fraction(0)

Outcomes = list[tuple[Fraction, int]]
"""The numbers of the positions that may follow an action, with their chances."""
Choose = Callable[[Iterable[Fraction]], Fraction]
"""`max` or `min`."""


class StepTurn(NamedTuple):
    """A turn: who acts, whether they may pass even if they can act, and how each pair of bounds comes from those of the actions."""

    actors: Who
    may_pass: bool
    sides: tuple[Choose, ...]


class StepGraph:
    """The positions that can be reached in some number of turns, with bounds for each number of turns left.

    The turns follow each other in a circle, the first one at a start.
    """

    def __init__(
        self,
        starts: list[Position[Any]],
        tests: tuple[Test, Test],
        turns: Sequence[StepTurn],
        meter: Meter,
        task: Task,
    ) -> None:
        self._hold, self._reach = tests
        self._turns, self._meter, self._task = turns, meter, task
        self._steps = task.steps or 0
        self.positions = starts
        self._numbers = {position: number for number, position in enumerate(starts)}
        self._depths = [0] * len(starts)
        self._actions: list[list[list[Outcomes]]] = []
        """The actions of each position, for each turn."""
        for number, position in enumerate(self.positions):
            if number % _CHECK_EVERY == 0 and meter.is_reached(number):
                raise Stopped
            is_last = self._depths[number] == self._steps or self._value(position, 1) is not None
            self._actions.append(
                [] if is_last else [list(self._actions_of(number, position, turn)) for turn in turns]
            )
        self._values = self._find_values()

    def _actions_of(self, number: int, position: Position[Any], turn: StepTurn) -> Iterator[Outcomes]:
        is_stuck = True
        for actor in turn.actors:
            for action in position.actions(actor):
                is_stuck = False
                yield [
                    (one.probability, self._number(one.position, number)) for one in position.outcomes(action)
                ]
        if is_stuck or turn.may_pass:
            yield [(Fraction(1), number)]

    def _number(self, position: Position[Any], before: int) -> int:
        number = self._numbers.setdefault(position, len(self.positions))
        if number == len(self.positions):
            self.positions.append(position)
            self._depths.append(self._depths[before] + 1)
        return number

    def _value(self, position: Position[Any], left: int) -> Fraction | None:
        """Return the value of a position that decides it by itself."""
        if (not self._task.exactly or left == 0) and self._reach(position):
            return Fraction(1)
        return _NOTHING if left == 0 or not self._hold(position) else None

    def _find_values(self) -> list[list[list[Fraction]]]:
        """Return for each position, by the number of turns left, the bounds: low and high for each side."""
        found: list[list[list[Fraction]]] = [[] for _ in self.positions]
        for left in range(self._steps + 1):
            for number, position in enumerate(self.positions):
                if number % _CHECK_EVERY == 0 and self._meter.is_reached(0):
                    raise Stopped
                if self._depths[number] + left <= self._steps:
                    found[number].append(self._row(found, number, position, left))
        return found

    def _row(
        self, found: list[list[list[Fraction]]], number: int, position: Position[Any], left: int
    ) -> list[Fraction]:
        place = (self._steps - left) % len(self._turns)
        sides = self._turns[place].sides
        value = self._value(position, left)
        if value is not None:
            return [value] * (2 * len(sides))
        row = []
        for column in range(2 * len(sides)):
            means = (
                sum((chance * found[after][left - 1][column] for chance, after in outcomes), _NOTHING)
                for outcomes in self._actions[number][place]
            )
            row.append(round_value(sides[column // 2](means), column % 2 == 1))
        return row

    def ends(self, side: int) -> Callable[[int], Ends]:
        """Return the bounds of a side, as a function of the position's number."""
        return lambda number: (self._values[number][-1][2 * side], self._values[number][-1][2 * side + 1])

    def lines(self) -> Iterator[list[Any]]:
        """Yield the line of each position."""
        for position, rows in zip(self.positions, self._values, strict=True):
            line: list[Any] = [position.text()]
            for row in rows:
                for low, high in zip(row[::2], row[1::2], strict=True):
                    line += [str(low), str(high), 0]
            yield line
