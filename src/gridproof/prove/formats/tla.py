"""Models for TLC, the model checker of TLA+: a module, and beside it the file of what to check."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.text.phrases import short_repr
from gridproof.prove.formats.labelled_graph import LabelledGraph, identifiers
from gridproof.prove.formats.notation import Notation, refuse_actions, to_linear
from gridproof.prove.formula import Formula, Unary, is_temporal

_BOOLEAN = {"!": "~", "&": "/\\", "|": "\\/", "->": "=>"}
_NOTATION = Notation("TLA+", "(position >= 0)", "(position < 0)", _BOOLEAN | {"G": "[]", "F": "<>"})
"""TLC takes `<> TRUE` for false, so that truths are about the variable."""
_RESERVED = frozenset({"position", "successors", "resting", "Init", "Next", "Spec", "Nat"})
_MODULE = re.compile(r"\w*[A-Za-z]\w*", re.ASCII)


class TlaModel:
    """The model of a level, with formulas whose operators of time are F and G, as texts for TLC."""

    def __init__(self, path: Path, formulas: Sequence[Formula], propositions: Sequence[Formula]) -> None:
        if not _MODULE.fullmatch(path.stem):
            raise GridproofError(
                f"{path}: the file has the name of the TLA+ module, of letters, digits and _; {short_repr(path.stem)} is none"
            )
        self.files = [path, path.with_suffix(".cfg")]
        self._names = identifiers(propositions, _RESERVED)
        self._properties = [(formula, *self._property(formula)) for formula in formulas]

    def _property(self, formula: Formula) -> tuple[str, str]:
        """Return the kind of a property, and its text; GridproofError if TLA+ cannot express it."""
        refuse_actions(formula, _NOTATION.language)
        linear = to_linear(formula, _NOTATION.language)
        match linear:
            case Unary("G", invariant) if not is_temporal(invariant):
                return "INVARIANT", _NOTATION.text(invariant, self._names)
        return "PROPERTY", _NOTATION.text(linear, self._names)

    def texts(self, graph: LabelledGraph, name: str) -> list[Iterator[str]]:
        """Return the lines of the module, and of what to check."""
        return [self._module(graph, name), self._configuration()]

    def _module(self, graph: LabelledGraph, name: str) -> Iterator[str]:
        yield f"---- MODULE {self.files[0].stem} ----"
        yield from (f"\\* {line}" for line in graph.heading(name))
        yield f"\\* Run: java -cp tla2tools.jar tlc2.TLC {self.files[0].name}"
        yield "EXTENDS Naturals"
        yield "VARIABLE position"
        yield "successors == <<"
        last = graph.positions - 1
        for position in range(graph.positions):
            yield f"  {{{', '.join(map(str, graph.successors(position)))}}}{',' * (position < last)}"
        yield ">>"
        yield f"resting == {{{', '.join(map(str, graph.resting()))}}} \\* positions that may be followed by themselves"
        for formula, values in graph.values.items():
            held = ", ".join(map(str, np.flatnonzero(values).tolist()))
            yield f"{self._names[formula]} == position \\in {{{held}}} \\* {formula}"
        yield f"Init == position \\in 0..{graph.starts - 1}"
        yield "Next == position' \\in successors[position + 1]"
        yield "Spec == Init /\\ [][Next]_position /\\ WF_position(position \\notin resting /\\ Next)"
        for number, (formula, _, text) in enumerate(self._properties, 1):
            yield f"Property{number} == {text} \\* {formula}"
        yield "===="

    def _configuration(self) -> Iterator[str]:
        yield "SPECIFICATION Spec"
        yield from (f"{kind} Property{number}" for number, (_, kind, _) in enumerate(self._properties, 1))
