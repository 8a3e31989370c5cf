"""Fair paths of a model that an automaton accepts."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Stopped
from gridproof.prove import emptiness
from gridproof.prove.automaton import Automaton
from gridproof.prove.fairness import Assumption
from gridproof.prove.formula import Formula, Next
from gridproof.prove.lassos import Lassos, Shortening
from gridproof.prove.model import Model, Rows
from gridproof.prove.monitors import Monitor, MonitoredRows
from gridproof.search.graph import Array

_STEPS = 1 << 22  # arcs between two looks at the limits
_BITS = 62
_ANY = -4  # less than any number in an order
_LARGEST = (1 << 31) - 1  # a node's number is 32 bits


class Path(NamedTuple):
    """Edges of a model's graph, by their numbers, from a position on.

    Without a loop, the rest does not matter, or the last position is followed by itself.
    """

    start: int
    edges: tuple[int, ...] = ()
    loop: int | None = None
    """The number of edges after which the loop begins; the last edge leads back there."""

    def then(self, other: Path) -> Path:
        """Return this path continued by another one."""
        loop = None if other.loop is None else other.loop + len(self.edges)
        return Path(self.start, self.edges + other.edges, loop)


class Paths:
    """Paths of a model that an automaton accepts, and on which monitors have what they want again and again.

    `values` returns the positions where an atom of the automaton holds; `is_stopped`, which is called now and then, whether
    a limit is reached. GridproofError for more atoms, marks and assumptions than words of 64 bits can hold.
    """

    def __init__(
        self,
        model: Model,
        automaton: Automaton,
        values: Callable[[Formula], Array],
        fair: Sequence[Assumption] = (),
        is_stopped: Callable[[], bool] = lambda: False,
        monitors: Sequence[Monitor] = (),
    ) -> None:
        self.shortening = Shortening()
        self.model, self.automaton, self._fair, self._is_stopped = model, automaton, fair, is_stopped
        self._monitors = monitors
        self.states = len(automaton.transitions)
        self.is_final = True
        """False if the last search without a path came to the frontier of a prefix, where it may go on."""
        first = max(len(automaton.atoms), automaton.marks)
        if first + len(fair) + len(monitors) > _BITS:
            raise GridproofError(
                f"the formula is too large: {len(automaton.atoms)} different atoms, {automaton.marks + len(monitors)} of 'again "
                f"and again' and {len(fair)} of fairness, where {_BITS} can be told apart"
            )
        self._rows = model.product_rows
        if monitors:
            self._rows = MonitoredRows(model.rows, monitors, values, self.check_limit)
        self.nodes = self._rows.states * self.states
        if self.nodes > _LARGEST:
            raise Stopped
        weak = sum(1 << first + i for i, one in enumerate(fair) if not one.strong)
        weak += (1 << len(monitors)) - 1 << first + len(fair)
        strong = sum(1 << first + i for i, one in enumerate(fair) if one.strong)
        assumed = np.uint64(weak), np.uint64(strong)
        self.product = emptiness.Product(self._graph(values, first), _machine(automaton), assumed)
        self.every = np.uint64((1 << automaton.marks) - 1 | weak) | emptiness.CYCLE

    def _graph(self, values: Callable[[Formula], Array], first: int) -> tuple[Array, ...]:
        """Return the graph with a word for each position and each action: atoms, and above them acts of fairness."""
        rows = self.model.rows
        words = np.zeros(self.model.states, np.uint64)
        done = np.zeros(max(1, len(rows.graph.labels)), np.uint64)
        for bit, atom in enumerate(self.automaton.atoms):
            if isinstance(atom, Next):
                done[rows.action(atom.action)] |= np.uint64(1 << bit)
            else:
                _set_bit(words, bit, values(atom))
        for bit, one in enumerate(self._fair, first):
            done[list(one.actions)] |= np.uint64(1 << bit)
            _set_bit(words, bit, self.model.executable(one.actions) if one.where is None else ~one.where)
        if isinstance(self._rows, MonitoredRows):
            words = words[self._rows.places] | self._rows.missing << np.uint64(first + len(self._fair))
        return self._rows.offsets, self._rows.targets, self._rows.actions, words, done

    def find_lazily(self, starts: Sequence[int]) -> Callable[[], Path | None] | None:
        """Look for a path from one of some positions: None when there is none, else a function that builds it.

        If it comes to a state that accepts every word, it ends there, after the fewest steps. Otherwise it has the fewest
        edges where that is cheap, and in any case if the search is exhaustive. Stopped at a limit.
        """
        nodes = self._nodes_of(starts)
        if self._decided.any() and (stem := self._to_decided(nodes)):
            first: Callable[[], Path | None] = functools.partial(self._path, stem, [])
            return functools.partial(self._shorten, first, starts) if self.shortening.is_exhaustive else first
        builder = self._find_any(nodes)
        return builder and functools.partial(self._shorten, builder, starts)

    def _find_any(self, nodes: Array) -> Callable[[], Path | None] | None:
        """Return a function that builds any path from one of some nodes; None when there is none."""
        search = _Search(self)
        if not search.run(nodes, stop=True):
            frontier = search.order[self.model.expanded * self.states :]
            self.is_final = not self._is_partial or not frontier.any()
            return None
        return functools.partial(self._build_path, search, nodes[:, None].tolist())

    def _shorten(self, builder: Callable[[], Path | None], starts: Sequence[int]) -> Path | None:
        """Build a path; a cheap search may shorten it."""
        path = builder()
        if path is None:
            return None
        try:
            weak, strong = map(int, self.product.fair)
            exhaustive = self.shortening.is_exhaustive
            lassos = Lassos(self.product.places, self.automaton, (weak, strong), self.check_limit, exhaustive)
            nodes = self._rows.nodes_of(starts).tolist()
            for start, stem, loop in lassos.shorter_lassos(nodes, len(path.edges)):
                path = self._join(start, stem, loop)
        except (Stopped, MemoryError):
            self.shortening.is_cut = True
        return path

    def find(self, starts: Sequence[int]) -> Path | None:
        """Return a path from one of some positions; None when there is none."""
        builder = self.find_lazily(starts)
        return builder and builder()

    @functools.cached_property
    def _decided(self) -> Array:
        """Nodes from which every path is accepted, as is known without their next actions: bool (nodes,)."""
        words, found = self.product.places[3], np.zeros((self._rows.states, self.states), bool)
        if self._universal is None:
            return found.reshape(-1)
        for state in range(self.states):
            for one in self.automaton.deciding_conditions(state):
                must, not_any = np.uint64(one.must), np.uint64(one.not_any)
                found[: self.model.expanded, state] |= (words & (must | not_any) == must)[
                    : self.model.expanded
                ]
        found[:, self._universal] = True
        return found.reshape(-1)

    def _to_decided(self, nodes: Array) -> list[int]:
        """Return the nodes of a shortest path to one from which every path is accepted; none when there is none."""
        decided = nodes[self._decided[nodes]]
        if len(decided):
            return [int(decided[0])]
        search = _Search(self)
        search.order[self._decided] = 1
        return search.shortest_path(nodes, emptiness.TO_MEMBER, 1)

    def _lasso(self, way: list[int]) -> Path | None:
        """Return an accepted path that begins with these nodes; None when there is none."""
        if self._decided[way[-1]]:
            return self._path(way, [])
        search = _Search(self)
        return (
            self._build_path(search, [way]) if search.run(np.array(way[-1:], np.int32), stop=True) else None
        )

    def _build_path(self, search: _Search, ways: list[list[int]]) -> Path:
        """Build the path that begins with one of some prefixes and leads to the component that a search found."""
        stem, loop = search.lasso(np.array([way[-1] for way in ways], np.int32))
        before = next(way for way in ways if way[-1] == stem[0])
        return self._path([*before, *stem[1:]], loop)

    def _path(self, stem: list[int], loop: list[tuple[int, int, int]]) -> Path:
        """Return the path of a stem and a loop; a position that is followed by itself has no edge."""
        arcs = [(one, two, 0) for one, two in itertools.pairwise(stem)]
        edges = [self._edge(*one) for one in arcs]
        edges_of_loop = [self._edge(*one) for one in loop]
        before = [edge for edge in edges if edge >= 0]
        return self._join(stem[0] // self.states, before, [edge for edge in edges_of_loop if edge >= 0])

    def _join(self, node: int, stem: Iterable[int], loop: Iterable[int]) -> Path:
        """Return the path that begins at a node of the rows with a stem and a loop."""
        before, around = [*map(self._rows.edge, stem)], _one_round([*map(self._rows.edge, loop)])
        while around and before and before[-1] == around[-1]:  # the loop begins a step earlier
            around.insert(0, around.pop())
            before.pop()
        return Path(self._rows.position(node), (*before, *around), len(before) if around else None)

    def _edge(self, source: int, target: int, marks: int) -> int:
        return int(emptiness.edge_between(self.product, source, target, np.uint64(marks)))

    def find_all(
        self, starts: Sequence[int], builder: Callable[[], Path | None] | None = None
    ) -> Iterator[Path]:
        """Yield different paths from some positions: that of `builder`, then those that enter their loops early.

        Stopped at a limit.
        """
        found = set()
        if (path := builder() if builder else self.find(starts)) is None:
            return
        for one in itertools.chain([path], self._others(starts)):
            if one not in found:
                found.add(one)
                yield one

    def _others(self, starts: Sequence[int]) -> Iterator[Path]:
        nodes = self._nodes_of(starts)
        search = _Search(self)
        search.run(nodes, stop=False)
        queue, parents = search.walk_all(nodes)
        accepted = (search.order == emptiness.ACCEPTED) | self._decided
        entries = queue[accepted[queue]]
        before = parents[entries] - 1
        entered = accepted[before] & (before != entries)
        first = ~(entered & self._decided[before])
        entries, entered = entries[first], entered[first]
        for node in (*entries[~entered].tolist(), *entries[entered].tolist()):
            path = self._lasso(_path_to(parents, node))
            if path is not None:
                yield path

    def positions(self) -> Array:
        """Return the positions from which the automaton accepts a path: bool (n,)."""
        search, universal = _Search(self), self._universal
        if universal is not None:
            search.order[universal :: self.states] = emptiness.ACCEPTED
        nodes = self._nodes_of(range(self.model.states))
        search.run(nodes, stop=False)
        reached = search.order == emptiness.ACCEPTED
        self.check_limit()
        backward = _backward(self._rows, self.product.machine)
        emptiness.extend_backwards(self.product, backward, reached, np.empty(self.nodes, np.int32))
        found: Array = reached[nodes]
        return found

    def accepting_positions(self, inside: Array) -> Array:
        """Return the positions on loops that the automaton, of one state, accepts: bool (n,)."""
        search = _Search(self)
        search.run(np.flatnonzero(inside).astype(np.int32), stop=False)
        accepted: Array = search.order == emptiness.ACCEPTED
        return accepted

    @property
    def _universal(self) -> int | None:
        """A state of the automaton from which all paths are accepted; on a prefix, also if only fair ones are wanted.

        Certificates of fair paths need their loops.
        """
        return None if self._monitors or (self._fair and not self._is_partial) else self.automaton.universal

    @property
    def _is_partial(self) -> bool:
        return self.model.expanded < self.model.states

    def _nodes_of(self, starts: Sequence[int]) -> Array:
        """Return the nodes of the product at which paths from some positions begin, int32."""
        return (self._rows.nodes_of(starts) * self.states).astype(np.int32)

    def check_limit(self) -> None:
        """Stop at a limit."""
        if self._is_stopped():
            raise Stopped


def _one_round(loop: list[int]) -> list[int]:
    lengths = (length for length in range(1, len(loop) + 1) if len(loop) % length == 0)
    return next((loop[:length] for length in lengths if loop[:length] * (len(loop) // length) == loop), loop)


def _path_to(parents: Array, node: int) -> list[int]:
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

    def run(self, starts: Array, stop: bool) -> bool:
        """Return whether a component has all marks; where one breaks strong fairness, search in a part of it."""
        while len(starts):
            if self._once(starts, stop):
                return True
            starts = np.flatnonzero(self.order == emptiness.AGAIN).astype(np.int32)
            self.order[starts] = emptiness.UNSEEN
        return False

    def _once(self, starts: Array, stop: bool) -> bool:
        paths, room = self._paths, len(self.order)
        stack, way, following, roots = (np.empty(room, np.int32) for _ in range(4))
        marks, brought, possible = (np.empty(room, np.uint64) for _ in range(3))
        at, status = np.zeros(5, np.int64), emptiness.GOING
        found = emptiness.Search(self.order, stack, way, following, roots, marks, brought, possible, at)
        while status == emptiness.GOING:
            paths.check_limit()
            status = emptiness.search(paths.product, paths.every, starts, stop, found, _STEPS)
        top = at[emptiness.ROOTS] - 1
        if status == emptiness.FOUND:
            self._least = int(roots[top])
            self._needed = int(paths.every & ~emptiness.CYCLE | possible[top])
        return bool(status == emptiness.FOUND)

    def lasso(self, starts: Array) -> tuple[list[int], list[tuple[int, int, int]]]:
        """Return the nodes from a start to the component that was found, and the arcs of a loop in it with all marks."""
        stem = next(([node] for node in starts.tolist() if self.order[node] >= self._least), None)
        stem = stem or self.shortest_path(starts, emptiness.TO_MEMBER, self._least)
        arcs: list[tuple[int, int, int]] = []
        node, needed = stem[-1], self._needed
        while needed:
            way, marks = self._walk(np.array([node], np.int32), emptiness.BY_MARK, needed, self._least)
            arcs += [(one, two, 0) for one, two in itertools.pairwise(way[:-1])]
            arcs.append((way[-2], way[-1], needed & marks))
            node, needed = way[-1], needed & ~marks
        if node != stem[-1] or not arcs:
            way, _ = self._walk(np.array([node], np.int32), emptiness.TO_NODE, stem[-1], self._least)
            arcs += [(one, two, 0) for one, two in itertools.pairwise(way)]
        return stem, arcs

    def shortest_path(self, starts: Array, kind: int, wanted: int) -> list[int]:
        """Return the nodes of a shortest path through all nodes; none when there is none."""
        return self._walk(starts, kind, wanted, _ANY)[0]

    def _walk(self, starts: Array, kind: int, wanted: int, least: int) -> tuple[list[int], int]:
        self._paths.check_limit()
        walk = self._room()
        source, node, marks, _ = emptiness.shortest(
            self._paths.product, walk, least, starts, kind, np.int64(wanted)
        )
        return ([*_path_to(walk.parents, int(source)), int(node)], int(marks)) if source >= 0 else ([], 0)

    def _room(self) -> emptiness.Walk:
        nodes = len(self.order)
        return emptiness.Walk(self.order, np.zeros(nodes, np.int32), np.empty(nodes, np.int32))

    def walk_all(self, starts: Array) -> tuple[Array, Array]:
        """Return the nodes in breadth-first order, and 1 + the predecessor of each."""
        walk = self._room()
        *_, count = emptiness.shortest(
            self._paths.product, walk, _ANY, starts, emptiness.TO_NODE, np.int64(-1)
        )
        return walk.queue[:count], walk.parents


def _set_bit(words: Array, bit: int, values: Array) -> None:
    np.bitwise_or(words, np.uint64(1 << bit), out=words, where=values)


def _backward(rows: Rows, machine: tuple[Array, ...]) -> emptiness.Backward:
    """Return the arcs of a product backwards, except where a position is followed by itself."""
    offsets, targets, states = machine[0], machine[3], len(machine[0]) - 1
    into = np.searchsorted(
        targets, np.arange(states + 1), sorter=(order := np.argsort(targets, kind="stable"))
    )
    sources = np.repeat(np.arange(states), np.diff(offsets))
    return emptiness.Backward(*rows.backward, rows.backward_edges, into, order, sources)


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
