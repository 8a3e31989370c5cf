"""Breadth-first search from both ends over packed states."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from gridproof.core.limit import Meter
from gridproof.core.position import Position
from gridproof.kernels.compile import kernel
from gridproof.kernels.game import GameKernel, Packing
from gridproof.kernels.states import find
from gridproof.search.packed import PackedStates


@kernel
def found_in(data: Any, state: Any, store: Any) -> Any:
    """Whether a state is in a store: its words and table."""
    return find(store[0], store[1], state) >= 0


class TwoSidedStates:
    """Forward from the starts and backward from all goals, always the smaller frontier.

    The first state found from both ends lies on a shortest way: each layer is made as a whole, so
    that every shorter way would have been found before.

    Parameters
    ----------
    game, packing : GameKernel, Packing
        With predecessors.
    starts, goals : list of Position
    """

    def __init__(
        self, game: GameKernel, packing: Packing, starts: list[Position[Any]], goals: list[Position[Any]]
    ) -> None:
        backward = dataclasses.replace(game, successors=game.predecessors)
        turned = dataclasses.replace(packing, most=packing.most_before)
        nothing = np.zeros((1, packing.words), np.uint64), np.zeros(2, np.uint32)
        self._backward = PackedStates(backward, turned, goals, found_in, nothing)
        self._forward = PackedStates(game, packing, starts, found_in, self._backward.found)
        self._side = self._forward
        self.most = self._forward.most
        """No more states than that are kept, those from both ends together."""
        self.packing = packing

    @property
    def count(self) -> int:
        """States found, those from both ends together."""
        return self._forward.count + self._backward.count

    def same(self, one: Position[Any], other: Position[Any]) -> bool:
        """Whether two positions are one state."""
        return self._forward.same(one, other)

    @property
    def goal(self) -> int | None:
        """The number, on the side that was expanded last, of the state found from both ends."""
        return self._side.goal

    @property
    def refused(self) -> bool:
        """Whether a state has been left out for that."""
        return self._side.refused

    def prepare(self) -> None:
        """Load or compile what `run` calls, which may take seconds."""
        self._forward.prepare()
        self._backward.prepare()

    def can_go_on(self, meter: Meter) -> bool:
        """Whether both sides are large enough or may grow."""
        return self._forward.can_go_on(meter) and self._backward.can_go_on(meter)

    def run(self) -> Iterator[int]:
        """Search until both ends have met, or one has nothing left; now and then the number of states."""
        sides = self._forward, self._backward
        while self.goal is None and not self.refused and all(side.frontier for side in sides):
            self._side, other = sorted(sides, key=lambda side: side.frontier)
            self._side.arguments, self._side.most = other.found, self.most - other.count
            for _ in self._side.run(self._side.count):
                yield self.count

    def path(self, number: int) -> list[Position[Any]]:
        """The positions from a start to a goal through the one where both ends have met."""
        here = self._side.path(number)
        other = self._backward if self._side is self._forward else self._forward
        there = other.path(int(find(*other.found, self._side.words[number])))
        before, after = (here, there) if self._side is self._forward else (there, here)
        return [*before, *after[-2::-1]]
