"""Positions with the fates of an event and a condition, for checkers of conditional probabilities.

A position has a line `fate EVENT CONDITION` below its text: whether each is open, came true or is missed on the way there. If
a path has a bound of actions, the number of actions follows, counted up to the greatest bound; where no action is possible, the
position is followed by itself. Where both are decided, or the condition is missed, nothing more matters.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.position import Outcome, Position
from gridproof.core.product import ProductLevel, ProductPosition
from gridproof.prove.evaluate import Test, test_of
from gridproof.prove.quantity import Task

FATE = "fate"
OPEN, CAME, MISSED = FATES = ("open", "came", "missed")
Fates = tuple[str, str]
"""The fate of the event, and of the condition."""
_NUMBER = re.compile("[0-9]{1,9}")


@dataclass(frozen=True, kw_only=True)
class FateLevel(ProductLevel):
    """A level whose positions know whether the event and the condition came true."""

    tasks: tuple[Task, ...]
    """The event and the condition."""
    who: tuple[str | None, ...]

    @property
    def game(self) -> Game:
        return self.inner.game

    @functools.cached_property
    def most(self) -> int:
        """The number of actions up to which they are counted."""
        return max(one.steps or 0 for one in self.tasks)

    @functools.cached_property
    def tests(self) -> tuple[tuple[Test, Test], ...]:
        """Tests of what must hold meanwhile, and of the goal, for event and condition."""
        return tuple(
            (test_of(one.hold, self.inner, self.who), test_of(one.reach, self.inner, self.who))
            for one in self.tasks
        )

    def wrap(self, position: Position[Any], before: Fates = (OPEN, OPEN), done: int = 0) -> FatePosition:
        """Return a position with the fates on a path to it, of some number of actions."""
        fates = [
            self._decide(place, position, done) if fate == OPEN else fate for place, fate in enumerate(before)
        ]
        return FatePosition(self, position, (fates[0], fates[1]), done)

    def _decide(self, place: int, position: Position[Any], done: int) -> str:
        """Return the fate of the event or the condition that was open; a condition with G comes true where its opposite is missed."""
        task, (hold, reach) = self.tasks[place], self.tests[place]
        came, missed = (MISSED, CAME) if place and task.negated else (CAME, MISSED)
        if (not task.exactly or done == task.steps) and reach(position):
            return came
        return missed if done == task.steps or not hold(position) else OPEN

    def starts(self) -> Iterator[Outcome[Any]]:
        return (one._replace(position=self.wrap(one.position)) for one in self.inner.starts())

    def position(self, text: str) -> FatePosition:
        board, _, last = text.rpartition("\n") if isinstance(text, str) else ("", "", "")
        word, *fates = last.split(" ")
        done = int(fates.pop()) if self.most and _NUMBER.fullmatch(fates[-1]) else 0
        if word != FATE or len(fates) != 2 or not {*fates} <= {*FATES} or done > self.most:
            raise GridproofError("the last line is not the fate of the event and of the condition")
        return FatePosition(self, self.inner.position(board), (fates[0], fates[1]), done)


@dataclass(frozen=True, slots=True)
class FatePosition(ProductPosition):
    """A position, and the fates of the event and the condition on the path to it."""

    level: FateLevel = field(compare=False)
    fates: Fates
    done: int
    """The number of actions, if they count."""

    @property
    def is_decided(self) -> bool:
        """True if nothing more matters."""
        return self.fates[1] == MISSED or OPEN not in self.fates

    def outcomes(self, action: Any) -> Iterable[Outcome[Any]]:
        for outcome in self.inner.outcomes(action):
            yield outcome._replace(position=self._after(outcome.position))

    def stay(self) -> FatePosition:
        """Return what follows where no action is possible."""
        return self._after(self.inner)

    def _after(self, position: Position[Any]) -> FatePosition:
        return self.level.wrap(position, self.fates, min(self.done + 1, self.level.most))

    def text(self) -> str:
        done = f" {self.done}" if self.level.most else ""
        return f"{self.inner.text()}\n{FATE} {' '.join(self.fates)}{done}"
