"""State spaces whose positions are on a disk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Meter
from gridproof.core.position import Level, Position
from gridproof.core.proposition import Term
from gridproof.search.actors import Who
from gridproof.search.disk.layers import DiskSearch
from gridproof.search.graph import Graph
from gridproof.search.space import StateSpace
from gridproof.search.values import values_of_words

Array = np.ndarray[Any, Any]


class DiskSpace(StateSpace):
    """The positions in the finished layers of a search on a disk, sorted within each layer."""

    def __init__(self, found: DiskSearch, who: Who, complete: bool, meter: Meter) -> None:
        self._found, self.who = found, who
        self.states, self.transitions, self.by_depth = found.count, found.transitions, found.by_depth
        self.complete, self.seconds, self.stopped_by = complete, meter.seconds, meter.stopped_by
        self.disk = found.store.size
        """The bytes that the folder takes on the disk."""

    def to_dict(self) -> dict[str, Any]:
        return super().to_dict() | {"disk": self.disk}

    @property
    def expanded_count(self) -> int:
        return self.states if self.complete else self.states - sum(self.by_depth[-1:])

    @property
    def level(self) -> Level:
        return self._found.packing.level

    def __iter__(self) -> Iterator[Position[Any]]:
        for _, states in self._blocks(0):
            yield from map(self._found.packing.unpack, states)

    def path(self, position: Position[Any]) -> list[Position[Any]] | None:
        return self._found.path(position)

    def depth(self, position: Position[Any]) -> int:
        layer = self._found.layer_of(position)
        if layer is None:
            raise GridproofError("the position was not reached")
        return layer

    def _position(self, number: int) -> Position[Any]:
        return self._found.position(*self._found.layer_at(number))

    def _number(self, position: Position[Any]) -> int | None:
        layer = self._found.layer_of(position)
        place = None if layer is None else self._found.place(layer, position)
        return None if layer is None or place is None else sum(self.by_depth[:layer]) + place

    def _graph(self) -> Graph:
        raise GridproofError("a space on a disk has no graph: explore it in memory")

    def _values(self, term: Term, first: int) -> Array:
        return np.concatenate([*self._value_blocks(term, first)])

    def _value_blocks(self, term: Term, first: int) -> Iterator[Array]:
        for begin, states in self._blocks(first):
            yield self._block_values(term, begin, states)[max(0, first - begin) :]

    def _block_values(self, term: Term, begin: int, states: Array) -> Array:
        """Return the values of positions of which the first has the number `begin`."""

        def place(position: Position[Any]) -> int | None:
            number = self._number(position)
            return None if number is None or not 0 <= number - begin < len(states) else number - begin

        return values_of_words(term, self.level, (self._found.game, self._found.packing), states, place)

    def _blocks(self, first: int) -> Iterator[tuple[int, Array]]:
        """Yield the states of all positions from a number on, some at a time, with the number of the first of them."""
        begin = 0
        for layer, count in enumerate(self.by_depth):
            if begin + count <= first:
                begin += count
                continue
            for states in self._found.state_blocks(layer):
                if begin + len(states) > first:
                    yield begin, states
                begin += len(states)
