"""A* on pushes: the compiled loop, and the store that grows around it.

A state is K words of boxes, a bit a square, and a word for the player: the least square of the
region, or the square itself when moves are minimised. Open states wait in buckets by f = g + h, the
last one first. A state costs 8 (K + 1) bytes, 16 for its figures, 8 for its place in a bucket, and
8 to 16 of the hash table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gridproof.games.sokoban.solver.board import FAR, Board
from gridproof.games.sokoban.solver.pruning import frozen, matching
from gridproof.kernels.compile import kernel
from gridproof.kernels.states import find, rebuild

U = np.uint64
_ONE, _SIX, _MASK = U(1), U(6), U(63)
_FIRST = 1 << 12
_CHUNK = 1 << 14  # expansions between two looks at the clock
_BUCKETS = 1 << 14

# The counters of a search
HEAD, STATES, ENTRIES, GOAL, EXPANDED = range(5)
# The columns of a state's figures
COST, BOUND, PARENT, CLOSED = range(4)
DEAD = -1  # a bound: no goal from here


@kernel
def flood(neighbours: Any, occupied: Any, start: Any, steps: Any, queue: Any) -> Any:
    """Steps to each square the player can reach, -1 elsewhere; the least square of the region."""
    steps[:] = -1
    steps[start] = 0
    queue[0] = start
    head, tail, least = 0, 1, start
    while head < tail:
        square = queue[head]
        head += 1
        least = min(least, square)
        for direction in range(4):
            other = neighbours[square, direction]
            if other >= 0 and steps[other] < 0 and not occupied[other]:
                steps[other] = steps[square] + 1
                queue[tail] = other
                tail += 1
    return least


@kernel
def boxes_of(state: Any, squares: Any, boxes: Any, occupied: Any) -> Any:
    """List the boxes of a state and mark them; how many."""
    occupied[:] = 0
    count = 0
    for square in range(squares):
        if (state[square >> 6] >> (U(square) & _MASK)) & _ONE:
            boxes[count] = square
            occupied[square] = 1
            count += 1
    return count


@kernel
def advance(
    tables: Any,
    words: Any,
    table: Any,
    figures: Any,
    heads: Any,
    entries: Any,
    counters: Any,
    most: Any,
    by_moves: Any,
) -> None:
    """Expand up to `most` states, while there is room; until a goal is found or nothing is open."""
    neighbours, sides, distances, goal, dead = tables
    squares, count = neighbours.shape[0], distances.shape[0]
    boxes, shifted = np.empty(count, np.int16), np.empty(count, np.int16)
    occupied, mark = np.zeros(squares, np.uint8), np.zeros(squares, np.uint8)
    steps, other_steps = np.empty(squares, np.int16), np.empty(squares, np.int16)
    queue, group = np.empty(squares, np.int16), np.empty(squares, np.int16)
    work = np.empty((5, count + 1), np.int32)
    child = np.zeros(words.shape[1], np.uint64)
    last = words.shape[1] - 1
    expanded = 0
    while (
        expanded < most
        and counters[STATES] + 4 * count < words.shape[0]
        and counters[ENTRIES] + 4 * count < entries.shape[0]
    ):
        while counters[HEAD] < heads.shape[0] and heads[counters[HEAD]] < 0:
            counters[HEAD] += 1
        if counters[HEAD] >= heads.shape[0]:
            return
        entry = heads[counters[HEAD]]
        heads[counters[HEAD]] = entries[entry, 1]
        number = entries[entry, 0]
        if figures[number, CLOSED]:
            continue
        figures[number, CLOSED] = 1
        if figures[number, BOUND] == 0:
            counters[GOAL] = number
            return
        expanded += 1
        counters[EXPANDED] += 1
        boxes_of(words[number], squares, boxes, occupied)
        player = np.int64(words[number, last])
        flood(neighbours, occupied, player, steps, queue)
        cost = figures[number, COST]
        for i in range(count):
            box = boxes[i]
            for direction in range(4):
                ahead, behind = neighbours[box, direction], neighbours[box, direction ^ 1]
                if ahead < 0 or behind < 0 or steps[behind] < 0 or occupied[ahead] or dead[ahead]:
                    continue
                occupied[box], occupied[ahead] = 0, 1
                if not frozen(neighbours, dead, goal, occupied, ahead, group, mark):
                    for word in range(last):
                        child[word] = words[number, word]
                    child[box >> 6] &= ~(_ONE << (U(box) & _MASK))
                    child[ahead >> 6] |= _ONE << (U(ahead) & _MASK)
                    total = cost + 1
                    if by_moves:
                        total += steps[behind]
                        child[last] = U(box)
                    else:
                        child[last] = U(flood(neighbours, occupied, box, other_steps, queue))
                    place = find(words, table, child)
                    if place < 0:
                        found = counters[STATES]
                        counters[STATES] += 1
                        for word in range(last + 1):
                            words[found, word] = child[word]
                        table[-1 - place] = found + 1
                        for other in range(count):
                            shifted[other] = boxes[other]
                        shifted[i] = ahead
                        bound = matching(distances, sides, shifted, box, work)
                        figures[found, BOUND] = DEAD if bound >= FAR else bound
                        figures[found, COST] = total + 1
                        figures[found, CLOSED] = 0
                        place = found
                    if figures[place, BOUND] != DEAD and total < figures[place, COST]:
                        figures[place, COST] = total
                        figures[place, PARENT] = number
                        f = total + figures[place, BOUND]
                        fresh = counters[ENTRIES]
                        counters[ENTRIES] += 1
                        entries[fresh, 0], entries[fresh, 1] = place, heads[f]
                        heads[f] = fresh
                occupied[box], occupied[ahead] = 1, 0


class PushSearch:
    """One search; its arrays grow as it goes on.

    Parameters
    ----------
    board : Board
        A possible one, with as many boxes as goals.
    by_moves : bool
        Whether steps count as well as pushes.
    """

    def __init__(self, board: Board, by_moves: bool) -> None:
        self.board, self.by_moves = board, by_moves
        self._tables = (board.neighbours, board.sides, board.distances, board.goal, board.dead)
        words = -(-len(board.cells) // 64) + 1
        self.words = np.zeros((_FIRST, words), np.uint64)
        self.figures = np.zeros((_FIRST, 4), np.int32)
        self._entries = np.zeros((2 * _FIRST, 2), np.int32)
        self._heads = np.full(_BUCKETS, -1, np.int32)
        self._counters = np.array([0, 1, 1, -1, 0], np.int64)
        self._begin()
        self._rebuild()

    def _begin(self) -> None:
        board = self.board
        for box in board.boxes:
            self.words[0, box >> 6] |= U(1 << (box & 63))
        occupied = np.zeros(len(board.cells), np.uint8)
        occupied[list(board.boxes)] = 1
        scratch = np.empty(len(board.cells), np.int16)
        least = flood(board.neighbours, occupied, board.player, scratch, scratch.copy())
        self.words[0, -1] = board.player if self.by_moves else least
        work = np.empty((5, len(board.boxes) + 1), np.int32)
        boxes = np.array(board.boxes, np.int16)
        bound = int(matching(board.distances, board.sides, boxes, board.player, work))
        self.figures[0] = 0, bound, -1, 0
        if bound < FAR:
            self._heads[bound] = 0
            self._entries[0] = 0, -1

    def _rebuild(self) -> None:
        self._table = np.zeros(2 * len(self.words), np.uint32)
        rebuild(self.words, self.states, self._table)

    @property
    def states(self) -> int:
        """How many states have been found."""
        return int(self._counters[STATES])

    @property
    def goal(self) -> int | None:
        """The number of the state in which all boxes are on depots, once it is reached."""
        number = int(self._counters[GOAL])
        return number if number >= 0 else None

    def run(self) -> Iterator[int]:
        """Search until a goal is reached or nothing is open; now and then the number of states."""
        while self.goal is None and self._counters[HEAD] < _BUCKETS:
            advance(self._tables, self.words, self._table, self.figures, self._heads, self._entries, self._counters, _CHUNK, self.by_moves)  # fmt: skip
            self._grow()
            yield self.states

    def _grow(self) -> None:
        room = 4 * len(self.board.boxes)
        if self.states + room >= len(self.words):
            self.words = _doubled(self.words)
            self.figures = _doubled(self.figures)
            self._rebuild()
        if self._counters[ENTRIES] + room >= len(self._entries):
            self._entries = _doubled(self._entries)

    def path(self) -> list[tuple[frozenset[int], int]]:
        """The boxes of each state on the way to the goal, the start first."""
        number, states = self.goal, []
        while number is not None and number >= 0:
            states.append(number)
            number = int(self.figures[number, PARENT])
        return [(self._boxes(state), int(self.words[state, -1])) for state in reversed(states)]

    def _boxes(self, number: int) -> frozenset[int]:
        bits = sum(int(word) << 64 * i for i, word in enumerate(self.words[number, :-1]))
        return frozenset(square for square in range(len(self.board.cells)) if bits >> square & 1)


def _doubled(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    larger = np.zeros((2 * len(array), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
