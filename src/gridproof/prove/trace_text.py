"""A trace in lines: each action by name, and what it changed of the board and of the formula's atoms."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from gridproof.core.look import board_text
from gridproof.core.position import Position
from gridproof.core.wording import again_and_again
from gridproof.prove import judging
from gridproof.prove.formula import Atom, Comparison, Deadlock, Executable, Formula, subformulas
from gridproof.prove.verdict import Verdict
from gridproof.search.actors import Who


def told(verdict: Verdict) -> Iterator[str]:
    """The lines of a verdict's trace: the board it starts with, then only what changes."""
    trace = verdict.trace
    if trace is None:
        return
    atoms, who = _atoms(verdict.formula), verdict.who
    yield str(trace.start)
    yield from _named(_values(atoms, trace.start, who))
    width = len(str(len(trace.steps)))
    position = trace.start
    for number, (step, (before, position)) in enumerate(
        zip(trace.steps, itertools.pairwise(trace.positions()), strict=True), 1
    ):
        if trace.loop == number - 1:
            yield f"{again_and_again(len(trace.steps) - trace.loop)}:"
        outcome = f": {step.label}" if step.label else ""
        yield f"{number:{width}}  {step.action}{outcome}"
        indent = " " * (width + 2)
        yield from (f"{indent}{line}" for line in changed_rows(before, position))
        was, now = _values(atoms, before, who), _values(atoms, position, who)
        yield from (f"{indent}{line}" for line in _named([one for one in now if one not in was]))
    if trace.loop is None and judging.holds(Deadlock(), position, who):
        yield "nothing can be done any more"


def changed_rows(before: Position[Any], after: Position[Any]) -> Iterator[str]:
    """The rows of the board that are no longer what they were: the game's number of them, before and after."""
    look = before.level.game.look
    rows = [board_text(look.board(one)).splitlines() for one in (before, after)]
    width = max(map(len, rows[0]), default=0)
    for number, (old, new) in enumerate(itertools.zip_longest(*rows, fillvalue="")):
        if old != new:
            place = f"row {look.row(before, number)}  " if len(rows[0]) > 1 else ""
            yield f"{place}{old:{width}}  ->  {new}"


def _atoms(formula: Formula) -> list[Formula]:
    """The statements about single positions that a formula is made of, and its numbers."""
    found: dict[Formula, None] = {}
    for one in subformulas(formula):
        match one:
            case Comparison(left, _, right):
                found |= dict.fromkeys(side for side in (left, right) if isinstance(side, Atom))
            case Atom() | Executable() | Deadlock():
                found[one] = None
    return list(found)


def _values(atoms: list[Formula], position: Position[Any], who: Who) -> list[str]:
    return [f"{atom} {_value(atom, position, who)}" for atom in atoms]


def _value(atom: Formula, position: Position[Any], who: Who) -> str:
    if isinstance(atom, Atom):
        value = judging.value(atom, position)
        return str(value).lower()
    return str(judging.holds(atom, position, who)).lower()


def _named(values: list[str]) -> list[str]:
    return [", ".join(values)] if values else []
