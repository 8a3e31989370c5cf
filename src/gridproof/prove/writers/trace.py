"""Proofs of the kind "trace": a witness or a counterexample that decides the formula alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gridproof.core.position import Position
from gridproof.core.trace import Trace
from gridproof.prove.checkers.statements import FormulaStatement
from gridproof.prove.checkers.trace import is_fair, path_formula
from gridproof.prove.checkers.word import Word, is_satisfied
from gridproof.prove.writers.proof import Proof


def find_proof(said: FormulaStatement, trace: Trace | None) -> Proof | None:
    """Return the proof of a statement by a trace; None if it needs more than one path."""
    formula = path_formula(said)
    if trace is None or formula is None:
        return None
    path = list(trace.positions())
    texts: list[str | None] = [str(action) for action in trace.actions]
    loop = trace.loop
    if loop is not None and path[loop] != path[-1]:
        return None  # a memory differs
    if loop is None and not any(path[-1].actions(actor) for actor in said.who):
        loop = len(texts)
    word = Word(path[:-1], texts, loop) if trace.loop is not None else Word(path, [*texts, None], loop)
    if not is_satisfied(formula, word, said.who) or not is_fair(said, word):
        return None
    return Proof("trace", dict(said.facts) | {"loop": loop}, len(path), _lines(path, trace))


def _lines(path: list[Position[Any]], trace: Trace) -> Iterator[list[Any]]:
    for position, step in zip(path, trace.steps, strict=False):
        yield [position.text(), str(step.action), step.label]
    yield [path[-1].text(), None, ""]
