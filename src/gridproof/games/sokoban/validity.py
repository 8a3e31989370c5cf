"""Validation of levels: types first, then every broken condition of K2, K3 and K4 at once."""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from gridproof.core.errors import GridproofError, Problem
from gridproof.core.text.phrases import format_count

Cell = tuple[int, int]
"""A position (x, y): x grows to the right, y downwards (K1)."""

LARGEST_SIDE = 1000
"""The most cells a grid has in a row or a column."""
LARGEST_NUMBER = 999_999_999
"""The most bombs that a level has; no coordinate is larger either."""


def _to_int(value: object, what: str) -> int:
    """Return a whole number (also one of numpy's) of at most 9 digits as an int."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # what has no index is refused here
    except TypeError:
        raise GridproofError(f"{what} is a whole number, not {value!r}") from None
    if isinstance(value, bool):
        raise GridproofError(f"{what} is a whole number, not {value!r}")
    if abs(number) > LARGEST_NUMBER:
        raise GridproofError(f"{what} has more than {len(str(LARGEST_NUMBER))} digits")
    return number


def _to_cell(value: object, what: str) -> Cell:
    """Return a value as a cell; GridproofError when it is no pair of whole numbers."""
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise GridproofError(f"{what} stands at a pair of whole numbers (x, y), not {value!r}")
    x, y = value
    return _to_int(x, f"x of {what}"), _to_int(y, f"y of {what}")


def _to_cells(values: object, what: str) -> frozenset[Cell]:
    """Return values as a set of cells; GridproofError when one of them is none."""
    if not isinstance(values, Iterable):
        raise GridproofError(f"cells are needed for {what}, not {values!r}")
    return frozenset(_to_cell(value, what) for value in values)


def _to_size(size: object, *parts: Iterable[Cell]) -> tuple[int, int]:
    """Return the given size of the grid, else the size that the parts of the level need (K4).

    Raises
    ------
    GridproofError
        When it is no pair of whole numbers from 1 to LARGEST_SIDE.
    """
    if size is None:
        cells = [cell for part in parts for cell in part]
        size = (
            max((x for x, _ in cells if x > 0), default=0) + 1,
            max((y for _, y in cells if y > 0), default=0) + 1,
        )
    if not isinstance(size, (tuple, list)) or len(size) != 2:
        raise GridproofError(f"a size is a pair of whole numbers (width, height), not {size!r}")
    width, height = _to_int(size[0], "the width"), _to_int(size[1], "the height")
    if not (1 <= width <= LARGEST_SIDE and 1 <= height <= LARGEST_SIDE):
        raise GridproofError(
            f"a grid of {width} x {height} cells: each side has from 1 to {LARGEST_SIDE} of them"
        )
    return width, height


def sort_cells(cells: Iterable[Cell]) -> list[Cell]:
    """Return cells in reading order: row by row from the top, each row from the left."""
    return sorted(cells, key=lambda cell: (cell[1], cell[0]))


def name_cell(cell: Cell) -> str:
    """Name a cell for players, who count rows and columns from 1."""
    x, y = cell
    return f"row {y + 1}, column {x + 1}"


@dataclass(frozen=True, slots=True)
class LevelParts:
    """The parts of a level of the right kinds, but perhaps no valid level."""

    players: tuple[Cell, ...]
    bombs: int
    boxes: frozenset[Cell]
    depots: frozenset[Cell]
    walls: frozenset[Cell]
    size: tuple[int, int]
    inside: bool = False
    """True if all parts are known to lie inside the grid, as they do when they are read from rows."""

    @classmethod
    def from_values(
        cls,
        players: Iterable[object],
        bombs: object,
        boxes: object,
        depots: object,
        walls: object,
        size: object = None,
    ) -> LevelParts:
        """Return the parts of a level from the arguments of `Level`.

        Raises
        ------
        GridproofError
            For a value of another kind, or a grid with more than LARGEST_SIDE cells a side.
        """
        people = tuple(_to_cell(player, "the player") for player in players)
        number = _to_int(bombs, "the number of bombs")
        parts = _to_cells(boxes, "a box"), _to_cells(depots, "a depot"), _to_cells(walls, "a wall")
        return cls(people, number, *parts, _to_size(size, people, *parts))

    def problems(self) -> list[Problem]:
        """Return every broken condition: by code, in the order of K3, then in reading order."""
        players = set(self.players)
        return [
            *self._number_problems(),
            *_problems("K3-player-on-box", "the player stands on a box", self.boxes & players),
            *_problems("K3-player-on-wall", "the player stands on a wall", self.walls & players),
            *self._count_problems(),
            *_problems("K3-wall-on-box", "a wall stands on a box", self.walls & self.boxes),
            *_problems("K3-wall-on-depot", "a wall stands on a depot", self.walls & self.depots),
            *([] if self.boxes else [Problem("K3-no-box", None, "there is no box")]),
            *([] if self.inside else self._outside_problems()),
        ]

    def _number_problems(self) -> Iterator[Problem]:
        """K2: one player, and no negative number of bombs."""
        if not self.players:
            yield Problem("K2-no-player", None, "there is no player")
        for player in self.players[1:]:
            yield Problem("K2-many-players", player, f"another player; the first is at {self.players[0]}")
        if self.bombs < 0:
            yield Problem("K2-bombs", self.bombs, "the number of bombs is negative")

    def _count_problems(self) -> Iterator[Problem]:
        boxes, depots = len(self.boxes), len(self.depots)
        if boxes != depots:
            yield Problem(
                "K3-counts",
                None,
                f"there {'is' if boxes == 1 else 'are'} {format_count(boxes, 'boxes')} and {format_count(depots, 'depots')}",
            )

    def _outside_problems(self) -> Iterator[Problem]:
        """K4: everything lies inside the grid."""
        width, height = self.size
        parts = {"player": self.players, "box": self.boxes, "depot": self.depots, "wall": self.walls}
        for name, cells in parts.items():
            outside = [(x, y) for x, y in cells if not (0 <= x < width and 0 <= y < height)]
            message = f"the {name} is outside the grid of {width} x {height} cells"
            yield from _problems("K4-outside", message, outside)


def _problems(code: str, message: str, cells: Collection[Cell]) -> Iterable[Problem]:
    return [Problem(code, cell, message) for cell in sort_cells(cells)] if cells else ()
