"""Truth of formulas of LTL on one path, which goes round for ever or is only a beginning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from gridproof.core.limit import check_stop
from gridproof.core.position import Position
from gridproof.prove import evaluate
from gridproof.prove.formula import FALSE, PAST, TRUE, Binary, Formula, Next, Unary, is_temporal, parts

NO, UNKNOWN, YES = range(3)


class Word(NamedTuple):
    """A path: its positions, the action done in each (None for none), and the place after the last, None if unknown."""

    positions: list[Position[Any]]
    actions: list[str | None]
    loop: int | None

    def repeat(self, rounds: int) -> Word:
        """Return the same path with a longer stem, of so many rounds of the loop more."""
        if self.loop is None:
            return self
        positions, actions = self.positions[self.loop :], self.actions[self.loop :]
        return Word(
            [*self.positions, *positions * rounds],
            [*self.actions, *actions * rounds],
            self.loop + rounds * len(actions),
        )


def is_satisfied(formula: Formula, word: Word, who: tuple[str | None, ...]) -> bool:
    """Return whether a formula of LTL holds on a path, and if it is only a beginning, on every path that begins so."""
    return _Evaluation(word.repeat(_past_depth(formula)), who).values(formula)[0] == YES


def _past_depth(formula: Formula) -> int:
    """Return how deep operators of the past are nested: after so many rounds of a loop their values repeat."""
    inside = max(map(_past_depth, parts(formula)), default=0)
    return inside + (getattr(formula, "operator", "") in PAST)


class _Evaluation:
    """Values of formulas at all places of a path: NO, UNKNOWN or YES (Kleene's logic: `and` is the least one)."""

    def __init__(self, word: Word, who: tuple[str | None, ...]) -> None:
        self._word, self._who = word, who
        self._cache: dict[Formula, list[int]] = {}

    def values(self, formula: Formula) -> list[int]:
        check_stop()
        if formula not in self._cache:
            self._cache[formula] = self._values(formula)
        return self._cache[formula]

    def _values(self, formula: Formula) -> list[int]:
        match formula:
            case Next(action):
                return [self._next(action, place) for place in range(len(self._word.actions))]
            case Unary("!", operand):
                return [YES - value for value in self.values(operand)]
            case Unary("X" | "Y" as operator, operand):
                values = self.values(operand)
                return [*values[1:], self._last(values)] if operator == "X" else [NO, *values[:-1]]
            case _ if not is_temporal(formula):
                return [YES * evaluate.holds(formula, one, self._who) for one in self._word.positions]
            case Unary(operator, operand):
                operator, left = {"F": ("U", TRUE), "G": ("W", operand), "O": ("S", TRUE), "H": ("T", FALSE)}[
                    operator
                ]
                right = FALSE if operator == "W" else operand
                return self._binary(operator, self.values(left), self.values(right))
            case Binary(operator, left, right):
                return self._binary(operator, self.values(left), self.values(right))
        raise TypeError(formula)

    def _next(self, action: str, place: int) -> int:
        if place + 1 == len(self._word.actions) and self._word.loop is None:
            return UNKNOWN
        return YES * (self._word.actions[place] == action)

    def _last(self, values: list[int]) -> int:
        return UNKNOWN if self._word.loop is None else values[self._word.loop]

    def _binary(self, operator: str, left: list[int], right: list[int]) -> list[int]:
        pairs = list(zip(left, right, strict=True))
        match operator:
            case "&":
                return [min(pair) for pair in pairs]
            case "|":
                return [max(pair) for pair in pairs]
            case "->":
                return [max(YES - one, two) for one, two in pairs]
            case "<->":
                return [max(min(one, two), min(YES - one, YES - two)) for one, two in pairs]
            case "S":
                return _accumulate(pairs, lambda pair, before: max(pair[1], min(pair[0], before)), NO)
            case "T":
                return _accumulate(pairs, lambda pair, before: min(pair[1], max(pair[0], before)), YES)
            case "R":  # both at last, or the right one for ever
                pairs = [(two, min(one, two)) for one, two in pairs]
        values = [NO if operator == "U" else YES] * len(pairs)
        for _ in range(2):
            back = _accumulate(
                pairs[::-1], lambda pair, after: max(pair[1], min(pair[0], after)), self._last(values)
            )
            values = back[::-1]
        return values


def _accumulate(
    pairs: Sequence[tuple[int, int]], step: Callable[[tuple[int, int], int], int], value: int
) -> list[int]:
    values = []
    for pair in pairs:
        value = step(pair, value)
        values.append(value)
    return values
