"""A* on pushes and bombs: the store that grows around the compiled loop of `expanding`.

A state is K words of boxes, a bit a square, and a word for the stage of the walls and the player: the
least square of the region, or the square itself when moves are minimised. A bomb costs nothing, so
with pushes it may go off anywhere in the region; with moves the walk there counts. Open states wait
in buckets by f = g + h, last in first out; h never overestimates the remaining cost. Where any solution
will do it is f = g + GREEDY h, and the first way to a state is kept. A state costs
8 (K + 1) bytes, 16 for its figures, 8 to 16 of the hash table, and 8 each time that it is put in a
bucket: often twice, as one that turns out to be dearer is put back. The arrays double, so that up to
half of them may be empty.

For fewest pushes, corrals prune pushes once no bomb can change the walls, and a level without bombs
is searched backwards as well, in as many states. They are a perimeter around the goal: for states in it the
number of pushes is known exactly, and all others need more pushes than any in it. Each
of them costs another 8 (K + 1) bytes, 4 for its depth, and 8 to 16 of a hash table.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.limit import Meter
from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.expanding import (
    ENTRIES,
    FIRST,
    GOAL,
    LEFT,
    MOST,
    NONE,
    OPEN,
    PARENT,
    PARTLY,
    REFUSED,
    STATES,
    WANTED,
    WEIGHT,
    advance,
    offer,
)
from gridproof.games.sokoban.solver.flooding import flood, scratch
from gridproof.games.sokoban.solver.matching import nothing_matched
from gridproof.games.sokoban.solver.pulling import Pulled
from gridproof.kernels.states import rebuild
from gridproof.search.ruled import GREEDY

U = np.uint64
_FIRST = 1 << 12
_MOST = 1 << 31  # states, whose numbers are int32
_MANY = 1 << 13  # states, after which it is worth searching backwards as well
_CHUNK = 1 << 18  # expansions between two looks at the clock, times the square of the boxes
_WORK = 1 << 26  # and squares and distances that are looked at meanwhile, roughly
_BUCKETS = 1 << 18  # dearer states share the last one, until all others are empty


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
    plain : bool
        Without corrals and pulls, and with all stages that bombs lead to at once: it finds more states
        then, the number of which is what the difficulty of a level is measured by.
    greedy : bool
        Whether any solution will do.
    paused : callable
        A context manager within which kernels are compiled or loaded, now and later.

    Raises
    ------
    ValueError
        For another board: its compiled tables would be read where there is nothing.
    """

    def __init__(
        self,
        board: Board,
        by_moves: bool,
        plain: bool = False,
        greedy: bool = False,
        paused: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        if not (board.possible and board.fits):
            raise ValueError("a board that is impossible, or does not fit, is not searched")
        self.board, self.by_moves, self._paused = board, by_moves, paused
        self.most = _MOST
        """No more states than that are kept, forwards and backwards, but for the first."""
        self._corrals, self._plain = not by_moves and not plain, plain
        self._pulled, self._pulling = Pulled(board, 0), self._corrals and not board.bombs
        words = -(-len(board.cells) // 64) + 1
        many = max(1, len(board.boxes))
        self._chunk = max(1, min(1 << 14, _CHUNK // many**2))
        self._room = 4 * len(board.boxes) + len(board.cells) + 1
        self.words = np.zeros((_FIRST, words), np.uint64)
        self.figures = np.zeros((_FIRST, 4), np.int32)
        self._entries = np.zeros((2 * _FIRST, 2), np.int32)
        self._heads = np.full(_BUCKETS, -1, np.int32)
        self._kept = nothing_matched(len(board.cells), len(board.boxes))
        self._scratch = scratch(len(board.cells), len(board.boxes), words)
        self._counters = np.zeros(FIRST + 1, np.int64)
        self._counters[[GOAL, WANTED, PARTLY]], self._counters[MOST] = NONE, 1
        self._counters[WEIGHT] = GREEDY if greedy else 1
        with paused():
            self._rebuild()
            self._begin(
                np.zeros_like(self._counters)
            )  # with no room for a state: this only loads the kernels
        self._begin(self._counters)

    def _begin(self, counters: Any) -> None:
        """Offer the start."""
        board = self.board
        start = np.zeros(self.words.shape[1], np.uint64)
        for box in board.boxes:
            start[box >> 6] |= U(1 << (box & 63))
        occupied = np.zeros(len(board.cells), np.uint8)
        occupied[list(board.boxes)] = 1
        steps = np.empty(len(board.cells), np.int16)
        least = flood(board.neighbours[0], occupied, board.player, steps, steps.copy())
        start[-1] = board.player if self.by_moves else least
        boxes = np.array(board.boxes, np.int16)
        tables = board.distances[0], board.sides[0]
        offer(*tables, 0, self._store, counters, start, boxes, occupied, NONE, 0)

    def _rebuild(self) -> None:
        self._table = np.zeros(2 * len(self.words), np.uint32)
        rebuild(self.words, self.found, self._table)

    @property
    def _store(self) -> tuple[Any, ...]:
        return self.words, self._table, self.figures, self._heads, self._entries, self._kept

    @property
    def found(self) -> int:
        """How many states have been found forwards."""
        return int(self._counters[STATES])

    @property
    def states(self) -> int:
        """How many states have been found, forwards and backwards."""
        return self.found + self._pulled.states

    @property
    def goal(self) -> int | None:
        """The number of the state in which all boxes are on depots, once it is reached."""
        number = int(self._counters[GOAL])
        return number if number >= 0 else None

    @property
    def exhausted(self) -> bool:
        """Whether nothing is open and nothing was refused: without a goal, there is none."""
        return bool(self._counters[OPEN] == 0 and self._counters[PARTLY] < 0) and not self.refused

    @property
    def refused(self) -> bool:
        """Whether a state has been left out for lack of capacity."""
        return bool(self._counters[REFUSED])

    def prepare(self) -> None:
        """Load or compile what `run` calls at first, which may take seconds."""
        self._advance(0)

    def run(self) -> Iterator[int]:
        """Search until a goal is reached or nothing is open; now and then the number of states.

        Ends before that when a state is refused.
        """
        while not self._ended:
            for _ in itertools.chain(self._follow(), self._pull()):
                yield self.states
            self._grow()
            self._advance(self._chunk)
            yield self.states

    @property
    def _ended(self) -> bool:
        return self.goal is not None or self.refused or self.exhausted

    @property
    def _soon_pulled(self) -> bool:
        return self._pulling and self.found > _MANY

    @property
    def wants_stage(self) -> bool:
        """Whether it cannot go on without the tables of a stage that bombs have led to."""
        return bool(self._counters[WANTED] >= 0)

    def _follow(self) -> Iterator[None]:
        """Make the tables that are wanted, where they are not made yet."""
        if self.wants_stage:
            wanted = int(self._counters[WANTED])
            yield from self.board.make(wanted)
            for after in self.board.after(wanted) if self._plain else ():
                yield from self.board.make(after)
            self.board.known[wanted], self._counters[WANTED] = 1, NONE

    def _pull(self) -> Iterator[None]:
        """Find as many states backwards as forwards, once there are many."""
        if not self._soon_pulled:
            return
        if not self._pulled.states:
            with self._paused():
                self._pulled.prepare()
        yield from self._pulled.extend(self.found, self.most - self.found)

    def can_go_on(self, meter: Meter) -> bool:
        """Whether nothing is left to do, or there is room for it."""
        if self._ended:
            return True
        growth = self._pulled.growth(self.found) if self._soon_pulled else 0
        if self.wants_stage:
            growth += self.board.growth
        if self._crowded:
            growth += 2 * self.words.nbytes + self.figures.nbytes + self._table.nbytes
        if self._entries_crowded:
            growth += 2 * self._entries.nbytes
        return not growth or meter.has_room(growth)

    def _advance(self, most: int) -> None:
        pulled, counters = self._pulled.tables, self._counters
        counters[MOST], counters[LEFT] = max(1, self.most - self._pulled.states), _WORK
        how = most, self.by_moves, self._corrals
        advance(self.board.tables, self._store, pulled, self._scratch, counters, *how)

    @property
    def _crowded(self) -> bool:
        """Whether the next expansion may find more states than there is room for."""
        return self.found + self._room >= len(self.words)

    @property
    def _entries_crowded(self) -> bool:
        return bool(self._counters[ENTRIES] + self._room >= len(self._entries))

    def _grow(self) -> None:
        while self._crowded:
            self.words, self.figures = _doubled(self.words), _doubled(self.figures)
            self._rebuild()
        while self._entries_crowded:
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
