"""The graph of a state space as other model checkers take it: positions with successors and propositions.

A position without actions is followed by itself. Actions and chance are choices; their probabilities are left out.
"""

from __future__ import annotations

import importlib.metadata
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gridproof.core.text.phrases import format_count
from gridproof.prove.certificate import describe_actors
from gridproof.prove.ctl import Evaluator
from gridproof.prove.formula import Atom, Comparison, Deadlock, Executable, Formula, Next, subformulas
from gridproof.prove.model import Model
from gridproof.search.graph import Array
from gridproof.search.space import StateSpace

VERSION = importlib.metadata.version("gridproof")
_NO_WORD = re.compile(r"\W+", re.ASCII)
_COMPARED = {"=": "is", "!=": "is_not", "<": "below", "<=": "at_most", ">": "above", ">=": "at_least"}


class LabelledGraph(NamedTuple):
    """Positions by number, with the different positions that follow each, and where each proposition holds."""

    space: StateSpace
    offsets: Array
    """int64 (n + 1,)"""
    targets: Array
    """int64 (m,): the successors of position i are at `offsets[i]` to `offsets[i + 1]`, in order."""
    values: Mapping[Formula, Array]
    """The positions where each proposition about positions holds, bool (n,)."""

    @property
    def positions(self) -> int:
        """The number of positions."""
        return len(self.offsets) - 1

    @property
    def starts(self) -> int:
        """The number of starts, which are the first positions."""
        return self.space.by_depth[0]

    def successors(self, position: int) -> list[int]:
        """Return the successors of a position."""
        found: list[int] = self.targets[self.offsets[position] : self.offsets[position + 1]].tolist()
        return found

    def resting(self) -> list[int]:
        """Return the positions that can be followed by themselves."""
        sources = np.repeat(np.arange(self.positions), np.diff(self.offsets))
        found: list[int] = sources[sources == self.targets].tolist()
        return found

    def heading(self, name: str) -> list[str]:
        """Return lines for the head of a file: where the model comes from, and its size."""
        level = self.space.level
        named = " ".join(f"{name} {level.title}".split())
        size = (
            f"{format_count(self.positions, 'positions')}, {format_count(len(self.targets), 'transitions')}"
        )
        starts = "0" if self.starts == 1 else f"0 to {self.starts - 1}, one of them"
        return [
            f"gridproof {VERSION}: {level.game.name}, {named or 'a level'}{describe_actors(self.space.who)}",
            f"{size}, start: {starts}",
            "Actions and chance are choices. A position without actions is followed by itself.",
        ]


def labelled_graph(space: StateSpace, propositions: Iterable[Formula]) -> LabelledGraph:
    """Return the graph of a complete space, with the positions where some propositions hold."""
    model = Model(space)
    offsets, targets = distinct_edges(model)
    evaluator = Evaluator(model)
    values = {one: evaluator.values(one) for one in propositions if not isinstance(one, Next)}
    return LabelledGraph(space, offsets, targets, values)


def distinct_edges(model: Model) -> tuple[Array, Array]:
    """Return the rows of a graph in which each successor is listed once, and each position has one."""
    graph, states = model.rows.graph, model.states
    ended = np.flatnonzero(model.deadlocks)
    keys = np.unique(np.concatenate((graph.sources() * states + graph.targets, ended * (states + 1))))
    offsets = np.concatenate(([0], np.cumsum(np.bincount(keys // states, minlength=states))))
    return offsets, keys % states


def propositions_of(formulas: Iterable[Formula]) -> list[Formula]:
    """Return the propositions in formulas, each once: statements about positions, and `[ACTION]`."""
    kinds = Atom | Comparison | Executable | Deadlock | Next
    inside = (one for formula in formulas for one in subformulas(formula) if isinstance(one, kinds))
    return [*dict.fromkeys(inside)]


def comment(text: str) -> str:
    """Return a comment as C has it."""
    return f"/* {text.replace('*/', '* /').replace('/*', '/ *')} */"


def reserve(words: str) -> frozenset[str]:
    """Return the words that no proposition may have as its name."""
    return frozenset(words.split())


def identifiers(propositions: Sequence[Formula], reserved: Collection[str]) -> dict[Formula, str]:
    """Return a different identifier for each proposition, such as `box_1_2` for `box(1,2)`; none is reserved."""
    found: dict[Formula, str] = {}
    for one in propositions:
        text = f"{one.left} {_COMPARED[one.sign]} {one.right}" if isinstance(one, Comparison) else str(one)
        name = _NO_WORD.sub("_", text.replace("-", "minus ")).strip("_")
        while name in reserved or name in found.values():
            name += "_"
        found[one] = name
    return found
