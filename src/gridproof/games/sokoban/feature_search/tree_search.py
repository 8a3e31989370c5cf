"""One search by macro moves: the arrays that grow around the compiled loop of `tree`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Protocol

import numpy as np

from gridproof.core.limit import Meter
from gridproof.games.sokoban.feature_search.cells import Heaps
from gridproof.games.sokoban.feature_search.deadlock_proof import allocate_proof, find_any_pattern
from gridproof.games.sokoban.feature_search.deadlock_table import no_deadlocks
from gridproof.games.sokoban.feature_search.macro_moves import (
    BACKWARDS,
    KIND,
    Field,
    Options,
    allocate_work,
)
from gridproof.games.sokoban.feature_search.macro_trace import MacroMove
from gridproof.games.sokoban.feature_search.node_search import NodeSearch
from gridproof.games.sokoban.feature_search.packing_plan import PackingPlan
from gridproof.games.sokoban.feature_search.tree import (
    BEST,
    BOARD,
    BOARDS,
    COLUMNS,
    COUNTERS,
    LEFT,
    MET,
    MET_IN,
    MOST,
    NODES,
    NONE,
    OPEN,
    OPPOSITES,
    ORIGIN,
    PARTLY,
    PICKS,
    PLAYER,
    ROOTS,
    TARGET,
    Reached,
    Search,
    Tree,
    advance,
    count_cells,
    renew_best,
)
from gridproof.games.sokoban.solver.matching import empty_assignment
from gridproof.games.sokoban.solver.pull_search import enlarge

_FIRST = 1 << 13
_PICKS = 256
"""Nodes that are taken out to be expanded between two searches for patterns."""
_PATTERNS = 8
"""The most patterns that are learned at once."""
_WORK = 1 << 24
"""Squares that are visited between two looks at the clock, roughly."""


class Opposite(Protocol):
    """A search from the other end."""

    @property
    def reached(self) -> Reached:
        """The positions of its nodes."""

    def moves_of(self, node: int) -> list[MacroMove]:
        """Return the moves between a node and the first one, in the order of the level."""


_NOTHING_REACHED = Reached(np.zeros(0, np.uint64), np.zeros(1, np.uint32))


class TreeSearch(NodeSearch):
    """A search by macro moves: forwards over the cells of features, backwards by distance, in one cell or several.

    Parameters
    ----------
    field : Field
        The tables of a possible board without bombs that fits.
    boxes : list of int
        Where the boxes stand at first.
    regions : list of int
        Where the player may be at first.
    plan : PackingPlan
        The order of the packing, forwards.
    """

    def __init__(self, field: Field, boxes: list[int], regions: list[int], plan: PackingPlan) -> None:
        squares, count = len(field.neighbours), len(boxes)
        work, size = allocate_work(squares, count), _FIRST
        while size < 2 * len(work.reached):
            size *= 2
        super().__init__(size, COLUMNS, COUNTERS)
        self.opposites = list[Opposite]()
        """The searches from the other end of the level that it may meet; only the first OPPOSITES count."""
        self.deadlocks = no_deadlocks(squares)
        self.proof = allocate_proof(field, count, 0)
        self._pause = 0
        self._alive = NONE  # the last best node without a pattern
        self.field, self.plan, self._work = field, plan, work
        self._assignment = empty_assignment(squares, count)
        self._counters[[BEST, MET]] = NONE
        steps = max(len(plan.following), squares - int(field.first_sink[0]))
        cells = count_cells(steps, Options(*field.options.tolist()))
        self._cells = np.full(cells, NONE, np.int32)
        self._roots = np.full(cells, NONE, np.int32)
        self._features = np.zeros((size, 7), np.int32)
        self._orders = np.zeros(size, np.int64)
        self._links = np.zeros((size, 2), np.int32)
        self._boards = np.zeros((1 << 10, count), np.int16)
        self._rebuild()
        for region in regions[: len(self._boards) - 2]:
            self._add_root(boxes, region)
        self._rebuild()

    @property
    def backwards(self) -> bool:
        """True if boxes are pulled."""
        return bool(self.field.options[KIND] >= BACKWARDS)

    @property
    def _search(self) -> Search:
        tree = Tree(self._keys, self._features, self._figures, self._table, self._boards, self._cells)
        heaps = Heaps(self._orders, self._links, self._roots)
        reached = [search.reached for search in self.opposites[:OPPOSITES]]
        reached += [_NOTHING_REACHED] * (OPPOSITES - len(reached))
        return Search(
            self.field,
            self.plan,
            tree,
            heaps,
            self._work,
            self._assignment,
            self._counters,
            tuple(reached),
            self.deadlocks,
            self.proof,
        )

    @property
    def reached(self) -> Reached:
        """The positions of the nodes."""
        return Reached(self._keys, self._table)

    def _add_root(self, boxes: list[int], region: int) -> None:
        field, counters = self.field, self._counters
        node = int(counters[NODES])
        self._boards[node] = boxes
        self._keys[node] = np.bitwise_xor.reduce(field.keys[0, boxes]) ^ field.keys[1, region]
        self._figures[node] = NONE, NONE, NONE, region, 0, node
        counters[[NODES, BOARDS, OPEN, ROOTS]] = node + 1

    @property
    def best_boxes(self) -> list[int]:
        """Boxes of the best node: of the first one until a node is expanded."""
        return self._boards[self._figures[max(0, self._counters[BEST]), BOARD]].tolist()  # type: ignore[no-any-return]  # numpy's types say no more

    def learn_patterns(self) -> None:
        """Learn a pattern from the best position, and from those that are the best then, until there is none."""
        for _ in range(_PATTERNS):
            best = int(self._counters[BEST])
            if best < 0 or best == self._alive or not len(self.proof.keys):
                return
            boxes = self._boards[self._figures[best, BOARD]]
            if not find_any_pattern(self.proof, boxes, int(self._figures[best, PLAYER])):
                self._alive = best
                return
            self.renew_best()

    def renew_best(self) -> None:
        """Choose the best of the expanded nodes again, without those that have a pattern."""
        renew_best(self._search, np.empty(len(self.field.neighbours), np.uint8))

    def run(self) -> Iterator[int]:
        """Search; yield the number of nodes now and then."""
        counters = self._counters
        while not self.is_done:
            self._grow()
            counters[LEFT], counters[MOST] = _WORK, self.most
            while counters[LEFT] > 0 and not (
                self.is_done or self._nodes_nearly_full or self._boards_nearly_full
            ):
                if counters[PICKS] == self._pause and counters[PARTLY] < 0:
                    self._pause += _PICKS
                    self.learn_patterns()
                advance(self._search, np.int64(self._pause))
            yield self.states

    @property
    def _nodes_nearly_full(self) -> bool:
        return self.states + len(self._work.reached) >= len(self._keys)

    @property
    def _boards_nearly_full(self) -> bool:
        return int(self._counters[BOARDS]) + 1 >= len(self._boards)

    def can_continue(self, meter: Meter) -> bool:
        """Return whether the search is done, or has room to go on."""
        growth = 0
        if self._nodes_nearly_full:
            arrays = self._keys, self._features, self._figures, self._orders, self._links
            growth += 2 * sum(array.nbytes for array in arrays) + 2 * self._table.nbytes
        if self._boards_nearly_full:
            growth += 2 * self._boards.nbytes
        return self.is_done or not growth or meter.has_room(growth)

    def _grow(self) -> None:
        if self._nodes_nearly_full:
            size = 2 * len(self._keys)
            self._keys, self._features, self._figures, self._orders, self._links = (
                enlarge(array, size)
                for array in (self._keys, self._features, self._figures, self._orders, self._links)
            )
            self._rebuild()
        if self._boards_nearly_full:
            self._boards = enlarge(self._boards, 2 * len(self._boards))

    def path(self) -> list[MacroMove]:
        """Return the moves from the start of the level to its end."""
        goal, met = self.goal, int(self._counters[MET])
        assert goal is not None
        moves = self.moves_of(goal)
        if met < 0:
            return moves
        others = self.opposites[int(self._counters[MET_IN])].moves_of(met)
        return others + moves if self.backwards else moves + others

    def moves_of(self, node: int) -> list[MacroMove]:
        """Return the moves between a node and the first one, in the order of the level."""
        nodes = self._nodes_to(node)
        boxes = frozenset(self._boards[self._figures[nodes[0], BOARD]].tolist())
        moves = list[MacroMove]()
        for before, after in itertools.pairwise(nodes):
            origin, target, end = self._figures[after, [ORIGIN, TARGET, PLAYER]].tolist()
            region, moved = int(self._figures[before, PLAYER]), boxes - {origin} | {target}
            if self.backwards:
                moves.append(MacroMove(moved, end, target, origin, region))
            else:
                moves.append(MacroMove(boxes, region, origin, target, end))
            boxes = moved
        return moves[::-1] if self.backwards else moves
