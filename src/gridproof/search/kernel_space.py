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
from gridproof.search.two_bit_bfs import TwoBitStates
from gridproof.search.values import values_of_ranks, values_of_states

Array = np.ndarray[Any, Any]


class RankedSpace(StateSpace):
    """State space found by a search over ranks."""

    who = (None,)

    def __init__(self, found: TwoBitStates, complete: bool, meter: Meter) -> None:
        self._found = found
        self.states, self.transitions = found.count, found.transitions
        self.by_depth, self.complete = tuple(found.by_depth), complete
        self.seconds, self.stopped_by = meter.seconds, meter.stopped_by

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
        if position.level != ranking.level or (rank := ranking.rank(position)) not in self._found:
            return None
        return rank if ranking.unrank(rank) == position else None  # it may be unreachable and share a rank

    @functools.cached_property
    def _numbering(self) -> tuple[Array, Array]:
        """Ranks by number, and numbers by rank; 4 bytes each, where that is enough."""
        size = self._found.ranking.size
        kind = np.int32 if size < 1 << 31 else np.int64
        ranks, numbers = np.empty(self.states, kind), np.full(size, -1, kind)
        first = 0
        for some in self._found.rank_blocks():
            ranks[first : first + len(some)] = some
            first += len(some)
        numbers[ranks] = np.arange(self.states, dtype=kind)
        return ranks, numbers

    def _position(self, number: int) -> Position[Any]:
        return self._found.ranking.unrank(int(self._numbering[0][number]))

    def _number(self, position: Position[Any]) -> int | None:
        rank = self._rank(position)
        return None if rank is None else int(self._numbering[1][rank])

    def _graph(self) -> Graph:
        return graph_of_ranks(self._found, *self._numbering)

    def _values(self, term: Term) -> Array:
        return values_of_ranks(term, self, self._found, self._numbering[0])


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

    def _values(self, term: Term) -> Array:
        return values_of_states(term, self, self._found)
