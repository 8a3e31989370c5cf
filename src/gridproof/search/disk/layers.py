"""Breadth-first search whose layers are on a disk: what both forms of layers share."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from typing import Any

import numpy as np

from gridproof.core.limit import Meter
from gridproof.core.position import Position
from gridproof.kernels.game import GameKernel, Packing
from gridproof.search.disk.layer_store import DiskLayer, LayerStore, WordFile

Array = np.ndarray[Any, Any]

NextLayer = Generator[int, None, tuple[DiskLayer, tuple[WordFile, ...]]]
"""Yields the number of positions in finished layers now and then; returns the layer, and the files of all seen positions."""


class DiskSearch(ABC):
    """The positions reached from distinct starts, layer by layer, in a folder.

    A place is a position's number within its layer.
    """

    most = 1 << 62
    """The most positions to keep: a layer with which there would be more is left out."""

    def __init__(self, game: GameKernel, packing: Packing, store: LayerStore) -> None:
        self.game, self.packing, self.store = game, packing, store
        self.has_overflow = False

    @property
    def by_depth(self) -> tuple[int, ...]:
        """The numbers of positions in the finished layers."""
        return tuple(layer.positions for layer in self.store.content.layers)

    @property
    def count(self) -> int:
        """The number of positions in the finished layers."""
        return sum(self.by_depth)

    @property
    def transitions(self) -> int:
        """The number of outcomes of the expanded positions."""
        return (
            sum(layer.transitions for layer in self.store.content.layers)
            + self.store.content.last_transitions
        )

    def can_continue(self, meter: Meter) -> bool:
        """Return True: what grows is on the disk."""
        return True

    def run(self) -> Iterator[int]:
        """Expand everything; yield the number of positions now and then.

        Raises
        ------
        DiskFull
            When the next layer does not fit on the disk.
        """
        store = self.store
        try:
            if not store.content.layers:
                self._add(*_result(self._write_next_layer()))
            while not (store.content.is_complete or self.has_overflow):
                yield self.count
                self._add(*(yield from self._write_next_layer()))
        finally:
            store.remove_unfinished()

    def _add(self, layer: DiskLayer, seen: tuple[WordFile, ...]) -> None:
        """Finish a layer, unless there are too many positions with it; the starts are always kept."""
        before = self.store.content
        self.has_overflow = bool(before.layers) and self.count + layer.positions > self.most
        if not layer.positions:
            self.store.commit(before._replace(is_complete=True, last_transitions=layer.transitions))
        elif not self.has_overflow:
            self.store.commit(before._replace(layers=(*before.layers, layer), seen=seen))

    def path(self, position: Position[Any]) -> list[Position[Any]] | None:
        """Return the positions from a start to this one on a shortest path; None when it was not found."""
        layer = self.layer_of(position)
        if layer is None:
            return None
        path = [position]
        while layer:
            layer -= 1
            path.append(self._parent(layer, path[-1]))
        return path[::-1]

    def layer_of(self, position: Position[Any]) -> int | None:
        """Return the number of a position's layer; None when it was not found."""
        layers = range(len(self.store.content.layers))
        return next((layer for layer in layers if self.contains(layer, position)), None)

    def layer_at(self, number: int) -> tuple[int, int]:
        """Return the layer and the place of a position's number among all."""
        ends = list(itertools.accumulate(self.by_depth, initial=0))
        layer = int(np.searchsorted(ends, number, side="right")) - 1
        return layer, number - ends[layer]

    @abstractmethod
    def prepare(self) -> None:
        """Load or compile what `run` calls, which may take seconds."""

    def contains(self, layer: int, position: Position[Any]) -> bool:
        """Return whether a layer has a position."""
        return self.place(layer, position) is not None

    @abstractmethod
    def position(self, layer: int, place: int) -> Position[Any]:
        """Return the position at a place of a layer."""

    @abstractmethod
    def place(self, layer: int, position: Position[Any]) -> int | None:
        """Return the place of a position in a layer; None if it is not there."""

    @abstractmethod
    def state_blocks(self, layer: int) -> Iterator[Array]:
        """Yield the states of a layer in the order of their places, uint64 (positions, words)."""

    @abstractmethod
    def _write_next_layer(self) -> NextLayer:
        """Write the layer after the last finished one; the first one has the starts."""

    @abstractmethod
    def _parent(self, layer: int, position: Position[Any]) -> Position[Any]:
        """Return a position of a layer from which one action leads to this one of the next layer."""


def _result(work: NextLayer) -> tuple[DiskLayer, tuple[WordFile, ...]]:
    """Return what the work returns at its end."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]  # a generator's result has no type
