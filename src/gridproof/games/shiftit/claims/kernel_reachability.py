"""Reachable positions up to a horizon, by the kernel."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.limit import Meter
from gridproof.games.shiftit.claims.reachability import Reachability
from gridproof.games.shiftit.kernel import KERNEL
from gridproof.games.shiftit.kernel.shifts import BLOCKS, MOVES, PLACES, prepare, shift, spread, unite
from gridproof.games.shiftit.rules import Level
from gridproof.games.shiftit.solver.win_placements import find_wins
from gridproof.kernels.compile import kernel
from gridproof.kernels.game import Packing
from gridproof.kernels.states import find
from gridproof.search.kernel_space import PackedSpace
from gridproof.search.packed_bfs import PackedStates
from gridproof.search.space import finish

Array = np.ndarray[Any, Any]

_PART = 1 << 14  # positions between two looks at the clock
_LOOKS = 16  # parts of a search for wins, each of some thousand tiles

HEAD, COUNT, DEPTH, LAYER, WIN = range(5)
"""Indices into `Search.at`: the next state, the number of states found, the moves to the next state, the beginning of the
next layer, and the win found or -1."""


class StateTable(NamedTuple):
    """The states that were found on a board."""

    data: Any
    words: Any
    table: Any
    over: Any
    """bool (n,): True for a won state"""


class Search(NamedTuple):
    """A search for a win without a split, with its progress."""

    queue: Any
    """int64 (n,): states in the order they are found"""
    parents: Any
    """int64 (n,): -1 for states not found"""
    at: Any
    """int64 (5,): by `HEAD` and the other indices"""


@kernel
def find_targets(known: StateTable, first: Any, last: Any, targets: Any) -> None:
    """Write the numbers of the states after all moves; -1 where the game is won."""
    data, words, table, over = known
    out = np.empty(words.shape[1], np.uint64)
    for number in range(first, last):
        for move in range(data[MOVES]):
            if over[number]:
                targets[number, move] = -1
            else:
                shift(data, words[number], move, out)
                targets[number, move] = find(words, table, out)


@kernel
def find_regions(data: Any, state: Any, tiles: Any, parents: Any) -> None:
    """Write the region of each block, by its representative."""
    spread(state, data[PLACES], tiles)
    unite(data, tiles, parents)
    for block in range(data[BLOCKS]):
        root = block
        while parents[root] != root:
            root = parents[root]
        parents[block] = root


@kernel
def has_no_split(before: Any, after: Any) -> Any:
    """Return whether blocks of one region before are in one region after."""
    for block in range(before.shape[0]):  # noqa: SIM110  # compiled
        if after[block] != after[before[block]]:
            return False
    return True


@kernel
def search_without_split(known: StateTable, search: Search, horizon: Any, most: Any) -> None:
    """Expand up to `most` states by the moves that split no region (S22), until a win is found."""
    (data, words, table, over), (queue, parents, state) = known, search
    tiles = np.empty(data[PLACES], np.int64)
    before, after = np.empty(data[BLOCKS], np.int64), np.empty(data[BLOCKS], np.int64)
    out = np.empty(words.shape[1], np.uint64)
    for _ in range(most):
        if state[HEAD] == state[COUNT]:
            return
        if state[HEAD] == state[LAYER]:
            state[DEPTH] += 1
            state[LAYER] = state[COUNT]
        number = queue[state[HEAD]]
        state[HEAD] += 1
        if over[number]:
            state[WIN] = number
            return
        if state[DEPTH] == horizon:
            continue
        find_regions(data, words[number], tiles, before)
        for move in range(data[MOVES]):
            shift(data, words[number], move, out)
            target = find(words, table, out)
            if target < 0 or parents[target] >= 0:  # behind a limit, or known
                continue
            find_regions(data, out, tiles, after)
            if has_no_split(before, after):
                parents[target] = number
                queue[state[COUNT]] = target
                state[COUNT] += 1


class _Layers(PackedStates):
    """States up to a number of moves."""

    horizon = 0

    def run(self, end: int | None = None) -> Iterator[int]:
        for _ in range(self.horizon):
            if not self.frontier_size:
                return
            yield from super().run(self.count)


class KernelReachability(Reachability):
    """Reachable positions by the kernel, on all cores."""

    def __init__(self, level: Level, horizon: int, packing: Packing, meter: Meter) -> None:
        with meter.pause():
            self._found = _Layers(KERNEL, packing, [level.start()])
            self._found.prepare()
        self._found.horizon = horizon
        complete = finish(self._found, meter, None)
        super().__init__(PackedSpace(self._found, (None,), complete, meter), horizon)

    @cached_property
    def won(self) -> Array:
        return self.space.values("won")

    @cached_property
    def targets(self) -> Array:
        out = np.empty((self.expanded, len(self.level.valid_moves)), np.int32)
        for first in range(0, self.expanded, _PART):
            find_targets(self._state_table, first, min(self.expanded, first + _PART), out)
        return out

    @property
    def _state_table(self) -> StateTable:
        found = self._found
        return StateTable(found.packing.data, found.words[: self.count], found.table, self.won)

    def find_win_without_split(self, meter: Meter) -> list[int] | None:
        parents, queue = np.full(self.count, -1, np.int64), np.zeros(self.count, np.int64)
        parents[0] = 0
        state = np.array([0, 1, 0, 1, -1], np.int64)
        while state[HEAD] < state[COUNT] and state[WIN] < 0 and not meter.is_reached(self.count):
            search_without_split(
                self._state_table, Search(queue, parents, state), min(self.horizon, self.count), _PART
            )
        if state[WIN] < 0:
            return None
        numbers = [int(state[WIN])]
        while numbers[-1]:
            numbers.append(int(parents[numbers[-1]]))
        return numbers[::-1]


def explore(level: Level, horizon: int, meter: Meter) -> KernelReachability | None:
    """Explore the positions up to a horizon; None for a board that the kernel does not take."""
    packing = prepare(level)
    return None if packing is None else KernelReachability(level, horizon, packing, meter)


def is_unwinnable(level: Level) -> bool:
    """Return whether a short search shows that no placement of the tiles is a win."""
    looks = iter(range(_LOOKS))
    return prepare(level) is not None and find_wins(level, lambda: next(looks, None) is None) == []
