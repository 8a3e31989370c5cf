"""Proofs of the kind "comparisons": the bounds of several probabilities and expected costs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gridproof.core.lazy_import import load
from gridproof.core.limit import Meter
from gridproof.prove.checkers.comparisons import COMPARISONS, ComparisonsStatement, list_comparisons
from gridproof.prove.checkers.forced_bounds import ForcedStatement
from gridproof.prove.checkers.quantity_statement import QuantityStatement
from gridproof.prove.checkers.statements import Setting
from gridproof.prove.formula import Coalition, Formula, Quantity
from gridproof.prove.writers import conditional
from gridproof.prove.writers.proof import Proof


def find_proof(setting: Setting, formula: Formula, meter: Meter) -> tuple[ComparisonsStatement, Proof]:
    """Return the statement about a formula by the bounds that can be proved, and its proof; Stopped at a limit.

    GridproofError for a formula that no certificate can have.
    """
    inside = ComparisonsStatement(*setting, formula, ()).in_memory
    remembering = setting._replace(level=inside.level, starts=inside.starts)
    found = [find_part(remembering, one, meter) for one in list_comparisons(formula)]
    parts = (replace(part, level=setting.level, starts=setting.starts) for part, _ in found)
    said = ComparisonsStatement(*setting, formula, tuple(parts))
    lines: dict[str, list[list[Any]]] = {}
    for place, (_, proof) in enumerate(found):
        for text, *values in proof.lines:
            lines.setdefault(text, [[] for _ in found])[place] = values
    return said, Proof(COMPARISONS, said.facts, len(lines), ([text, *parts] for text, parts in lines.items()))


def find_part(
    setting: Setting, one: Quantity | Coalition, meter: Meter
) -> tuple[QuantityStatement | ForcedStatement, Proof]:
    """Return the statement about the bounds of one comparison, and its proof."""
    if isinstance(one, Quantity) and one.is_conditional:
        return conditional.find_proof(setting, one, meter)
    if isinstance(one, Coalition):
        module = "forced_bounds"
    else:
        module = "path_quantity" if one.is_linear_time else "quantity"
    found: tuple[QuantityStatement | ForcedStatement, Proof] = load(
        f"gridproof.prove.writers.{module}"
    ).find_proof(setting, one, meter)  # it brings numpy
    return found
