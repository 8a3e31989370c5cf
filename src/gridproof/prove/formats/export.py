"""Export of a level's graph to a file of another tool, with formulas about it where the format has them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from gridproof.core.errors import GridproofError
from gridproof.core.position import Level
from gridproof.core.text import files
from gridproof.prove.cost import find_product
from gridproof.prove.expansion import expand_things
from gridproof.prove.formats.hoa import HoaModel
from gridproof.prove.formats.labelled_graph import LabelledGraph, labelled_graph, propositions_of
from gridproof.prove.formats.nusmv import NusmvModel
from gridproof.prove.formats.promela import PromelaModel
from gridproof.prove.formats.tla import TlaModel
from gridproof.prove.formula import Atom, Formula
from gridproof.prove.name_check import check_names
from gridproof.prove.parsing import parse
from gridproof.search import export as graph_export
from gridproof.search.space import StateSpace


class _Model(Protocol):
    """A model for another tool: its files, and their lines."""

    files: list[Path]

    def texts(self, graph: LabelledGraph, name: str) -> list[Iterator[str]]:
        """Return the lines of each file."""
        ...


class _Format(Protocol):
    def __call__(
        self, path: Path, formulas: Sequence[Formula], propositions: Sequence[Formula]
    ) -> _Model: ...


MODELS: Mapping[str, _Format] = {
    ".pml": PromelaModel,
    ".smv": NusmvModel,
    ".tla": TlaModel,
    ".hoa": HoaModel,
}
"""Formats of models by suffix."""

SUFFIXES = (*graph_export.SUFFIXES, *MODELS)
"""The suffixes of all formats, of graphs and of models."""


class GraphExport:
    """Export of the graph of a level's space; the suffix of the path chooses the format.

    Parameters
    ----------
    level : Level
    path : Path
        One of `MODELS`, or of `gridproof.search.export.write_graph`.
    formulas : sequence of str or Formula
        Properties of a model: `.pml`, `.tla` and `.hoa` take LTL, `.smv` CTL, too.
    name : str
        The name of the level, for the head of the file.

    Raises
    ------
    GridproofError
        For another suffix, and for formulas that mean nothing on the level or that the format cannot express.
    """

    def __init__(
        self, level: Level, path: str | Path, formulas: Sequence[str | Formula] = (), name: str = ""
    ) -> None:
        self._path, self._name = Path(path), name
        self._propositions: list[Formula] = []
        self._model: _Model | None = None
        kind = MODELS.get(self._path.suffix.lower())
        if kind is None:
            self.files = self._graph_files(bool(formulas))
            return
        stated = [_formula(one, level) for one in formulas]
        self._propositions = [*dict.fromkeys([Atom("won"), *propositions_of(stated)])]
        self._model = kind(self._path, stated, self._propositions)
        self.files = self._model.files
        """The files that are written."""

    def _graph_files(self, has_formulas: bool) -> list[Path]:
        try:
            found = graph_export.graph_files(self._path)
        except GridproofError as error:
            raise GridproofError(f"{error}, {', '.join(MODELS)}") from None
        if has_formulas:
            raise GridproofError(f"{self._path}: formulas go into models: {', '.join(MODELS)}")
        return found

    def write(self, space: StateSpace) -> list[Path]:
        """Write a complete space of the level, all files or none; return the files."""
        if self._model is None:
            return graph_export.write_graph(space, self._path)
        graph = labelled_graph(space, self._propositions)
        with contextlib.ExitStack() as stack:
            for path, lines in zip(self.files, self._model.texts(graph, self._name), strict=True):
                file = stack.enter_context(files.open_atomic(path))
                file.writelines(f"{line}\n" for line in lines)
        return self.files


def _formula(given: str | Formula, level: Level) -> Formula:
    """Return a formula whose names mean something on a level."""
    formula = expand_things(parse(given) if isinstance(given, str) else given, level)
    start = next(iter(level.starts())).position
    check_names(formula, start)
    if find_product(formula, level):
        raise GridproofError(f"{formula}: costs cannot be exported")
    return formula
