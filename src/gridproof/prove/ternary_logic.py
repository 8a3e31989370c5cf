"""Three-valued truth of a formula about probabilities and costs, of which some may be unknown (Kleene's logic)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gridproof.prove.formula import Binary, Formula, Quantity, Unary, subformulas

TruthValue = bool | None
"""None for an unknown truth."""


def _either(one: TruthValue, two: TruthValue) -> TruthValue:
    if one or two:
        return True
    return None if one is None or two is None else False


def _opposite(one: TruthValue) -> TruthValue:
    return None if one is None else not one


_JOIN: dict[str, Callable[[TruthValue, TruthValue], TruthValue]] = {
    "|": _either,
    "&": lambda one, two: _opposite(_either(_opposite(one), _opposite(two))),
    "->": lambda one, two: _either(_opposite(one), two),
    "<->": lambda one, two: None if one is None or two is None else one is two,
}


def evaluate_joined(formula: Formula, truth: Callable[[Formula], TruthValue]) -> TruthValue:
    """Return the truth of a formula by that of its operands: comparisons of P and R, and parts without any."""
    match formula:
        case Unary("!", operand) if _has_quantity(formula):
            return _opposite(evaluate_joined(operand, truth))
        case Binary(operator, left, right) if _has_quantity(formula):
            return _JOIN[operator](evaluate_joined(left, truth), evaluate_joined(right, truth))
    return truth(formula)


def operands_of(formula: Formula) -> Iterator[Formula]:
    """Yield the operands from left to right."""
    match formula:
        case Unary("!", operand) if _has_quantity(formula):
            yield from operands_of(operand)
        case Binary(_, left, right) if _has_quantity(formula):
            yield from operands_of(left)
            yield from operands_of(right)
        case _:
            yield formula


def _has_quantity(formula: Formula) -> bool:
    return any(isinstance(one, Quantity) for one in subformulas(formula))
