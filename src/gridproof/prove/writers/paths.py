"""Proofs of the kinds "ltl", "conjunction" and "paths": the product with the checker's tableau, its components and witnesses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Meter
from gridproof.prove.checkers.conjunction import CONJUNCTION, split_cases
from gridproof.prove.checkers.fairness import acts_of
from gridproof.prove.checkers.quantified_paths import (
    quantified_parts,
    sought_path,
    state_formula,
    without_assumed_parts,
)
from gridproof.prove.checkers.statements import FormulaStatement
from gridproof.prove.checkers.tableau import Tableau, promises_of
from gridproof.prove.checkers.trace import excluded_formula
from gridproof.prove.ctl import JOIN, Evaluator
from gridproof.prove.formula import Binary, Formula, Unary
from gridproof.prove.model import Model
from gridproof.prove.writers.product import TableauProduct
from gridproof.prove.writers.proof import Proof
from gridproof.search.graph import Array
from gridproof.search.space import StateSpace

FEW_PROMISES = 6
"""A formula with more operators of the future is split into cases: each doubles the nodes of the whole."""
_DISAGREE = "the prover and the checker's tableau disagree; please report this level"


def find_proof(said: FormulaStatement, space: StateSpace, meter: Meter) -> Proof:
    """Return a proof that lists nodes of a complete space; Stopped at a limit."""
    explicit = without_assumed_parts(said)
    builder = _Builder(explicit, space, meter)
    formula = excluded_formula(said) if explicit is said else None
    if formula is None and said.paths != "all":
        raise GridproofError(f"no certificate can be written for this verdict: {said.claim}")
    if formula is None:
        return Proof("paths", said.facts, space.states, builder.lines_of_parts())
    cases = split_cases(formula) if len(promises_of(formula)) > FEW_PROMISES else []
    if len(cases) > 1 or any(one.again for one in cases):
        listed_cases = [builder.rows_without_paths(*one) for one in cases]
        numbers = sorted({number for rows in listed_cases for number in rows})
        listed = (
            [space[number].text(), *(rows.get(number, []) for rows in listed_cases)] for number in numbers
        )
        return Proof(CONJUNCTION, said.facts, len(numbers), listed)
    rows = builder.rows_without_paths(formula)
    lines = ([space[number].text(), *rows[number]] for number in sorted(rows))
    return Proof("ltl", said.facts, len(rows), lines)


class _Builder:
    """Nodes of the products of a space with the tableaus of formulas."""

    def __init__(self, said: FormulaStatement, space: StateSpace, meter: Meter) -> None:
        self._said, self._space, self._meter, self._model = said, space, meter, Model(space)
        self._evaluator = Evaluator(self._model, is_stopped=lambda: meter.is_reached(space.states))
        self._values: dict[Formula, Array] = {}
        """Positions where the parts with A and E hold."""
        self._acts = [
            act._replace(where=self._truth(act.formula).tolist()) if act.formula else act
            for act in acts_of(said.level, said.fair)
        ]

    def _truth(self, formula: Formula) -> Array:
        """Return the positions where a formula about positions holds."""
        match formula:
            case _ if formula in self._values:
                return self._values[formula]
            case Unary("!", operand):
                return ~self._truth(operand)
            case Binary(operator, left, right):
                return JOIN[operator](self._truth(left), self._truth(right))
        return self._evaluator.values(formula)

    def _product(self, formula: Formula, starts: range, again: tuple[Formula, ...] = ()) -> TableauProduct:
        tableau = Tableau(formula, again)
        truths = np.zeros(self._space.states, np.int64)
        for place, atom in enumerate(tableau.atoms):
            truths |= self._truth(atom).astype(np.int64) << place
        return TableauProduct(tableau, self._acts, self._model.rows, truths.tolist(), starts, self._meter)

    def rows_without_paths(
        self, formula: Formula, again: tuple[Formula, ...] = ()
    ) -> dict[int, list[list[int]]]:
        """Return the nodes with their components, by position; GridproofError if a path satisfies the formula."""
        product = self._product(formula, range(self._model.starts), again)
        components, accepting = product.components(list(range(len(product.nodes))))
        if accepting:
            raise GridproofError(_DISAGREE)
        return _by_position(product, components)

    def lines_of_parts(self) -> Iterator[list[Any]]:
        """Yield the line of each position: for each part with A or E its truth, nodes and witnesses."""
        columns = {}
        parts = quantified_parts(self._said.formula)
        for part in reversed(parts):  # the inner ones first
            truths, nodes, witnesses = self._parts_of(part)
            columns[part] = truths, nodes, witnesses
            self._values[part] = np.array(truths, bool) == (part.operator == "E")
        if (
            bool(self._truth(state_formula(self._said.formula))[: self._model.starts].all())
            is not self._said.holds
        ):
            raise GridproofError(_DISAGREE)
        for number, position in enumerate(self._space):
            triples = [
                [columns[part][0][number], columns[part][1].get(number, []), columns[part][2].get(number, [])]
                for part in parts
            ]
            yield [position.text(), *triples]

    def _parts_of(
        self, part: Unary
    ) -> tuple[list[int], dict[int, list[list[int]]], dict[int, list[list[int]]]]:
        """Return where a path as it is sought begins, the nodes that lead to none, and the witnesses."""
        product = self._product(sought_path(part), range(self._space.states))
        _, accepting = product.components(list(range(len(product.nodes))))
        witnesses = product.witnesses(accepting)
        others = [number for number in range(len(product.nodes)) if number not in witnesses]
        truths = [int(first in witnesses) for first in product.firsts]
        return truths, _by_position(product, product.components(others)[0]), _by_position(product, witnesses)


def _by_position(product: TableauProduct, values: Any) -> dict[int, list[list[int]]]:
    """Return the bits of nodes with their values, by position."""
    rows: dict[int, list[list[int]]] = {}
    for number, numbers in values.items():
        position, bits = product.nodes[number]
        rows.setdefault(position, []).append([bits, *numbers])
    return rows
