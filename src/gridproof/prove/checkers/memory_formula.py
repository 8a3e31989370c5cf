"""Formulas about positions with a memory: costs as counters, and operators of the past as bits."""

from __future__ import annotations

from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.measure import find_measure
from gridproof.core.position import Position
from gridproof.core.proposition import propositions
from gridproof.prove.checkers.memory import COST, END, MEMORY, RememberingLevel
from gridproof.prove.formula import (
    Atom,
    Binary,
    Coalition,
    Comparison,
    Deadlock,
    Executable,
    Formula,
    Unary,
    atoms,
    has_past_of_states,
    is_past,
    negate,
    parts,
    subformulas,
    substitute,
    with_parts,
)
from gridproof.prove.logic import Logic, logic_of


def remember(
    formula: Formula, starts: tuple[Position[Any], ...], who: tuple[str | None, ...]
) -> tuple[RememberingLevel, Formula] | None:
    """Return the level of some starts with the memory that a formula needs, and the formula there; None if it needs none.

    GridproofError if no certificate can have such a formula.
    """
    level = starts[0].level
    if any(one.name == MEMORY for one in atoms(formula)):
        raise GridproofError(f"no certificate can have {MEMORY}(...) in a formula")
    costs = {} if COST in propositions(level.game) else _caps(formula)
    past: list[Formula] = []
    rewritten = _without_past(formula, past) if has_past_of_states(formula) else formula
    if any(
        getattr(one, "operator", "") == "Y" for one in past
    ):  # a step where no action is possible is one of the level
        past, rewritten = [_about_inner_actions(one) for one in past], _about_inner_actions(rewritten)
    if not costs and not past:
        return None
    if past and any(isinstance(one, Coalition) for one in subformulas(formula)):
        raise GridproofError("no certificate can have operators of the past with <<...>>")
    for name in costs:
        find_measure(level.game, name)
    found = RememberingLevel(
        inner=level, caps=tuple(costs.items()), past=tuple(past), who=who, first=starts, title=level.title
    )
    return found, rewritten


def _caps(formula: Formula) -> dict[str, int]:
    """Return the measures of the costs in a formula, and one more than the largest number that each is compared with."""
    caps: dict[str, int] = {}
    for one in subformulas(formula):
        if isinstance(one, Comparison):
            sides = one.left, one.right
            numbers = [side for side in sides if isinstance(side, int)]
            for side in sides:
                if isinstance(side, Atom) and side.name == COST:
                    if not numbers or len(side.arguments) != 1:
                        raise GridproofError(f"{one}: a cost is compared with a number")
                    caps[side.arguments[0]] = max(caps.get(side.arguments[0], 0), numbers[0] + 1)
    return caps


def _about_inner_actions(formula: Formula) -> Formula:
    """Return a formula with `memory(end)` in place of `deadlock`, which is asked first before whether an action is possible."""
    end = Atom(MEMORY, (END,))

    def put(one: Formula) -> Formula | None:
        if isinstance(one, Executable):
            return Binary("&", Unary("!", end), one)
        return end if isinstance(one, Deadlock) else None

    return substitute(formula, put)


def _without_past(formula: Formula, past: list[Formula]) -> Formula:
    """Return a formula with `memory(0)`, `memory(1)`, ... in place of operators of the past, which are appended to a list."""
    inner = with_parts(formula, [_without_past(one, past) for one in parts(formula)])
    if not is_past(formula):
        return inner
    if any(logic_of(one) is not Logic.STATE for one in parts(inner)):
        return _with_memory_of_before(inner, past)
    if inner not in past:
        past.append(inner)
    return _atom(past.index(inner))


def _with_memory_of_before(formula: Formula, past: list[Formula]) -> Formula:
    """Return an operator of the past by what it was one step before, since its sides are not known by the rules: O p is p | Y O p."""
    match formula:
        case Unary("H", operand):
            return negate(_with_memory_of_before(Unary("O", negate(operand)), past))
        case Binary("T", left, right):
            return negate(_with_memory_of_before(Binary("S", negate(left), negate(right)), past))
    before = _atom(len(past))
    match formula:
        case Unary("O", operand):
            now: Formula = Binary("|", operand, before)
        case Binary("S", left, right):
            now = Binary("|", right, Binary("&", left, before))
        case Unary("Y", now):
            past.append(Unary("Y", now))
            return Binary("&", before, Binary("|", now, negate(now)))  # so that its truths are listed
    past.append(Unary("Y", now))
    return now


def _atom(number: int) -> Formula:
    return Atom(MEMORY, (str(number),))
