"""Paths of a model that an automaton takes and that are fair: is there one, and which."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Stopped
from gridproof.prove import product
from gridproof.prove.automaton import Automaton
from gridproof.prove.fairness import Assumption
from gridproof.prove.formula import Formula, Next
from gridproof.prove.model import Model

Array = np.ndarray[Any, Any]

_STEPS = 1 << 22  # arcs between two looks at the limits
_BITS = 62
_ANY = -4  # less than any number in an order
_LARGEST = (1 << 31) - 1  # a node's number is 32 bits


class Path(NamedTuple):
    """Edges of a model's graph, by their numbers, from a position on.

    Without a loop it ends where the rest does not matter, or in a position that is followed by itself.
    """

    start: int
    edges: tuple[int, ...] = ()
    loop: int | None = None
    """The number of edges after which the loop begins; the last edge leads back there."""

    def then(self, other: Path) -> Path:
        """The path that goes on from its end with the other."""
        loop = None if other.loop is None else other.loop + len(self.edges)
        return Path(self.start, self.edges + other.edges, loop)


class Paths:
    """The paths of a model that an automaton takes.

    Parameters
    ----------
    model : Model
    automaton : Automaton
    values : callable
        Where an atom of the automaton holds.
    fair : sequence of Assumption
    reached : callable
        Whether a limit is reached; asked now and then.

    Raises
    ------
    GridproofError
        When the formula has too many atoms, marks or assumptions for words of 64 bits.
    """

    def __init__(
        self,
        model: Model,
        automaton: Automaton,
        values: Callable[[Formula], Array],
        fair: Sequence[Assumption] = (),
        reached: Callable[[], bool] = lambda: False,
    ) -> None:
        self.model, self.automaton, self._fair, self._reached = model, automaton, fair, reached
        self.states = len(automaton.transitions)
        self.nodes = model.states * self.states
        if self.nodes > _LARGEST:
            raise Stopped
        first = max(len(automaton.atoms), automaton.marks)
        if first + len(fair) > _BITS:
            raise GridproofError(
                f"the formula is too large: {len(automaton.atoms)} different atoms, {automaton.marks} of 'again and "
                f"again' and {len(fair)} of fairness, where {_BITS} can be told apart"
            )
        self._places = self._graph(values, first)
        self._machine = _machine(automaton)
        weak = sum(1 << first + i for i, one in enumerate(fair) if not one.strong)
        strong = sum(1 << first + i for i, one in enumerate(fair) if one.strong)
        self._assumed = np.uint64(weak), np.uint64(strong)
        self.every = np.uint64((1 << automaton.marks) - 1 | weak) | product.CYCLE

    def _graph(self, values: Callable[[Formula], Array], first: int) -> tuple[Array, ...]:
        """The graph with a word of each position and of each action: atoms, and above them acts of fairness."""
        rows = self.model.rows
        words, done = (
            np.zeros(self.model.states, np.uint64),
            np.zeros(max(1, len(rows.graph.labels)), np.uint64),
        )
        for bit, atom in enumerate(self.automaton.atoms):
            if isinstance(atom, Next):
                done[rows.action(atom.action)] |= np.uint64(1 << bit)
            else:
                _set(words, bit, values(atom))
        for bit, one in enumerate(self._fair, first):
            done[list(one.actions)] |= np.uint64(1 << bit)
            _set(words, bit, self.model.executable(one.actions))
        return rows.offsets, rows.targets, rows.graph.actions, words, done

    def found(self, starts: Sequence[int]) -> Callable[[], Path | None] | None:
        """Look for a path from one of some positions: None when there is none, else what gives it.

        Where a state takes every word, it is reached in the fewest steps.

        Raises
        ------
        Stopped
            When a limit is reached.
        """
        nodes = np.array(starts, np.int32) * self.states
        universal = None if self._fair else self.automaton.universal
        if universal is not None and (stem := self._to_state(nodes, universal)):
            return functools.partial(self._lasso, stem)
        search = _Search(self)
        return functools.partial(self._made, search, nodes[:, None].tolist()) if search.found(nodes) else None

    def first(self, starts: Sequence[int]) -> Path | None:
        """A path from one of some positions, as `found` looks for it; None when there is none."""
        found = self.found(starts)
        return found and found()

    def _to_state(self, nodes: Array, state: int) -> list[int]:
        """The nodes of a shortest way to a state; none when there is none."""
        for node in nodes.tolist():
            if node % self.states == state:
                return [node]
        return _Search(self).way(nodes, product.TO_STATE, state)

    def _lasso(self, way: list[int]) -> Path | None:
        """A path that begins with a way and goes on from its last node."""
        search = _Search(self)
        return self._made(search, [way]) if search.found(np.array(way[-1:], np.int32)) else None

    def _made(self, search: _Search, ways: list[list[int]]) -> Path:
        """The path that begins with one of some ways and goes on to what a search has found."""
        stem, loop = search.lasso(np.array([way[-1] for way in ways], np.int32))
        before = next(way for way in ways if way[-1] == stem[0])
        return self._path([*before, *stem[1:]], loop)

    def _path(self, stem: list[int], loop: list[tuple[int, int, int]]) -> Path:
        """The edges that arcs take; where a position is followed by itself there is none."""
        arcs = [(one, two, 0) for one, two in itertools.pairwise(stem)]
        edges = [self._edge(*one) for one in arcs]
        edges_of_loop = [self._edge(*one) for one in loop]
        before = [edge for edge in edges if edge >= 0]
        around = _once([edge for edge in edges_of_loop if edge >= 0])
        while around and before and before[-1] == around[-1]:  # the loop begins a step earlier
            around.insert(0, around.pop())
            before.pop()
        return Path(stem[0] // self.states, (*before, *around), len(before) if around else None)

    def _edge(self, source: int, target: int, marks: int) -> int:
        return int(product.edge_between(*self.parts, source, target, np.uint64(marks)))

    def all(self, starts: Sequence[int], found: Callable[[], Path | None] | None = None) -> Iterator[Path]:
        """Different paths from some positions, the one that was `found` and then those that enter their loops early.

        Raises
        ------
        Stopped
            When a limit is reached.
        """
        known = set()
        if (path := found() if found else self.first(starts)) is None:
            return
        for one in itertools.chain([path], self._others(starts)):
            if one not in known:
                known.add(one)
                yield one

    def _others(self, starts: Sequence[int]) -> Iterator[Path]:
        nodes = np.array(starts, np.int32) * self.states
        search = _Search(self)
        search.run(nodes, stop=False)
        queue, parents = search.everything(nodes)
        accepted = search.order == product.ACCEPTED
        entries = queue[accepted[queue]]
        entered = accepted[parents[entries] - 1] & (parents[entries] != entries + 1)
        for node in (*entries[~entered].tolist(), *entries[entered].tolist()):
            path = self._lasso(_way(parents, node))
            if path is not None:
                yield path

    def accepted(self, inside: Array) -> Array:
        """The positions on loops that the automaton, of one state, takes: bool (n,)."""
        search = _Search(self)
        search.run(np.flatnonzero(inside).astype(np.int32), stop=False)
        accepted: Array = search.order == product.ACCEPTED
        return accepted

    @property
    def parts(self) -> tuple[Any, Any, Any]:
        """What kernels are handed first."""
        return self._places, self._machine, self._assumed

    def look(self) -> None:
        """Stop at a limit."""
        if self._reached():
            raise Stopped


def _once(loop: list[int]) -> list[int]:
    """A loop that goes round once."""
    lengths = (length for length in range(1, len(loop) + 1) if len(loop) % length == 0)
    return next((loop[:length] for length in lengths if loop[:length] * (len(loop) // length) == loop), loop)


def _way(parents: Array, node: int) -> list[int]:
    """The nodes that lead to one."""
    way = [node]
    while (before := int(parents[way[-1]]) - 1) != way[-1]:
        way.append(before)
    return way[::-1]


class _Search:
    """One search of the product."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self.order = np.zeros(paths.nodes, np.int32)
        self._least = self._needed = 0

    def found(self, starts: Array) -> bool:
        """Whether there is a component with all the marks that are required."""
        return self.run(starts, stop=True)

    def run(self, starts: Array, stop: bool) -> bool:
        """Search, where strong fairness is broken again without what could be done but is not."""
        while len(starts):
            if self._once(starts, stop):
                return True
            starts = np.flatnonzero(self.order == product.AGAIN).astype(np.int32)
            self.order[starts] = product.UNSEEN
        return False

    def _once(self, starts: Array, stop: bool) -> bool:
        paths, room = self._paths, len(self.order)
        stack, way, following, roots = (np.empty(room, np.int32) for _ in range(4))
        marks, brought, possible = (np.empty(room, np.uint64) for _ in range(3))
        at, status = np.zeros(5, np.int64), product.GOING
        while status == product.GOING:
            paths.look()
            status = product.search(
                *paths.parts, paths.every, starts, stop, self.order, stack, way, following, roots, marks, brought,
                possible, at, _STEPS,
            )  # fmt: skip
        top = at[product.ROOTS] - 1
        if status == product.FOUND:
            self._least = int(roots[top])
            self._needed = int(paths.every & ~product.CYCLE | possible[top])
        return bool(status == product.FOUND)

    def lasso(self, starts: Array) -> tuple[list[int], list[tuple[int, int, int]]]:
        """The nodes from a start to the component that was found, and the arcs of a loop in it with what it needs."""
        stem = next(([node] for node in starts.tolist() if self.order[node] >= self._least), None)
        stem = stem or self.way(starts, product.TO_MEMBER, self._least)
        arcs: list[tuple[int, int, int]] = []
        node, needed = stem[-1], self._needed
        while needed:
            way, marks = self._walk(np.array([node], np.int32), product.BY_MARK, needed, self._least)
            arcs += [(one, two, 0) for one, two in itertools.pairwise(way[:-1])]
            arcs.append((way[-2], way[-1], needed & marks))
            node, needed = way[-1], needed & ~marks
        if node != stem[-1] or not arcs:
            way, _ = self._walk(np.array([node], np.int32), product.TO_NODE, stem[-1], self._least)
            arcs += [(one, two, 0) for one, two in itertools.pairwise(way)]
        return stem, arcs

    def way(self, starts: Array, kind: int, wanted: int) -> list[int]:
        """The nodes of a shortest way through all nodes; none when there is none."""
        return self._walk(starts, kind, wanted, _ANY)[0]

    def _walk(self, starts: Array, kind: int, wanted: int, least: int) -> tuple[list[int], int]:
        self._paths.look()
        parents, queue = np.zeros(len(self.order), np.int32), np.empty(len(self.order), np.int32)
        source, node, marks, _ = product.shortest(
            *self._paths.parts, self.order, least, starts, kind, np.int64(wanted), parents, queue
        )
        return ([*_way(parents, int(source)), int(node)], int(marks)) if source >= 0 else ([], 0)

    def everything(self, starts: Array) -> tuple[Array, Array]:
        """The nodes in breadth-first order, and 1 + where each was come from."""
        parents, queue = np.zeros(len(self.order), np.int32), np.empty(len(self.order), np.int32)
        *_, count = product.shortest(
            *self._paths.parts, self.order, _ANY, starts, product.TO_NODE, np.int64(-1), parents, queue
        )
        return queue[:count], parents


def _set(words: Array, bit: int, values: Array) -> None:
    np.bitwise_or(words, np.uint64(1 << bit), out=words, where=values)


def _machine(automaton: Automaton) -> tuple[Array, ...]:
    flat = [one for row in automaton.transitions for one in row]
    offsets = np.cumsum([0, *map(len, automaton.transitions)]).astype(np.int32)
    return (
        offsets,
        np.array([one.must for one in flat], np.uint64),
        np.array([one.not_any for one in flat], np.uint64),
        np.array([one.target for one in flat], np.int32),
        np.array([one.marks for one in flat], np.uint64),
    )
