"""Checker of the kind "conditional": bounds of the probability of an event if a condition comes true.

A listed position has a line `fate EVENT CONDITION` below its text: whether each is open, came true or is missed on the way
there. If a path has a bound of actions, the number of actions follows, counted up to the greatest bound; where no action is
possible, the position is followed by itself. Where both are decided, or the condition is missed, nothing more matters. Each
line is `[TEXT, LOW, RANK, HIGH, RANK, LOW, RANK, HIGH, RANK]`, for the best play and for the worst: bounds of the probability of
event and condition, where a path that misses the condition counts as much as the claimed bound. If that makes no more than the
bound at the start, then the event has no more of the condition's probability, and likewise for no less.

HIGH is at least the mean after each action for the best play, and after one for the worst; LOW is at most the mean after
one action for the best play, and after each for the worst. A position counts as `rest` where its fate never changes again.
Where a bound claims more than that, a rank says that the path does not stay: an outcome of the action has a lower one. Where
one action is enough, ranks lead to the condition, so that it comes true with some probability; -1 is no rank. A condition
such as G comes true on a path that stays open: there 0 leads to nothing but 0, even ranks lead to even ones and so to the
condition, and odd ranks to any lower ones.
"""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.game import Game
from gridproof.core.position import Outcome, Position
from gridproof.core.product import ProductLevel, ProductPosition
from gridproof.prove.certificate_file import CertificateFile, Defect
from gridproof.prove.checkers.bellman import BEST, WORST, check_bounds
from gridproof.prove.checkers.goal_statements import read_fraction, start_chances
from gridproof.prove.checkers.position_list import PositionList
from gridproof.prove.checkers.quantity_statement import QuantityStatement
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


class Side(NamedTuple):
    """One of the four bounds."""

    is_low: bool
    is_universal: bool
    """True if the bound must be right for all actions, False for one."""
    claimed: Fraction
    """The claimed bound, and the value of a path that misses the condition."""
    stays: bool
    """True if a condition that is open for ever comes true, as with G."""

    def comes(self, fates: Fates) -> bool:
        """Return whether the condition comes true on a path whose fates never change again."""
        return fates[1] == CAME or (self.stays and fates[1] == OPEN)

    def rest(self, fates: Fates) -> Fraction:
        """Return the value of a path whose fates never change again."""
        return Fraction(fates[0] == CAME) if self.comes(fates) else self.claimed

    def is_beyond(self, bound: Fraction, fates: Fates) -> bool:
        """Return whether a bound relies on fates that still change."""
        return bound > self.rest(fates) if self.is_low else bound < self.rest(fates)

    def is_end(self, bound: Fraction, fates: Fates) -> bool:
        """Return whether ranks may end here, if it is not left again."""
        return (self.is_universal or self.comes(fates)) and not self.is_beyond(bound, fates)

    def leads_to_condition(self, rank: int) -> bool:
        """Return whether the condition comes true with some probability from a position with a rank."""
        return rank >= 0 and not (self.stays and rank % 2)


def sides_of(said: QuantityStatement) -> list[Side]:
    """Return the lower and the upper bound of the best play, and those of the worst."""
    pairs = [(play, said.inner(play)) for play in (BEST, WORST)]
    stays = said.tasks[1].negated and said.tasks[1].steps is None
    return [
        Side(is_low, is_low is (play == WORST), ends[place] or Fraction(0), stays)
        for play, ends in pairs
        for place, is_low in enumerate((True, False))
    ]


def level_of(said: QuantityStatement) -> FateLevel:
    """Return the level of a statement, with fates."""
    return FateLevel(inner=said.level, tasks=said.tasks, who=said.who, title=said.level.title)


def check(said: QuantityStatement, listed: CertificateFile, positions: int) -> None:
    """Check a certificate; Defect at the first thing that is wrong."""
    check_bounds(_ConditionalChecker(said, listed), listed, positions)


class _Claim(NamedTuple):
    """A bound of a position, and its rank."""

    bound: Fraction
    rank: int


class _ConditionalChecker:
    """The bounds of the listed positions."""

    def __init__(self, said: QuantityStatement, listed: CertificateFile) -> None:
        self._said, self._level, self._sides = said, level_of(said), sides_of(said)
        self._listed = PositionList(replace(said, level=self._level), listed, closed=True)
        self._claims: list[list[_Claim]] = []

    @property
    def positions(self) -> Iterator[tuple[int, Position[Any]]]:
        """The listed positions with their lines."""
        return iter(self._listed)

    def store(self, values: list[Any]) -> bool:
        """Store the bounds of a line; return whether they are bounds with ranks."""
        bounds, ranks = [read_fraction(value) for value in values[::2]], values[1::2]
        if len(values) != 2 * len(self._sides) or any(type(rank) is not int or rank < -1 for rank in ranks):
            return False
        found = [_Claim(bound, rank) for bound, rank in zip(bounds, ranks, strict=True) if bound is not None]
        self._claims.append(found)
        return len(found) == len(self._sides)

    def check_starts(self) -> None:
        """Check that the bounds of the starts prove the claimed ones, and that the condition may come true."""
        starts = [
            (chance, self._claims[self._listed.find(self._level.wrap(start)) - 2])
            for chance, start in start_chances(self._said)
        ]
        for place, side in enumerate(self._sides):
            mean = sum(chance * claims[place].bound for chance, claims in starts)
            is_right = mean >= side.claimed if side.is_low else mean <= side.claimed
            if not is_right or not (
                side.is_universal
                or any(chance and side.leads_to_condition(claims[place].rank) for chance, claims in starts)
            ):
                raise Defect(1, f"the bounds of the starts do not prove {side.claimed}")

    def check_position(self, line: int, position: Position[Any]) -> None:
        """Check the bounds of a listed position."""
        assert isinstance(position, FatePosition)
        actions = list(self._actions(position))
        if not actions:
            after = line if position.is_decided else self._listed.line_of(position.stay())
            actions = [[(Fraction(1), after)]]
        for place, side in enumerate(self._sides):
            claim = self._claims[line - 2][place]
            fits = functools.partial(self._fits, place, position.fates, claim)
            if not (all if side.is_universal else any)(map(fits, actions)):
                raise Defect(line, f"the bound {claim.bound} is wrong:\n{position.text()}")

    def _fits(self, place: int, fates: Fates, claim: _Claim, outcomes: list[tuple[Fraction, int]]) -> bool:
        """Return whether a bound is right for an action, and its rank leads on."""
        side = self._sides[place]
        after = [(chance, self._claims[line - 2][place]) for chance, line in outcomes]
        compare = operator.le if side.is_low else operator.ge
        if not compare(claim.bound, sum(chance * one.bound for chance, one in after)):
            return False
        if claim.rank < 0:
            return not side.is_beyond(claim.bound, fates)
        lower = [one.rank for _, one in after if one.rank < claim.rank]
        if side.is_universal or not side.stays:
            return side.is_end(claim.bound, fates) or max(lower, default=-1) >= 0
        if claim.rank:
            return any(claim.rank % 2 or side.leads_to_condition(rank) for rank in lower)
        return side.is_end(claim.bound, fates) and (fates[1] == CAME or not any(one.rank for _, one in after))

    def _actions(self, position: FatePosition) -> Iterator[list[tuple[Fraction, int]]]:
        """Yield the outcomes of each action with their lines; nothing follows what is decided."""
        for actor in () if position.is_decided else self._said.who:
            for action in position.actions(actor):
                outcomes = position.outcomes(action)
                yield [(one.probability, self._listed.line_of(one.position)) for one in outcomes]
