"""Models of formulas: a state space's graph, and the positions where its atoms hold.

A position from which no edge leads is followed by itself for ever.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence
from weakref import WeakKeyDictionary

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import check_stop
from gridproof.core.proposition import COMPARE
from gridproof.core.text.phrases import some
from gridproof.prove.fixpoints import can_do, number_reversed, reverse
from gridproof.prove.formula import Atom, Comparison, Deadlock, Executable, Formula
from gridproof.search.graph import Array, Graph
from gridproof.search.space import StateSpace

_LARGEST = 1 << 63  # what words of 64 bits hold


class Rows:
    """A graph, forwards and backwards; its nodes are the positions."""

    def __init__(self, graph: Graph) -> None:
        check_stop()
        self.graph = graph
        self.offsets, self.targets = graph.rows
        self.actions = graph.actions
        self.states = len(graph.offsets) - 1

    def nodes_of(self, positions: Sequence[int]) -> Array:
        """Return the nodes at which paths from some positions begin."""
        return np.array(positions, np.int64)

    def position(self, node: int) -> int:
        """Return the position of a node."""
        return node

    def edge(self, edge: int) -> int:
        """Return the number of an edge in the graph of positions."""
        return edge

    @functools.cached_property
    def backward(self) -> tuple[Array, Array]:
        """Rows of the reversed edges: int64 (n + 1,) and the sources, int32 (m,)."""
        check_stop()
        ends, sources = np.zeros(self.states + 2, np.int64), np.empty_like(self.targets)
        reverse(self.offsets, self.targets, ends, sources)
        return ends[:-1], sources

    @functools.cached_property
    def backward_edges(self) -> Array:
        """The numbers of the reversed edges, in the order of their sources in `backward`: int32 (m,)."""
        edges = np.empty_like(self.targets)
        number_reversed(self.targets, self.backward[0].copy(), edges)
        return edges

    @functools.cached_property
    def action_numbers(self) -> dict[str, int]:
        """The number of each action by its text."""
        return {str(action): number for number, action in enumerate(self.graph.labels)}

    def action(self, text: str) -> int:
        """Return the number of an action; GridproofError when no edge has it, and the level lists no such action."""
        if text not in self.action_numbers:
            raise GridproofError(f"no action {text!r} occurs; choose from {some(list(self.action_numbers))}")
        return self.action_numbers[text]


_rows: WeakKeyDictionary[StateSpace, Rows] = WeakKeyDictionary()
"""The rows of spaces that are still in use: several formulas may ask for one."""


def rows_of(space: StateSpace) -> Rows:
    """Return the rows of a complete space."""
    if space not in _rows:
        _rows[space] = Rows(space.graph())
    return _rows[space]


class Model:
    """A state space as formulas see it, or its positions from the number `first` on; without edges, it may be incomplete."""

    def __init__(self, space: StateSpace, first: int = 0) -> None:
        self.space, self.states, self._first = space, space.states - first, first
        self.expanded = self.states
        """The number of positions, counted from the first, whose edges are known."""
        self.starts = space.by_depth[0]
        """The number of starts, which are the first positions."""

    @functools.cached_property
    def rows(self) -> Rows:
        """The edges."""
        return rows_of(self.space)

    @property
    def product_rows(self) -> Rows:
        """The edges, for products with automata."""
        return self.rows

    @functools.cached_property
    def deadlocks(self) -> Array:
        """Positions where nothing can be done: bool (n,)."""
        return np.diff(self.rows.offsets) == 0  # type: ignore[no-any-return]  # numpy's types say no more

    def values(self, atom: Formula) -> Array:
        """Return the positions where an atom holds: bool (n,)."""
        match atom:
            case Atom():
                # kernels are compiled for arrays that can be written to
                return self.space.values(str(atom), self._first).copy()
            case Comparison():
                return values_of(atom, self.space, self._first)
            case Executable(action):
                return self.executable([self.rows.action(action)])
            case Deadlock():
                return self.deadlocks
        raise GridproofError(f"{atom} is not a statement about a position")

    def executable(self, actions: Collection[int]) -> Array:
        """Return the positions where one of the actions, given by number, is possible: bool (n,)."""
        chosen, found = np.zeros(len(self.rows.graph.labels), bool), np.zeros(self.states, bool)
        chosen[list(actions)] = True
        can_do(self.rows.offsets, self.rows.graph.actions, chosen, found)
        return found


def values_of(atom: Comparison, space: StateSpace, first: int = 0) -> Array:
    """Return the positions from `first` on where a comparison holds, in a space that may be incomplete: bool (n - first,)."""
    left, compare, right = atom.left, COMPARE[atom.sign], atom.right
    if isinstance(left, Atom) and isinstance(right, int) and -_LARGEST <= right < _LARGEST:
        return space.values(str(atom), first).copy()
    sides = [_number(side, space, first) for side in (left, right)]
    values = compare(*sides)
    return values if isinstance(values, np.ndarray) else np.full(space.states - first, values)


def _number(side: Atom | int, space: StateSpace, first: int) -> Array | int:
    if isinstance(side, Atom):
        return space.values(str(side), first)
    return side if -_LARGEST <= side < _LARGEST else np.array(side, object)  # compared as Python does
