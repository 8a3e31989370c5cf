"""Two boxes alone: whether they can still reach two goals, and how many pushes they need beyond their distances.

Searches by pulls from each pair of goals find the fewest pushes of two boxes. The excess of a pair is the
least, over all pairs of goals, of these pushes minus the distances of the two boxes as if each were alone. Other
boxes can only hinder, so the excesses of pairs without a common box add up to a number of pushes that
the cheapest matching of all boxes misses. A pair that reaches no pair of goals is a deadlock.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gridproof.games.sokoban.solver.board import Array, Board
from gridproof.games.sokoban.solver.matching import HOPELESS
from gridproof.kernels.compile import borrowing, specialise

DEADLOCK = 255
"""The excess of two boxes that cannot both reach a goal."""
LARGEST_EXCESS = 254
NO_LABEL = 255
_LABELS = 8  # more than the regions of the floor around two boxes
_LARGEST = 1 << 26  # entries of a table
_WORK = 1 << 24  # squares and states that are visited between two looks at the clock, roughly


class PairSearch(NamedTuple):
    """The arrays of the searches by pulls.

    Boxes have the numbers of live squares, from which a goal can be reached. A state is two boxes and the
    label of the player's region.
    """

    neighbours: Any
    distances: Any
    sides: Any
    live: Any
    """int16 (squares,): the number of each live square, -1 elsewhere."""
    squares: Any
    """int16 (live,)"""
    labels: Any
    """uint8 (squares, live, live): the label of the player's region."""
    players: Any
    """int16 (live, live, labels): a square of each region, -1 where there is none."""
    excess: Any
    """uint8 (live, live, labels): the least so far."""
    depths: Any
    """int16 (live, live, labels)"""
    queue: Any
    """int16 (states, 3)"""


@borrowing
def label_regions(search: PairSearch, first: Any) -> None:
    """Label the regions of the floor around two boxes, one of them on the live square number `first`."""
    neighbours, squares, labels, players, queue = (
        search.neighbours, search.squares, search.labels, search.players, search.queue
    )  # fmt: skip
    one = squares[first]
    for second in range(first):
        other, label = squares[second], 0
        for start in range(neighbours.shape[0]):
            if start in (one, other) or labels[start, first, second] != NO_LABEL:
                continue
            players[first, second, label] = players[second, first, label] = start
            labels[start, first, second] = labels[start, second, first] = label
            queue[0, 0] = start
            head, tail = 0, 1
            while head < tail:
                square = queue[head, 0]
                head += 1
                for direction in range(4):
                    beside = neighbours[square, direction]
                    if beside < 0 or beside in (one, other):
                        continue
                    if labels[beside, first, second] == NO_LABEL:
                        labels[beside, first, second] = labels[beside, second, first] = label
                        queue[tail, 0] = beside
                        tail += 1
            label += 1


@borrowing
def reach(search: PairSearch, state: tuple[Any, Any, Any], depth: Any, tail: Any) -> Any:
    """Add a state to the queue if it is new; return the end of the queue."""
    first, second, label = state
    if search.depths[first, second, label] >= 0:
        return tail
    queue = search.queue
    search.depths[first, second, label] = depth
    queue[tail, 0], queue[tail, 1], queue[tail, 2] = first, second, label
    return tail + 1


@borrowing
def update_excess(search: PairSearch, state: tuple[Any, Any, Any], goals: tuple[Any, Any]) -> None:
    """Compare the pushes of two boxes to two goals with their distances."""
    distances, sides, squares = search.distances, search.sides, search.squares
    first, second, label = state
    one, other, player = squares[first], squares[second], search.players[first, second, label]
    alone = np.int64(distances[one, sides[one, player], goals[0]])
    alone += distances[other, sides[other, player], goals[1]]
    more = min(search.depths[first, second, label] - alone, LARGEST_EXCESS)
    search.excess[first, second, label] = min(more, search.excess[first, second, label])
    search.excess[second, first, label] = search.excess[first, second, label]


@borrowing
def pull_pairs(search: PairSearch, numbers: tuple[Any, Any], goals: Any) -> Any:
    """Search by pulls from two goals, by their numbers; return the number of states."""
    neighbours, _, _, live, squares, labels, players, _, depths, queue = search
    depths[:] = -1
    one, other = np.int64(live[goals[numbers[0]]]), np.int64(live[goals[numbers[1]]])
    head, tail = 0, np.int64(0)
    for region in range(_LABELS):
        if players[one, other, region] >= 0:
            tail = reach(search, (one, other, np.int64(region)), 0, tail)
    while head < tail:
        first, second, label = np.int64(queue[head, 0]), np.int64(queue[head, 1]), np.int64(queue[head, 2])
        head += 1
        update_excess(search, (first, second, label), numbers)
        depth = depths[first, second, label] + 1
        for turn in range(8):
            box, stays = squares[first], squares[second]
            if turn >= 4:
                box, stays = stays, box
            target = neighbours[box, turn & 3]
            if target < 0 or target == stays or labels[target, first, second] != label:
                continue
            player = neighbours[target, turn & 3]
            if player < 0 or player == stays:
                continue
            moved = np.int64(live[target])
            one, other = (moved, second) if turn < 4 else (first, moved)
            tail = reach(search, (one, other, np.int64(labels[player, one, other])), depth, tail)
    return tail


@borrowing
def spread_excess(search: PairSearch) -> None:
    """Replace each label by the excess of its state."""
    labels, excess = search.labels, search.excess
    for player in range(labels.shape[0]):
        for first in range(labels.shape[1]):
            for second in range(labels.shape[1]):
                label = labels[player, first, second]
                labels[player, first, second] = 0 if label == NO_LABEL else excess[first, second, label]


@borrowing
def is_pair_deadlock(pairs: Any, boxes: Any, pushed: Any, player: Any) -> Any:
    """Return whether a pushed box and one of the others are a deadlock."""
    live, excess = pairs
    if excess.shape[0] == 0:
        return False
    row, found = excess[player, live[pushed]], False
    for box in boxes:
        found |= row[live[box]] == DEADLOCK
    return found


@borrowing
def add_excesses(pairs: Any, boxes: Any, player: Any, paired: Any) -> Any:
    """Return a sum of excesses of pairs without a common box, the greatest first; HOPELESS at a deadlock.

    `paired` is int16 (boxes or more,), of no meaning afterwards.
    """
    live, excess = pairs
    count, total, greatest = boxes.shape[0], np.int64(0), np.int64(LARGEST_EXCESS)
    for i in range(count):
        paired[i] = 0
    while greatest > 0:
        following = np.int64(0)
        for i in range(count):
            row = excess[player, live[boxes[i]]]
            for j in range(i):
                more = np.int64(row[live[boxes[j]]])
                if more == 0 or paired[i] or paired[j]:
                    continue
                if more == DEADLOCK:
                    return HOPELESS
                if more >= greatest:
                    paired[i] = paired[j] = 1
                    total += more
                else:
                    following = max(following, more)
        greatest = following
    return total


class PairTable:
    """The excess of each pair of boxes of a board without bombs; empty until it is built."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self.live = np.full(len(board.cells), -1, np.int16)
        alive = np.flatnonzero(board.dead[0] == 0)
        self.live[alive] = np.arange(len(alive))
        self._squares = alive.astype(np.int16)
        self.excess = np.zeros((0, 0, 0), np.uint8)
        """uint8 (squares, live, live): by the player's square and the boxes."""

    @property
    def is_wanted(self) -> bool:
        """True if there are two boxes, and the table is not too large."""
        return len(self._board.goals) > 1 and self.size <= _LARGEST

    @property
    def size(self) -> int:
        """The number of entries."""
        return len(self.live) * len(self._squares) ** 2

    @property
    def tables(self) -> tuple[Array, Array]:
        """The arrays of the compiled search."""
        return self.live, self.excess

    @property
    def is_built(self) -> bool:
        """True if the table is there."""
        return len(self.excess) > 0

    @property
    def growth(self) -> int:
        """The number of bytes that building the table holds."""
        return self.size + 11 * _LABELS * len(self._squares) ** 2

    @property
    def work(self) -> int:
        """The number of states that building the table visits, roughly."""
        goals = len(self._board.goals)
        return goals * (goals - 1) // 2 * len(self._squares) ** 2

    def build(self) -> Iterator[None]:
        """Build the table; yield now and then, so that the caller can check its limit."""
        search, work = self._allocate(len(self._squares)), 0
        for first in range(len(self._squares)):
            label_regions(search, first)
            yield
        goals = self._board.goals
        for one in range(len(goals)):
            for other in range(one):
                work += pull_pairs(search, (one, other), goals)
                if work > _WORK:
                    work = 0
                    yield
        spread_excess(search)
        self.excess = search.labels

    def _allocate(self, live: int) -> PairSearch:
        board = self._board
        return PairSearch(
            board.neighbours[0],
            board.distances[0],
            board.sides[0],
            self.live,
            self._squares,
            np.full((len(self.live), live, live), NO_LABEL, np.uint8),
            np.full((live, live, _LABELS), -1, np.int16),
            np.full((live, live, _LABELS), DEADLOCK, np.uint8),
            np.empty((live, live, _LABELS), np.int16),
            np.empty((max(live * live * _LABELS, len(self.live)), 3), np.int16),
        )

    def prepare(self) -> None:
        """Load or compile the kernels of `build`, which may take seconds."""
        search = self._allocate(0)
        specialise(label_regions, search, 0)
        specialise(pull_pairs, search, (0, 0), self._board.goals)
        specialise(spread_excess, search)
