"""Traces in lines: each action by name, with its changes of the board and of the formula's atoms."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from gridproof.core.look import board_text
from gridproof.core.position import Position
from gridproof.core.text.phrases import loop_text
from gridproof.core.trace import Trace
from gridproof.prove import evaluate
from gridproof.prove.cost import to_counted_trace, to_level_position
from gridproof.prove.expansion import expand_things
from gridproof.prove.formula import Atom, Comparison, Deadlock, Executable, Formula, subformulas
from gridproof.search.actors import Who


def trace_lines(trace: Trace, formula: Formula, who: Who) -> Iterator[str]:
    """Yield the lines of a trace that shows whether a formula holds: the first board, then the changes alone."""
    formula = expand_things(formula, trace.level)
    trace, atoms = to_counted_trace(trace, formula), atoms_of(formula)
    yield str(trace.start)
    yield from _join_values(_values(atoms, trace.start, who))
    width = len(str(len(trace.steps)))
    position = trace.start
    for number, (step, (before, position)) in enumerate(
        zip(trace.steps, itertools.pairwise(trace.positions()), strict=True), 1
    ):
        if trace.loop == number - 1:
            yield f"{loop_text(len(trace.steps) - trace.loop)}:"
        outcome = f": {step.label}" if step.label else ""
        yield f"{number:{width}}  {step.action}{outcome}"
        indent = " " * (width + 2)
        yield from (
            f"{indent}{line}" for line in row_changes(to_level_position(before), to_level_position(position))
        )
        was, now = _values(atoms, before, who), _values(atoms, position, who)
        yield from (f"{indent}{line}" for line in _join_values([one for one in now if one not in was]))
    if trace.loop is None and evaluate.holds(Deadlock(), position, who):
        yield "no action is possible any more"


def row_changes(before: Position[Any], after: Position[Any]) -> Iterator[str]:
    """Yield the rows of the board that changed: the game's number of each, before and after."""
    look = before.level.game.look
    rows = [board_text(look.board(one)).splitlines() for one in (before, after)]
    width = max(map(len, rows[0]), default=0)
    for number, (old, new) in enumerate(itertools.zip_longest(*rows, fillvalue="")):
        if old != new:
            place = f"row {look.row_number(before, number)}  " if len(rows[0]) > 1 else ""
            yield f"{place}{old:{width}}  ->  {new}"


def atoms_of(formula: Formula) -> list[Formula]:
    """Return the statements about single positions in a formula, and its numbers."""
    found: dict[Formula, None] = {}
    for one in subformulas(formula):
        match one:
            case Comparison(left, _, right):
                found |= dict.fromkeys(side for side in (left, right) if isinstance(side, Atom))
            case Atom() | Executable() | Deadlock():
                found[one] = None
    return list(found)


def atom_values(atoms: list[Formula], position: Position[Any], who: Who) -> dict[str, str]:
    """Return the values of atoms in a position, as texts."""

    def value(atom: Formula) -> bool | int:
        if isinstance(atom, Atom):
            return evaluate.value(atom, position)
        return evaluate.holds(atom, position, who)

    return {str(atom): str(value(atom)).lower() for atom in atoms}


def _values(atoms: list[Formula], position: Position[Any], who: Who) -> list[str]:
    return [" ".join(pair) for pair in atom_values(atoms, position, who).items()]


def _join_values(values: list[str]) -> list[str]:
    return [", ".join(values)] if values else []
