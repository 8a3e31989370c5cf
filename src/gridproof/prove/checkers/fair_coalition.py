"""Checker of the kind "fair-coalition": what coalitions can force if the others do not stay unfair for ever.

Each line is as of "coalition", but F and U have a list in place of a number. The acts are numbered as the assumptions list
them; those of the coalition do not count. A strong act comes again at its player's turn where it is possible, a weak one
always. It is left where it is done; a weak one also at its player's turn where it is impossible. A formula that is assumed
again and again is a weak act that is left where it is true.

With such a formula, a coalition also has its way where it can force that the others are unfair, `<<a>> F false`. So for all but
F without a bound, the numbers are those of a formula that says so: `<<a>> [p W <<a>> F false]` in place of `<<a>> G p`.

What has to come again and again, `G F p -> G F q` and its special cases, has such a list, too, with two more acts: a weak one that
is left where p is true, and a strong one that comes again where q is true and is never left.

`[1, RANK, ACT, RANK, ACT, ...]`: the coalition can force it. Read from the left, the next turn has a lower rank; or the same
rank and the same act, which is not left here, and comes again here or the rest goes on likewise. So in the end the goal
comes, or one act comes again and again and is never done.

`[0, RANK, ...]`: the others can prevent it, fairly. There is a rank for each sequence of different acts, all but the last
strong. For each sequence the others have an answer after which, read from the left, the rank of the acts so far is lower,
or the same where an act does not come again here; from an act on that is left here, nothing is asked. So they can answer
for one sequence after the other, until each act is done or comes no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace
from typing import Any, NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.position import Position
from gridproof.prove.certificate_file import CertificateFile, locate_defect
from gridproof.prove.checkers.fairness import acts_of
from gridproof.prove.checkers.fixpoints import LEAST, Fixpoint, check_ranks
from gridproof.prove.checkers.rank_lists import CoalitionTurn, RankListChecker
from gridproof.prove.checkers.statements import FormulaStatement, turns_of
from gridproof.prove.evaluate import test_of
from gridproof.prove.fairness import MOST_STRONG
from gridproof.prove.formula import (
    FALSE,
    Binary,
    Bounded,
    Coalition,
    Formula,
    Unary,
    is_path_formula,
    parts,
    with_parts,
)
from gridproof.prove.recurrence import STREETT

Path = tuple[int, ...]
"""A sequence of acts."""


def with_unfairness(said: FormulaStatement) -> FormulaStatement:
    """Return a statement that says the same, in which fairness matters only to F and U, and to what comes again and again."""
    if not any(act.formula for act in acts_of(said.level, said.fair)):
        return said
    return replace(said, formula=_with_unfairness(said.formula))


def _with_unfairness(formula: Formula) -> Formula:
    inner = with_parts(formula, [_with_unfairness(one) for one in parts(formula)])
    if not isinstance(inner, Coalition):
        return inner
    bounded = inner.operand if isinstance(inner.operand, Bounded) else None
    path = bounded.operand if bounded else inner.operand
    changed = _or_unfair(path, Coalition(inner.names, Unary("F", FALSE)), bool(bounded))
    return replace(inner, operand=replace(bounded, operand=changed) if bounded else changed)


def _or_unfair(path: Formula, unfair: Formula, is_bounded: bool) -> Formula:
    """Return what comes true on a path, or players can force that it is unfair."""
    match path:
        case Unary("G", hold) if not is_path_formula(hold):
            return Binary("W", hold, unfair)
        case Binary("R", goal, hold):
            return Binary("W", hold, Binary("|", Binary("&", goal, hold), unfair))
        case Unary("X" as operator, goal) | Unary("F" as operator, goal) if operator == "X" or is_bounded:
            return Unary(operator, Binary("|", goal, unfair))
        case Binary("W" | "U" as operator, hold, goal):
            return Binary(operator, hold, Binary("|", goal, unfair))
    return path


class Visit(NamedTuple):
    """A turn: the acts that are left there, or do not count, and those that come again."""

    left: Set[int]
    again: Set[int]


class CoalitionActs:
    """The acts that the others have to do again and again, and the sequences of them that have ranks."""

    def __init__(self, said: FormulaStatement, one: Fixpoint) -> None:
        owners = {str(action): said.level.owner(action) for action in said.level.all_actions()}
        self.acts = acts_of(said.level, said.fair)
        self.owners = [owners[min(act.actions)] if act.actions else "" for act in self.acts]
        others = set(turns_of(said)).difference(getattr(one.formula, "names", ()))
        self.others = [
            number for number, owner in enumerate(self.owners) if owner in others or self.acts[number].formula
        ]
        self.strong = {number for number in self.others if self.acts[number].strong}
        if len(self.strong) > MOST_STRONG:
            raise GridproofError(f"at most {MOST_STRONG} acts of others can be strongly fair")
        self.hold_act, self.reach_act = len(self.acts), len(self.acts) + 1
        if one.kind == STREETT:
            self.others += [self.hold_act, self.reach_act]
            self.strong.add(self.reach_act)
        self.paths = list(self._paths(()))
        self.longest = [one for one in self.paths if all(one != two[:-1] for two in self.paths)] or [()]

    def _paths(self, before: Path) -> Iterator[Path]:
        for number in self.others:
            if number not in before:
                yield (*before, number)
                if number in self.strong:
                    yield from self._paths((*before, number))

    def done(self, text: str) -> Set[int]:
        """Return the acts that an action does."""
        return {number for number, act in enumerate(self.acts) if text in act.actions}

    def visit(self, name: str, possible: Set[int], true: Set[int]) -> Visit:
        """Return what a turn of a player means, where some acts are possible, and some that are formulas are true."""
        mine = {number for number, owner in enumerate(self.owners) if owner == name and number in self.others}
        weak = {number for number in self.others if number not in self.strong}
        own = {number for number in range(len(self.acts)) if number not in self.others}
        left = own | (mine & weak) - possible | true & weak
        return Visit(left, weak | mine & possible | true & self.strong)


def check(said: FormulaStatement, listed: CertificateFile, positions: int) -> None:
    """Check a certificate; Defect at the first thing that is wrong."""
    with locate_defect(1):
        said = with_unfairness(said)
        checker = _FairChecker(said, listed)
    check_ranks(checker, said, listed, positions)


class _FairChecker(RankListChecker):
    kinds = frozenset({LEAST, STREETT})

    def __init__(self, said: FormulaStatement, listed: CertificateFile) -> None:
        super().__init__(said, listed)
        self._acts = [CoalitionActs(said, one) for one in self._fixpoints]
        self._formulas = [
            (number, test_of(act.formula, said.level, said.who))
            for number, act in enumerate(acts_of(said.level, said.fair))
            if act.formula
        ]
        self._true = set[int]()
        """The acts that are formulas and true in the position that is being checked."""
        self._paths = [{path: number for number, path in enumerate(acts.paths)} for acts in self._acts]

    def has_form(self, place: int, numbers: list[int]) -> bool:
        """Return whether a list has the length of those for the fixpoint at a place."""
        return numbers[0] == 1 or len(numbers) == 1 + len(self._paths[place])

    def check_position(self, line: int, position: Position[Any]) -> None:
        """Check the numbers and lists of a listed position."""
        self._true = {number for number, test in self._formulas if test(position)}
        super().check_position(line, position)

    def is_right(self, base: int, place: int, turn: CoalitionTurn) -> bool:
        """Return whether a list fits those of the turns that may follow."""
        wins, acts = self.is_forced(base, place), self._acts[place]
        true = set(self._true)
        if self._fixpoints[place].kind == STREETT:
            true |= {acts.hold_act} if turn.holds else set()
            true |= {acts.reach_act} if turn.reaches else set()
        elif turn.reaches or not turn.holds:
            return wins is turn.reaches
        steps = [(bases, acts.done(text)) for bases, text in turn.moves]
        visit = acts.visit(turn.name, {number for _, done in steps for number in done}, true)
        proof = self.list_of(base, place)[1:]
        if wins:
            return (any if turn.is_mine else all)(
                all(
                    self.is_forced(one, place) and _falls(proof, self.list_of(one, place)[1:], visit, done)
                    for one in bases
                )
                for bases, done in steps
            )
        return all(
            (all if turn.is_mine else any)(
                any(
                    not self.is_forced(one, place)
                    and self._is_answer(path, place, (proof, self.list_of(one, place)[1:]), visit, done)
                    for one in bases
                )
                for bases, done in steps
            )
            for path in acts.longest
        )

    def _is_answer(
        self, path: Path, place: int, ranks: tuple[list[int], list[int]], visit: Visit, done: Set[int]
    ) -> bool:
        """Return whether the others have answered for a sequence of acts, by the ranks before and after."""
        for length, act in enumerate(path, 1):
            if act in visit.left or act in done:
                return True
            before, after = (listed[self._paths[place][path[:length]]] for listed in ranks)
            if before != after:
                return after < before
            if act in visit.again:
                return False
        return True


def _falls(before: list[int], after: list[int], visit: Visit, done: Set[int]) -> bool:
    """Return whether the ranks and acts of a turn lead on to those of the next."""
    for place in range(0, min(len(before), len(after)), 2):
        if before[place] != after[place]:
            return after[place] < before[place]
        act, same = before[place + 1 : place + 2], after[place + 1 : place + 2]
        if not act or act != same or act[0] in visit.left or act[0] in done:
            return False
        if act[0] in visit.again:
            return True
    return False
