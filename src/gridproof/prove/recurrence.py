"""Formulas about what comes again and again, which a coalition can be asked to force: `<<a>> G F won(a)`.

`G F q`, `F G q` and `G F p -> G F q` are Streett conditions: if p comes again and again, then q does. `G (p -> F q)`, each p
is answered by a q, is a response.
"""

from __future__ import annotations

from gridproof.prove.formula import FALSE, TRUE, Binary, Formula, Unary, is_path_formula, negate
from gridproof.prove.strategy import RESPONSE, STREETT, Objective


def recurrence_of(path: Formula) -> Objective | None:
    """Return the objective of such a formula about a path, as formulas; None for another formula."""
    found = _recurrence(path)
    if found is None or is_path_formula(found.hold) or is_path_formula(found.reach):
        return None
    return found


def _recurrence(path: Formula) -> Objective | None:
    match path:
        case Unary("G", Unary("F", goal)):
            return Objective(STREETT, TRUE, goal)
        case Unary("F", Unary("G", hold)):
            return Objective(STREETT, negate(hold), FALSE)
        case Binary("->", Unary("G", Unary("F", given)), Unary("G", Unary("F", goal))):
            return Objective(STREETT, given, goal)
        case Unary("G", Binary("->", given, Unary("F", goal))):
            return Objective(RESPONSE, given, goal)
    return None
