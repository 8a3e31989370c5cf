"""Reachability of a goal, the actions that lose it, and the number of shortest ways to it.

All numbers are exact. A goal counts as reachable if some outcomes of the actions lead to it, with luck, and if several
players reach it together.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from gridproof.core.extension import find_extension
from gridproof.core.trace import Trace
from gridproof.prove.fixpoints import steps_until
from gridproof.prove.model import rows_of
from gridproof.search.graph import Array
from gridproof.search.space import StateSpace

_MOST_EDGES = 100_000
"""The most steps of shortest ways with keys: each takes some ten microseconds."""
_MOST_ORDERS = 300_000
"""The most sets of keys to keep before their number is given up."""


@runtime_checkable
class SolutionKey(Protocol):
    """A game's own key of solutions that are the same but for their order: part of its extension `design`."""

    def solution_key(self, position: Any, action: Any, outcome: Any, /) -> Hashable:
        """Return what an action does, given the position before, the action and its outcome.

        Solutions are the same up to order when they have the same keys, equally often. None does not count: a step
        that only leads to a push has no key. By default the key is the action and the outcome's label.
        """


class Layer(NamedTuple):
    """The steps of shortest ways that begin with the same number of steps left."""

    edges: Array
    """Their numbers in the graph."""
    origins: Array
    """The place of each step's begin in the numbers of this layer."""
    ends: Array
    """The place of each step's end in the numbers of the next layer."""


class Reachability:
    """Distances of a complete space's positions to a goal, a proposition of the game."""

    def __init__(self, space: StateSpace, goal: str = "won") -> None:
        self.space, self.rows = space, rows_of(space)
        self.steps: Array = np.where(space.values(goal), 0, -1).astype(np.int32)
        """The fewest actions from each position to the goal, int32 (n,); -1 where it is out of reach."""
        steps_until(*self.rows.backward, self.steps, np.empty(space.states, np.int32))
        self.depth = np.repeat(np.arange(len(space.by_depth), dtype=np.int32), space.by_depth)
        """The fewest actions from a start to each position, int32 (n,)."""

    # -- dead positions and fatal actions

    @property
    def dead(self) -> Array:
        """Positions where the goal is out of reach: bool (n,)."""
        return self.steps < 0

    def sum_by_depth(self, numbers: Array) -> tuple[int, ...]:
        """Sum numbers of the positions (n,), or count those with True, first reached after 0, 1, 2, ... actions."""
        begins = np.concatenate(([0], np.cumsum(self.space.by_depth)[:-1]))
        return tuple(map(int, np.add.reduceat(numbers.astype(np.int64), begins)))

    @property
    def actions(self) -> int:
        """The number of possible actions, in all positions together."""
        return len(self._choices[0])

    @functools.cached_property
    def _choices(self) -> tuple[Array, Array]:
        """The position of each action in each position, and whether some outcome leaves the goal in reach."""
        graph = self.rows.graph
        begins = graph.choices()
        alive = self.steps[self.rows.targets] >= 0
        stays_winnable = np.logical_or.reduceat(alive, begins) if len(begins) else np.zeros(0, bool)
        return np.searchsorted(graph.offsets, begins, side="right") - 1, stays_winnable

    @functools.cached_property
    def fatal(self) -> Array:
        """The number of actions in each position that lose a goal that was in reach: int64 (n,)."""
        positions, stays_winnable = self._choices
        lost = positions[~stays_winnable & ~self.dead[positions]]
        return np.bincount(lost, minlength=self.space.states)

    @functools.cached_property
    def decisive(self) -> Array:
        """Positions where exactly one action keeps the goal in reach, which is not reached yet: bool (n,)."""
        positions, stays_winnable = self._choices
        number = np.bincount(positions[stays_winnable], minlength=self.space.states)
        return (self.steps > 0) & (number == 1)  # type: ignore[no-any-return]  # numpy's types say no more

    @functools.cached_property
    def forced(self) -> Array:
        """The decisive positions in which nothing else could be done: bool (n,)."""
        number = np.bincount(self._choices[0], minlength=self.space.states)
        return self.decisive & (number == 1)  # type: ignore[no-any-return]  # numpy's types say no more

    def first_dead(self) -> Trace | None:
        """Return a shortest way to lose the goal; None where nothing does."""
        found = np.flatnonzero(self.dead)
        return self.space.trace_to(self.space[int(found[0])]) if len(found) else None

    # -- the shortest ways

    @functools.cached_property
    def least(self) -> int | None:
        """The fewest actions from a start to the goal; None where no start has any way there."""
        left = self.steps[: self.space.by_depth[0]]
        return int(left[left >= 0].min()) if (left >= 0).any() else None

    @functools.cached_property
    def _shortest(self) -> tuple[list[Array], list[Layer]]:
        """The positions on shortest ways by the actions done, and the steps between them."""
        if self.least is None:
            return [], []
        starts = np.flatnonzero(self.steps[: self.space.by_depth[0]] == self.least)
        numbers, layers = [starts], []
        for left in range(self.least - 1, -1, -1):
            edges, origins = _edges_of(self.rows.offsets, numbers[-1])
            good = self.steps[self.rows.targets[edges]] == left
            edges, origins = edges[good], origins[good]
            following, ends = np.unique(self.rows.targets[edges], return_inverse=True)
            numbers.append(following)
            layers.append(Layer(edges, origins, ends.reshape(-1)))
        return numbers, layers

    @functools.cached_property
    def on_shortest(self) -> Array:
        """The numbers of the positions on shortest ways, from the starts on: int64 (k,)."""
        numbers, _ = self._shortest
        return np.concatenate(numbers) if numbers else np.zeros(0, np.int64)

    @functools.cached_property
    def ways(self) -> int:
        """The number of shortest ways; each action with its outcome counts."""
        numbers, layers = self._shortest
        if not numbers:
            return 0
        counts = np.full(len(numbers[0]), 1, object)  # Python's own numbers, which are of any size
        for following, layer in zip(numbers[1:], layers, strict=True):
            next_counts = np.full(len(following), 0, object)
            np.add.at(next_counts, layer.ends, counts[layer.origins])
            counts = next_counts
        return int(counts.sum())

    def shortest(self) -> Trace | None:
        """Return one of the shortest ways."""
        numbers, _ = self._shortest
        return self.space.trace_to(self.space[int(numbers[-1][0])]) if numbers else None

    def orders(self) -> Orders:
        """Return how the shortest ways differ when order does not count."""
        numbers, layers = self._shortest
        if sum(len(layer.edges) for layer in layers) > _MOST_EDGES:
            return Orders(None, None)
        sets: list[set[int]] = [{0} for _ in (numbers[0] if numbers else ())]
        key_numbers: dict[Any, int] = {}
        base, several, size = len(layers) + 1, False, 0
        for now, following, layer in zip(numbers, numbers[1:], layers, strict=False):
            after: list[set[int]] = [set() for _ in following]
            keys = self._solution_keys(now, following, layer)
            for origin, end, solution_key in zip(layer.origins, layer.ends, keys, strict=True):
                more = 0  # the number of steps with each key, as the digits of one number
                if solution_key is not None:
                    more = base ** key_numbers.setdefault(solution_key, len(key_numbers))
                after[end].update(one + more for one in sets[origin])
            sets, size = after, size + sum(map(len, after))
            several = several or any(len(one) > 1 for one in sets)
            if size > _MOST_ORDERS:
                return Orders(None, False if several else None)
        found = set[int]().union(*sets)
        return Orders(len(found), len(found) == 1 if found else None)

    def _solution_keys(self, now: Array, following: Array, layer: Layer) -> Iterator[Any]:
        """Yield the key of each step of a layer, as its game defines it."""
        graph, design = self.rows.graph, find_extension(self.space.level.game, "design", object)
        key = design.solution_key if isinstance(design, SolutionKey) else None
        if key is None and graph.whole == 1:
            yield from graph.actions[layer.edges].tolist()
            return
        ends = [self.space[int(number)] for number in following]
        last, position, seen = -1, self.space[0], Counter[tuple[Any, int]]()
        for edge, origin, end in zip(layer.edges, layer.origins, layer.ends, strict=True):
            if origin != last:
                last, position = origin, self.space[int(now[origin])]
                seen = Counter()
            action = graph.labels[graph.actions[edge]]
            # each of them is an edge, such as hints that leave all as it is
            alike = [one for one in position.outcomes(action) if one.position == ends[end]]
            outcome = alike[seen[action, end]]
            seen[action, end] += 1
            yield key(position, action, outcome) if key else (action, outcome.label)


class Orders(NamedTuple):
    """Differences of the shortest ways when order does not count."""

    number: int | None
    """The number of different ones; None if they were too many to compare."""
    unique: bool | None
    """True if they are all the same then; None if that is not known."""


def _edges_of(offsets: Array, numbers: Array) -> tuple[Array, Array]:
    """All edges of some positions, and the place of the position of each."""
    first = offsets[numbers]
    lengths = offsets[numbers + 1] - first
    places = np.repeat(np.arange(len(numbers)), lengths)
    shift = first - np.concatenate(([0], np.cumsum(lengths)[:-1]))
    return np.arange(int(lengths.sum())) + np.repeat(shift, lengths), places
