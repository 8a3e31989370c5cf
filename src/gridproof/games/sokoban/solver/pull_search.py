"""The search backwards: from all boxes on depots, by pulls, breadth-first.

The depth of an arrangement is exactly the fewest pushes that win from it. A state is as in the search
forwards, without bombs: a bit a square for the boxes, and the least square of the player's region.
Those of one depth are all found before the first of the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gridproof.games.sokoban.solver.board import Array, Board
from gridproof.games.sokoban.solver.flood_fill import (
    AFTER,
    QUEUE,
    STEPS,
    allocate_scratch,
    flood,
    list_boxes,
    move_box,
    update_region,
)
from gridproof.games.sokoban.solver.matching import HOPELESS
from gridproof.kernels.compile import borrowing
from gridproof.kernels.states import find, rebuild

U = np.uint64
_ONE = U(1)
COUNT, EXPANDED = range(2)  # the counters of a search
NOTHING = -2  # the complete depth of an empty search
_FIRST = 1 << 13  # more than the squares of any board
_WORK = 1 << 25  # squares that are visited between two looks at the clock, roughly


@borrowing
def add_state(words: Any, table: Any, depths: Any, count: Any, child: Any, depth: Any) -> Any:
    """Add a state if it is new; return the number of states."""
    place = find(words, table, child)
    if place >= 0:
        return count
    for word in range(words.shape[1]):
        words[count, word] = child[word]
    depths[count] = depth
    table[-1 - place] = count + 1
    return count + 1


@borrowing
def expand_pulls(
    neighbours: Any, goals: Any, store: Any, work: Any, counters: Any, most: Any, left: Any
) -> Any:
    """Find more states, in the order of their depth, but not more than `most`, which the store can hold.

    The counters are how many states there are, and how many of them have been expanded. Ends early when
    so much work is done, in squares that are looked at, roughly: then there are more to be found.
    """
    words, table, depths = store
    boxes, occupied, _, _, places, child = work
    steps, other_steps, queue = places[STEPS], places[AFTER], places[QUEUE]
    squares, number, last = neighbours.shape[0], goals.shape[0], words.shape[1] - 1
    count, head = counters[COUNT], counters[EXPANDED]
    if count == 0:
        for goal in goals:
            child[goal >> 6] |= _ONE << U(goal & 63)
            occupied[goal] = 1
        other_steps[:] = -1
        for square in range(squares):  # the player may have ended in any region
            if not occupied[square] and other_steps[square] < 0 and count < most:
                child[last] = U(flood(neighbours, occupied, square, steps, queue))
                count = add_state(words, table, depths, count, child, np.int64(0))
                for reached in range(squares):
                    other_steps[reached] = max(other_steps[reached], steps[reached])
    while head < count and count + 4 * number <= most and left > 0:
        left -= squares
        list_boxes(words[head], squares, boxes, occupied)
        least = flood(neighbours, occupied, np.int64(words[head, last]), steps, queue)
        for i in range(number):
            box = boxes[i]
            for direction in range(4):
                target = neighbours[box, direction]
                if target < 0 or steps[target] < 0:
                    continue
                player = neighbours[target, direction]
                if player < 0 or steps[player] < 0:
                    continue
                occupied[box], occupied[target] = 0, 1
                move_box(words[head], box, target, child)
                start = np.int64(player)
                child[last] = U(update_region(neighbours, occupied, places, least, box, target, start))
                occupied[box], occupied[target] = 1, 0
                left -= squares
                count = add_state(words, table, depths, count, child, np.int64(depths[head]) + 1)
        head += 1
    counters[COUNT], counters[EXPANDED] = count, head
    return head < count and count + 4 * number <= most


@borrowing
def perimeter_bound(pulls: Any, state: Any, bound: Any) -> Any:
    """Return the bound of a state by the backward search: exact for its states, greater than its depth beyond.

    All solutions of a state have lengths of the same parity, which its other bounds have too.
    """
    words, table, depths, complete = pulls
    if bound > complete[0]:
        return bound
    place = find(words, table, state)
    if place >= 0:
        return depths[place]
    least = complete[0] + 1
    return least + ((least - bound) & 1)


class PullSearch:
    """The search for the arrangements that are nearest to all boxes on depots.

    Parameters
    ----------
    board : Board
        Of a position without bombs; where its boxes stand is of no meaning.
    most : int
        How many arrangements to find: 0 for none yet, or a power of two.
    """

    def __init__(self, board: Board, most: int) -> None:
        self.board = board
        words = -(-len(board.cells) // 64) + 1
        self._words = np.zeros((most, words), np.uint64)
        self._depths = np.zeros(most, np.int32)
        self._table = np.zeros(2 * most, np.uint32)
        self._counters = np.zeros(2, np.int64)
        self._scratch = allocate_scratch(len(board.cells), len(board.goals), words)
        self._complete = np.full(1, NOTHING, np.int64)
        while most and self._expand(most):
            pass

    def _expand(self, most: int) -> bool:
        """Find some arrangements; return whether there are more."""
        more = self._run_kernel(most, _WORK)
        count, expanded = self._counters.tolist()
        self._complete[0] = HOPELESS if expanded == count else self._depths[expanded]
        return more

    def _run_kernel(self, most: int, work: int) -> bool:
        board, store = self.board, (self._words, self._table, self._depths)
        arguments = store, self._scratch, self._counters, most, work
        return bool(expand_pulls(board.neighbours[0], board.goals, *arguments))

    def prepare(self) -> None:
        """Load or compile the kernels of `extend`, which may take seconds."""
        self._run_kernel(0, 0)

    def extend(self, wanted: int, most: int) -> Iterator[None]:
        """Find more arrangements: `wanted` in all, some thousands at least, and at most `most`.

        Yields now and then, so that the caller can check its limit.

        Raises
        ------
        MemoryError
            When there is no room for them; nothing has changed then.
        """
        count = min(max(wanted, _FIRST), most)
        if count < _FIRST or count <= self.states or self.is_exhausted:
            return
        if (size := self._size(count)) > len(self._words):
            table = np.zeros(2 * size, np.uint32)
            words, depths = enlarge(self._words, size), enlarge(self._depths, size)
            rebuild(words, self.states, table)
            self._words, self._depths, self._table = words, depths, table
        while self._expand(count):
            yield

    def _size(self, count: int) -> int:
        """Return the length of arrays for `count` arrangements."""
        size = max(len(self._words), _FIRST)
        while size < count:
            size *= 2
        return size

    def growth(self, wanted: int) -> int:
        """Return the number of bytes more that `extend` may hold for `wanted` arrangements."""
        size = self._size(wanted)
        if self.is_exhausted or size == len(self._words):
            return 0
        return size * (8 * self._words.shape[1] + 12)

    @property
    def states(self) -> int:
        """The number of arrangements."""
        return int(self._counters[COUNT])

    @property
    def is_exhausted(self) -> bool:
        """True if there are no more arrangements."""
        return bool(self._complete[0] == HOPELESS)

    @property
    def tables(self) -> tuple[Array, ...]:
        """The arrays of the forward search: the states, and the depth up to which they are complete."""
        return self._words, self._table, self._depths, self._complete

    @property
    def deepest(self) -> int:
        """The largest number of pushes."""
        return int(self._depths[self.states - 1])

    def at_depth(self, depth: int) -> list[int]:
        """Return the arrangements that `depth` pushes win, those of them with the fewest boxes on depots."""
        first, end = np.searchsorted(self._depths[: self.states], (depth, depth + 1))
        at_home = np.bitwise_count(self._words[first:end] & self._words[0]).astype(np.int64)
        counts = at_home[:, :-1].sum(axis=1)  # the first arrangement is all depots
        return (first + np.flatnonzero(counts == counts.min())).tolist()  # type: ignore[no-any-return]  # numpy's types say no more

    def arrangement(self, number: int) -> tuple[tuple[int, ...], int]:
        """Return the boxes of an arrangement, and one of the player's squares."""
        words = self._words[number]
        squares = np.unpackbits(words[:-1].view(np.uint8), bitorder="little")
        return tuple(np.flatnonzero(squares).tolist()), int(words[-1])


def enlarge(array: Array, size: int) -> Array:
    """Return a copy with zeros appended up to a length."""
    longer = np.zeros((size, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer
