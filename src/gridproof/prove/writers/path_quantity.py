"""Proofs of the kind "path-quantity": bounds of the probability of a formula of LTL, in the product with its automaton."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from gridproof.core.limit import Meter, Stopped
from gridproof.prove.checkers.goal_statements import start_chances
from gridproof.prove.checkers.quantity_statement import (
    PATH_QUANTITY,
    PathQuantityStatement,
    QuantityStatement,
    check_quantity,
)
from gridproof.prove.checkers.statements import Setting
from gridproof.prove.formula import Quantity
from gridproof.prove.limit_deterministic import atoms_of
from gridproof.prove.path_bounds import PathBounds
from gridproof.prove.path_probability import LabelledPartialGraph
from gridproof.prove.writers.proof import Proof
from gridproof.search.explore import space_of
from gridproof.search.question import Question

_NOTHING, _SURE = Fraction(0), Fraction(1)


def find_proof(setting: Setting, question: Quantity, meter: Meter) -> tuple[PathQuantityStatement, Proof]:
    """Return the statement about the bounds that can be proved, and its proof; Stopped at a limit.

    GridproofError for a formula whose automaton would be too large.
    """
    check_quantity(question)
    nothing = _NOTHING, _SURE
    inside = QuantityStatement(*setting, question, nothing, nothing).in_memory
    space = space_of(Question(starts=list(inside.starts), who=setting.who, meter=meter))
    if not space.complete:
        raise Stopped
    atoms = atoms_of(inside.question.operand)
    with meter.enforce():
        known = LabelledPartialGraph.of(space, atoms)
    letters = tuple(sum(1 << bit for bit, atom in enumerate(atoms) if atom in one) for one in known.letters)
    said = PathQuantityStatement(*setting, question, nothing, nothing, letters)
    chances = [(chance, space.number(start)) for chance, start in start_chances(inside)]
    with meter.enforce():
        sides = [
            PathBounds(known, automaton, [number for _, number in chances], meter)
            for automaton in replace(said, question=inside.question).automata
        ]
    (low, high), (opposite_low, opposite_high) = (one.mean(chances) for one in sides)
    said = replace(said, best=(low, high), worst=(1 - opposite_high, 1 - opposite_low))
    rows = [one.entries() for one in sides]
    listed = sorted(set().union(*rows))

    def lines() -> Iterator[list[Any]]:
        for number in listed:
            yield [space[number].text(), *(row.get(number, []) for row in rows)]

    return said, Proof(PATH_QUANTITY, said.facts, len(listed), lines())
