"""Memory beside positions: costs since the start, and the values of operators of the past, for checkers of formulas.

A position with its memory is written as the text of the position and a line `memory 3 1`: first the cost by each measure
that the formula compares, counted up to one more than the largest number there, in the order in which they occur; then
1 or 0 for each operator of the past beside A and E, the operators inside before the others. An operator with A or E inside
has what it was one step before: that follows from the truths that the certificate lists for the position before. Where no action is possible, the
position is followed by itself; with Y among the operators, this changes the memory, and is a step of its own.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game, Measure, Proposition
from gridproof.core.measure import find_measure
from gridproof.core.position import Level, Outcome, Position
from gridproof.core.product import ProductLevel, ProductPosition, product_game
from gridproof.prove.evaluate import Test, test_of
from gridproof.prove.formula import Formula, parts
from gridproof.prove.logic import Logic, logic_of

COST, MEMORY, END = "cost", "memory", "end"
Judge = Callable[[Formula, Any], bool]
"""The truth of a formula about positions in one of them."""
STAY = ""
"""The step where no action is possible, as an action."""
_NUMBER = re.compile("[0-9]{1,18}")


@dataclass(frozen=True, kw_only=True)
class RememberingLevel(ProductLevel):
    """A level whose positions have a memory."""

    caps: tuple[tuple[str, int], ...]
    """The measures that are counted, and where their counters stop."""
    past: tuple[Formula, ...]
    """The operators of the past; those inside are written `memory(0)`, `memory(1)`, ..."""
    who: tuple[str | None, ...]
    first: tuple[Position[Any], ...]
    """The starts, without memory."""
    judges: list[Judge] = field(default_factory=list, compare=False, repr=False)
    """The last one tells the truth of formulas with A or E, which rules alone do not."""

    @functools.cached_property
    def game(self) -> Game:
        """The game with propositions about inner positions and memories, without extensions."""
        return product_game(self.inner.game, _COST, _MEMORY)

    @functools.cached_property
    def counters(self) -> tuple[tuple[Measure, int], ...]:
        """The measures with the values at which their counters stop."""
        return tuple((find_measure(self.inner.game, name), cap) for name, cap in self.caps)

    @functools.cached_property
    def updates(self) -> tuple[tuple[str, Test | None, Test], ...]:
        """Each operator of the past with the tests of its sides; a unary one has no left side."""
        found = []
        for one in self.past:
            *left, right = map(self._test, parts(one))
            found.append((getattr(one, "operator", ""), left[0] if left else None, right))
        return tuple(found)

    def _test(self, part: Formula) -> Test:
        if logic_of(part) is Logic.STATE:
            return test_of(part, self, self.who)
        return lambda position: self._judge(part, position)

    def _judge(self, part: Formula, position: Position[Any]) -> bool:
        if not self.judges:
            raise GridproofError(f"a certificate of this kind does not tell the truth of {part}")
        return self.judges[-1](part, position)

    @functools.cached_property
    def is_judged(self) -> bool:
        """True if memories depend on the truth of formulas with A or E."""
        return any(logic_of(part) is not Logic.STATE for one in self.past for part in parts(one))

    @functools.cached_property
    def stays(self) -> bool:
        """True if memories may change where no action is possible."""
        return any(operator == "Y" for operator, _, _ in self.updates)

    def all_actions(self) -> tuple[Any, ...]:
        listed = self.inner.all_actions()
        return (*listed, STAY) if listed and self.stays else listed

    def owner(self, action: Any) -> str:
        return self.inner.game.actors(self.inner)[0] if action == STAY else self.inner.owner(action)

    def wrap(self, position: Position[Any]) -> RememberingPosition:
        """Return a position at the start of a path."""
        return self.remember(position, (0,) * len(self.caps), None)

    def remember(
        self, position: Position[Any], spent: tuple[int, ...], before: RememberingPosition | None
    ) -> RememberingPosition:
        """Return a position with its costs, and the values of operators after the position one step before."""
        now: tuple[bool, ...] = ()
        for number, (operator, left, right) in enumerate(self.updates):
            if operator == "Y":
                now += (before is not None and right(before),)
                continue
            here = RememberingPosition(self, position, spent, now)
            was = operator in "HT" if before is None else before.past[number]
            holds = right(here)
            if operator in "OS":
                now += (holds or (was and (left is None or left(here))),)
            else:
                now += (holds and (was or (left is not None and left(here))),)
        return RememberingPosition(self, position, spent, now)

    def starts(self) -> Iterator[Outcome[Any]]:
        starts = list(self.inner.starts())
        if {one.position for one in starts} != set(self.first):
            share = Fraction(1, len(self.first))
            starts = [Outcome(position, share) for position in self.first]
        return (one._replace(position=self.wrap(one.position)) for one in starts)

    def position(self, text: str) -> RememberingPosition:
        board, _, memory = text.rpartition("\n") if isinstance(text, str) else ("", "", "")
        word, *numbers = memory.split(" ")
        count, are_numbers = len(self.caps), all(map(_NUMBER.fullmatch, numbers))
        if word != MEMORY or len(numbers) != count + len(self.past) or not are_numbers:
            raise GridproofError(f"the last line is no memory of {count} costs and {len(self.past)} truths")
        values = tuple(map(int, numbers))
        bits = tuple(map(bool, values[count:]))
        return RememberingPosition(self, self.inner.position(board), values[:count], bits)


@dataclass(frozen=True, slots=True)
class RememberingPosition(ProductPosition):
    """A position, the costs of the path to it, and the values of the operators of the past."""

    level: RememberingLevel = field(compare=False)
    spent: tuple[int, ...]
    past: tuple[bool, ...]

    @property
    def is_stuck(self) -> bool:
        """True if no action of the level is possible."""
        return not any(self.inner.actions(actor) for actor in self.level.who)

    def actions(self, actor: str | None = None) -> tuple[Any, ...]:
        found = self.inner.actions(actor)
        if found or not self.level.stays or actor != self.level.who[0] or not self.is_stuck:
            return found
        return () if self._after_staying() == self else (STAY,)

    def _after_staying(self) -> RememberingPosition:
        return self.level.remember(self.inner, self.spent, self)

    def outcomes(self, action: Any) -> Iterable[Outcome[Any]]:
        if action == STAY:
            yield Outcome(self._after_staying(), Fraction(1))
            return
        for outcome in self.inner.outcomes(action):
            spent = tuple(
                min(before + measure.cost(self.inner, action, outcome), cap)
                for before, (measure, cap) in zip(self.spent, self.level.counters, strict=True)
            )
            yield outcome._replace(position=self.level.remember(outcome.position, spent, self))

    def text(self) -> str:
        memory = " ".join(map(str, (*self.spent, *map(int, self.past))))
        return f"{self.inner.text()}\n{MEMORY} {memory}"


def _spent(position: RememberingPosition, measure: str) -> int:
    names = [name for name, _ in position.level.caps]
    if measure not in names:
        raise GridproofError(f"the cost by {measure} is not counted")
    return position.spent[names.index(measure)]


_COST = Proposition(COST, ("measure",), "cost since the start", _spent, number=True)
_MEMORY = Proposition(
    MEMORY,
    ("number",),
    "value of an operator of the past; of `end`, whether no action is possible",
    lambda position, number: position.is_stuck if number == END else position.past[int(number)],
)


def let_judge(level: Level, judge: Judge) -> None:
    """Let a function tell the truths on which the memories of a level depend, if any do."""
    if isinstance(level, RememberingLevel):
        level.judges.append(judge)
