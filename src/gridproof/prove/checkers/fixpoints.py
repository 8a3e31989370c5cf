"""Checker of the kinds "ctl" and "coalition": fixpoints with ranks, by local conditions in each listed position.

Each line has the text of a position and a number for each quantified subformula; for coalitions, these for each turn.
An operator X has 0 where it holds, else -1. A least fixpoint (F, U) has a rank where it holds, else -1: the goal holds,
or the next positions have lower ranks. A greatest fixpoint (G, W, R) has -1 where it holds, else the rank of its
refutation. So each number is right if it fits those of the next positions.
"""

from __future__ import annotations

import functools
from array import array
from collections.abc import Callable, Container
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.position import NATURE, Position
from gridproof.prove.certificate_file import CertificateFile, Defect, locate_defect
from gridproof.prove.checkers.memory import let_judge
from gridproof.prove.checkers.position_list import UNLISTED, PositionList
from gridproof.prove.checkers.statements import FormulaStatement, turns_of
from gridproof.prove.evaluate import join, test_of
from gridproof.prove.formula import (
    FALSE,
    QUANTIFIERS,
    TRUE,
    Binary,
    Bounded,
    Coalition,
    Formula,
    Unary,
    is_ctl_path,
    subformulas,
)
from gridproof.prove.logic import Logic
from gridproof.prove.recurrence import RECURRENT, STREETT, recurrence_of

CTL, COALITION, FAIR_COALITION, RECURRENCE = "ctl", "coalition", "fair-coalition", "recurrence"
LOGICS = {CTL: (Logic.CTL, Logic.STATE)} | dict.fromkeys(
    (COALITION, FAIR_COALITION, RECURRENCE), (Logic.ATL,)
)
"""The logics of each kind."""
NEXT, LEAST, GREATEST, WITHIN, DURING = "next", "least", "greatest", "within", "during"
NEVER = 1 << 62
"""The number in memory for -1: more than all ranks."""


class Fixpoint(NamedTuple):
    """A quantified subformula: its kind, the formula that must hold meanwhile, and the goal.

    If it is about what comes again and again, these are the formulas of its objective.
    """

    formula: Unary | Coalition
    kind: str
    hold: Formula
    goal: Formula
    most: int = NEVER
    """The number of turns, if it has a bound: it is WITHIN or DURING these."""

    @property
    def is_refuted(self) -> bool:
        """True if the numbers are ranks of its refutation."""
        return self.kind in (GREATEST, DURING)


def fixpoints_of(formula: Formula) -> list[Fixpoint]:
    """Return the quantified subformulas in the order of their numbers: each before those inside it, and once."""
    found = dict.fromkeys(subformulas(formula))
    return [_fixpoint(one) for one in found if isinstance(one, Coalition) or is_quantified(one)]  # type: ignore[arg-type]  # these two


def is_quantified(formula: Formula) -> bool:
    """Return whether a formula begins with A or E."""
    return isinstance(formula, Unary) and formula.operator in QUANTIFIERS


def _fixpoint(formula: Unary | Coalition) -> Fixpoint:
    if isinstance(path := formula.operand, Bounded):
        inner = _fixpoint(replace(formula, operand=path.operand))
        return inner._replace(formula=formula, kind=DURING if inner.is_refuted else WITHIN, most=path.most)
    if not is_ctl_path(formula.operand):
        recurrence = recurrence_of(formula.operand) if isinstance(formula, Coalition) else None
        if recurrence is not None:
            return Fixpoint(formula, *recurrence)
        raise GridproofError(
            f"no certificate can have several temporal operators after <<...>>, as {formula} has"
        )
    match formula.operand:
        case Unary("X", goal):
            return Fixpoint(formula, NEXT, TRUE, goal)
        case Unary("F", goal):
            return Fixpoint(formula, LEAST, TRUE, goal)
        case Unary("G", hold):
            return Fixpoint(formula, GREATEST, hold, FALSE)
        case Binary("U", hold, goal):
            return Fixpoint(formula, LEAST, hold, goal)
        case Binary("W", hold, goal):
            return Fixpoint(formula, GREATEST, hold, goal)
        case Binary("R", goal, hold):
            return Fixpoint(formula, GREATEST, hold, Binary("&", goal, hold))
    raise GridproofError(f"{formula} is not of CTL or ATL")


def check(said: FormulaStatement, listed: CertificateFile, positions: int) -> None:
    """Check a certificate; Defect at the first thing that is wrong."""
    check_ranks(RankChecker(said, listed), said, listed, positions)


def check_ranks(
    checker: RankChecker, said: FormulaStatement, listed: CertificateFile, positions: int
) -> None:
    """Read and check all numbers; Defect at the first thing that is wrong."""
    listed.read_texts(positions, checker.store)
    starts = [checker.positions.find(start) if checker.width else UNLISTED for start in said.starts]
    for line, position in checker.positions if checker.width else ():
        with locate_defect(line):
            checker.check_position(line, position)
    claim = checker.test(said.formula)
    truths = [claim(start, checker.base(line, 0)) for start, line in zip(said.starts, starts, strict=True)]
    if (any if said.paths == "some" else all)(truths) is not said.holds:
        raise Defect(1, f"the numbers of the starts say the opposite about {said.formula}")


Test = Callable[[Position[Any], int], bool]
"""The truth of a formula in a position, whose numbers at a turn are at a place."""


class RankChecker:
    """The numbers of the listed positions, and the positions that were met before their lines."""

    def __init__(self, said: FormulaStatement, listed: CertificateFile) -> None:
        if said.logic not in LOGICS[said.kind]:
            raise Defect(1, f"the kind {said.kind} has no formulas of {said.logic.value}")
        if said.fair and said.kind != FAIR_COALITION:
            raise Defect(1, f"the kind {said.kind} has no fairness")
        if NATURE in said.who and said.logic is Logic.ATL:
            raise Defect(1, f"{NATURE} takes no turn")
        self._said = said
        self._order, self._fixpoints = turns_of(said), fixpoints_of(said.formula)
        known = {RECURRENCE: RECURRENT, FAIR_COALITION: (STREETT,)}.get(said.kind, ())
        if again := [one for one in self._fixpoints if one.kind in RECURRENT and one.kind not in known]:
            raise Defect(1, f"the kind {said.kind} has no formulas such as {again[0].formula}")
        self._places: dict[Formula, int] = {one.formula: place for place, one in enumerate(self._fixpoints)}
        for one in self._fixpoints:
            if isinstance(one.formula, Coalition) and not set(one.formula.names) <= set(self._order):
                raise Defect(1, f"{one.formula} names somebody who takes no turn")
        self.width = len(self._order) * len(self._fixpoints)
        self._numbers = [array("q", [NEVER] * self.base(2, 0)) for _ in self._fixpoints]
        """The numbers of each fixpoint by the base of a line and a turn."""
        self._tests = [(one, self.test(one.hold), self.test(one.goal)) for one in self._fixpoints]
        self._operands = [(goal, dict[int, int]()) for one, _, goal in self._tests if one.kind == NEXT]
        """The operand of each X, and 0 where it holds, else NEVER, by the same bases."""
        truths = iter(self._operands)
        self._ranks = [
            (next(truths)[1] if one.kind == NEXT else numbers).__getitem__
            for one, numbers in zip(self._fixpoints, self._numbers, strict=True)
        ]
        self.positions = PositionList(
            said, listed, closed=True, note=self._note_operands if self._operands else None
        )
        judged = functools.cache(self.test)
        let_judge(
            said.level,
            lambda one, position: judged(one)(position, self.base(self.positions.find(position), 0)),
        )

    def store(self, numbers: list[Any]) -> bool:
        """Store the numbers of a line; return whether they are as many as there must be, and at least -1."""
        if len(numbers) != self.width or not set(map(type, numbers)) <= {int}:
            return False
        if numbers and not -1 <= min(numbers) <= max(numbers) < NEVER:
            return False
        for place, column in enumerate(self._numbers):
            column.extend([NEVER if one < 0 else one for one in numbers[place :: len(self._numbers)]])
        return True

    def base(self, line: int, turn: int) -> int:
        """Return the place of the numbers of a line at a turn."""
        return line * len(self._order) + turn

    def test(self, formula: Formula) -> Test:
        """Return the truth of a formula about positions, by the rules and the numbers."""
        place = self._places.get(formula)
        if place is not None:
            numbers = self._numbers[place]
            if self._fixpoints[place].is_refuted:
                return lambda position, base: numbers[base] == NEVER
            return lambda position, base: numbers[base] != NEVER
        match formula:
            case Unary("!", operand):
                inner = self.test(operand)
                return lambda position, base: not inner(position, base)
            case Binary(operator, left, right):
                return join(operator, self.test(left), self.test(right))
        by_rules = test_of(formula, self._said.level, self._said.who)
        return lambda position, base: by_rules(position)

    def _note_operands(self, position: Position[Any], line: int) -> None:
        for turn in range(len(self._order)):
            base = self.base(line, turn)
            for operand, ranks in self._operands:
                if base not in ranks:
                    ranks[base] = 0 if operand(position, base) else NEVER

    def check_position(self, line: int, position: Position[Any]) -> None:
        """Check the numbers of a listed position."""
        self.check_numbers(line, position)

    def check_numbers(self, line: int, position: Position[Any], but: Container[str] = ()) -> None:
        """Check the numbers of a listed position, but not those of some kinds of fixpoints."""
        turns = len(self._order)
        for turn, name in enumerate(self._order):
            here, after = self.base(line, turn), self.base(0, (turn + 1) % turns)
            moves = [[one * turns + after for one in move] for move in self._moves(position, name, line)]
            for (one, hold, goal), numbers, ranks in zip(
                self._tests, self._numbers, self._ranks, strict=True
            ):
                if one.kind in but:
                    continue
                number = numbers[here]
                if one.kind == NEXT:
                    right = number == _rank_after(one, moves, name, ranks)
                elif (comes := goal(position, here)) or not hold(position, here):
                    least = NEVER if comes is one.is_refuted else 0
                    right = number == least if one.most < NEVER else (number == NEVER) is (least == NEVER)
                elif one.most < NEVER:
                    after = _rank_after(one, moves, name, ranks)
                    right = number == (after + 1 if after < one.most else NEVER)
                else:
                    right = (_rank_after(one, moves, name, ranks) < number) is (number < NEVER)
                if not right:
                    shown = -1 if number == NEVER else number
                    raise Defect(line, f"{shown} is wrong for {one.formula} here:\n{position.text()}")

    def _moves(self, position: Position[Any], name: str, line: int) -> list[list[int]]:
        """Return the lines of the outcomes of a pass and of each action; without coalitions, of all positions that follow."""
        if not name:
            return [self.positions.after(position) or [line]]
        return [
            [line],
            *(
                [self.positions.line_of(one.position) for one in position.outcomes(action)]
                for action in position.actions(name)
            ),
        ]


def _rank_after(one: Fixpoint, moves: list[list[int]], name: str, ranks: Callable[[int], int]) -> int:
    """Return the rank that those who want the formula choose: the least one, or of a refutation the greatest one."""
    if isinstance(one.formula, Unary):
        choose = max if (one.kind == GREATEST) is (one.formula.operator == "E") else min
        return choose(map(ranks, moves[0]))
    choices = moves if name in one.formula.names else [chain.from_iterable(moves)]
    if one.is_refuted:
        return max(min(map(ranks, choice)) for choice in choices)
    return min(max(map(ranks, choice)) for choice in choices)
