"""Checker of the kind "paths": A and E before any formulas about paths, with fairness.

Each line is `[TEXT, [TRUTH, NODES, WITNESSES], ...]`, with a triple for each part that begins with A or E: 1 if some fair
path from the position satisfies what follows E, or breaks what follows A, else 0. The nodes are those of the kind "ltl":
from a position with 0, no path stays in them. From one with 1, a path goes on in the witnesses, `[BITS, RANK, ...]` with a
rank for each mark and each act of strong fairness: there is a step that has the mark, or one to a lower rank. The rank -1
says of an act that it never is possible any more.

A formula p with A or E may be assumed again and again, if no act is. It speaks of all paths, and so do the parts: `E f` is read
as `E (G F p & f)`, and `A f` as `A (G F p -> f)`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.position import Position
from gridproof.prove.certificate_file import CertificateFile, Defect, locate_defect
from gridproof.prove.checkers.ltl import ComponentChecker, Moment, Node, read_nodes
from gridproof.prove.checkers.memory import RememberingLevel, let_judge
from gridproof.prove.checkers.position_list import PositionList
from gridproof.prove.checkers.statements import FormulaStatement
from gridproof.prove.checkers.tableau import Tableau, is_about_positions, truths_of
from gridproof.prove.evaluate import join, test_of
from gridproof.prove.fairness import fair_formulas
from gridproof.prove.formula import (
    QUANTIFIERS,
    TRUE,
    Binary,
    Coalition,
    Formula,
    Unary,
    negate,
    parts,
    subformulas,
    with_parts,
)

Test = Callable[[Position[Any], int], bool]
"""The truth of a formula in the position of a line."""


def state_formula(formula: Formula) -> Formula:
    """Return a formula about positions: one about paths must hold on all of them."""
    return formula if is_about_positions(formula) else Unary("A", formula)


def quantified_parts(formula: Formula) -> list[Unary]:
    """Return the parts that begin with A or E in the order in which they begin, each once."""
    parts = dict.fromkeys(subformulas(state_formula(formula)))
    return [one for one in parts if isinstance(one, Unary) and one.operator in QUANTIFIERS]


def without_assumed_parts(said: FormulaStatement) -> FormulaStatement:
    """Return a statement that says the same without fairness, if a formula with A or E is assumed again and again; else the same one.

    GridproofError if there are other assumptions than formulas, it is not about all paths, or an operator of the past is around A
    or E.
    """
    assumed = fair_formulas(said.fair, said.level)
    if not any(quantified_parts(one) for one in assumed):
        return said
    is_judged = isinstance(said.level, RememberingLevel) and said.level.is_judged
    if len(assumed) < len(said.fair) or said.paths != "all" or is_judged:
        raise GridproofError(
            f"no certificate can assume {assumed[0]} again and again besides acts, for some path alone, or with A or E in "
            "operators of the past"
        )
    given: Formula = TRUE
    for one in assumed:
        given = Binary("&", given, Unary("G", Unary("F", one)))
    return replace(said, formula=_assume(state_formula(said.formula), given), fair=())


def _assume(formula: Formula, given: Formula) -> Formula:
    """Return a formula whose A and E speak only of paths on which another one is true."""
    inner = with_parts(formula, [_assume(one, given) for one in parts(formula)])
    match inner:
        case Unary("A", path):
            return Unary("A", Binary("->", given, path))
        case Unary("E", path):
            return Unary("E", Binary("&", given, path))
    return inner


def sought_path(part: Unary) -> Formula:
    """Return what a path must satisfy that proves E, or refutes A."""
    return part.operand if part.operator == "E" else negate(part.operand)


def check(said: FormulaStatement, listed: CertificateFile, positions: int) -> None:
    """Check a certificate; Defect at the first thing that is wrong."""
    if said.paths != "all" or any(isinstance(one, Coalition) for one in subformulas(said.formula)):
        raise Defect(1, "this kind is about all paths, without coalitions")
    with locate_defect(1):
        said = without_assumed_parts(said)
        checker = _BranchChecker(said, listed)
    listed.read_texts(positions, checker.store)
    starts = [checker.positions.find(start) for start in said.starts]
    for line, position in checker.positions:
        with locate_defect(line):
            checker.check_position(line, position)
    checker.check_components()
    claim = checker.test(state_formula(said.formula))
    if all(claim(start, line) for start, line in zip(said.starts, starts, strict=True)) is not said.holds:
        raise Defect(1, f"the truths of the starts say the opposite about {said.formula}")


class _BranchChecker:
    """The truths of the parts in the listed positions, and what proves them."""

    def __init__(self, said: FormulaStatement, listed: CertificateFile) -> None:
        self._said, self.positions = said, PositionList(said, listed, closed=True)
        parts = quantified_parts(said.formula)
        self._places: dict[Formula, int] = {part: place for place, part in enumerate(parts)}
        self._truths: list[list[int]] = [[] for _ in parts]
        self._paths = [ComponentChecker(said, Tableau(sought_path(part)), self.positions) for part in parts]
        self._witnesses: list[list[dict[int, Node]]] = [[] for _ in parts]
        self._tests = [[self.test(atom) for atom in one.tableau.atoms] for one in self._paths]
        judged = functools.cache(self.test)
        let_judge(said.level, lambda one, position: judged(one)(position, self.positions.find(position)))

    def store(self, values: list[Any]) -> bool:
        """Store the truths and the nodes of a line; return whether they have their form."""
        if len(values) != len(self._paths):
            return False
        for place, value in enumerate(values):
            if (
                not isinstance(value, list)
                or len(value) != 3
                or type(value[0]) is not int
                or value[0] not in (0, 1)
            ):
                return False
            witnesses = read_nodes(value[2])
            paths = self._paths[place]
            if witnesses is None or not isinstance(value[1], list) or not paths.store(value[1]):
                return False
            if any(len(ranks) != _count_ranks(paths) for ranks in witnesses.values()):
                return False
            self._truths[place].append(value[0])
            self._witnesses[place].append(witnesses)
        return True

    def test(self, formula: Formula) -> Test:
        """Return the truth of a formula about positions, by the rules and the listed truths."""
        place = self._places.get(formula)
        if place is not None:
            truths, wanted = self._truths[place], getattr(formula, "operator", "") == "E"
            return lambda position, line: bool(truths[line - 2]) is wanted
        match formula:
            case Unary("!", operand):
                inner = self.test(operand)
                return lambda position, line: not inner(position, line)
            case Binary(operator, left, right):
                return join(operator, self.test(left), self.test(right))
        by_rules = test_of(formula, self._said.level, self._said.who)
        return lambda position, line: by_rules(position)

    def check_position(self, line: int, position: Position[Any]) -> None:
        """Check the nodes of a listed position."""
        for place, (paths, tests) in enumerate(zip(self._paths, self._tests, strict=True)):
            truth, witnesses = self._truths[place][line - 2], self._witnesses[place]
            nodes = witnesses[line - 2] if truth else paths.nodes(line)
            if paths.tableau.first not in nodes:
                raise Defect(line, f"part {place + 1} has no first node here:\\n{position.text()}")
            moment = paths.moment(line, position, truths_of(test(position, line) for test in tests))
            paths.check_moment(moment)
            for bits, ranks in witnesses[line - 2].items():
                if not _goes_on(paths, witnesses, moment, (bits, ranks)):
                    raise Defect(line, f"no path goes on from the witness {bits}:\\n{position.text()}")

    def check_components(self) -> None:
        """Check that no fair path stays in a component; Defect if one may."""
        for paths in self._paths:
            paths.check_components()


def _count_ranks(paths: ComponentChecker) -> int:
    return paths.tableau.marks + len(paths.weak) + len(paths.strong)


def _goes_on(
    paths: ComponentChecker, witnesses: list[dict[int, Node]], moment: Moment, node: tuple[int, Node]
) -> bool:
    """Return whether a path goes on from a witness with all marks and acts of strong fairness, again and again."""
    bits, ranks = node
    promised = paths.tableau.marks + len(paths.weak)
    given_up = [place for place in range(promised, len(ranks)) if ranks[place] == -1]
    if any(rank < 0 and place not in given_up for place, rank in enumerate(ranks)):
        return False
    if any(moment.possible >> place - promised & 1 for place in given_up):
        return False
    steps = []
    for (letter, weak, done), targets in moment.steps.items():
        for after, marks in paths.tableau.follow(moment.truths, letter, bits):
            found = (witnesses[target - 2].get(after) for target in targets)
            here = marks | weak << paths.tableau.marks | done << promised
            steps += [
                (here, one)
                for one in found
                if one is not None and all(one[place] == -1 for place in given_up)
            ]
    return bool(steps) and all(
        place in given_up or any(marks >> place & 1 or other[place] < rank for marks, other in steps)
        for place, rank in enumerate(ranks)
    )
