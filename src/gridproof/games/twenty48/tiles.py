"""Tiles: their values, slides of a line, spawn rules."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

Cell = tuple[int, int]
"""(row, column), from the upper left corner (T15)."""


class SpawnRule(NamedTuple):
    """The tiles that appear, as urns: entries are equally likely, equal ones stand together."""

    tile: tuple[int, ...]
    """After a move (T10)."""
    pair: tuple[tuple[int, int], ...]
    """At the start, for the first and the second of two cells (T5)."""


_CLASSIC = (2,) * 9 + (4,)
SPAWN_RULES = {
    "spec": SpawnRule((2,), ((2, 2),) * 18 + ((2, 4), (4, 2))),
    "classic": SpawnRule(_CLASSIC, tuple(sorted(itertools.product(_CLASSIC, _CLASSIC)))),
}
SPAWN_WORDS = {"spec": "always a 2", "classic": "one in ten is a 4"}
"""The spawn rules in words."""


def is_tile(value: object) -> bool:
    """Return whether a value is 2, 4, 8, ... and a plain int (T1, T12)."""
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


class SlideResult(NamedTuple):
    """A line after a slide."""

    line: tuple[int, ...]
    reward: int
    """The sum of the new tiles (T7)."""
    merged: tuple[tuple[int, int], ...]
    """The new tiles: (place in the line, value)."""


def slide(line: tuple[int, ...]) -> SlideResult:
    """Slide a line towards its beginning and combine (T6)."""
    tiles: list[int] = []
    merged: dict[int, int] = {}
    for tile in filter(None, line):
        last = len(tiles) - 1
        if tiles and tiles[last] == tile and last not in merged:
            tiles[last] = merged[last] = 2 * tile
        else:
            tiles.append(tile)
    after = (*tiles, *(0,) * (len(line) - len(tiles)))
    return SlideResult(after, sum(merged.values()), tuple(merged.items()))


def slide_targets(line: Sequence[int]) -> Mapping[int, int]:
    """Return the place of each tile of a line after a slide; two that combine come to one place (T6)."""
    found: dict[int, int] = {}
    end, waiting = -1, 0
    for place, tile in enumerate(line):
        if tile:
            combines = tile == waiting
            end += not combines
            waiting = 0 if combines else tile
            found[place] = end
    return found


class SlideCache(dict[tuple[int, ...], SlideResult]):
    """A cache of the results of slides; bounded, since 6 x 6 boards have many lines."""

    MOST = 1 << 16

    def __missing__(self, line: tuple[int, ...]) -> SlideResult:
        if len(self) >= self.MOST:
            self.clear()
        result = self[line] = slide(line)
        return result


SLIDES = SlideCache()
"""The cache of all boards: a line slides alike in every row and column."""
