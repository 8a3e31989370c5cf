"""A* on pushes and bombs: the store that grows around the compiled loop of `expand`.

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
from gridproof.games.sokoban.solver.expand import (
    DIVE,
    ENTRIES,
    FIRST,
    GOAL,
    HEAD,
    LEFT,
    MOST,
    NONE,
    OPEN,
    PARENT,
    PARTLY,
    PRICE,
    REFUSED,
    STATES,
    WANTED,
    WEIGHT,
    Arrangement,
    Mode,
    Refinement,
    StageTables,
    advance,
    offer,
)
from gridproof.games.sokoban.solver.flood_fill import allocate_scratch, flood
from gridproof.games.sokoban.solver.frozen_walls import MEMORY, allocate_walls
from gridproof.games.sokoban.solver.group_table import GroupTable
from gridproof.games.sokoban.solver.matching import PRICE as PRICES
from gridproof.games.sokoban.solver.matching import empty_assignment
from gridproof.games.sokoban.solver.pair_table import PairTable
from gridproof.games.sokoban.solver.pull_search import PullSearch, enlarge
from gridproof.kernels.states import rebuild
from gridproof.search.rules_search import GREEDY

U = np.uint64
_FIRST = 1 << 12
_MOST = 1 << 31  # states, whose numbers are int32
_MANY = 1 << 13  # states, after which it is worth searching backwards as well
_PAIR_SHARE = 32  # visited states of pairs for each state
_GROUP_SHARE = 4, 1  # groups for each state: for few pushes, and where any solution will do
_CHUNK = 1 << 18  # expansions between two looks at the clock, times the square of the boxes
_WORK = 1 << 26  # and squares and distances that are looked at meanwhile, roughly
_BUCKETS = 1 << 18  # dearer states share the last one, until all others are empty


class PathState(NamedTuple):
    """A state of the path to the goal, by numbers of squares."""

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
        True if any solution will do.
    price : int
        What a push costs, in steps: above 1 where pushes count first, by moves.
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
        price: int = 1,
        paused: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        if not (board.possible and board.fits):
            raise ValueError("a board that is impossible, or does not fit, is not searched")
        self.board, self.by_moves, self._paused = board, by_moves, paused
        self._group_share = _GROUP_SHARE[greedy]
        self.most = _MOST
        """The most states, forwards and backwards, besides the first."""
        self._corrals, self._plain = not by_moves and not plain, plain
        self._pulls, self._can_pull = PullSearch(board, 0), self._corrals and not board.bombs
        self._pairs, self._walls = PairTable(board), allocate_walls(board, wanted=False)
        words = -(-len(board.cells) // 64) + 1
        many = max(1, len(board.boxes))
        self._chunk = max(1, min(1 << 14, _CHUNK // many**2))
        self._room = 4 * len(board.boxes) + len(board.cells) + 1
        self.words = np.zeros((_FIRST, words), np.uint64)
        self.figures = np.zeros((_FIRST, 4), np.int32)
        self._entries = np.zeros((2 * _FIRST, 2), np.int32)
        self._heads = np.full(_BUCKETS, -1, np.int32)
        self._assignment = empty_assignment(len(board.cells), len(board.boxes))
        self._scratch = allocate_scratch(len(board.cells), len(board.boxes), words)
        self._counters = np.zeros(DIVE + 1, np.int64)
        self._counters[[GOAL, WANTED, PARTLY]], self._counters[MOST] = NONE, 1
        self._counters[PRICE], self._counters[WEIGHT] = price, GREEDY if greedy else price
        with paused():
            self._rebuild()
            self._begin(
                np.zeros_like(self._counters)
            )  # with no room for a state: this only loads the kernels
        self._begin(self._counters)
        self._groups = GroupTable(board, self._assignment[PRICES, : len(board.goals)].copy())

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
        stage = StageTables(board.distances[0], board.sides[0], 0)
        offer(stage, Arrangement(start, boxes, occupied), self._store, counters, NONE, 0)

    def _rebuild(self) -> None:
        self._table = np.zeros(2 * len(self.words), np.uint32)
        rebuild(self.words, self.forward_states, self._table)

    @property
    def _store(self) -> tuple[Any, ...]:
        return self.words, self._table, self.figures, self._heads, self._entries, self._assignment

    @property
    def forward_states(self) -> int:
        """The number of states of the forward search."""
        return int(self._counters[STATES])

    @property
    def states(self) -> int:
        """The number of states, forwards and backwards."""
        return self.forward_states + self._pulls.states

    @property
    def lower_bound(self) -> int:
        """A lower bound of the cost of every goal, while none is found: the priority of the first bucket with a state."""
        return 0 if self.is_exhausted else int(self._counters[FIRST] + self._counters[HEAD])

    @property
    def goal(self) -> int | None:
        """The number of the state in which all boxes are on depots, once it is reached."""
        number = int(self._counters[GOAL])
        return number if number >= 0 else None

    @property
    def is_exhausted(self) -> bool:
        """True if nothing is open and nothing was refused: without a goal, there is none."""
        return bool(self._counters[OPEN] == 0 and self._counters[PARTLY] < 0) and not self.has_overflow

    @property
    def has_overflow(self) -> bool:
        """True if a state was refused for lack of capacity."""
        return bool(self._counters[REFUSED])

    def prepare(self) -> None:
        """Load or compile the kernels of `run`, which may take seconds."""
        self._advance(0)

    def run(self) -> Iterator[int]:
        """Search until a goal is reached or nothing is open; yield the number of states now and then.

        Ends before that when a state is refused.
        """
        while not self._is_done:
            for _ in itertools.chain(
                self._build_wanted_tables(),
                self._extend_pulls(),
                self._build_pair_table(),
                self._build_group_table(),
            ):
                yield self.states
            self._grow()
            self._advance(self._chunk)
            yield self.states

    @property
    def _is_done(self) -> bool:
        return self.goal is not None or self.has_overflow or self.is_exhausted

    @property
    def _wants_pulls(self) -> bool:
        return self._can_pull and self.forward_states > _MANY

    @property
    def wants_stage(self) -> bool:
        """True if the search cannot go on without the tables of a stage."""
        return bool(self._counters[WANTED] >= 0)

    def _build_wanted_tables(self) -> Iterator[None]:
        if self.wants_stage:
            wanted = int(self._counters[WANTED])
            yield from self.board.build_tables(wanted)
            for after in self.board.stages_after(wanted) if self._plain else ():
                yield from self.board.build_tables(after)
            self.board.ready[wanted], self._counters[WANTED] = 1, NONE

    def _extend_pulls(self) -> Iterator[None]:
        """Find as many states backwards as forwards, once there are many."""
        if not self._wants_pulls:
            return
        if not self._pulls.states:
            with self._paused():
                self._pulls.prepare()
        yield from self._pulls.extend(self.forward_states, self.most - self.forward_states)

    @property
    def _wants_pairs(self) -> bool:
        """True if so many states have been found that a table of pairs takes a small share of the time."""
        wanted = self._wants_pulls and self._pairs.is_wanted and not self._pairs.is_built
        return wanted and self.forward_states * _PAIR_SHARE > self._pairs.work

    def _build_pair_table(self) -> Iterator[None]:
        if self._wants_pairs:
            with self._paused():
                self._pairs.prepare()
            yield from self._pairs.build()
            self._walls = allocate_walls(self.board, wanted=True)

    @property
    def _wants_groups(self) -> bool:
        """True as for pairs, once their table is there, for the table of the next size."""
        work = self._groups.next_work if self._pairs.is_built else 0
        return 0 < work < self.forward_states * self._group_share

    def _build_group_table(self) -> Iterator[None]:
        if self._wants_groups:
            with self._paused():
                self._groups.prepare(self._pairs.excess)
            yield from self._groups.build(self._pairs.excess)

    def can_continue(self, meter: Meter) -> bool:
        """Return whether the search is done, or has room to go on."""
        if self._is_done:
            return True
        growth = self._pulls.growth(self.forward_states) if self._wants_pulls else 0
        if self.wants_stage:
            growth += self.board.growth
        if self._wants_pairs:
            growth += self._pairs.growth + MEMORY
        if self._wants_groups:
            growth += self._groups.growth
        if self._states_nearly_full:
            growth += 2 * self.words.nbytes + self.figures.nbytes + self._table.nbytes
        if self._entries_nearly_full:
            growth += 2 * self._entries.nbytes
        return not growth or meter.has_room(growth)

    def _advance(self, most: int) -> None:
        counters = self._counters
        refinement = Refinement(self._pulls.tables, self._pairs.tables, self._walls, self._groups.tables)
        counters[MOST], counters[LEFT] = max(1, self.most - self._pulls.states), _WORK
        mode = Mode(self.by_moves, self._corrals)
        advance(self.board.tables, self._store, refinement, self._scratch, counters, mode, most)

    @property
    def _states_nearly_full(self) -> bool:
        """True if the next expansion may find more states than there is room for."""
        return self.forward_states + self._room >= len(self.words)

    @property
    def _entries_nearly_full(self) -> bool:
        return bool(self._counters[ENTRIES] + self._room >= len(self._entries))

    def _grow(self) -> None:
        while self._states_nearly_full:
            self.words, self.figures = (
                enlarge(self.words, 2 * len(self.words)),
                enlarge(self.figures, 2 * len(self.figures)),
            )
            self._rebuild()
        while self._entries_nearly_full:
            self._entries = enlarge(self._entries, 2 * len(self._entries))

    def path(self) -> list[PathState]:
        """Return the states of the path to the goal, the start first."""
        number, states = self.goal, []
        while number is not None and number >= 0:
            states.append(self._path_state(number))
            number = int(self.figures[number, PARENT])
        return states[::-1]

    def _path_state(self, number: int) -> PathState:
        bits = sum(int(word) << 64 * i for i, word in enumerate(self.words[number, :-1]))
        boxes = frozenset(square for square in range(len(self.board.cells)) if bits >> square & 1)
        stage, player = divmod(int(self.words[number, -1]), 1 << 16)
        return PathState(boxes, player, stage)
