"""Markov decision processes: the graph of a space in which some positions end the path."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from gridproof.core.limit import check_stop
from gridproof.prove.fixpoints import reverse
from gridproof.prove.interval_iteration import Choices
from gridproof.search.graph import Array, Graph


class Until(NamedTuple):
    """A kind of paths: `hold` until `reach`, both bool (n,); with `steps`, within so many actions or after exactly as many."""

    hold: Array
    reach: Array
    steps: int | None = None
    exactly: bool = False

    @property
    def stopped(self) -> Array:
        """The positions where it is decided, whatever comes later: bool (n,)."""
        stopped: Array = ~self.hold if self.exactly else self.reach | ~self.hold
        return stopped


class DecisionProcess:
    """The actions of positions that are not stopped; nothing is known of what follows those in `cut`, bool (n,)."""

    def __init__(self, graph: Graph, stopped: Array, cut: Array) -> None:
        self.graph = remove_edges(graph, stopped)
        self.cut = cut & ~stopped
        self.states = len(stopped)

    @functools.cached_property
    def choices(self) -> Choices:
        """The actions of each position."""
        return Choices(self.graph)

    @functools.cached_property
    def begins(self) -> Array:
        """The first edge of each choice, int64 (choices,)."""
        return self.graph.choices()

    @functools.cached_property
    def owners(self) -> Array:
        """The position of each choice, int64 (choices,)."""
        owners: Array = self.graph.sources()[self.begins]
        return owners

    @functools.cached_property
    def backward(self) -> tuple[Array, Array]:
        """Rows of the choices with an outcome in each position: int64 (n + 1,) and the choices, int32 (m,)."""
        check_stop()
        ends, choices = np.zeros(self.states + 2, np.int64), np.empty_like(self.graph.targets)
        reverse(np.append(self.begins, len(self.graph)), self.graph.targets, ends, choices)
        return ends[:-1], choices

    @functools.cached_property
    def chances(self) -> Array:
        """The probability of each edge, once its action has been chosen."""
        return self.graph.weights.astype(np.float64) / self.graph.whole

    @functools.cached_property
    def firsts(self) -> Array:
        """The first choice of each position that has one."""
        return np.flatnonzero(np.diff(self.owners, prepend=-1))

    @property
    def acting(self) -> Array:
        """The positions that have a choice."""
        acting: Array = self.owners[self.firsts]
        return acting

    def some(self, region: Array) -> Array:
        """Return for each choice whether some outcome is in a region, bool (choices,)."""
        found: Array = np.logical_or.reduceat(region[self.graph.targets], self.begins)
        return found

    def all(self, region: Array) -> Array:
        """Return for each choice whether all outcomes are in a region, bool (choices,)."""
        found: Array = np.logical_and.reduceat(region[self.graph.targets], self.begins)
        return found

    def means(self, values: Array) -> Array:
        """Return the mean value of each choice's outcomes, from the values of positions."""
        found: Array = np.add.reduceat(values[self.graph.targets] * self.chances, self.begins)
        return found

    def extremes(self, of_choices: Array, best: bool | Array) -> Array:
        """Return the greatest or the least of the choices of each acting position; `best` may be bool (n,), one for each position."""
        if isinstance(best, bool):
            found: Array = (np.maximum if best else np.minimum).reduceat(of_choices, self.firsts)
            return found
        both = (one.reduceat(of_choices, self.firsts) for one in (np.maximum, np.minimum))
        return np.where(best[self.acting], *both)


def remove_edges(graph: Graph, stopped: Array) -> Graph:
    """Return a graph without the edges that come from some positions, bool (n,)."""
    sizes = np.diff(graph.offsets)
    kept = np.repeat(~stopped, sizes)
    if kept.all():
        return graph
    offsets = np.concatenate([[0], np.cumsum(np.where(stopped, 0, sizes))]).astype(np.int64)
    return Graph(
        offsets, graph.targets[kept], graph.actions[kept], graph.weights[kept], graph.whole, graph.labels
    )


def keep_choices(graph: Graph, begins: Array, kept: Array) -> Graph:
    """Return a graph with some of its choices, bool (choices,)."""
    edges = np.repeat(kept, np.diff(np.append(begins, len(graph))))
    sizes = np.bincount(graph.sources()[edges], minlength=len(graph.offsets) - 1)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Graph(
        offsets, graph.targets[edges], graph.actions[edges], graph.weights[edges], graph.whole, graph.labels
    )
