"""Notations of formulas in other languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.text.phrases import short_repr
from gridproof.prove.formula import QUANTIFIERS, Binary, Formula, Next, Truth, Unary, negate, subformulas
from gridproof.prove.logic import Logic, logic_of

_LONGEST = 1_000_000  # characters


class Notation(NamedTuple):
    """The operators of a language."""

    language: str
    true: str
    false: str
    operators: Mapping[str, str]
    """The language's operator for each of gridproof's; others are expressed by these, or refused."""

    def text(self, formula: Formula, names: Mapping[Formula, str]) -> str:
        """Return a formula with names for its propositions; GridproofError if the language cannot express it."""
        if formula in names:
            return names[formula]
        text = self._text(formula, names)
        if len(text) > _LONGEST:
            raise GridproofError(f"the formula is too large for {self.language}")
        return text

    def _text(self, formula: Formula, names: Mapping[Formula, str]) -> str:
        match formula:
            case Truth(value):
                return self.true if value else self.false
            case Unary(operator, operand) if operator in self.operators:
                return f"{self.operators[operator]} {self._operand(operand, names)}"
            case Binary(operator, left, right) if operator in self.operators:
                sides = self._operand(left, names), self._operand(right, names)
                return f" {self.operators[operator]} ".join(sides)
            case Unary("A" | "E", _):
                return self._write_quantified(formula, names)
        other = _by_others(formula)
        if other is None:
            raise GridproofError(
                f"{self.language} has no operator for {short_repr(str(formula))}; choose another format"
            )
        return self.text(other, names)

    def _operand(self, formula: Formula, names: Mapping[Formula, str]) -> str:
        text = self.text(formula, names)
        return text if formula in names or isinstance(formula, Truth) else f"({text})"

    def _write_quantified(self, formula: Unary, names: Mapping[Formula, str]) -> str:
        """Return a formula of CTL whose operator is one of X, F, G and U, or that is expressed by such."""
        match formula:
            case Unary(operator, Unary(("X" | "F" | "G") as inner, operand)):
                return f"{operator}{inner} {self._operand(operand, names)}"
            case Unary(operator, Binary("U", left, right)):
                return f"{operator} [{self._operand(left, names)} U {self._operand(right, names)}]"
            case Unary(operator, Binary("R", left, right)):
                until = Binary("U", negate(left), negate(right))
                return self.text(negate(Unary("E" if operator == "A" else "A", until)), names)
            case Unary(operator, Binary("W", left, right)):
                return self.text(Unary(operator, Binary("R", right, Binary("|", left, right))), names)
        return self.text(formula.operand, names)


def _by_others(formula: Formula) -> Formula | None:
    """Return an equal formula with other operators; None if there is none."""
    match formula:
        case Binary("->", left, right):
            return Binary("|", negate(left), right)
        case Binary("<->", left, right):
            return Binary("|", Binary("&", left, right), Binary("&", negate(left), negate(right)))
        case Binary("W", left, right):
            return Binary("|", Binary("U", left, right), Unary("G", left))
        case Binary("R", left, right):
            return negate(Binary("U", negate(left), negate(right)))
        case Binary("T", left, right):
            return negate(Binary("S", negate(left), negate(right)))
    return None


def to_linear(formula: Formula, language: str, takes: str = "LTL") -> Formula:
    """Return a formula of LTL, or without temporal operators, that is equal to a formula; a leading A is left out.

    GridproofError for any other formula, with the logics that the language takes.
    """
    logic = logic_of(formula)
    linear = formula.operand if isinstance(formula, Unary) and formula.operator == "A" else formula
    quantified = any(getattr(one, "operator", "") in QUANTIFIERS for one in subformulas(linear))
    if quantified or logic in (Logic.ATL, Logic.PCTL):
        raise GridproofError(f"{short_repr(str(formula))}: {language} takes {takes}, not {logic.value}")
    return linear


def refuse_actions(formula: Formula, language: str) -> None:
    """Raise GridproofError if a formula has `[ACTION]`, where a model has no names of actions."""
    for one in subformulas(formula):
        if isinstance(one, Next):
            raise GridproofError(
                f"{one}: actions have no names in {language}; choose .hoa "
                f"(e({one.action}) would only say that the action is possible)"
            )
