"""State spaces that kernels have explored."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from gridproof.core.limit import Meter
from gridproof.core.position import Level, Position
from gridproof.core.proposition import Term
from gridproof.search.actors import Who
from gridproof.search.graph import Graph, graph_of_ranks, graph_of_states
from gridproof.search.packed_bfs import PackedStates
from gridproof.search.space import StateSpace
from gridproof.search.two_bit_bfs import FrontierPart, TwoBitStates
from gridproof.search.values import values_of_part, values_of_ranks, values_of_states

Array = np.ndarray[Any, Any]


class RankedSpace(StateSpace):
    """State space found by a search over ranks."""

    who = (None,)

    def __init__(
        self, found: TwoBitStates, complete: bool, meter: Meter, part: FrontierPart | None = None
    ) -> None:
        """Hold all positions found, or those up to the end of a part of the last layer."""
        self._found, self._part = found, part
        left_out = found.count - part.last if part else 0
        self.states, self.transitions = found.count - left_out, found.transitions
        self.by_depth, self.complete = (*found.by_depth[:-1], found.by_depth[-1] - left_out), complete
        self.seconds, self.stopped_by = meter.seconds, meter.stopped_by

    @property
    def complete_layers(self) -> int:
        return len(self.by_depth)

    @property
    def level(self) -> Level:
        return self._found.ranking.level

    def __iter__(self) -> Iterator[Position[Any]]:
        return map(self._found.ranking.unrank, self._found)

    def path(self, position: Position[Any]) -> list[Position[Any]] | None:
        rank = self._rank(position)
        unrank = self._found.ranking.unrank
        return None if rank is None else [unrank(number) for number in self._found.path(rank)]

    def _rank(self, position: Position[Any]) -> int | None:
        ranking = self._found.ranking
        rank = ranking.rank(position) if ranking.has(position) else -1
        return rank if rank in self._found else None

    def _rank_of(self, number: int) -> int:
        """Return the rank of a number; the layers between the first and the last one have to be searched again."""
        before = self.states - self.by_depth[-1]
        if number < self.by_depth[0]:
            return self._found.starts[number]
        if self.complete or number < before:
            return int(self._numbering[0][number])
        for some in self._found.frontier_blocks():
            if number < before + len(some):
                return int(some[number - before])
            before += len(some)
        raise IndexError(number)

    @functools.cached_property
    def _numbering(self) -> tuple[Array, Array]:
        """Ranks by number, and numbers by rank; 4 bytes each, where that is enough."""
        count, size, kind = self._found.count, self._found.ranking.size, self._kind
        ranks, numbers = np.empty(count, kind), np.full(size, -1, kind)
        first = 0
        for some in self._found.rank_blocks():
            ranks[first : first + len(some)] = some
            first += len(some)
        numbers[ranks] = np.arange(count, dtype=kind)
        return ranks, numbers

    @property
    def _kind(self) -> type[np.signedinteger[Any]]:
        return np.int32 if self._found.ranking.size < 1 << 31 else np.int64

    def _position(self, number: int) -> Position[Any]:
        return self._found.ranking.unrank(self._rank_of(number))

    def _number(self, position: Position[Any]) -> int | None:
        rank = self._rank(position)
        return None if rank is None else int(self._numbering[1][rank])

    def _graph(self) -> Graph:
        return graph_of_ranks(self._found, *self._numbering)

    def _values(self, term: Term, first: int) -> Array:
        packing = self._found.packing
        if packing and self._part and first == self._part.first:
            return values_of_part(term, self, self._found, packing, self._part)
        before = self.states - self.by_depth[-1]
        if self.complete or first < before:
            return values_of_ranks(term, self, self._found, self._numbering[0][first : self.states])
        blocks = (some.astype(self._kind) for some in self._found.frontier_blocks())
        values = np.concatenate([values_of_ranks(term, self, self._found, some) for some in blocks])
        return values[first - before : self.states - before].copy()


class PackedSpace(StateSpace):
    """State space found by a search over packed states."""

    def __init__(self, found: PackedStates, who: Who, complete: bool, meter: Meter) -> None:
        self._found, self.who = found, who
        self.states, self.transitions, self.by_depth = found.count, found.transitions, found.by_depth()
        self.complete, self.seconds, self.stopped_by = complete, meter.seconds, meter.stopped_by

    @property
    def expanded_count(self) -> int:
        return self._found.expanded_count

    @property
    def level(self) -> Level:
        return self._found.packing.level

    def __iter__(self) -> Iterator[Position[Any]]:
        return map(self._found.position, range(self.states))

    def path(self, position: Position[Any]) -> list[Position[Any]] | None:
        number = self._number(position)
        return None if number is None else self._found.path(number)

    def _position(self, number: int) -> Position[Any]:
        return self._found.position(number)

    def _number(self, position: Position[Any]) -> int | None:
        return self._found.number(position) if position.level == self.level else None

    def _graph(self) -> Graph:
        return graph_of_states(self._found)

    def _values(self, term: Term, first: int) -> Array:
        return values_of_states(term, self, self._found, first)
