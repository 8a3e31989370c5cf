"""Formulas about what comes again and again, which a coalition can be asked to force: `<<a>> G F won(a)`.

`G F q`, `F G q` and `G F p -> G F q` are Streett conditions: if p comes again and again, then q does. `G (p -> F q)`, each p
is answered by a q, is a response.
"""

from __future__ import annotations

from typing import NamedTuple

from gridproof.prove.formula import FALSE, TRUE, Binary, Formula, Unary, is_path_formula, negate

STREETT, RESPONSE = "streett", "response"
RECURRENT = (STREETT, RESPONSE)
"""The kinds of objectives about what comes again and again."""


class Recurrence(NamedTuple):
    """If `given` comes again and again, `goal` does (STREETT); or `goal` comes after each `given` (RESPONSE)."""

    kind: str
    given: Formula
    goal: Formula


def recurrence_of(path: Formula) -> Recurrence | None:
    """Return what such a formula about a path says; None for another formula."""
    found = _recurrence(path)
    if found is None or is_path_formula(found.given) or is_path_formula(found.goal):
        return None
    return found


def is_recurrent(path: Formula) -> bool:
    """Return whether a formula is `G F q` or `F G q`."""
    match path:
        case Unary("G", Unary("F", operand)) | Unary("F", Unary("G", operand)):
            return not is_path_formula(operand)
    return False


def _recurrence(path: Formula) -> Recurrence | None:
    match path:
        case Unary("G", Unary("F", goal)):
            return Recurrence(STREETT, TRUE, goal)
        case Unary("F", Unary("G", hold)):
            return Recurrence(STREETT, negate(hold), FALSE)
        case Binary("->", Unary("G", Unary("F", given)), Unary("G", Unary("F", goal))):
            return Recurrence(STREETT, given, goal)
        case Unary("G", Binary("->", given, Unary("F", goal))):
            return Recurrence(RESPONSE, given, goal)
    return None
