"""Formulas that compare cost since the start of the path: `EF (won & cost(pushes) <= 7)`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from gridproof.core.errors import ParseError
from gridproof.core.measure import measures
from gridproof.core.position import Level, Position
from gridproof.core.proposition import propositions
from gridproof.core.trace import Trace
from gridproof.prove.formula import (
    Atom,
    Comparison,
    Formula,
    atoms,
    conjuncts,
    decisive_goal,
    is_temporal,
    subformulas,
)
from gridproof.search.cost_product import COST, Condition, CountedLevel, CountedPosition, product_of

_MIRRORED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NO_CAP = 1 << 62


def find_product(
    formula: Formula, level: Level, paths: str = "all", fair: bool = False
) -> CountedLevel | None:
    """Return the product for a formula with costs; None if it compares no cost.

    Names and measures that mean nothing are left for `check_names` to refuse. A cost is compared with a number: else GridproofError.
    """
    atoms = _cost_atoms(formula)
    if not atoms or COST in propositions(level.game):
        return None
    found = map(_condition, _cost_comparisons(subformulas(formula)))
    conditions = [one for one in found if one.measure in measures(level.game)]
    sought = None if fair else decisive_goal(formula, paths)
    if sought and not is_temporal(sought[0]):
        needed = set(map(_condition, _cost_comparisons(conjuncts(sought[0]))))
        if set(conditions) == needed:  # nothing matters once the goal can no longer become true
            return product_of(level, conditions, ends=True)
    return product_of(level, conditions)


def to_counted_trace(trace: Trace, formula: Formula) -> Trace:
    """Return a trace whose positions know the costs so far, if the formula compares costs."""
    if COST in propositions(trace.level.game) or not (atoms := _cost_atoms(formula)):
        return trace
    conditions = [Condition(atom.arguments[0], "<=", _NO_CAP) for atom in atoms]
    return replace(trace, start=product_of(trace.level, conditions).wrap(trace.start), loop=trace.loop)


def to_level_position(position: Position[Any]) -> Position[Any]:
    """Return the position of the level itself."""
    return position.inner if isinstance(position, CountedPosition) else position


def _cost_atoms(formula: Formula) -> list[Atom]:
    return [one for one in atoms(formula) if one.name == COST]


def _cost_comparisons(formulas: Iterable[Formula]) -> Iterator[Comparison]:
    """Yield the comparisons of costs among formulas."""
    return (one for one in formulas if isinstance(one, Comparison) and _cost_atoms(one))


def _condition(comparison: Comparison) -> Condition:
    match comparison:
        case Comparison(Atom() as atom, sign, int(bound)):
            return Condition(",".join(atom.arguments), sign, bound)
        case Comparison(int(bound), sign, Atom() as atom):
            return Condition(",".join(atom.arguments), _MIRRORED[sign], bound)
    place = next(atoms(comparison)).place
    reason = f"{comparison}: a cost is compared with a number"
    raise ParseError(reason, line=place[0], column=place[1], expected="such as cost(actions) <= 7")
