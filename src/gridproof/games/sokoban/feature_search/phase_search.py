"""One search by the phases of a packing: the arrays that grow around the compiled loop of `phase_tree`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from gridproof.core.limit import Meter
from gridproof.games.sokoban.feature_search.deadlock_table import no_deadlocks
from gridproof.games.sokoban.feature_search.macro_moves import Field, allocate_work, region_of
from gridproof.games.sokoban.feature_search.macro_trace import MacroMove
from gridproof.games.sokoban.feature_search.node_search import NodeSearch
from gridproof.games.sokoban.feature_search.packing_phases import PackingPhases
from gridproof.games.sokoban.feature_search.phase_tree import (
    BUCKETS,
    COLUMNS,
    LEAST_PHASE,
    LEAST_SCORE,
    PHASE,
    PHASE_COUNTERS,
    PhaseTables,
    PhaseTree,
    advance,
    open_node,
)
from gridproof.games.sokoban.feature_search.tree import (
    GOAL,
    LEFT,
    MOST,
    NODES,
    NONE,
    ORIGIN,
    PARENT,
    PLAYER,
    TARGET,
)
from gridproof.games.sokoban.solver.board import FAR, Array, Board
from gridproof.games.sokoban.solver.pull_search import enlarge

_FIRST = 1 << 12
_WORK = 1 << 22
"""Squares that are visited between two looks at the clock, roughly."""


class PhaseSearch(NodeSearch):
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
        boxes, size = list(board.boxes), _FIRST
        while size <= 8 * len(boxes):
            size *= 2
        super().__init__(size, COLUMNS, PHASE_COUNTERS)
        self.deadlocks = no_deadlocks(len(board.cells))
        self._field, self._phases, self._every = field, phases, np.int64(every)
        self._nearest = board.distances[0].min(axis=(1, 2), initial=FAR).astype(np.int32)
        self._work = allocate_work(len(board.cells), len(boxes))
        self._boards = np.zeros((size, len(boxes)), np.int16)
        self._heads = np.full(BUCKETS, NONE, np.int32)
        self._boxes = np.zeros((2, len(boxes)), np.int32)
        self._counters[[LEAST_PHASE, LEAST_SCORE]] = BUCKETS
        if board.goal[boxes].all():
            self._counters[GOAL] = 0
        region = region_of(board.neighbours[0], boxes, board.player)
        self._boards[0] = boxes
        self._keys[0] = np.bitwise_xor.reduce(field.keys[0, boxes]) ^ field.keys[1, region]
        self._figures[0, [PARENT, PLAYER, PHASE]] = NONE, region, phases.numbers.max(initial=0)
        self._counters[NODES] = 1
        self._rebuild()
        open_node(self._tables.tree, self._counters, np.int64(0), np.int64(0))

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
    def _arrays(self) -> list[Array]:
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
        goal = self.goal
        assert goal is not None
        return [self._move(before, after) for before, after in itertools.pairwise(self._nodes_to(goal))]

    def _move(self, before: int, after: int) -> MacroMove:
        boxes, region = frozenset(self._boards[before].tolist()), int(self._figures[before, PLAYER])
        origin, target, end = self._figures[after, [ORIGIN, TARGET, PLAYER]].tolist()
        return MacroMove(boxes, region, origin, target, end)
