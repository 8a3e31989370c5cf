"""Breadth-first search up to symmetry: one state of each orbit."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from gridproof.core.position import Position
from gridproof.core.trace import Trace
from gridproof.kernels.compile import Hole, kernel
from gridproof.kernels.game import GameKernel, Packing
from gridproof.search.kernel_space import PackedSpace
from gridproof.search.packed_bfs import Expansion, PackedStates
from gridproof.search.space import trace_through

Array = np.ndarray[Any, Any]

expand: Any = Hole()
canonicalize: Any = Hole()
size: Any = Hole()


def canonical_successors(acting: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """Write the successors, each in the form that stands for its orbit."""
    data, symmetry = acting
    count = expand(data, state, out, action, reward, weight)
    for i in range(count):
        canonicalize(data, symmetry, out[i])
    return count


def sum_sizes(data: Any, symmetry: Any, words: Any, count: Any) -> Any:
    """Return the number of positions in the orbits of the first states; -1 if it is unknown."""
    total = 0
    for number in range(count):
        positions = size(data, symmetry, words[number])
        if positions < 0:
            return -1
        total += positions
    return total


def pack_orbits(game: GameKernel, packing: Packing, symmetry: Array) -> tuple[Packing, Expansion]:
    """Return a packing that gives one state for all positions of an orbit, and the expansion to such states."""

    def pack(position: Position[Any]) -> Array:
        state = packing.pack(position)
        game.search.symmetry.canonicalize(packing.data, symmetry, state)
        return state

    successors = kernel(
        canonical_successors, expand=game.successors, canonicalize=game.search.symmetry.canonicalize
    )
    expansion = Expansion(successors, (packing.data, symmetry), max(packing.most, 1))
    # a form may be out of reach
    all_fit = dataclasses.replace(packing, pack=pack, fits=lambda position: True)
    return all_fit, expansion


class OrbitStates(PackedStates):
    """Found orbits, in the order of the fewest actions to one of their positions."""

    def __init__(
        self, game: GameKernel, packing: Packing, symmetry: Array, starts: list[Position[Any]]
    ) -> None:
        packing, expansion = pack_orbits(game, packing, symmetry)
        self._symmetry, self._given = symmetry, len(starts)
        self._originals = {packing.pack(start).tobytes(): start for start in reversed(starts)}
        distinct = [*reversed(self._originals.values())]
        super().__init__(game, packing, distinct, who=expansion)

    def original(self, start: Position[Any]) -> Position[Any]:
        """Return the given start in the orbit of a position."""
        original: Position[Any] = self._originals[self.packing.pack(start).tobytes()]
        return original

    def count_positions(self) -> int | None:
        """Return the number of positions in all orbits found; None if some of them may be out of reach.

        All can be reached if all positions in the orbits of the starts are starts.
        """
        if self._sum_sizes(self._starts) != self._given:
            return None
        return self.sum_sizes()

    def sum_sizes(self) -> int | None:
        """Return the number of positions in all orbits found, out of reach or not; None if it is unknown."""
        return self._sum_sizes(self.count)

    def _sum_sizes(self, count: int) -> int | None:
        """Return the number of positions in the first orbits; None if it is unknown."""
        if self.game.search.symmetry.size is None:
            return None
        add = kernel(sum_sizes, size=self.game.search.symmetry.size)
        total = int(add(self.packing.data, self._symmetry, self.words, count))
        return total if total >= 0 else None


class OrbitSpace(PackedSpace):
    """State space with one position of each orbit."""

    is_reduced = True
    _found: OrbitStates

    def trace_to(self, position: Position[Any]) -> Trace:
        """Return a shortest trace from a start to the orbit of a position, replayed by the rules."""
        first, *path = self._path(position)
        return trace_through([self._found.original(first), *path], self.who, self._found.is_same)

    def count_positions(self) -> int | None:
        return self._found.count_positions() if self.complete else None
