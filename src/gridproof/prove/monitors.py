"""Monitors of what must happen on a path: for `F p`, `G F p` and `G (p -> F q)` in a conjunction.

An automaton for many of them would be large, since each doubles its states and its transitions. A monitor is one bit
beside the position that the path determines; the positions with the bits that can occur are a graph of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.limit import Stopped
from gridproof.kernels.compile import kernel
from gridproof.prove.formula import FALSE, TRUE, Binary, Formula, Unary, is_path_formula, negate
from gridproof.prove.model import Rows
from gridproof.search.graph import Array

MOST = 20
"""Monitors of a formula, at most; the automaton takes the other conjuncts."""
FEWEST = 4
"""Conjuncts that make monitors worth their work; the automaton of fewer is small."""
_LARGEST = 1 << 33  # bits of the table of nodes seen

HEAD, COUNT = range(2)


class Monitor(NamedTuple):
    """A bit that is set in positions with one formula, and cleared in those with another, which comes first."""

    sets: Formula
    clears: Formula
    wanted: bool
    """The path satisfies the conjunct if the bit is so again and again."""


def split_monitors(path: Formula) -> tuple[Formula, list[Monitor]]:
    """Return the rest of a conjunction about paths, and monitors for its other conjuncts; none if they are few."""
    rest: list[Formula] = []
    found: list[Monitor] = []
    for one in _conjuncts(path):
        monitor = _monitor(one) if len(found) < MOST else None
        rest.append(one) if monitor is None else found.append(monitor)
    if len(found) < FEWEST:
        return path, []
    whole = TRUE if not rest else rest[0]
    for one in rest[1:]:
        whole = Binary("&", whole, one)
    return whole, found


def _conjuncts(path: Formula) -> Iterator[Formula]:
    """Yield the conjuncts of a formula, also those behind a negation."""
    waiting = [path]
    while waiting:
        one = waiting.pop()
        match one:
            case Binary("&", left, right):
                waiting += (right, left)
            case Unary("!", Binary("|", left, right)):
                waiting += (negate(right), negate(left))
            case Unary("!", Binary("->", left, right)):
                waiting += (negate(right), left)
            case Unary("!", Unary("!", operand)):
                waiting.append(operand)
            case _:
                yield one


def _monitor(formula: Formula) -> Monitor | None:
    """Return the monitor for a formula; None if it has another form."""
    match formula:
        case Unary("F", goal) if not is_path_formula(goal):
            return Monitor(goal, FALSE, True)
        case Unary("!", Unary("G", never)) if not is_path_formula(never):
            return Monitor(negate(never), FALSE, True)
        case Unary("G", Unary("F", goal)) if not is_path_formula(goal):
            return Monitor(goal, negate(goal), True)
        case Unary("!", Unary("F", Unary("G", never))) if not is_path_formula(never):
            return Monitor(negate(never), never, True)
        case Unary("G", Binary("->", condition, Unary("F", goal))) if not is_path_formula(
            Binary("&", condition, goal)
        ):
            return Monitor(condition, goal, False)
    return None


class MonitoredRows(Rows):
    """Rows of a graph whose positions are those of another one with the bits of monitors: all that can occur.

    `check_limit` is called now and then, and raises Stopped at a limit.
    """

    def __init__(
        self,
        rows: Rows,
        monitors: Sequence[Monitor],
        values: Callable[[Formula], Array],
        check_limit: Callable[[], None],
    ) -> None:
        self.graph, self._rows, self._bits = rows.graph, rows, len(monitors)
        self._sets = _masks([values(one.sets) for one in monitors], rows.states)
        self._clears = _masks([values(one.clears) for one in monitors], rows.states)
        self._keys = self._find_keys(check_limit)
        """Position and bits of each node, in order."""
        self.states = len(self._keys)
        self.places = self._keys >> self._bits
        widths = np.diff(rows.offsets)[self.places]
        self.offsets = np.concatenate(([0], np.cumsum(widths)))
        before = np.repeat(self.offsets[:-1] - rows.offsets[self.places], widths)
        self._edges = (np.arange(len(before)) - before).astype(np.int32)
        self.targets = np.empty(len(self._edges), np.int32)
        check_limit()
        link(rows.targets, self._edges, self._keys, self._memory(), self.offsets, self.targets)
        self.actions = rows.actions[self._edges]
        wanted = sum(1 << bit for bit, one in enumerate(monitors) if one.wanted)
        self.missing = ((self._keys & ((1 << self._bits) - 1)) ^ wanted).astype(np.uint64)
        """The bits that are not as they are wanted, of each node."""

    def _memory(self) -> Memory:
        return Memory(self._sets, self._clears, self._bits)

    def _find_keys(self, check_limit: Callable[[], None]) -> Array:
        rows, positions = self._rows, np.arange(self._rows.states, dtype=np.int64)
        if rows.states << self._bits > _LARGEST:
            raise Stopped
        seen = np.zeros((rows.states << self._bits) // 8 + 1, np.uint8)
        keys = np.empty(2 * rows.states + 1024, np.int64)
        keys[: rows.states] = self._first_keys(positions)
        np.bitwise_or.at(seen, keys[: rows.states] >> 3, (1 << (keys[: rows.states] & 7)).astype(np.uint8))
        at = np.array([0, rows.states], np.int64)
        while not spread(rows.offsets, rows.targets, self._memory(), seen, keys, at):
            check_limit()
            keys = np.concatenate((keys[: at[COUNT]], np.empty(len(keys), np.int64)))
        return np.sort(keys[: at[COUNT]])

    def _first_keys(self, positions: Array) -> Array:
        bits: Array = self._sets[positions] & ~self._clears[positions]
        return positions << self._bits | bits

    def nodes_of(self, positions: Sequence[int]) -> Array:
        return np.searchsorted(self._keys, self._first_keys(np.array(positions, np.int64)))

    def position(self, node: int) -> int:
        return int(self.places[node])

    def edge(self, edge: int) -> int:
        return int(self._edges[edge])


class Memory(NamedTuple):
    """Monitors for kernels."""

    sets: Any
    """int64 (n,): the bits that each position sets"""
    clears: Any
    """int64 (n,): those that it clears"""
    bits: Any
    """The number of monitors."""


def _masks(values: list[Array], states: int) -> Array:
    found = np.zeros(states, np.int64)
    for bit, one in enumerate(values):
        np.bitwise_or(found, 1 << bit, out=found, where=one)
    return found


@kernel
def spread(offsets: Any, targets: Any, memory: Memory, seen: Any, keys: Any, at: Any) -> Any:
    """Find all keys that follow those in a queue; return False when there is no room for more.

    A key is a position with the bits of the monitors below it. `seen` has a bit for each key, `at` the queue's head and
    its length.
    """
    mask = (np.int64(1) << memory.bits) - 1
    while at[HEAD] < at[COUNT]:
        position, before = keys[at[HEAD]] >> memory.bits, keys[at[HEAD]] & mask
        first, last = offsets[position], offsets[position + 1]
        if at[COUNT] + last - first > keys.shape[0]:
            return False
        for edge in range(first, last):
            target = np.int64(targets[edge])
            key = target << memory.bits | (before | memory.sets[target]) & ~memory.clears[target]
            if not seen[key >> 3] >> (key & 7) & 1:
                seen[key >> 3] |= np.uint8(1 << (key & 7))
                keys[at[COUNT]] = key
                at[COUNT] += 1
        at[HEAD] += 1
    return True


@kernel
def link(targets: Any, edges: Any, keys: Any, memory: Memory, offsets: Any, found: Any) -> None:
    """Write the target of each edge between keys, which are in order; `edges` are the numbers of the edges between positions."""
    mask = (np.int64(1) << memory.bits) - 1
    for node in range(keys.shape[0]):
        before = keys[node] & mask
        for edge in range(offsets[node], offsets[node + 1]):
            target = np.int64(targets[edges[edge]])
            key = target << memory.bits | (before | memory.sets[target]) & ~memory.clears[target]
            found[edge] = np.searchsorted(keys, key)
