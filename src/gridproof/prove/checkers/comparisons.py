"""Checker of the kind "comparisons": a formula that joins comparisons of probabilities and expected costs.

The first line has the bounds of each different comparison, in the order of the formula. Each other line is
`[TEXT, [LOW, HIGH, RANK, ...], ...]`: a position, and for each comparison the values of a "quantity", or none. They are checked
as there, after `<<...>>` as `forced_bounds` says, and the bounds of the starts decide each comparison. Comparisons with a
condition have lines of their own, of positions with fates, and values of a "conditional".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.position import Position
from gridproof.prove import evaluate
from gridproof.prove.certificate import describe_actors
from gridproof.prove.certificate_file import CertificateFile
from gridproof.prove.checkers.bellman import check_bounds
from gridproof.prove.checkers.conditional import ConditionalChecker
from gridproof.prove.checkers.fates import FatePosition
from gridproof.prove.checkers.forced_bounds import FORCED, ForcedBoundChecker, ForcedStatement, read_forced
from gridproof.prove.checkers.forced_recurrence import ForcedRecurrenceChecker
from gridproof.prove.checkers.goal_statements import start_chances
from gridproof.prove.checkers.memory_formula import remember
from gridproof.prove.checkers.path_quantity import PathQuantityChecker
from gridproof.prove.checkers.position_list import PositionList
from gridproof.prove.checkers.quantity import QuantityBoundChecker
from gridproof.prove.checkers.quantity_statement import PathQuantityStatement, QuantityStatement, read_bounds
from gridproof.prove.checkers.statements import ExactStatement, Header, Setting, check_names
from gridproof.prove.formula import Coalition, Formula, Quantity
from gridproof.prove.logic import Logic, logic_of
from gridproof.prove.ternary_logic import evaluate_joined, operands_of

COMPARISONS = "comparisons"
COMPARISONS_KEYS = {"formula": "str", "bounds": "list"}


@dataclass(frozen=True)
class ComparisonsStatement(ExactStatement):
    """Statement that a formula with several comparisons holds or not, by the bounds of each."""

    formula: Formula
    quantities: tuple[QuantityStatement | ForcedStatement, ...]
    """The different comparisons."""

    @property
    def in_memory(self) -> ComparisonsStatement:
        """The same statement about positions with the memory that the formula needs."""
        found = remember(self.formula, self.starts, self.who)
        if found is None:
            return self
        list(start_chances(self))  # refuses starts whose chances are not known
        level, formula = found
        starts = tuple(map(level.wrap, self.starts))
        inside = tuple(replace(one, level=level, starts=starts) for one in self.quantities)
        return replace(self, level=level, starts=starts, formula=formula, quantities=inside)

    @property
    def holds(self) -> bool | None:
        """The truth of the formula; None for a number that is asked for, and where the bounds do not decide it."""
        return evaluate_joined(self.formula, self._truth)

    def _truth(self, operand: Formula) -> bool | None:
        if isinstance(operand, Quantity | Coalition):
            return next(one.holds for one in self.quantities if one.question == operand)
        return all(evaluate.holds(operand, start, self.who) for start in self.in_memory.starts)

    @property
    def claim(self) -> str:
        """Return what is claimed, without the level."""
        if [self.formula] == [one.question for one in self.quantities]:
            return self.quantities[0].claim
        answer = "holds" if self.holds else "does not hold"
        parts = "; ".join(one.claim for one in self.quantities if one.holds is not None)
        return f"`{self.formula}` {answer}{describe_actors(self.who)}: {parts}"

    @property
    def facts(self) -> Header:
        """Return the statement's own values of the first line."""
        bounds = [{name: one.facts[name] for name in _keys_of(one.question)} for one in self.quantities]
        return {"formula": str(self.formula), "bounds": bounds}


def _keys_of(question: Formula) -> tuple[str, ...]:
    """Return the keys of the bounds of a comparison."""
    if isinstance(question, Coalition):
        return (FORCED,)
    is_linear_time = isinstance(question, Quantity) and question.is_linear_time
    return ("best", "worst", "letters") if is_linear_time else ("best", "worst")


def list_comparisons(formula: Formula) -> list[Quantity | Coalition]:
    """Return the different comparisons of a formula; GridproofError if certificates know none of the kind."""
    if logic_of(formula) is not Logic.PCTL:
        raise GridproofError(f"{formula} compares no probabilities or costs")
    found: dict[Quantity | Coalition, None] = {}
    for one in operands_of(formula):
        if isinstance(one, Quantity | Coalition) and (not is_number(one) or isinstance(formula, Coalition)):
            found[one] = None
        elif isinstance(one, Quantity | Coalition) or logic_of(one) is not Logic.STATE:
            raise GridproofError(f"no certificate can have P or R inside {one}")
    return list(found)


def read_comparisons(header: Header, setting: Setting) -> ComparisonsStatement:
    """Read a statement about several comparisons; GridproofError if it means nothing on the level, or decides nothing."""
    from gridproof.prove.parsing import parse  # which brings lark: goals need none

    formula, listed = parse(header["formula"]), header["bounds"]
    asked = list_comparisons(formula)
    if len(listed) != len(asked) or not all(map(_are_bounds, listed, asked)):
        raise GridproofError(
            "bounds is a list of best and worst, perhaps letters, or forced, for each comparison"
        )
    quantities = [
        read_forced(one, bounds[FORCED], setting)
        if isinstance(one, Coalition)
        else read_bounds(one, bounds, setting)
        for one, bounds in zip(asked, listed, strict=True)
    ]
    said = ComparisonsStatement(*setting, formula, tuple(quantities))
    inside = said.in_memory
    for one in operands_of(inside.formula):
        if not isinstance(one, Quantity | Coalition):
            check_names(one, Setting(inside.level, inside.starts, inside.who, inside.kind))
    for part in inside.quantities:
        if isinstance(part, ForcedStatement):
            part.check_names()
    if said.holds is None and not is_number(formula):
        raise GridproofError(f"the bounds do not decide {formula}")
    return said


def is_number(formula: Formula) -> bool:
    """Return whether a formula asks for a number, in place of comparing it."""
    asked = formula.operand if isinstance(formula, Coalition) else formula
    return isinstance(asked, Quantity) and asked.bound is None


def _are_bounds(bounds: Any, question: Formula) -> bool:
    types = dict.fromkeys(_keys_of(question), list)
    return isinstance(bounds, dict) and {key: type(one) for key, one in bounds.items()} == types


def check(said: ComparisonsStatement, listed: CertificateFile, positions: int) -> None:
    """Check a certificate; Defect at the first thing that is wrong."""
    check_bounds(_ComparisonsChecker(said, listed), listed, positions)


class _ComparisonsChecker:
    """The bounds of the listed positions, for all comparisons."""

    def __init__(self, said: ComparisonsStatement, listed: CertificateFile) -> None:
        self._fated = [False, False]
        """For each line, True if it is about positions with fates."""
        self._plain = PositionList(said, listed, skip=self._fated.__getitem__)
        self._parts = [_part_of(one, self._plain, listed) for one in said.quantities]

    @property
    def positions(self) -> Iterator[tuple[int, Position[Any]]]:
        """The listed positions with their lines; then those with fates."""
        yield from self._plain
        for part in self._parts:
            if isinstance(part, ConditionalChecker):
                yield from part.positions

    def store(self, values: list[Any]) -> bool:
        """Store the bounds of a line; return whether they are bounds, all of positions with fates or none."""
        if len(values) != len(self._parts):
            return False
        parts = list(zip(self._parts, values, strict=True))
        kinds = {isinstance(part, ConditionalChecker) for part, value in parts if value}
        self._fated.append(kinds == {True})
        return len(kinds) < 2 and all(isinstance(value, list) and part.store(value) for part, value in parts)

    def check_starts(self) -> None:
        """Check that the bounds of the starts have the claimed means."""
        for part in self._parts:
            part.check_starts()

    def check_position(self, line: int, position: Position[Any]) -> None:
        """Check the bounds of a listed position."""
        level = position.level if isinstance(position, FatePosition) else None
        for part in self._parts:
            if level is (part.level if isinstance(part, ConditionalChecker) else None):
                part.check_position(line, position)


def _part_of(
    one: QuantityStatement | ForcedStatement, plain: PositionList, listed: CertificateFile
) -> ForcedBoundChecker | QuantityBoundChecker | ConditionalChecker | PathQuantityChecker:
    """Return the checker of a comparison."""
    if isinstance(one, ForcedStatement):
        return (ForcedRecurrenceChecker if one.task.again else ForcedBoundChecker)(one, plain)
    if isinstance(one, PathQuantityStatement):
        return PathQuantityChecker(one, plain)
    return (
        ConditionalChecker(one, listed) if one.question.is_conditional else QuantityBoundChecker(one, plain)
    )
