"""Walk distances on a board, and sets of cells as the bits of whole numbers.

Sets as bits make it quick to look at many arrangements of walls. A row has one bit more than the grid has
columns. It is never set, so that nothing moves from the end of one row to the beginning of the next.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Container, Iterable, Iterator

from gridproof.core.distances import distances
from gridproof.core.limit import check_stop
from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.validity import Cell

Places = int
"""A set of cells."""

_STEPS_PER_CHECK = 256
"""Steps of a flood fill between two checks for a stop."""
_MOST_CACHED = 1 << 14
"""Cells of the largest grid that caches the bits of each."""


def walk_distances(
    level: Level, origins: Iterable[Cell], blocked: Container[Cell], most: float = math.inf
) -> dict[Cell, int]:
    """Return the distance of each cell that can be walked to from some origins, past blocked cells.

    The search ends as soon as it has found more than `most`.
    """
    neighbours = level.neighbours
    return distances(origins, lambda cell: (to for _, to, _ in neighbours[cell] if to not in blocked), most)


class _CellTable(dict[Cell, Places]):
    """Places of each cell of a grid, made on demand, and cached for small grids."""

    def __init__(self, width: int, height: int, build: Callable[[int, int], Places]) -> None:
        self._width, self._height, self._build = width, height, build

    def __missing__(self, cell: Cell) -> Places:
        x, y = cell
        if not (0 <= x < self._width and 0 <= y < self._height):
            raise KeyError(cell)
        places = self._build(x, y)
        if self._width * self._height <= _MOST_CACHED:
            self[cell] = places
        return places


class Grid:
    """The cells of a grid.

    Attributes
    ----------
    bits, crosses : dict of Cell to Places
        Each cell alone, and with all others in its row and its column: whose walls a bomb deletes (K8).
    all_cells : Places
    """

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height, self._stride = width, height, width + 1
        self._row, self._column = (1 << width) - 1, self._repeat_in_rows(1)
        self.all_cells = self._repeat_in_rows(self._row)
        self.bits = _CellTable(width, height, lambda x, y: 1 << y * self._stride + x)
        self.crosses = _CellTable(
            width, height, lambda x, y: self._row << y * self._stride | self._column << x
        )

    def _repeat_in_rows(self, places: Places) -> Places:
        """Return places of the first row, repeated in every row."""
        row = f"{places:0{self._stride}b}"
        return int(row * self.height, 2)

    @property
    def columns(self) -> Iterator[Places]:
        """The columns, one at a time to save memory."""
        return (self._column << x for x in range(self.width))

    @property
    def rows(self) -> Iterator[Places]:
        """The rows, one at a time."""
        return (self._row << y * self._stride for y in range(self.height))

    @functools.cached_property
    def interior(self) -> Places:
        """All cells except those at the edges."""
        return self.to_places((x, y) for x in range(1, self.width - 1) for y in range(1, self.height - 1))

    def to_places(self, cells: Iterable[Cell]) -> Places:
        """Return the bits of some cells.

        Raises
        ------
        KeyError
            When one is not in the grid.
        """
        room = bytearray(self._stride * self.height // 8 + 1)
        for x, y in cells:
            if not (0 <= x < self.width and 0 <= y < self.height):
                raise KeyError((x, y))
            bit = y * self._stride + x
            room[bit >> 3] |= 1 << (bit & 7)
        return int.from_bytes(room, "little")

    def to_cells(self, places: Places) -> Iterator[Cell]:
        """Yield the cells of some bits, in reading order."""
        digits = bin(places)[:1:-1]
        bit = digits.find("1")
        while bit >= 0:
            y, x = divmod(bit, self._stride)
            yield x, y
            bit = digits.find("1", bit + 1)

    def flood_fill(self, start: Places, free: Places) -> Places:
        """Return the free places that can be walked to from a start."""
        stride = self._stride
        while True:
            check_stop()
            for _ in range(_STEPS_PER_CHECK):
                across = (start | start << 1 | start >> 1) & free
                grown = across | (across << stride | across >> stride) & free
                if grown == start:
                    return start
                start = grown

    def permanent_walls(self, player: Places, walls: Places, bombs: int) -> Places:
        """Return the walls that bombs cannot delete, wherever the player goes and the boxes are (K8)."""
        for _ in range(bombs):
            area, left = self.flood_fill(player, self.all_cells & ~walls), walls
            for line in (*self.rows, *self.columns):
                if line & area:
                    left &= ~line
            if left == walls:
                break
            walls = left
        return walls
