"""Checker of the kind "conditional": bounds of the probability of an event if a condition comes true.

A listed position has the fates of event and condition. Each line is `[TEXT, LOW, RANK, HIGH, RANK, LOW, RANK, HIGH, RANK]`, for
the best play and for the worst: bounds of the probability of event and condition, where a path that misses the condition counts
as much as the claimed bound. If that makes no more than the bound at the start, then the event has no more of the condition's
probability, and likewise for no less.

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
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from gridproof.core.position import Position
from gridproof.prove.certificate_file import CertificateFile, Defect
from gridproof.prove.checkers.bellman import BEST, WORST, check_bounds
from gridproof.prove.checkers.fates import CAME, OPEN, FateLevel, FatePosition, Fates
from gridproof.prove.checkers.goal_statements import read_fraction, start_chances
from gridproof.prove.checkers.position_list import PositionList
from gridproof.prove.checkers.quantity_statement import QuantityStatement


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
        Side(is_low, is_low is (play == WORST), Fraction(ends[place] or 0), stays)
        for play, ends in pairs
        for place, is_low in enumerate((True, False))
    ]


def level_of(said: QuantityStatement) -> FateLevel:
    """Return the level of a statement, with fates."""
    return FateLevel(inner=said.level, tasks=said.tasks, who=said.who, title=said.level.title)


def check(said: QuantityStatement, listed: CertificateFile, positions: int) -> None:
    """Check a certificate; Defect at the first thing that is wrong."""
    check_bounds(ConditionalChecker(said, listed), listed, positions)


class _Claim(NamedTuple):
    """A bound of a position, and its rank."""

    bound: Fraction
    rank: int


class ConditionalChecker:
    """The bounds of the listed positions; lines without values are about something else."""

    def __init__(self, said: QuantityStatement, listed: CertificateFile) -> None:
        self._said, self.level, self._sides = said, level_of(said), sides_of(said)
        self._claims: list[list[_Claim]] = []
        self._listed = PositionList(
            replace(said, level=self.level), listed, closed=True, skip=lambda line: not self._claims[line - 2]
        )

    @property
    def positions(self) -> Iterator[tuple[int, Position[Any]]]:
        """The listed positions with their lines."""
        return iter(self._listed)

    def store(self, values: list[Any]) -> bool:
        """Store the bounds of a line; return whether they are bounds with ranks."""
        bounds, ranks = [read_fraction(value) for value in values[::2]], values[1::2]
        if len(values) not in (0, 2 * len(self._sides)) or any(
            type(rank) is not int or rank < -1 for rank in ranks
        ):
            return False
        found = [_Claim(bound, rank) for bound, rank in zip(bounds, ranks, strict=True) if bound is not None]
        self._claims.append(found)
        return len(found) in (0, len(self._sides))

    def _claims_of(self, line: int) -> list[_Claim]:
        """Return the bounds of a line; Defect if it has none."""
        if not self._claims[line - 2]:
            raise Defect(line, "the line has no bounds")
        return self._claims[line - 2]

    def check_starts(self) -> None:
        """Check that the bounds of the starts prove the claimed ones, and that the condition may come true."""
        starts = [
            (chance, self._claims_of(self._listed.find(self.level.wrap(start))))
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
            claim = self._claims_of(line)[place]
            fits = functools.partial(self._fits, place, position.fates, claim)
            if not (all if side.is_universal else any)(map(fits, actions)):
                raise Defect(line, f"the bound {claim.bound} is wrong:\n{position.text()}")

    def _fits(self, place: int, fates: Fates, claim: _Claim, outcomes: list[tuple[Fraction, int]]) -> bool:
        """Return whether a bound is right for an action, and its rank leads on."""
        side = self._sides[place]
        after = [(chance, self._claims_of(line)[place]) for chance, line in outcomes]
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
