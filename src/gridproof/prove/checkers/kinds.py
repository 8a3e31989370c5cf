"""Kinds of certificates that every game has, besides the closed sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from gridproof.core import registry
from gridproof.core.errors import GridproofError
from gridproof.core.text.phrases import short_repr
from gridproof.prove.certificate import CLOSED, kinds_of
from gridproof.prove.certificate_file import CertificateFile
from gridproof.prove.checkers import (
    comparisons,
    conditional,
    conjunction,
    distance,
    fair_coalition,
    fixpoints,
    invariant,
    ltl,
    path_quantity,
    quantified_paths,
    quantity,
    recurrence,
    trace,
    value,
)
from gridproof.prove.checkers.goal_statements import DISTANCE_KEYS, VALUE_KEYS, read_distance, read_value
from gridproof.prove.checkers.quantity_statement import (
    CONDITIONAL,
    PATH_QUANTITY,
    PATH_QUANTITY_KEYS,
    QUANTITY,
    QUANTITY_KEYS,
    read_quantity,
)
from gridproof.prove.checkers.statements import (
    FORMULA_KEYS,
    TRACE_KEYS,
    ExactStatement,
    Header,
    Setting,
    read_formula,
)


class Kind(NamedTuple):
    """A kind of certificates."""

    keys: Mapping[str, str]
    """Its own keys of the first line, with the types of their values."""
    read: Callable[[Header, Setting], ExactStatement]
    """It reads the statement; GridproofError if that means nothing."""
    check: Callable[[Any, CertificateFile, int], None]
    """It reads and checks the other lines; Defect at the first one that is wrong."""


def _in_memory(
    check: Callable[[Any, CertificateFile, int], None],
) -> Callable[[Any, CertificateFile, int], None]:
    """Return the check of a statement about positions with the memory that its formula needs."""
    return lambda said, listed, positions: check(said.in_memory, listed, positions)


TRACE, LTL, PATHS, DISTANCE, VALUE = "trace", "ltl", "paths", "distance", "value"

KINDS: Mapping[str, Kind] = {
    fixpoints.CTL: Kind(FORMULA_KEYS, read_formula, _in_memory(fixpoints.check)),
    fixpoints.COALITION: Kind(FORMULA_KEYS, read_formula, _in_memory(fixpoints.check)),
    fixpoints.FAIR_COALITION: Kind(FORMULA_KEYS, read_formula, _in_memory(fair_coalition.check)),
    fixpoints.RECURRENCE: Kind(FORMULA_KEYS, read_formula, _in_memory(recurrence.check)),
    TRACE: Kind(TRACE_KEYS, read_formula, _in_memory(trace.check)),
    LTL: Kind(FORMULA_KEYS, read_formula, _in_memory(ltl.check)),
    conjunction.CONJUNCTION: Kind(FORMULA_KEYS, read_formula, _in_memory(conjunction.check)),
    PATHS: Kind(FORMULA_KEYS, read_formula, _in_memory(quantified_paths.check)),
    DISTANCE: Kind(DISTANCE_KEYS, read_distance, distance.check),
    invariant.INVARIANT: Kind(invariant.INVARIANT_KEYS, invariant.read_invariant, invariant.check),
    QUANTITY: Kind(QUANTITY_KEYS, read_quantity, _in_memory(quantity.check)),
    CONDITIONAL: Kind(QUANTITY_KEYS, read_quantity, _in_memory(conditional.check)),
    PATH_QUANTITY: Kind(PATH_QUANTITY_KEYS, read_quantity, _in_memory(path_quantity.check)),
    comparisons.COMPARISONS: Kind(
        comparisons.COMPARISONS_KEYS, comparisons.read_comparisons, _in_memory(comparisons.check)
    ),
    VALUE: Kind(VALUE_KEYS, read_value, value.check),
}


def check_kind_name(header: Any) -> None:
    """Raise GridproofError if the first line names a kind that nobody knows, before its other keys are read."""
    if not isinstance(header, dict) or "kind" not in header:
        return
    name, game = header["kind"], header.get("game")
    own = kinds_of(registry.game(game)) if isinstance(game, str) and registry.is_game(game) else {}
    known = [CLOSED, *KINDS, *own]
    if name not in known:
        raise GridproofError(
            f"the kind {short_repr(name)} is not known; the kinds are {', '.join(sorted(known))}"
        )
