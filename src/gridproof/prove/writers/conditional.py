"""Proofs of the kind "conditional": bounds of the probability of an event if a condition comes true."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Meter, Stopped
from gridproof.core.position import Position
from gridproof.prove.checkers.conditional import Side, level_of, sides_of
from gridproof.prove.checkers.fates import CAME, FatePosition, Fates
from gridproof.prove.checkers.goal_statements import start_chances
from gridproof.prove.checkers.quantity_statement import CONDITIONAL, QuantityStatement, check_quantity
from gridproof.prove.checkers.statements import Setting
from gridproof.prove.formula import Quantity
from gridproof.prove.writers.proof import Proof
from gridproof.prove.writers.value import BEST, WORST, Action, Numbers, Play, ValueGraph
from gridproof.search.actors import Who

_UNIT = 1 << 64
_NOTHING, _SURE = Fraction(0), Fraction(1)
_SLACKS = (_NOTHING, *(Fraction(1, 1 << bits) for bits in (50, 40, 30, 20, 10)), _SURE)
"""Bounds are tried that are farther from the value by one of these."""

Test = Callable[[int, Action], bool]
"""A test of an action in the position of a number."""

Column = tuple[Numbers, list[int]]
"""One bound of all positions, with the ranks."""


def find_proof(setting: Setting, question: Quantity, meter: Meter) -> tuple[QuantityStatement, Proof]:
    """Return the statement about the bounds of a question that can be proved, and its proof; Stopped at a limit.

    GridproofError for a question that no certificate can have, and if the condition cannot come true.
    """
    from gridproof.prove.conditional_probability import ConditionalSolver  # which brings numpy

    check_quantity(question)
    said = QuantityStatement(*setting, question, (_NOTHING, _SURE), (_NOTHING, _SURE))
    inside = said.in_memory
    chances = list(start_chances(inside))
    found = ConditionalSolver(inside.question, chances, setting.who, meter, None).find()
    if found is None or meter.stopped_by:
        raise Stopped
    best, worst = ((Fraction(one.low), Fraction(one.high)) for one in found.of(chances[0][1]) or ())
    level = level_of(inside)
    starts = [(chance, level.wrap(start)) for chance, start in chances]
    graph = FateGraph(starts, setting.who, meter)
    columns, ends = list[Column](), list[Fraction]()
    for side in sides_of(replace(said, best=best, worst=worst)):
        claimed, column = graph.prove(side)
        columns.append(column)
        ends.append(claimed)
    best, worst = (ends[0], ends[1]), (ends[2], ends[3])
    if said.task.negated:
        best, worst = _opposite(worst), _opposite(best)
    said = replace(said, best=best, worst=worst)
    return said, Proof(CONDITIONAL, said.facts, len(graph.positions), graph.lines_of(columns))


def _opposite(ends: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    return 1 - ends[1], 1 - ends[0]


class FateGraph(ValueGraph):
    """The positions with the fates of event and condition, until both are decided or the condition is missed."""

    def __init__(self, starts: list[tuple[Fraction, FatePosition]], who: Who, meter: Meter) -> None:
        super().__init__(
            [start for _, start in starts],
            lambda one: _fates(one) == (CAME, CAME),
            who,
            meter,
            _is_decided,
        )
        self._fates = [_fates(one) for one in self.positions]
        self._starts = [(chance, self.positions.index(start)) for chance, start in starts]

    def _actions_of(self, position: Position[Any]) -> Iterator[Action]:
        actions = list(super()._actions_of(position))
        yield from actions
        assert isinstance(position, FatePosition)
        if not actions and (after := position.stay()) != position:
            number = self._number(after)
            yield Action(_NOTHING, ((_SURE, number),), (1, ((1, number),)))

    def prove(self, side: Side) -> tuple[Fraction, Column]:
        """Return a bound that can be proved, as near as possible, and its column; GridproofError if there is none."""
        for slack in _SLACKS:
            moved = side.claimed - slack if side.is_low else side.claimed + slack
            claimed = min(max(moved, _NOTHING), _SURE)
            if not self.is_acyclic:  # a whole number of units
                claimed = Fraction((math.floor if side.is_low else math.ceil)(claimed * _UNIT), _UNIT)
            column = self._column(side._replace(claimed=claimed))
            if column:
                return claimed, column
        raise GridproofError("no bounds of this conditional probability can be proved")

    def _column(self, side: Side) -> Column | None:
        """Return the bounds and ranks that prove a claim; None if it cannot be proved so."""
        bounds = self._sweep_all(side) if self.is_acyclic else self._iterate_all(side)
        ends = [side.is_end(*one) for one in zip(bounds, self._fates, strict=True)]
        compare = operator.le if side.is_low else operator.ge

        def is_right(number: int, action: Action) -> bool:
            return bool(compare(bounds[number], action.value(bounds)))

        if side.stays and not side.is_universal:
            near = [not side.is_beyond(*one) for one in zip(bounds, self._fates, strict=True)]
            ranks = self._two_ranks(self._kept(ends, is_right), near, is_right)
        else:
            ranks = self._attractor(ends, WORST if side.is_universal else BEST, is_right)
        if any(
            rank < 0 and side.is_beyond(bound, fates)
            for rank, bound, fates in zip(ranks, bounds, self._fates, strict=True)
        ):
            return None
        mean = sum(chance * bounds[number] for chance, number in self._starts)
        leads = (side.leads_to_condition(ranks[number]) for _, number in self._starts)
        is_possible = side.is_universal or any(leads)
        return (bounds, ranks) if is_possible and compare(side.claimed, mean) else None

    def _kept(self, ends: list[bool], test: Test) -> list[bool]:
        """Return the ends that actions which pass a test never leave, or where the condition has come true."""
        while True:
            smaller = [
                end
                and (
                    fates[1] == CAME
                    or not actions
                    or any(
                        test(number, one) and all(ends[after] for _, after in one.outcomes) for one in actions
                    )
                )
                for number, (end, fates, actions) in enumerate(
                    zip(ends, self._fates, self._actions, strict=True)
                )
            ]
            if smaller == ends:
                return ends
            ends = smaller

    def _two_ranks(self, kept: list[bool], near: list[bool], test: Test) -> list[int]:
        """Return even ranks where actions lead to what is kept; elsewhere odd ones that lead to those or to what is near."""
        even = self._attractor(kept, BEST, test)
        ends = [rank >= 0 or end for rank, end in zip(even, near, strict=True)]
        odd = self._attractor(ends, BEST, test)
        most = max(even)
        return [
            2 * one if one >= 0 else -1 if end or other < 0 else 2 * (most + other) + 1
            for one, other, end in zip(even, odd, near, strict=True)
        ]

    def _sweep_all(self, side: Side) -> Numbers:
        return self._sweep([side.rest(one) for one in self._fates], _play_of(side), not side.is_low)

    def _iterate_all(self, side: Side) -> Numbers:
        """Return bounds that are improved from the worst ones; those that need no more than to stay where they are first."""
        worst, best = (_NOTHING, _SURE) if side.is_low else (_SURE, _NOTHING)
        rests = [side.rest(one) for one in self._fates]
        bounds = [worst if actions else rest for actions, rest in zip(self._actions, rests, strict=True)]
        for bound in (best, side.claimed):
            staying = self._closed(side, bounds, rests, bound)
            bounds = [
                bound if stays and _is_worse(side, one, bound) else one
                for stays, one in zip(staying, bounds, strict=True)
            ]
            bounds = self._iterate([int(one * _UNIT) for one in bounds], _play_of(side), not side.is_low)
        return bounds

    def _closed(self, side: Side, bounds: Numbers, rests: Numbers, bound: Fraction) -> list[bool]:
        """Return the positions from which no worse value than a bound comes, if the path may stay for ever."""
        quantify = (WORST if side.is_universal else BEST).quantify
        reached = [not _is_worse(side, one, bound) for one in bounds]
        found = [one or not _is_worse(side, rest, bound) for one, rest in zip(reached, rests, strict=True)]
        while True:
            smaller = [
                one
                or (old and quantify(all(found[after] for _, after in action.outcomes) for action in actions))
                for one, old, actions in zip(reached, found, self._actions, strict=True)
            ]
            if smaller == found:
                return found
            found = smaller

    def lines_of(self, columns: list[Column]) -> Iterator[list[Any]]:
        """Yield the line of each position."""
        for number, position in enumerate(self.positions):
            pairs = ((str(bounds[number]), ranks[number]) for bounds, ranks in columns)
            yield [position.text(), *itertools.chain.from_iterable(pairs)]


def _fates(position: Position[Any]) -> Fates:
    assert isinstance(position, FatePosition)
    return position.fates


def _is_decided(position: Position[Any]) -> bool:
    return isinstance(position, FatePosition) and position.is_decided


def _play_of(side: Side) -> Play:
    """Return whether the greatest or the least value is meant."""
    return BEST if side.is_low is not side.is_universal else WORST


def _is_worse(side: Side, one: Fraction, bound: Fraction) -> bool:
    return one < bound if side.is_low else one > bound
