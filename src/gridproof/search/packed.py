"""Breadth-first search over packed states."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gridproof.core.game import Position
from gridproof.core.limit import Meter
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.game import Compiled, GameKernel, Packing
from gridproof.kernels.states import add_all
from gridproof.search.stored import StateStore

_CHUNK = 1 << 16  # expansions between two looks at the clock
_WORK = 1 << 20  # and transitions

successors: Any = Hole()
is_goal: Any = Hole()


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


class PackedStates(StateStore):
    """Found states in breadth-first order, with parent links.

    Parameters
    ----------
    kernel, packing : GameKernel, Packing
    starts : list of Position
        Distinct.
    goal : compiled (tables, state, arguments) -> bool
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
        super().__init__(packing, starts, packing.most + (packing.most_of_nature if nature else 0))
        self._head = 0  # states before it have been expanded
        self.transitions = 0
        self.arguments = np.zeros(0, np.int64) if arguments is None else arguments
        """The goal's."""
        function = kernel(both, players=game.successors, nature=game.nature) if nature else game.successors
        self._expand = kernel(expand, successors=function, is_goal=goal)
        numbers = range(self.count)
        self.goal = next((n for n in numbers if goal(packing.tables, self.words[n], self.arguments)), None)
        """The number of the first goal found."""

    def prepare(self) -> None:
        """Load or compile what `run` calls, which may take seconds."""
        self._expanded(0)

    @property
    def frontier(self) -> int:
        """How many states have not been expanded."""
        return self.count - self._head

    def can_go_on(self, meter: Meter) -> bool:
        """Whether nothing is left, or there is room for it."""
        return not self.frontier or super().can_go_on(meter)

    def run(self, end: int | None = None) -> Iterator[int]:
        """Expand the first `end` states, or all, or until a goal is found; now and then their number."""
        while self.goal is None and self._head < (self.count if end is None else end):
            self._advance(_CHUNK if end is None else min(_CHUNK, end - self._head))
            yield self.count

    def by_depth(self) -> tuple[int, ...]:
        """How many states are first reached after 0, 1, 2, ... actions."""
        ends = np.zeros(self.count + 1, np.int64)
        count = layer_ends(self.parents, self._starts, self.count, ends)
        return tuple(np.diff(ends[: count + 1]).tolist())

    def _advance(self, most: int) -> None:
        if self.full:
            self.grow()
        self._head, self.count, transitions, goal = self._expanded(most)
        self.transitions += transitions
        self.goal = None if goal < 0 else goal

    def _expanded(self, most: int) -> tuple[int, int, int, int]:
        found: tuple[int, int, int, int] = self._expand(
            self.packing.tables,
            self.words,
            self.parents,
            self.table,
            self._head,
            self.count,
            self._head + most,
            *self._scratch,
            self.arguments,
        )
        return found


players: Any = Hole()
nature: Any = Hole()


def both(tables: Any, state: Any, out: Any, action: Any, reward: Any, chance: Any) -> Any:
    """The outcomes of the players' actions, then those of nature's."""
    count = players(tables, state, out, action, reward, chance)
    more = nature(tables, state, out[count:], action[count:], reward[count:], chance[count:])
    return count + more
