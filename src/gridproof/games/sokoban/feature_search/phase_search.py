"""One search by the phases of a packing: the arrays that grow around the compiled loop of `phase_tree`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from gridproof.core.limit import Meter
from gridproof.games.sokoban.feature_search.deadlock_table import no_deadlocks
from gridproof.games.sokoban.feature_search.macro_moves import Field, allocate_work, region_of
from gridproof.games.sokoban.feature_search.macro_trace import MacroMove
from gridproof.games.sokoban.feature_search.packing_phases import PackingPhases
from gridproof.games.sokoban.feature_search.phase_tree import (
    BUCKETS,
    COLUMNS,
    COUNTERS,
    GOAL,
    LEAST_PHASE,
    LEAST_SCORE,
    LEFT,
    MOST,
    NODES,
    NONE,
    OPEN,
    ORIGIN,
    PARENT,
    PHASE,
    PLAYER,
    REFUSED,
    TARGET,
    PhaseTables,
    PhaseTree,
    advance,
    open_node,
)
from gridproof.games.sokoban.feature_search.tree import refill
from gridproof.games.sokoban.solver.board import FAR, Board
from gridproof.games.sokoban.solver.pull_search import enlarge

_FIRST = 1 << 12
_MOST = (1 << 31) - 1
_WORK = 1 << 22
"""Squares that are visited between two looks at the clock, roughly."""


class PhaseSearch:
    """A search by single pushes, the best position first.

    Parameters
    ----------
    board : Board
        A possible one without bombs that fits.
    field : Field
        Its tables, forwards.
    phases : PackingPhases
        What is filled when.
    every : int
        A power of two: once in so many times another position than the best one is expanded.
    """

    def __init__(self, board: Board, field: Field, phases: PackingPhases, every: int) -> None:
        self.most = _MOST
        self.deadlocks = no_deadlocks(len(board.cells))
        boxes, size = list(board.boxes), _FIRST
        while size <= 8 * len(boxes):
            size *= 2
        self._field, self._phases, self._every = field, phases, np.int64(every)
        self._nearest = board.distances[0].min(axis=(1, 2), initial=FAR).astype(np.int32)
        self._work = allocate_work(len(board.cells), len(boxes))
        self._keys, self._figures = np.zeros(size, np.uint64), np.zeros((size, COLUMNS), np.int32)
        self._boards = np.zeros((size, len(boxes)), np.int16)
        self._heads, self._counters = np.full(BUCKETS, NONE, np.int32), np.zeros(COUNTERS, np.int64)
        self._boxes = np.zeros((2, len(boxes)), np.int32)
        self._counters[[LEAST_PHASE, LEAST_SCORE]] = BUCKETS
        self._counters[GOAL] = NONE if 0 in board.goal[boxes] else 0
        region = region_of(board.neighbours[0], boxes, board.player)
        self._boards[0] = boxes
        self._keys[0] = np.bitwise_xor.reduce(field.keys[0, boxes]) ^ field.keys[1, region]
        self._figures[0, [PARENT, PLAYER, PHASE]] = NONE, region, phases.numbers.max(initial=0)
        self._counters[NODES] = 1
        self._rebuild()
        open_node(self._tables.tree, self._counters, np.int64(0), np.int64(0))

    def _rebuild(self) -> None:
        self._table = np.zeros(2 * len(self._keys), np.uint32)
        refill(self._keys, self.states, self._table)

    @property
    def _tables(self) -> PhaseTables:
        tree = PhaseTree(self._keys, self._table, self._figures, self._boards, self._heads)
        return PhaseTables(
            self._field,
            self._phases,
            self._nearest,
            tree,
            self._work,
            self.deadlocks,
            self._counters,
            self._boxes,
        )

    @property
    def states(self) -> int:
        """The number of nodes."""
        return int(self._counters[NODES])

    @property
    def goal(self) -> int | None:
        """The node in which all boxes are on depots, once it is reached."""
        goal = int(self._counters[GOAL])
        return goal if goal >= 0 else None

    @property
    def is_exhausted(self) -> bool:
        """True if nothing is open."""
        return not self._counters[OPEN]

    @property
    def has_overflow(self) -> bool:
        """True if a node was left out because there were `most`."""
        return bool(self._counters[REFUSED])

    @property
    def is_done(self) -> bool:
        """True if the search has ended."""
        return self.goal is not None or self.is_exhausted or self.has_overflow

    def run(self) -> Iterator[int]:
        """Search; yield the number of nodes now and then."""
        while not self.is_done:
            self._grow()
            self._counters[[LEFT, MOST]] = _WORK, self.most
            advance(self._tables, self._every)
            yield self.states

    @property
    def _is_nearly_full(self) -> bool:
        return self.states + 4 * self._boards.shape[1] >= len(self._keys)

    @property
    def _arrays(self) -> list[np.ndarray[tuple[int, ...], np.dtype[np.generic]]]:
        return [self._keys, self._figures, self._boards]

    def can_continue(self, meter: Meter) -> bool:
        """Return whether the search is done, or has room to go on."""
        if self.is_done or not self._is_nearly_full:
            return True
        return meter.has_room(2 * sum(array.nbytes for array in (*self._arrays, self._table)))

    def _grow(self) -> None:
        if self._is_nearly_full:
            size = 2 * len(self._keys)
            self._keys, self._figures, self._boards = (enlarge(array, size) for array in self._arrays)
            self._rebuild()

    def path(self) -> list[MacroMove]:
        """Return the pushes from the start of the level to its end."""
        node, nodes = self.goal, list[int]()
        assert node is not None
        while node >= 0:
            nodes.append(node)
            node = int(self._figures[node, PARENT])
        return [self._move(before, after) for before, after in itertools.pairwise(reversed(nodes))]

    def _move(self, before: int, after: int) -> MacroMove:
        boxes, region = frozenset(self._boards[before].tolist()), int(self._figures[before, PLAYER])
        origin, target, end = self._figures[after, [ORIGIN, TARGET, PLAYER]].tolist()
        return MacroMove(boxes, region, origin, target, end)
