"""Tiles, apart from games: which there are, how a line of them slides, what appears."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

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


def slid_to(line: Sequence[int]) -> Mapping[int, int]:
    """Where each tile of a line slides to: its place -> the place after; two that combine come to one (T6)."""
    found: dict[int, int] = {}
    end, waiting = -1, 0
    for place, tile in enumerate(line):
        if tile:
            combines = tile == waiting
            end += not combines
            waiting = 0 if combines else tile
            found[place] = end
    return found


class Slid(NamedTuple):
    """A line of a board after a move."""

    line: tuple[int, ...]
    gained: int
    """The sum of the new tiles (T7)."""
    merged: tuple[tuple[int, int], ...]
    """The new tiles: (place in the line, value)."""


class Slides(dict[tuple[int, ...], Slid]):
    """What slides make of lines, remembered; bounded, for lines are many on 6 x 6."""

    MOST = 1 << 16

    def __missing__(self, line: tuple[int, ...]) -> Slid:
        after, merged = slide(line)
        if len(self) >= self.MOST:
            self.clear()
        self[line] = slid = Slid(after, sum(merged.values()), tuple(merged.items()))
        return slid


SLIDES = Slides()
"""Of all boards: a line slides alike in every row and column."""
