"""Breadth-first search over packed states: the template, and the store that grows around it.

A state of K words costs 8 K + 4 bytes and 8 to 16 of the hash table; while the store grows, the old
and the new words stand side by side.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gridproof.core.game import Position
from gridproof.core.limit import Meter
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.game import Compiled, GameKernel, Packing
from gridproof.kernels.states import add_all, find, rebuild

_FIRST = 1 << 12  # states there is room for at first
_CHUNK = 1 << 16  # expansions between two looks at the clock
_WORK = 1 << 20  # and transitions
_MOST = (1 << 32) - 2  # numbers of states are 32 bits

successors: Any = Hole()
is_goal: Any = Hole()

Array = np.ndarray[Any, Any]


def expand(
    tables: Any,
    words: Any,
    parents: Any,
    table: Any,
    head: int,
    tail: int,
    stop: int,
    out: Any,
    action: Any,
    reward: Any,
    chance: Any,
    arguments: Any,
) -> Any:
    """Expand the states from `head` up to `stop`, while there is room; stop at a goal.

    Returns the new head, the new tail, the transitions made, and the number of the goal found or -1.
    """
    transitions = 0
    while head < min(stop, tail) and tail + out.shape[0] <= words.shape[0] and transitions < _WORK:
        count = successors(tables, words[head], out, action, reward, chance)
        transitions += count
        first, tail = tail, add_all(words, table, tail, out, count)
        for number in range(first, tail):
            parents[number] = head
        for number in range(first, tail):
            if is_goal(tables, words[number], arguments):
                return head, tail, transitions, number
        head += 1
    return head, tail, transitions, -1


@kernel
def no_goal(tables: Any, state: Any, arguments: Any) -> Any:
    """The goal of an exploration: none."""
    return False


@kernel
def layer_ends(parents: Any, starts: Any, count: Any, ends: Any) -> Any:
    """Write where each layer ends, after a 0; return how many there are.

    States stand in breadth-first order: a new layer begins where the parent is of the last one.
    """
    layers, begin, ends[1] = 1, 0, starts
    for number in range(starts, count):
        if parents[number] >= begin:
            begin = number
            layers += 1
        ends[layers] = number + 1
    return layers


class PackedStates:
    """Found states in breadth-first order, with parent links.

    Parameters
    ----------
    kernel, packing : GameKernel, Packing
    starts : list of Position
        Distinct.
    is_goal : compiled (tables, state, arguments) -> bool
    arguments : int64 array
        The goal's.
    nature : bool
        Whether nature acts too.
    """

    def __init__(
        self,
        game: GameKernel,
        packing: Packing,
        starts: list[Position[Any]],
        goal: Compiled = no_goal,
        arguments: Any = None,
        nature: bool = False,
    ) -> None:
        self.packing = packing
        self.count = self._starts = len(starts)
        self._head = 0  # states before it have been expanded
        self.transitions = 0
        self.goal: int | None = None
        """The number of the first goal found."""
        self._tables = packing.tables
        self._arguments = np.zeros(0, np.int64) if arguments is None else arguments
        function = kernel(both, players=game.successors, nature=game.nature) if nature else game.successors
        self._expand = kernel(expand, successors=function, is_goal=goal)
        most = packing.most + (packing.most_of_nature if nature else 0)
        self._scratch = (
            np.zeros((most, packing.words), np.uint64),
            np.zeros(most, np.int32),
            np.zeros(most, np.int64),
            np.zeros(most, np.float64),
        )
        self.words, self.parents, self.table = self._arrays(max(_FIRST, 2 * most, 2 * len(starts)))
        for number, start in enumerate(starts):
            self.words[number] = packing.pack(start)
        rebuild(self.words, self.count, self.table)
        for number in range(self.count):
            if goal(self._tables, self.words[number], self._arguments):
                self.goal = number
                return

    def prepare(self) -> None:
        """Load or compile what `run` calls, which may take seconds."""
        self._expanded(0)

    def _arrays(self, room: int) -> tuple[Array, Array, Array]:
        """Empty words, parents and table for so many states."""
        table = np.zeros(1 << (2 * room - 1).bit_length(), np.uint32)
        return np.zeros((room, self.packing.words), np.uint64), np.zeros(room, np.uint32), table

    @property
    def _full(self) -> bool:
        """Whether the next expansion may find more states than there is room for."""
        return self.count + len(self._scratch[1]) > len(self.words)

    def can_go_on(self, meter: Meter) -> bool:
        """Whether the store need not grow, or may: in numbers of states and in memory."""
        if not self._full or self._head == self.count:
            return True
        room = min(2 * len(self.words), _MOST)
        if room == len(self.words):
            meter.stopped_by = "states"
            return False
        more = room - len(self.words)
        size = 1 << (2 * room - 1).bit_length()
        growth = more * (8 * self.packing.words + 4) + 4 * (size - len(self.table))
        return meter.has_room(growth + self.words.nbytes)

    def _grow(self) -> None:
        words, parents, table = self._arrays(min(2 * len(self.words), _MOST))  # all of them, or MemoryError
        words[: self.count] = self.words[: self.count]
        self.words = words
        parents[: self.count] = self.parents[: self.count]
        self.parents, self.table = parents, table
        rebuild(self.words, self.count, self.table)

    def run(self) -> Iterator[int]:
        """Expand everything, or until a goal has been found; now and then the number of states."""
        while self._head < self.count and self.goal is None:
            self._advance()
            yield self.count

    def by_depth(self) -> tuple[int, ...]:
        """How many states are first reached after 0, 1, 2, ... actions."""
        ends = np.zeros(self.count + 1, np.int64)
        count = layer_ends(self.parents, self._starts, self.count, ends)
        return tuple(np.diff(ends[: count + 1]).tolist())

    def _advance(self) -> None:
        if self._full:
            self._grow()
        self._head, self.count, transitions, goal = self._expanded(_CHUNK)
        self.transitions += transitions
        self.goal = None if goal < 0 else goal

    def _expanded(self, most: int) -> tuple[int, int, int, int]:
        found: tuple[int, int, int, int] = self._expand(
            self._tables,
            self.words,
            self.parents,
            self.table,
            self._head,
            self.count,
            self._head + most,
            *self._scratch,
            self._arguments,
        )
        return found

    def position(self, number: int) -> Position[Any]:
        """The position of a state's number."""
        return self.packing.unpack(self.words[number])

    def number(self, position: Position[Any]) -> int | None:
        """The number of a position, None when it has not been found."""
        if not self.packing.fits(position):
            return None
        found = int(find(self.words, self.table, self.packing.pack(position)))
        return found if found >= 0 else None

    def path(self, number: int) -> list[Position[Any]]:
        """The positions from a start to a state, on a shortest way."""
        numbers = [number]
        while numbers[-1] >= self._starts:
            numbers.append(int(self.parents[numbers[-1]]))
        return [self.position(item) for item in reversed(numbers)]


players: Any = Hole()
nature: Any = Hole()


def both(tables: Any, state: Any, out: Any, action: Any, reward: Any, chance: Any) -> Any:
    """The outcomes of the players' actions, then those of nature's."""
    count = players(tables, state, out, action, reward, chance)
    more = nature(tables, state, out[count:], action[count:], reward[count:], chance[count:])
    return count + more
