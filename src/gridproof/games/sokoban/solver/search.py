"""A* on pushes and bombs: the compiled loop, and the store that grows around it.

A state is K words of boxes, a bit a square, and a word for the stage of the walls and the player: the
least square of the region, or the square itself when moves are minimised. A bomb costs nothing, so
with pushes it may go off anywhere in the region; with moves the walk there counts. Open states wait
in buckets by f = g + h, the last one first; h is never more than what is left to pay. A state costs 8 (K + 1) bytes, 16 for its
figures, 8 for its place in a bucket, and 8 to 16 of the hash table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.pruning import HOPELESS, frozen, matching
from gridproof.kernels.compile import kernel
from gridproof.kernels.states import find, rebuild

U = np.uint64
_ONE, _SIX, _MASK = U(1), U(6), U(63)
_STAGE = U(16)  # the bits of the player's square
_PLAYER = U((1 << 16) - 1)
_FIRST = 1 << 12
_CHUNK = 1 << 18  # expansions between two looks at the clock, times the square of the boxes
_BUCKETS = 1 << 18  # dearer states share the last one

# The counters of a search
HEAD, STATES, ENTRIES, OPEN, GOAL, WANTED = range(6)
# The columns of a state's figures
COST, BOUND, PARENT, CLOSED = range(4)
DEAD = -1  # a bound: no goal from here


@kernel
def flood(neighbours: Any, occupied: Any, start: Any, steps: Any, queue: Any) -> Any:
    """Steps to each square the player can reach, -1 elsewhere; the least square of the region.

    Most of the search's time goes here: places are unsigned, so that none is looked at as negative.
    """
    for place in range(steps.shape[0]):
        steps[place] = -1
    steps[start] = 0
    queue[0] = start
    head, tail = U(0), _ONE
    least = np.int64(start)
    while head < tail:
        square = U(queue[head])
        head += _ONE
        least = min(least, np.int64(square))
        following = steps[square] + 1
        for direction in range(4):
            number = neighbours[square, direction]
            other = U(number)
            if number >= 0 and steps[other] < 0 and not occupied[other]:
                steps[other] = following
                queue[tail] = number
                tail += _ONE
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
def offer(
    distances: Any, sides: Any, store: Any, counters: Any, child: Any, boxes: Any, parent: Any, total: Any
) -> None:
    """Take a state that can be reached at a total cost, if that is less than is known."""
    words, table, figures, heads, entries, work = store
    place = find(words, table, child)
    if place < 0:
        found = counters[STATES]
        counters[STATES] += 1
        for word in range(words.shape[1]):
            words[found, word] = child[word]
        table[-1 - place] = found + 1
        player = np.int64(child[words.shape[1] - 1] & _PLAYER)
        bound = matching(distances, sides, boxes, player, work)
        figures[found, BOUND] = DEAD if bound >= HOPELESS else bound
        figures[found, COST] = total + 1
        place = found
    if figures[place, BOUND] != DEAD and total < figures[place, COST]:
        figures[place, COST] = total
        figures[place, CLOSED] = 0
        figures[place, PARENT] = parent
        f = min(total + figures[place, BOUND], heads.shape[0] - 1)
        fresh = counters[ENTRIES]
        counters[ENTRIES] += 1
        counters[OPEN] += 1
        entries[fresh, 0], entries[fresh, 1] = place, heads[f]
        heads[f] = fresh
        counters[HEAD] = min(counters[HEAD], f)


@kernel
def advance(tables: Any, store: Any, counters: Any, most: Any, by_moves: Any) -> None:
    """Expand up to `most` states, while there is room.

    Ends early when a goal is found, nothing is open, or it is WANTED to know where the bombs of a
    stage lead to.
    """
    all_neighbours, all_openly, all_sides, all_distances, all_dead, all_following, known, goal = tables
    words, _, figures, heads, entries, _ = store
    squares, count = all_distances.shape[2], all_distances.shape[1]
    boxes, shifted = np.empty(count, np.int16), np.empty(count, np.int16)
    occupied, mark = np.zeros(squares, np.uint8), np.zeros(squares, np.uint8)
    steps, other_steps = np.empty(squares, np.int16), np.empty(squares, np.int16)
    queue, group = np.empty(squares, np.int16), np.empty(squares, np.int16)
    child = np.zeros(words.shape[1], np.uint64)
    last = words.shape[1] - 1
    room = 4 * count + squares
    expanded = 0
    while (
        expanded < most
        and counters[OPEN] > 0
        and counters[STATES] + room < words.shape[0]
        and counters[ENTRIES] + room < entries.shape[0]
    ):
        while heads[counters[HEAD]] < 0:
            counters[HEAD] += 1
        entry = heads[counters[HEAD]]
        number = entries[entry, 0]
        stage = np.int64(words[number, last] >> _STAGE)
        if not known[stage]:
            counters[WANTED] = stage
            return
        heads[counters[HEAD]] = entries[entry, 1]
        counters[OPEN] -= 1
        if figures[number, CLOSED]:
            continue
        figures[number, CLOSED] = 1
        if figures[number, BOUND] == 0:
            counters[GOAL] = number
            return
        expanded += 1
        neighbours, openly, sides = all_neighbours[stage], all_openly[stage], all_sides[stage]
        distances, dead, following = all_distances[stage], all_dead[stage], all_following[stage]
        boxes_of(words[number], squares, boxes, occupied)
        player = np.int64(words[number, last] & _PLAYER)
        flood(neighbours, occupied, player, steps, queue)
        cost = figures[number, COST]
        for word in range(last):
            child[word] = words[number, word]
        for square in range(squares):
            after = following[square]
            if after < 0 or steps[square] < 0:
                continue
            total, place = cost, square
            if by_moves:
                total += steps[square]
            else:
                place = flood(all_neighbours[after], occupied, square, other_steps, queue)
            child[last] = U(place) | (U(after) << _STAGE)
            offer(all_distances[after], all_sides[after], store, counters, child, boxes, number, total)
        for i in range(count):
            box = boxes[i]
            for direction in range(4):
                ahead, behind = neighbours[box, direction], neighbours[box, direction ^ 1]
                if ahead < 0 or behind < 0 or steps[behind] < 0 or occupied[ahead] or dead[ahead]:
                    continue
                occupied[box], occupied[ahead] = 0, 1
                if not frozen(openly, dead, goal, occupied, ahead, group, mark):
                    for word in range(last):
                        child[word] = words[number, word]
                    child[box >> 6] &= ~(_ONE << (U(box) & _MASK))
                    child[ahead >> 6] |= _ONE << (U(ahead) & _MASK)
                    total, place = cost + 1, box
                    if by_moves:
                        total += steps[behind]
                    else:
                        place = flood(neighbours, occupied, box, other_steps, queue)
                    child[last] = U(place) | (U(stage) << _STAGE)
                    for other in range(count):
                        shifted[other] = boxes[other]
                    shifted[i] = ahead
                    offer(distances, sides, store, counters, child, shifted, number, total)
                occupied[box], occupied[ahead] = 1, 0


class Arranged(NamedTuple):
    """A state on the way to the goal, by numbers of squares."""

    boxes: frozenset[int]
    player: int
    """One of the squares where the player can be; when moves are minimised, the very one."""
    stage: int


class PushSearch:
    """One search; its arrays grow as it goes on.

    Parameters
    ----------
    board : Board
        A possible one that fits, with as many boxes as goals.
    by_moves : bool
        Whether steps count as well as pushes.
    """

    def __init__(self, board: Board, by_moves: bool) -> None:
        self.board, self.by_moves = board, by_moves
        words = -(-len(board.cells) // 64) + 1
        self._chunk = max(16, min(1 << 14, _CHUNK // max(1, len(board.boxes)) ** 2))
        self._room = 4 * len(board.boxes) + len(board.cells)
        self.words = np.zeros((_FIRST, words), np.uint64)
        self.figures = np.zeros((_FIRST, 4), np.int32)
        self._entries = np.zeros((2 * _FIRST, 2), np.int32)
        self._heads = np.full(_BUCKETS, -1, np.int32)
        self._work = np.empty((5, len(board.boxes) + 1), np.int32)
        self._counters = np.array([0, 0, 0, 0, -1, -1], np.int64)
        self._rebuild()
        self._begin()

    def _begin(self) -> None:
        """Offer the start."""
        board = self.board
        start = np.zeros(self.words.shape[1], np.uint64)
        for box in board.boxes:
            start[box >> 6] |= U(1 << (box & 63))
        occupied = np.zeros(len(board.cells), np.uint8)
        occupied[list(board.boxes)] = 1
        scratch = np.empty(len(board.cells), np.int16)
        least = flood(board.neighbours[0], occupied, board.player, scratch, scratch.copy())
        start[-1] = board.player if self.by_moves else least
        boxes = np.array(board.boxes, np.int16)
        offer(board.distances[0], board.sides[0], self._store, self._counters, start, boxes, -1, 0)

    def _rebuild(self) -> None:
        self._table = np.zeros(2 * len(self.words), np.uint32)
        rebuild(self.words, self.states, self._table)

    @property
    def _store(self) -> tuple[Any, ...]:
        return self.words, self._table, self.figures, self._heads, self._entries, self._work

    @property
    def states(self) -> int:
        """How many states have been found."""
        return int(self._counters[STATES])

    @property
    def goal(self) -> int | None:
        """The number of the state in which all boxes are on depots, once it is reached."""
        number = int(self._counters[GOAL])
        return number if number >= 0 else None

    @property
    def exhausted(self) -> bool:
        """Whether nothing is open: without a goal, there is none."""
        return bool(self._counters[OPEN] == 0)

    def prepare(self) -> None:
        """Load or compile what `run` calls, which may take seconds."""
        advance(self.board.tables, self._store, self._counters, 0, self.by_moves)

    def run(self) -> Iterator[int]:
        """Search until a goal is reached or nothing is open; now and then the number of states.

        Ends before that when the board is full: bombs have led to too many stages.
        """
        while self.goal is None and not self.exhausted and self._followed():
            self._grow()
            advance(self.board.tables, self._store, self._counters, self._chunk, self.by_moves)
            yield self.states

    def _followed(self) -> bool:
        """Find out where the bombs lead to that it is wanted to know of, if there is room."""
        wanted = int(self._counters[WANTED])
        if wanted >= 0:
            if self.board.full:
                return False
            self.board.follow(wanted)
            self._counters[WANTED] = -1
        return True

    def _grow(self) -> None:
        while self.states + self._room >= len(self.words):
            self.words = _doubled(self.words)
            self.figures = _doubled(self.figures)
            self._rebuild()
        while self._counters[ENTRIES] + self._room >= len(self._entries):
            self._entries = _doubled(self._entries)

    def path(self) -> list[Arranged]:
        """The states on the way to the goal, the start first."""
        number, states = self.goal, []
        while number is not None and number >= 0:
            states.append(self._arranged(number))
            number = int(self.figures[number, PARENT])
        return states[::-1]

    def _arranged(self, number: int) -> Arranged:
        bits = sum(int(word) << 64 * i for i, word in enumerate(self.words[number, :-1]))
        boxes = frozenset(square for square in range(len(self.board.cells)) if bits >> square & 1)
        stage, player = divmod(int(self.words[number, -1]), 1 << 16)
        return Arranged(boxes, player, stage)


def _doubled(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    larger = np.zeros((2 * len(array), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
