"""Probability that a path satisfies a formula of LTL: `P=? [G F p]`, `P>=0.9 [(F p) -> F q]`.

Positions and the states of a limit-deterministic automaton are explored together; a jump of the automaton is a choice beside
the actions. A path that stays in an end component, where the automaton accepts, satisfies the formula, so the greatest
probability is that to reach such components (C. Courcoubetis and M. Yannakakis, "The complexity of probabilistic
verification", 1995). The least one is 1 minus the greatest of the opposite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.lazy_import import load
from gridproof.core.limit import Meter, Stopped, check_stop, start_meter
from gridproof.core.position import Position
from gridproof.prove.decision_process import DecisionProcess, remove_edges
from gridproof.prove.end_components import OUTSIDE, end_components
from gridproof.prove.fixpoints import some_until
from gridproof.prove.formula import TRUE, Formula, Quantity, Unary, negate
from gridproof.prove.fraction_values import find_fractions
from gridproof.prove.interval import ANYTHING, Interval, enclose
from gridproof.prove.limit_deterministic import NOWHERE, Letter, LimitDeterministic, atoms_of, automaton_of
from gridproof.prove.qualitative_reachability import may_reach, will_reach
from gridproof.prove.quantity import opposite
from gridproof.prove.quantity_solver import Solver, find_probability_bounds, truth_values
from gridproof.prove.strategy import NumberStrategy
from gridproof.search.actors import Who
from gridproof.search.graph import Array, Graph
from gridproof.search.space import Progress, StateSpace

_EDGE = 96
"""Bytes of an edge while probabilities are computed."""
_LARGEST = (1 << 31) - 1  # a node's number is 32 bits


class PathValues:
    """The probabilities at the starts."""

    error, unknown = 0.0, ANYTHING

    def __init__(
        self,
        space: StateSpace,
        known: LabelledPartialGraph,
        path: Formula,
        bounds: dict[Position[Any], tuple[Interval, Interval]],
    ) -> None:
        self.states, self._bounds = space.states, bounds
        self._space, self._known, self._path = space, known, path

    def strategy(self, side: int, weighted: Sequence[tuple[Fraction, Position[Any]]]) -> NumberStrategy:
        """Return a player of one play, from one of the starts, that reaches the best (0) or the worst value (1)."""
        path = negate(self._path) if side else self._path
        starts = [self._space.number(start) for start in self._bounds]
        bounds = load("gridproof.prove.path_bounds").PathBounds(
            self._known, automaton_of(path, self._known.letters), starts, start_meter(None)
        )
        player: NumberStrategy = load("gridproof.prove.path_strategy").PathStrategy(
            self._space, weighted, bounds, self._path
        )
        return player

    def of(self, position: Position[Any]) -> tuple[Interval, Interval] | None:
        """Return the bounds of the best and the worst value; None where no path starts."""
        return self._bounds.get(position)


class PathSolver(Solver):
    """Solver of one probability of a formula of LTL on growing parts of the positions; arguments as of `Solver`."""

    def __init__(
        self,
        quantity: Quantity,
        starts: list[Position[Any]],
        who: Who,
        meter: Meter,
        progress: Progress | None,
    ) -> None:
        super().__init__(replace(quantity, operand=Unary("F", TRUE)), starts, who, meter, progress)
        self._path = quantity.operand
        self._atoms = atoms_of(self._path)

    def _explore(self, meter: Meter) -> StateSpace:
        return self._explore_all(meter)

    def _solve(self, space: StateSpace, meter: Meter) -> PathValues:
        with meter.enforce():
            known = LabelledPartialGraph.of(space, self._atoms)
        numbers = {start: space.number(start) for start in self._starts}
        sides = {
            side: find_path_bounds(
                known, self._path if side else negate(self._path), list(numbers.values()), meter
            )
            for side in self._asked
        }
        unknown = dict.fromkeys(numbers.values(), ANYTHING)
        best, least = sides.get(True, unknown), sides.get(False, unknown)
        bounds = {
            start: (enclose(*best[number]), enclose(*opposite(least[number])))
            for start, number in numbers.items()
        }
        return PathValues(space, known, self._path, bounds)


class LabelledPartialGraph(NamedTuple):
    """A graph of positions, which may be incomplete, and the letter of each position."""

    graph: Graph
    cut: Array
    """Positions of which nothing is known that follows: bool (n,)."""
    letters: list[Letter]
    numbers: Array
    """The number of each position's letter: int (n,)."""

    @classmethod
    def of(cls, space: StateSpace, atoms: Sequence[Formula]) -> LabelledPartialGraph:
        """Return the graph of a space; Stopped at a stop."""
        words = np.zeros(space.states, np.int64)
        for bit, atom in enumerate(atoms):
            check_stop()
            words |= truth_values(atom, space).astype(np.int64) << bit
        kinds, numbers = np.unique(words, return_inverse=True)
        letters = [
            frozenset(atom for bit, atom in enumerate(atoms) if word >> bit & 1) for word in kinds.tolist()
        ]
        cut = np.arange(space.states) >= space.expanded_count
        return cls(space.partial_graph(), cut, letters, numbers)


def find_path_bounds(
    known: LabelledPartialGraph, path: Formula, starts: list[int], meter: Meter
) -> dict[int, Interval]:
    """Return bounds of the greatest probability of a path from each start; Stopped at a limit."""
    with meter.enforce():
        automaton = automaton_of(path, known.letters)
    product = AutomatonProduct(known, automaton, starts, meter)
    accepting = product.find_accepting()
    process = DecisionProcess(product.graph, accepting, product.cut)
    with meter.enforce():
        sure = will_reach(process, accepting, best=True)
        able = may_reach(process, accepting | process.cut, best=True)
    stopped, cut = sure | ~able, product.cut & ~sure
    graph, nodes = restrict(remove_edges(product.graph, stopped), [*product.starts.values()])
    process, goal = DecisionProcess(graph, stopped[nodes], cut[nodes]), sure[nodes]
    places = {start: int(np.searchsorted(nodes, node)) for start, node in product.starts.items()}
    exact = find_fractions(process, [Fraction(int(one)) for one in goal], best=True)
    if exact:
        return {start: Interval(exact[place], exact[place]) for start, place in places.items()}
    bounds = find_probability_bounds(process, goal, True, meter)
    return {start: bounds.interval(place) for start, place in places.items()}


def restrict(graph: Graph, starts: list[int]) -> tuple[Graph, Array]:
    """Return the graph of the nodes that can be reached from some, and their numbers in the whole graph, in order."""
    reached = np.zeros(len(graph.offsets) - 1, bool)
    reached[starts] = True
    some_until(*graph.rows, np.ones_like(reached), reached, np.empty(len(reached), np.int32))
    nodes, inside = np.flatnonzero(reached), remove_edges(graph, ~reached)
    offsets = np.append(inside.offsets[nodes], len(inside))
    targets = (np.cumsum(reached, dtype=np.int32) - np.int32(1))[inside.targets]
    return Graph(offsets, targets, inside.actions, inside.weights, graph.whole, graph.labels), nodes


class AutomatonProduct:
    """The positions with the states of an automaton that are reached from some starts.

    Attributes
    ----------
    graph : Graph
        A jump of the automaton is one more choice.
    cut : array of bool (nodes,)
    places, states : arrays of int (nodes,)
        The positions and the automaton's states.
    starts : dict
        The node of each start.
    actions : int
        The number of actions; the next choices are to stay where none is possible, and the jumps.
    """

    def __init__(
        self, known: LabelledPartialGraph, automaton: LimitDeterministic, starts: list[int], meter: Meter
    ) -> None:
        self._known, self._automaton, self._count = known, automaton, len(known.cut)
        self.actions = len(known.graph.labels)
        with meter.enforce():
            self.graph, nodes = self._explore(starts, meter)
        self.places, self.states = nodes % self._count, nodes // self._count
        self.starts = {start: int(np.searchsorted(nodes, start)) for start in starts}
        self.cut = known.cut[self.places]

    def _explore(self, starts: list[int], meter: Meter) -> tuple[Graph, Array]:
        """Return the graph of the nodes that are reached, and their numbers, in order: state * positions + position."""
        graph, rows, size = self._known.graph, list[tuple[Array, ...]](), 0
        reached = {0: np.zeros(self._count, bool)}
        waiting = {0: np.unique(starts)}
        reached[0][starts] = True
        while waiting:
            check_stop()
            state = next(iter(waiting))
            rows.append(self._rows_of(state, waiting.pop(state)))
            size += len(rows[-1][0])
            if size > _LARGEST or not meter.has_room(size * _EDGE):
                raise Stopped
            check_stop()
            states, places = np.divmod(rows[-1][1], self._count)
            for after in np.flatnonzero(np.bincount(states)).tolist():
                known = reached.setdefault(after, np.zeros(self._count, bool))
                entered = np.zeros(self._count, bool)
                entered[places[states == after]] = True
                new = np.flatnonzero(entered & ~known)
                known[new] = True
                if len(new):
                    waiting[after] = np.concatenate([waiting.get(after, new[:0]), new])
        nodes = np.concatenate(
            [state * self._count + np.flatnonzero(reached[state]) for state in sorted(reached)]
        )
        check_stop()
        begin, target, action, weight = (np.concatenate(row) for row in zip(*rows, strict=True))
        order = np.argsort(begin, kind="stable")
        check_stop()
        offsets = np.searchsorted(begin[order], np.append(nodes, nodes[-1] + 1)).astype(np.int64)
        targets = np.searchsorted(nodes, target[order]).astype(np.int32)
        labels = (*graph.labels, *[None] * (1 + max(map(len, self._automaton.jumps))))
        actions = action[order].astype(np.int32)
        return Graph(offsets, targets, actions, weight[order], graph.whole, labels), nodes

    def _rows_of(self, state: int, places: Array) -> tuple[Array, Array, Array, Array]:
        """Return the edges from positions in a state: nodes, nodes after them, actions and weights; none where all is decided."""
        graph, count = self._known.graph, self._count
        places = np.sort(places[~self._known.cut[places]])
        if self._automaton.states[state].is_sure:
            places = places[:0]
        after = np.array(self._automaton.targets[state])[self._known.numbers[places]]
        jumps = [
            self._sure_moves(places, places + target * count, action)
            for action, target in enumerate(self._automaton.jumps[state], len(graph.labels) + 1)
        ]
        follows = after != NOWHERE
        moving, shift = places[follows], after[follows] * count
        sizes = graph.offsets[moving + 1] - graph.offsets[moving]
        firsts = np.repeat(graph.offsets[moving] - np.cumsum(sizes) + sizes, sizes)
        edges = firsts + np.arange(len(firsts))
        moves = (
            np.repeat(moving, sizes),
            np.repeat(shift, sizes) + graph.targets[edges],
            graph.actions[edges],
            graph.weights[edges],
        )
        stays = sizes == 0  # each is followed by itself
        rows = [moves, self._sure_moves(moving[stays], (shift + moving)[stays], len(graph.labels)), *jumps]
        begin, target, action, weight = (np.concatenate(row) for row in zip(*rows, strict=True))
        return begin + state * count, target, action, weight

    def _sure_moves(self, places: Array, targets: Array, action: int) -> tuple[Array, Array, Array, Array]:
        """Return edges of one action that is sure."""
        return places, targets, np.full(len(places), action), self._whole(len(places))

    def _whole(self, size: int) -> Array:
        """Return the weights of so many edges that are sure."""
        return np.full(size, self._known.graph.whole, self._known.graph.weights.dtype)

    @property
    def missing(self) -> Array:
        """The goals, as bits, that do not come true in each node: int (nodes,)."""
        missing: Array = np.array(self._automaton.missing)[self.states, self._known.numbers[self.places]]
        return missing

    def find_accepting(self) -> Array:
        """Return the nodes from which a path can stay where the automaton accepts: bool (nodes,)."""
        states = self._automaton.states
        sure = np.array([one.is_sure for one in states])[self.states]
        checked = np.array([one.goals is not None for one in states])[self.states]
        components, _ = end_components(self.graph, checked & ~sure & ~self.cut)
        inside = np.flatnonzero(components != OUTSIDE)
        common = np.full(components.max(initial=0) + 1, -1)
        np.bitwise_and.at(common, components[inside], self.missing[inside])
        accepting: Array = sure.copy()
        accepting[inside] = common[components[inside]] == 0
        return accepting
