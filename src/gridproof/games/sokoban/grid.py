"""Where one can walk on a board, and sets of cells as the bits of whole numbers.

Sets as bits make it quick to look at many arrangements of walls. A row has one bit more than the grid has
columns. It is never set, so that nothing moves from the end of one row to the beginning of the next.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator

from gridproof.core.distances import distances
from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.validity import Cell

Places = int
"""A set of cells."""


def walked(
    level: Level, origins: Iterable[Cell], barred: Container[Cell], most: float = math.inf
) -> dict[Cell, int]:
    """How far the cells are that one can walk to from some, past those that are barred.

    The search ends as soon as it has found more than `most`.
    """
    ways = level.ways
    return distances(origins, lambda cell: (to for _, to, _ in ways[cell] if to not in barred), most)


class Grid:
    """The cells of a grid.

    Attributes
    ----------
    bits, crosses : dict of Cell to Places
        Each cell alone, and with all others in its row and its column: whose walls a bomb deletes (K8).
    columns, rows : list of Places
    everywhere : Places
    """

    def __init__(self, width: int, height: int) -> None:
        self._stride = width + 1
        cells = [(x, y) for y in range(height) for x in range(width)]
        self.bits = {(x, y): 1 << y * self._stride + x for x, y in cells}
        self.columns = [self.of((x, y) for y in range(height)) for x in range(width)]
        self.rows = [self.of((x, y) for x in range(width)) for y in range(height)]
        self.crosses = {(x, y): self.columns[x] | self.rows[y] for x, y in cells}
        self.everywhere = sum(self.rows)
        self.inside = self.of((x, y) for x, y in cells if 0 < x < width - 1 and 0 < y < height - 1)

    def of(self, cells: Iterable[Cell]) -> Places:
        """The bits of different cells."""
        return sum(self.bits[cell] for cell in cells)

    def cells(self, places: Places) -> Iterator[Cell]:
        """The cells of some bits, in reading order."""
        while places:
            least = places & -places
            y, x = divmod(least.bit_length() - 1, self._stride)
            yield x, y
            places ^= least

    def reached(self, start: Places, free: Places) -> Places:
        """Where one can walk from a place."""
        stride = self._stride
        while True:
            grown = (start | start << 1 | start >> 1 | start << stride | start >> stride) & free
            if grown == start:
                return start
            start = grown
