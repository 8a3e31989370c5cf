"""Vacuous truth: an implication that holds only because its condition never occurs (O. Kupferman, M. Y. Vardi, STTT 2003)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from gridproof.prove.formula import FALSE, Binary, Formula, Unary

_MOST = 10  # implications that are looked at

# The operators whose operand, or whose left or right one, has to hold wherever it is asked; where the whole is denied
# (False), those whose operand must not hold anywhere. Below the others one place is enough, which may lie elsewhere.
_BELOW = {True: frozenset("!AGXHY"), False: frozenset("!EFXOY")}
_LEFT = {True: frozenset("&W"), False: frozenset({"|", "->"})}
_RIGHT = {True: frozenset({"&", "->", *"RT"}), False: frozenset({"|", "->", *"US"})}


def without_consequence(formula: Formula) -> Iterator[tuple[Formula, Formula]]:
    """The condition of each implication that is claimed wherever it is asked, and the formula in which nothing follows from it.

    When that one holds too, the condition is never met.
    """
    return itertools.islice(_weakened(formula, True), _MOST)


def _weakened(formula: Formula, positive: bool) -> Iterator[tuple[Formula, Formula]]:
    match formula:
        case Unary(operator, operand) if operator in _BELOW[positive]:
            for antecedent, inner in _weakened(operand, positive is not (operator == "!")):
                yield antecedent, Unary(operator, inner)
        case Binary(operator, left, right):
            if operator == "->" and positive:
                yield left, Binary("->", left, FALSE)
            if operator in _LEFT[positive]:
                for antecedent, inner in _weakened(left, positive is not (operator == "->")):
                    yield antecedent, Binary(operator, inner, right)
            if operator in _RIGHT[positive]:
                for antecedent, inner in _weakened(right, positive):
                    yield antecedent, Binary(operator, left, inner)
