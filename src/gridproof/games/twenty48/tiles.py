"""Tiles, apart from games: which there are, how a line of them slides, what appears, what is a board."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from gridproof.core.errors import Problem

SIZES = range(2, 7)
"""How many rows and columns a board may have (T1)."""
LEAST_TARGET = 8
LARGEST = 2**255
"""The largest tile a level may start with, or have as its target: its exponent fits a byte."""

Cell = tuple[int, int]
"""(row, column), from the upper left corner (T15)."""


class SpawnRule(NamedTuple):
    """What appears, as urns: their entries are equally likely, equal ones stand together."""

    tile: tuple[int, ...]
    """After a move (T10)."""
    pair: tuple[tuple[int, int], ...]
    """At the start, for the first and the second of two cells (T5)."""


_CLASSIC = (2,) * 9 + (4,)
SPAWN_RULES = {
    "spec": SpawnRule((2,), ((2, 2),) * 18 + ((2, 4), (4, 2))),
    "classic": SpawnRule(_CLASSIC, tuple(sorted(itertools.product(_CLASSIC, _CLASSIC)))),
}


def is_tile(value: object) -> bool:
    """Whether a value is 2, 4, 8, ... and a plain int (T1, T12)."""
    return type(value) is int and value >= 2 and value & (value - 1) == 0


@dataclass(frozen=True, slots=True)
class Merged:
    """Two tiles have become one of `value` (T6)."""

    cell: Cell
    value: int


@dataclass(frozen=True, slots=True)
class Spawned:
    """A tile has appeared (T5, T10)."""

    cell: Cell
    value: int


def slide(line: tuple[int, ...]) -> tuple[tuple[int, ...], Mapping[int, int]]:
    """Slide a line towards its beginning and combine (T6).

    Returns
    -------
    tuple
        The line after it, and the new tiles: place in the line -> value.
    """
    tiles: list[int] = []
    merged: dict[int, int] = {}
    for tile in filter(None, line):
        last = len(tiles) - 1
        if tiles and tiles[last] == tile and last not in merged:
            tiles[last] = merged[last] = 2 * tile
        else:
            tiles.append(tile)
    return (*tiles, *(0,) * (len(line) - len(tiles))), merged


class Slid(NamedTuple):
    """A line of a board after a move."""

    line: tuple[int, ...]
    gained: int
    """The sum of the new tiles (T7)."""
    events: tuple[Merged, ...]


class Slides(dict[tuple[int, ...], Slid]):
    """What a slide makes of one line of a board, remembered; bounded, for lines are many on 6 x 6."""

    MOST = 1 << 16

    def __init__(self, cells: Sequence[Cell]) -> None:
        super().__init__()
        self._cells = cells

    def __missing__(self, line: tuple[int, ...]) -> Slid:
        after, merged = slide(line)
        events = tuple(Merged(self._cells[place], value) for place, value in merged.items())
        if len(self) >= self.MOST:
            self.clear()
        self[line] = slid = Slid(after, sum(merged.values()), events)
        return slid


def board_problems(
    board: object, size: tuple[int, int] | None, largest: int | None = None
) -> Iterator[Problem]:
    """What is wrong with rows of cells, given (width, height) and the largest tile, if any (T12)."""
    rows = _table(board)
    if rows is None:
        yield Problem("T12-form", None, "a board is a sequence of rows, and a row one of numbers")
        return
    if size and [len(row) for row in rows] != [size[0]] * size[1]:
        yield Problem("T12-size", None, f"the board has not {size[1]} rows of {size[0]} cells")
    cells = [((row, column), tile) for row, line in enumerate(rows) for column, tile in enumerate(line)]
    for cell, tile in cells:
        if not is_tile(tile) and (type(tile) is not int or tile):
            yield Problem("T12-value", cell, "a cell is 0 or a power of two from 2 on")
        elif largest and tile > largest:
            yield Problem("T1-large", cell, "no level starts with a tile above 2^255")
    if sum(is_tile(tile) for _, tile in cells) < 2:
        yield Problem("T3-two-tiles", None, "at least two cells hold a tile")


def _table(board: object) -> list[list[Any]] | None:
    if not isinstance(board, list | tuple) or not all(isinstance(row, list | tuple) for row in board):
        return None
    return [list(row) for row in board]
