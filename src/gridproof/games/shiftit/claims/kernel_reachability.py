"""The positions up to a horizon, by the kernel."""

from __future__ import annotations

from functools import cached_property
from typing import Any, cast

import numpy as np

from gridproof.core.limit import Meter
from gridproof.games.shiftit.claims.reached import Reached, back_from
from gridproof.games.shiftit.kernel import KERNEL
from gridproof.games.shiftit.kernel.shifts import BLOCKS, MOVES, PLACES, prepare, shift, spread, unite, won
from gridproof.games.shiftit.rules import Level, Position
from gridproof.games.shiftit.solver.winning import wins
from gridproof.kernels.compile import kernel
from gridproof.kernels.game import Packing
from gridproof.kernels.states import find
from gridproof.search.packed import PackedStates

Array = np.ndarray[Any, Any]

_PART = 1 << 14  # positions between two looks at the clock
_LOOKS = 16  # parts of a search for wins, each of some thousand tiles

HEAD, COUNT, DEPTH, LAYER, WIN = range(5)
"""Of a search without parting: who is next, how many are found, the moves to who is next, where the next layer begins, and
the win that is found or -1."""


@kernel
def won_in(data: Any, words: Any, first: Any, last: Any, out: Any) -> None:
    """In which of the states the game is won."""
    for number in range(first, last):
        out[number] = won(data, words[number])


@kernel
def moved(data: Any, words: Any, table: Any, over: Any, first: Any, last: Any, targets: Any) -> None:
    """The numbers of the states that all moves lead to; -1 where the game is won."""
    out = np.empty(words.shape[1], np.uint64)
    for number in range(first, last):
        for move in range(data[MOVES]):
            if over[number]:
                targets[number, move] = -1
            else:
                shift(data, words[number], move, out)
                targets[number, move] = find(words, table, out)


@kernel
def regions(data: Any, state: Any, tiles: Any, parents: Any) -> None:
    """The region of each block, by its representative."""
    spread(state, data[PLACES], tiles)
    unite(data, tiles, parents)
    for block in range(data[BLOCKS]):
        root = block
        while parents[root] != root:
            root = parents[root]
        parents[block] = root


@kernel
def keeps(before: Any, after: Any) -> Any:
    """Whether blocks of one region before are of one region after."""
    for block in range(before.shape[0]):  # noqa: SIM110  # compiled
        if after[block] != after[before[block]]:
            return False
    return True


@kernel
def search_kept(
    data: Any,
    words: Any,
    table: Any,
    over: Any,
    horizon: Any,
    most: Any,
    queue: Any,
    parents: Any,
    state: Any,
) -> None:
    """Expand up to `most` states by the moves that part nothing connected (S22), until a win is found."""
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
        regions(data, words[number], tiles, before)
        for move in range(data[MOVES]):
            shift(data, words[number], move, out)
            target = find(words, table, out)
            if target < 0 or parents[target] >= 0:  # behind a limit, or known
                continue
            regions(data, out, tiles, after)
            if keeps(before, after):
                parents[target] = number
                queue[state[COUNT]] = target
                state[COUNT] += 1


class ReachedByKernel(Reached):
    """By the kernel, on all cores."""

    def __init__(self, level: Level, horizon: int, packing: Packing, meter: Meter) -> None:
        super().__init__(level, horizon)
        self._data = packing.data
        with meter.paused():
            self._found = PackedStates(KERNEL, packing, [level.start()])
            self._found.prepare()
        if meter.limit.states is not None:
            self._found.most = int(min(self._found.most, meter.limit.states))
        self.complete = self._explore(meter)

    def _explore(self, meter: Meter) -> bool:
        found = self._found
        while self.expanded < self.count and len(self.ends) <= self.horizon:
            end = self.count
            for count in found.run(end):
                if meter.reached(count) or not found.can_go_on(meter):
                    break
            if found.refused:
                meter.stopped_by = "states"
            self.ends.append(found.count)
            if meter.stopped_by:
                return False
            self.expanded = end
        return True

    @property
    def _words(self) -> Array:
        words: Array = self._found.words[: self.count]
        return words

    @cached_property
    def won(self) -> Array:
        out = np.empty(self.count, np.bool_)
        for first in range(0, self.count, _PART):
            won_in(self._data, self._words, first, min(self.count, first + _PART), out)
        return out

    @cached_property
    def targets(self) -> Array:
        found = np.empty((self.expanded, len(self.level.valid_moves)), np.int32)
        for first in range(0, self.expanded, _PART):
            last = min(self.expanded, first + _PART)
            moved(self._data, self._words, self._found.table, self.won, first, last, found)
        return found

    def position(self, number: int) -> Position:
        return cast("Position", self._found.position(number))

    def numbers_to(self, number: int) -> list[int]:
        return back_from(number, self._found.parents)

    def kept_win(self, meter: Meter) -> list[int] | None:
        parents, queue = np.full(self.count, -1, np.int64), np.zeros(self.count, np.int64)
        parents[0] = 0
        state = np.array([0, 1, 0, 1, -1], np.int64)
        while state[HEAD] < state[COUNT] and state[WIN] < 0 and not meter.reached(self.count):
            known = self._data, self._words, self._found.table, self.won
            search_kept(*known, min(self.horizon, self.count), _PART, queue, parents, state)
        return None if state[WIN] < 0 else back_from(int(state[WIN]), parents)


def reached(level: Level, horizon: int, meter: Meter) -> ReachedByKernel | None:
    """The positions up to a horizon; None for a board that the kernel does not take."""
    packing = prepare(level)
    return None if packing is None else ReachedByKernel(level, horizon, packing, meter)


def hopeless(level: Level) -> bool:
    """Whether no placement of the tiles is a win, where that is seen quickly."""
    looks = iter(range(_LOOKS))
    return prepare(level) is not None and wins(level, lambda: next(looks, None) is None) == []
