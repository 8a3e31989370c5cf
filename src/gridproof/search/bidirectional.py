"""Breadth-first search from both ends over packed states."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from gridproof.core.limit import Meter
from gridproof.core.position import Position
from gridproof.kernels.compile import kernel
from gridproof.kernels.game import GameKernel, Packing
from gridproof.kernels.states import find
from gridproof.search.packed_bfs import PackedStates
from gridproof.search.state_store import StateStore


@kernel
def is_in_store(data: Any, state: Any, store: Any) -> Any:
    """Return whether a state is in a store: its words and table."""
    return find(store[0], store[1], state) >= 0


class BidirectionalStates:
    """Forward from the starts and backward from all goals, always the smaller frontier.

    The first state found from both ends lies on a shortest path: each layer is made as a whole, so
    that every shorter path would have been found before.
    """

    def __init__(
        self, game: GameKernel, packing: Packing, starts: list[Position[Any]], goals: list[Position[Any]]
    ) -> None:
        backward = dataclasses.replace(game, successors=game.search.predecessors)
        turned = dataclasses.replace(packing, most=packing.most_before)
        nothing = StateStore(packing, [], 1).index
        self._backward = PackedStates(backward, turned, goals, is_in_store, nothing)
        self._forward = PackedStates(game, packing, starts, is_in_store, self._backward.index)
        self._side = self._forward
        self.most = self._forward.most
        """The most states to keep, from both ends together."""
        self.lower_bound = 0
        """A lower bound of the cost of every goal, while none is found: a layer more than are expanded."""
        self.packing = packing

    @property
    def count(self) -> int:
        """The number of states found, from both ends together."""
        return self._forward.count + self._backward.count

    def is_same(self, one: Position[Any], other: Position[Any]) -> bool:
        """Return whether two positions are one state."""
        return self._forward.is_same(one, other)

    @property
    def goal(self) -> int | None:
        """The number, on the side that was expanded last, of the state found from both ends."""
        return self._side.goal

    @property
    def has_overflow(self) -> bool:
        """True if a state was left out because there were `most`."""
        return self._side.has_overflow

    def prepare(self) -> None:
        """Load or compile what `run` calls, which may take seconds."""
        self._forward.prepare()
        self._backward.prepare()

    def can_continue(self, meter: Meter) -> bool:
        """Return whether both sides are large enough or may grow."""
        return self._forward.can_continue(meter) and self._backward.can_continue(meter)

    def run(self) -> Iterator[int]:
        """Search until both ends have met, or one has nothing left; now and then the number of states."""
        sides = self._forward, self._backward
        while self.goal is None and not self.has_overflow and all(side.frontier_size for side in sides):
            self._side, other = sorted(sides, key=lambda side: side.frontier_size)
            self._side.arguments, self._side.most = other.index, self.most - other.count
            for _ in self._side.run(self._side.count):
                yield self.count
            self.lower_bound = max(self.lower_bound, 1) + 1

    def path(self, number: int) -> list[Position[Any]]:
        """The positions from a start to a goal through the one where both ends have met."""
        here = self._side.path(number)
        other = self._backward if self._side is self._forward else self._forward
        there = other.path(int(find(*other.index, self._side.words[number])))
        before, after = (here, there) if self._side is self._forward else (there, here)
        return [*before, *after[-2::-1]]
