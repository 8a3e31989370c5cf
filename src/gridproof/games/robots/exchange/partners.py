"""Which tiles may be exchanged with which: counted, and listed one after the other (R21).

Whether R8 holds afterwards depends on the two tiles alone, not on how conveyors turn, since belts
add nothing to plain connection. For each tile there is one set of those that it may be exchanged with;
on a large board these are counted in a moment, where the pairs are tens of millions.
"""

from __future__ import annotations

import bisect
import functools
import itertools
from collections.abc import Iterator
from typing import NamedTuple

from gridproof.games.robots.belts import Squares
from gridproof.games.robots.board import (
    ROTATIONS,
    Layout,
    around,
    bits,
    component,
    cut_off,
)
from gridproof.games.robots.exchange.cuts import Places, cuts, squares_of


class Pair(NamedTuple):
    """Two squares whose tiles may be exchanged, the first one first in reading order."""

    first: int
    second: int
    ways: int
    """The ways in which the conveyors among them may turn."""


@functools.lru_cache(maxsize=64)
def partners_of(layout: Layout, cells: Squares, homes: Squares) -> Partners:
    """The exchanges of a position, cached, since they are asked for several times."""
    return Partners(layout, cells, homes)


def any_pair(layout: Layout, cells: Squares, homes: Squares) -> bool:
    """Whether there is any exchange.

    A conveyor and another tile to walk on, no robot on either, always make one: the free squares stay the same.
    Only without these are cut squares looked for.
    """
    ridden = bits(cells)
    conveyors = layout.conveyors & ~ridden
    if conveyors and (conveyors | layout.normal & ~ridden).bit_count() > 1:
        return True
    return bool(partners_of(layout, cells, homes))


class Partners:
    """The tiles of a position that may be exchanged, robots riding along, such that R8 holds afterwards.

    Parameters
    ----------
    layout : Layout
    cells, homes : tuple of int
        Each robot's square and that of its home, which are different.
    """

    def __init__(self, layout: Layout, cells: Squares, homes: Squares) -> None:
        self._cells, self._homes, self._stride = cells, homes, layout.grid.stride
        ridden = bits(cells)
        self._free = layout.open & ~ridden
        self._conveyors, self._normal, self._broken = layout.conveyors, layout.normal, layout.broken
        self._movable = self._conveyors | self._normal | self._broken
        self._riders = ridden & self._movable
        self._instead = self._cut_from(cells, self._free)

    def _cut_from(self, cells: Squares, free: Places, but: int = -1) -> dict[int, Places]:
        """The cut squares of all robots, each with the squares that could replace it for all of them."""
        instead: dict[int, Places] = {}
        for number, (cell, home) in enumerate(zip(cells, self._homes, strict=True)):
            if number != but:
                for cut, others in cuts(cell, home, free, self._stride).items():
                    instead[cut] = instead.get(cut, others) & others
        return instead

    @functools.cached_property
    def _spare(self) -> Places:
        """The free squares that are no cut squares of any robot."""
        return self._free & ~bits(self._instead)

    @functools.cached_property
    def _opened(self) -> dict[int, Places]:
        """For each broken tile, the cut squares that it may be exchanged with."""
        found: dict[int, Places] = {}
        for cut, others in self._instead.items():
            for square in squares_of(others & self._broken):
                found[square] = found.get(square, 0) | 1 << cut
        return found

    @functools.cached_property
    def _ridden(self) -> dict[int, Places]:
        """For each robot's tile, the squares that it may be exchanged with."""
        return {
            cell: self._partners_of_rider(number, cell)
            for number, cell in enumerate(self._cells)
            if self._riders >> cell & 1
        }

    def _partners_of_rider(self, number: int, cell: int) -> Places:
        """The squares that the tile of a robot may be exchanged with: its own becomes free, the other one does not."""
        home, opened = 1 << self._homes[number], self._free | 1 << cell
        broken = self._broken & around(component(home, self._free, self._stride), self._stride)
        missed = bits(self._cut_from(self._cells, opened, number))
        free = self._free & component(home, opened, self._stride) & ~missed
        others = (
            other for other in squares_of(self._riders) if other != cell and self._may_swap(cell, other)
        )
        return self._movable & (broken | free) | bits(others)

    def _may_swap(self, one: int, other: int) -> bool:
        """Whether two robots' tiles may be exchanged."""
        swap = {one: other, other: one}
        cells = tuple(swap.get(cell, cell) for cell in self._cells)
        return next(cut_off(cells, self._homes, self._free, self._stride), None) is None

    def _second(self, first: int) -> Places:
        """The squares after a movable one that may be exchanged with it."""
        bit = 1 << first
        if self._riders & bit:
            found = self._ridden[first]
        else:
            found = bits(square for square, others in self._ridden.items() if others & bit)
            found |= self._unridden(first, bit) & ~self._riders
        return found >> first + 1 << first + 1

    def _unridden(self, first: int, bit: int) -> Places:
        if self._broken & bit:  # the other one is no cut square, or this one, which becomes free, replaces it
            return (self._spare & (self._normal | self._conveyors)) | (
                self._opened.get(first, 0) & self._movable
            )
        found = self._broken if self._spare & bit else self._broken & self._instead[first]
        # the free squares stay the same; two normal tiles make no difference
        return found | self._conveyors | (0 if self._normal & bit else self._normal)

    def _ways(self, first: int, second: Places) -> int:
        """In how many ways a tile can be exchanged with those of some squares."""
        count = second.bit_count() + (len(ROTATIONS) - 1) * (second & self._conveyors).bit_count()
        if not self._conveyors >> first & 1:
            return count
        count *= len(ROTATIONS)
        # one way to turn changes nothing
        return (
            count
            if self._riders >> first & 1
            else count - (second & self._conveyors & ~self._riders).bit_count()
        )

    def __bool__(self) -> bool:
        """Whether there is any pair; two tiles without robots are looked at first, as they are known soonest."""
        unridden = self._movable & ~self._riders
        return any(
            (self._unridden(first, 1 << first) & ~self._riders) >> first + 1 for first in squares_of(unridden)
        ) or any(True for _ in self)

    def __iter__(self) -> Iterator[Pair]:
        """The pairs in reading order."""
        for first in squares_of(self._movable):
            for second in squares_of(self._second(first)):
                yield Pair(first, second, self._ways(first, 1 << second))

    @functools.cached_property
    def _ends(self) -> tuple[list[int], list[int]]:
        """The movable squares, and for each the number of exchanges whose first square is this one or one before."""
        squares = list(squares_of(self._movable))
        counts = (self._ways(first, self._second(first)) for first in squares)
        return squares, list(itertools.accumulate(counts))

    @property
    def total(self) -> int:
        """How many exchanges there are, turned in all ways."""
        return self._ends[1][-1] if self._ends[1] else 0

    def pair(self, first: int, second: int) -> Pair | None:
        """The pair of these squares, when they are one."""
        bit = 1 << second
        if not self._movable >> first & 1 or not self._second(first) & bit:
            return None
        return Pair(first, second, self._ways(first, bit))

    def numbered(self, number: int) -> tuple[Pair, int]:
        """The pair of the exchange with this number, and the number of its way to turn; all numbers are from 0."""
        squares, ends = self._ends
        place = bisect.bisect_right(ends, number)
        first, number = squares[place], number - (ends[place - 1] if place else 0)
        for second in squares_of(self._second(first)):
            pair = Pair(first, second, self._ways(first, 1 << second))
            if number < pair.ways:
                break
            number -= pair.ways
        return pair, number
