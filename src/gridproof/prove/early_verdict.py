"""Early verdicts: an incomplete space may contain a position that decides the formula."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gridproof.core.position import Position
from gridproof.prove import evaluate
from gridproof.prove.ctl import JOIN
from gridproof.prove.formula import (
    Atom,
    Binary,
    Comparison,
    Formula,
    Logic,
    Truth,
    Unary,
    decisive_goal,
    parts,
)
from gridproof.prove.model import values_of
from gridproof.prove.verdict import Verdict
from gridproof.search.actors import Who
from gridproof.search.graph import Array
from gridproof.search.space import StateSpace

_MANY = 100_000
"""Positions to search from several starts together, each for a path of its own."""


def decide_early(open_verdict: Verdict, space: StateSpace) -> Verdict:
    """Return the verdict, if found positions decide it: `EF p` by one with p from each start, `AG p` by one without.

    For LTL, `F p` on some path and `G p` on all. Fairness changes nothing here: any path can go on fairly.
    """
    if open_verdict.holds is not None:
        return open_verdict
    looked_for = decisive_goal(open_verdict.formula, open_verdict.paths)
    if looked_for is None or not _is_about_positions(looked_for[0]):
        return open_verdict
    goal, holds = looked_for
    values = _values(goal, space)
    if not values.any():
        return open_verdict
    starts = space.by_depth[0]
    for_each = open_verdict.logic is Logic.CTL and holds and starts > 1  # it holds when it does at each start
    most = _MANY // starts
    if for_each and not all(_is_near(goal, space[number], space.who, most) for number in range(starts)):
        return open_verdict
    return replace(open_verdict, holds=holds, trace=space.trace_to(space[int(np.argmax(values))]))


def _is_near(goal: Formula, start: Position[Any], who: Who, most: int) -> bool:
    """Return whether the goal holds in one of the first positions that the rules lead to, `most` or few more."""
    reached, seen = [start], {start}
    for position in reached:
        if evaluate.holds(goal, position, who):
            return True
        if len(reached) < most:
            after = (position.at(one) for actor in who for one in position.successors(actor))
            new = [one for one in dict.fromkeys(after) if one not in seen]
            reached += new
            seen.update(new)
    return False


def _is_about_positions(formula: Formula) -> bool:
    """Return whether positions alone decide it: the actions in the last positions are unknown."""
    match formula:
        case Truth() | Atom() | Comparison():
            return True
        case Unary("!", _) | Binary("&" | "|" | "->" | "<->", _, _):
            return all(map(_is_about_positions, parts(formula)))
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
