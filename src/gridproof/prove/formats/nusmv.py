"""Models for NuSMV and nuXmv."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from gridproof.prove.formats.labelled_graph import LabelledGraph, identifiers, reserve
from gridproof.prove.formats.notation import Notation, refuse_actions, to_linear
from gridproof.prove.formula import Formula, Unary, has_past_of_states, is_temporal
from gridproof.prove.logic import Logic, logic_of

_BOOLEAN = {"!": "!", "&": "&", "|": "|", "->": "->", "<->": "<->"}
_NOTATION = Notation("NuSMV", "TRUE", "FALSE", _BOOLEAN | {one: one for one in "XFGUYHOST"})
_RESERVED = reserve(
    """
    A ABF ABG AF AG AX BU E EBF EBG EF EG EX F G H O S T U V X Y Z ASSIGN BOOLEAN CTLSPEC DEFINE FAIRNESS FALSE
    INIT INVAR INVARSPEC IVAR JUSTICE LTLSPEC MODULE TRANS TRUE VAR abs array bool boolean case count esac
    extend in init integer max min mod next of process real resize self signed sizeof swconst toint typeof union
    unsigned uwconst word word1 xor xnor main position
    """
)


class NusmvModel:
    """The model of a level, with formulas of CTL and LTL, as text for NuSMV."""

    def __init__(self, path: Path, formulas: Sequence[Formula], propositions: Sequence[Formula]) -> None:
        self.files = [path]
        self._names = identifiers(propositions, _RESERVED)
        self._properties = [_property(one, self._names) for one in formulas]

    def texts(self, graph: LabelledGraph, name: str) -> list[Iterator[str]]:
        """Return the lines of the file."""
        return [self._lines(graph, name)]

    def _lines(self, graph: LabelledGraph, name: str) -> Iterator[str]:
        yield from (f"-- {line}" for line in graph.heading(name))
        yield f"-- Run: NuSMV {self.files[0].name}"
        yield "MODULE main"
        yield f"VAR position : 0..{graph.positions - 1};"
        yield f"INIT position < {graph.starts};"
        yield "ASSIGN next(position) := case"
        for position in range(graph.positions):
            yield f"  position = {position} : {{{', '.join(map(str, graph.successors(position)))}}};"
        yield "esac;"
        yield "DEFINE"
        for formula, values in graph.values.items():
            held = ", ".join(map(str, np.flatnonzero(values).tolist()))
            where = f"position in {{{held}}}" if held else "FALSE"
            yield f"  {self._names[formula]} := {where}; -- {formula}"
        yield from self._properties


def _property(formula: Formula, names: Mapping[Formula, str]) -> str:
    """Return the line of a property; GridproofError if NuSMV cannot express it."""
    refuse_actions(formula, _NOTATION.language)
    match formula:
        case Unary("G", invariant) | Unary("A", Unary("G", invariant)) if not (
            is_temporal(invariant) or logic_of(invariant) is not Logic.STATE
        ):
            return f"INVARSPEC {_NOTATION.text(invariant, names)} -- {formula}"
    if logic_of(formula) is Logic.CTL and not has_past_of_states(formula):
        return f"CTLSPEC {_NOTATION.text(formula, names)} -- {formula}"
    linear = to_linear(formula, _NOTATION.language, "LTL and CTL without past")
    return f"LTLSPEC {_NOTATION.text(linear, names)} -- {formula}"
