"""Checker of the kind "conjunction": no path satisfies any of several formulas, each by nodes as of the kind "ltl".

A formula with more operators of the future than a tableau has promises is split into cases: a path satisfies it exactly if it
satisfies one of them. What breaks `G (p -> F q) & G (r -> F s)` breaks one of both. Each line is `[TEXT, NODES, ...]`:
a position, and for each case its nodes.
"""

from __future__ import annotations

from typing import NamedTuple

from gridproof.prove.certificate_file import CertificateFile, Defect, locate_defect
from gridproof.prove.checkers.ltl import ComponentChecker
from gridproof.prove.checkers.position_list import PositionList
from gridproof.prove.checkers.statements import FormulaStatement
from gridproof.prove.checkers.tableau import (
    MOST_PROMISES,
    Tableau,
    is_about_positions,
    promises_of,
    truths_of,
)
from gridproof.prove.checkers.trace import excluded_formula
from gridproof.prove.evaluate import test_of
from gridproof.prove.formula import TRUE, Binary, Formula, Unary, negate

CONJUNCTION = "conjunction"
_MOST_CASES = 64
"""The most cases of a conjunction."""


def cases_of(formula: Formula, truth: bool = True) -> list[Formula]:
    """Return formulas of which a path satisfies one exactly if a formula has this truth on it.

    `F` and `X` of a disjunction are disjunctions. A conjunction is split if there are few cases then.
    """
    if is_about_positions(formula):
        return [formula if truth else negate(formula)]
    match formula, truth:
        case Unary("!", operand), _:
            return cases_of(operand, not truth)
        case (Binary("|", left, right), True) | (Binary("&", left, right), False):
            return cases_of(left, truth) + cases_of(right, truth)
        case Binary("->", left, right), True:
            return cases_of(left, False) + cases_of(right)
        case (Binary("&", left, right), True) | (Binary("|", left, right), False):
            return _join(cases_of(left, truth), cases_of(right, truth))
        case Binary("->", left, right), False:
            return _join(cases_of(left), cases_of(right, False))
        case (Unary("F", operand), True) | (Unary("G", operand), False):
            return [Unary("F", one) for one in cases_of(operand, truth)]
        case Unary("X", operand), _:
            return [Unary("X", one) for one in cases_of(operand, truth)]
    return [formula if truth else negate(formula)]


def _join(left: list[Formula], right: list[Formula]) -> list[Formula]:
    """Return the cases of a conjunction; both sides are one case each if it would have too many."""
    if len(left) * len(right) > _MOST_CASES:
        left, right = [_disjunction(left)], [_disjunction(right)]
    return [Binary("&", one, other) for one in left for other in right]


def _disjunction(cases: list[Formula]) -> Formula:
    first, *rest = cases
    for one in rest:
        first = Binary("|", first, one)
    return first


class Case(NamedTuple):
    """A formula, and others without operators of the future that hold again and again."""

    formula: Formula
    again: tuple[Formula, ...] = ()


def split_cases(formula: Formula) -> list[Case]:
    """Return the cases of a formula, with as few promises as a tableau may have, if that is possible.

    `G (p -> F q)` says that again and again no q is due since p: the past tells that without a promise.
    """
    cases = cases_of(formula)
    return [_split_recurrences(one) if len(promises_of(one)) > MOST_PROMISES else Case(one) for one in cases]


def _split_recurrences(formula: Formula) -> Case:
    rest, again, waiting = list[Formula](), list[Formula](), [formula]
    while waiting:
        match one := waiting.pop():
            case Binary("&", left, right):
                waiting += right, left
            case Unary("G", Binary("&", left, right)):
                waiting += Unary("G", right), Unary("G", left)
            case Unary("G", Unary("F", goal)) if not promises_of(goal):
                again.append(goal)
            case Unary("G", Binary("->", cause, Unary("F", goal))) if not promises_of(
                Binary("&", cause, goal)
            ):
                missing = negate(goal)
                again.append(negate(Binary("S", missing, Binary("&", cause, missing))))
            case _:
                rest.append(one)
    whole: Formula = TRUE
    for one in rest:
        whole = Binary("&", whole, one)
    return Case(whole, tuple(again))


def check(said: FormulaStatement, listed: CertificateFile, positions: int) -> None:
    """Check a certificate; Defect at the first thing that is wrong."""
    formula = excluded_formula(said)
    if formula is None:
        raise Defect(1, f"it is not about all paths: {said.claim}")
    with locate_defect(1):
        places = PositionList(said, listed)
        cases = [ComponentChecker(said, Tableau(*one), places) for one in split_cases(formula)]
        tests = [[test_of(atom, said.level, said.who) for atom in one.tableau.atoms] for one in cases]
    listed.read_texts(
        positions,
        lambda values: (
            len(values) == len(cases)
            and all(
                isinstance(nodes, list) and case.store(nodes)
                for case, nodes in zip(cases, values, strict=True)
            )
        ),
    )
    for start in said.starts:
        line = places.find(start)
        if not all(case.tableau.first in case.nodes(line) for case in cases):
            raise Defect(1, f"a start has no first node of some case:\n{start.text()}")
    for line, position in places:
        with locate_defect(line):
            for case, atoms in zip(cases, tests, strict=True):
                case.check_moment(case.moment(line, position, truths_of(test(position) for test in atoms)))
    for case in cases:
        case.check_components()
