"""What a space that is not complete already shows: a position that is looked for has been found."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gridproof.prove.ctl import JOIN
from gridproof.prove.formula import Atom, Binary, Comparison, Formula, Truth, Unary, negated, parts
from gridproof.prove.model import values_of
from gridproof.prove.verdict import Verdict
from gridproof.search.space import StateSpace

Array = np.ndarray[Any, Any]


def seen_so_far(known: Verdict, space: StateSpace) -> Verdict:
    """The verdict where a found position decides it: `EF p` by one with p, `AG p` by one without.

    For LTL, `F p` on some path and `G p` on all.
    """
    if known.holds is not None:
        return known
    looked_for = _looked_for(known)
    if looked_for is None or not _about_positions(looked_for[0]):
        return known
    goal, holds = looked_for
    found = np.flatnonzero(_values(goal, space))
    if not len(found):
        return known
    return replace(known, holds=holds, trace=space.trace_to(space[int(found[0])]))


def _looked_for(known: Verdict) -> tuple[Formula, bool] | None:
    """The formula whose truth in one position decides the whole, and what it decides."""
    match known.formula:
        case Unary("E", Unary("F", operand)):
            return operand, True
        case Unary("A", Unary("G", operand)):
            return negated(operand), False
        case Unary("F", operand) if known.paths == "some":
            return operand, True
        case Unary("G", operand) if known.paths == "all":
            return negated(operand), False
    return None


def _about_positions(formula: Formula) -> bool:
    """Whether positions alone decide it: what can be done in those found last is not known."""
    match formula:
        case Truth() | Atom() | Comparison():
            return True
        case Unary("!", _) | Binary("&" | "|" | "->" | "<->", _, _):
            return all(map(_about_positions, parts(formula)))
    return False


def _values(formula: Formula, space: StateSpace) -> Array:
    match formula:
        case Truth(value):
            return np.full(space.states, value)
        case Unary(_, operand):
            return ~_values(operand, space)
        case Binary(operator, left, right):
            return JOIN[operator](_values(left, space), _values(right, space))
        case Comparison():
            return values_of(formula, space)
    return space.values(str(formula))
