"""Pairs of tiles that may be exchanged: counted, and listed one after the other (R21).

Whether R8 holds afterwards depends on the two tiles alone, not on how conveyors turn, since belts
add nothing to plain connection. For each tile there is one set of those that it may be exchanged with;
on a large board these are counted in a moment, where the pairs are tens of millions.

Cut squares are those without which a robot cannot reach its home (R8d). Two flood fills along one shortest
path find them all, since the region that is reached without a square of the path only grows along it.
"""

from __future__ import annotations

import bisect
import functools
import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gridproof.core.distances import shortest_path
from gridproof.games.robots.belts import Squares
from gridproof.games.robots.board import (
    CONVEYOR,
    ROTATIONS,
    Layout,
    component,
    find_cut_off_robots,
    is_conveyor,
    neighbours,
    to_bits,
)

SquareSet = int
"""Set of squares as bits."""
_CONVEYORS = tuple(range(CONVEYOR, CONVEYOR + 4))


class Pair(NamedTuple):
    """Two squares whose tiles may be exchanged, in reading order."""

    first: int
    second: int
    turns: int
    """Number of ways in which the conveyors among them may turn."""


def has_pair(layout: Layout, cells: Squares, homes: Squares) -> bool:
    """Return whether there is any exchange.

    A conveyor and another tile to walk on, without robots, always make one: the free squares stay the same.
    Only without these does the search need cut squares.
    """
    robots = to_bits(cells)
    conveyors = layout.conveyors & ~robots
    if conveyors and (conveyors | layout.normal & ~robots).bit_count() > 1:
        return True
    return bool(partners_of(layout, cells, homes))


class Partners:
    """Tiles of a position that may be exchanged with their robots such that R8 holds afterwards.

    Parameters
    ----------
    layout : Layout
    cells, homes : tuple of int
        Each robot's square and that of its home, which differ.
    """

    def __init__(self, layout: Layout, cells: Squares, homes: Squares) -> None:
        self._cells, self._homes, self._stride = cells, homes, layout.grid.stride
        robots = to_bits(cells)
        self._free = layout.open & ~robots
        self._conveyors, self._normal, self._broken = layout.conveyors, layout.normal, layout.broken
        self._movable = self._conveyors | self._normal | self._broken
        self._riders = robots & self._movable
        self._replacements = self._find_cuts(cells, self._free)

    def _find_cuts(self, cells: Squares, free: SquareSet, skip: int = -1) -> dict[int, SquareSet]:
        """Return the cut squares of all robots but one, each with the squares that could replace it for all of them."""
        replacements: dict[int, SquareSet] = {}
        for number, (cell, home) in enumerate(zip(cells, self._homes, strict=True)):
            if number != skip:
                for cut, others in find_cuts(cell, home, free, self._stride).items():
                    replacements[cut] = replacements.get(cut, others) & others
        return replacements

    @functools.cached_property
    def _spare_squares(self) -> SquareSet:
        """Free squares that are no cut squares of any robot."""
        return self._free & ~to_bits(self._replacements)

    @functools.cached_property
    def _broken_partners(self) -> dict[int, SquareSet]:
        """Cut squares with which each broken tile may be exchanged."""
        found: dict[int, SquareSet] = {}
        for cut, others in self._replacements.items():
            for square in iterate_squares(others & self._broken):
                found[square] = found.get(square, 0) | 1 << cut
        return found

    @functools.cached_property
    def _rider_partners(self) -> dict[int, SquareSet]:
        """Squares with which each robot's tile may be exchanged."""
        return {
            cell: self._partners_of_rider(number, cell)
            for number, cell in enumerate(self._cells)
            if self._riders >> cell & 1
        }

    def _partners_of_rider(self, number: int, cell: int) -> SquareSet:
        """Return the squares with which a robot's tile may be exchanged: its own becomes free, the other one does not."""
        home, opened = 1 << self._homes[number], self._free | 1 << cell
        broken = self._broken & neighbours(component(home, self._free, self._stride), self._stride)
        missed = to_bits(self._find_cuts(self._cells, opened, number))
        free = self._free & component(home, opened, self._stride) & ~missed
        others = (
            other for other in iterate_squares(self._riders) if other != cell and self._can_swap(cell, other)
        )
        return self._movable & (broken | free) | to_bits(others)

    def _can_swap(self, one: int, other: int) -> bool:
        """Return whether two robots' tiles may be exchanged."""
        swap = {one: other, other: one}
        cells = tuple(swap.get(cell, cell) for cell in self._cells)
        return next(find_cut_off_robots(cells, self._homes, self._free, self._stride), None) is None

    def _later_partners(self, first: int) -> SquareSet:
        """Return the squares after a movable one that may be exchanged with it."""
        bit = 1 << first
        if self._riders & bit:
            found = self._rider_partners[first]
        else:
            found = to_bits(square for square, others in self._rider_partners.items() if others & bit)
            found |= self._free_partners(first, bit) & ~self._riders
        return found >> first + 1 << first + 1

    def _free_partners(self, first: int, bit: int) -> SquareSet:
        if self._broken & bit:  # the other one is no cut square, or this one, which becomes free, replaces it
            return (self._spare_squares & (self._normal | self._conveyors)) | (
                self._broken_partners.get(first, 0) & self._movable
            )
        found = self._broken if self._spare_squares & bit else self._broken & self._replacements[first]
        # the free squares stay the same; two normal tiles make no difference
        return found | self._conveyors | (0 if self._normal & bit else self._normal)

    def _count_turns(self, first: int, second: SquareSet) -> int:
        """Return in how many ways a tile can be exchanged with those of some squares."""
        count = second.bit_count() + (len(ROTATIONS) - 1) * (second & self._conveyors).bit_count()
        if not self._conveyors >> first & 1:
            return count
        count *= len(ROTATIONS)
        if self._riders >> first & 1:
            return count
        # one way to turn changes nothing
        return count - (second & self._conveyors & ~self._riders).bit_count()

    def __bool__(self) -> bool:
        """Return whether there is any pair; two tiles without robots come first, as they are quickest."""
        tiles = self._movable & ~self._riders
        return any(
            (self._free_partners(first, 1 << first) & ~self._riders) >> first + 1
            for first in iterate_squares(tiles)
        ) or any(True for _ in self)

    def __iter__(self) -> Iterator[Pair]:
        """Yield the pairs in reading order."""
        for first in iterate_squares(self._movable):
            for second in iterate_squares(self._later_partners(first)):
                yield Pair(first, second, self._count_turns(first, 1 << second))

    @functools.cached_property
    def _cumulative_counts(self) -> tuple[list[int], list[int]]:
        """Movable squares, and for each the number of exchanges whose first square is this one or one before."""
        squares = list(iterate_squares(self._movable))
        counts = (self._count_turns(first, self._later_partners(first)) for first in squares)
        return squares, list(itertools.accumulate(counts))

    @property
    def total(self) -> int:
        """Number of exchanges, with all ways to turn."""
        return self._cumulative_counts[1][-1] if self._cumulative_counts[1] else 0

    def find_pair(self, first: int, second: int) -> Pair | None:
        """Return the pair of these squares; None if they may not be exchanged."""
        bit = 1 << second
        if not self._movable >> first & 1 or not self._later_partners(first) & bit:
            return None
        return Pair(first, second, self._count_turns(first, bit))

    def find_pair_at(self, number: int) -> tuple[Pair, int]:
        """Return the pair of the exchange with this number from 0, and the number of its way to turn."""
        squares, ends = self._cumulative_counts
        place = bisect.bisect_right(ends, number)
        first, number = squares[place], number - (ends[place - 1] if place else 0)
        for second in iterate_squares(self._later_partners(first)):
            pair = Pair(first, second, self._count_turns(first, 1 << second))
            if number < pair.turns:
                break
            number -= pair.turns
        return pair, number


partners_of = functools.lru_cache(maxsize=64)(Partners)
"""The exchanges of a position, cached, as several callers need them."""


def list_turns(layout: Layout, cells: Squares, pair: Pair) -> Iterator[tuple[int, int]]:
    """Yield the codes that the two tiles may have afterwards, the old rotations included (R21)."""
    codes, unmoved = layout.codes, not {pair.first, pair.second} & set(cells)
    before = codes[pair.first], codes[pair.second]
    options = [_CONVEYORS if is_conveyor(code) else (code,) for code in before]
    for one, other in itertools.product(*options):
        if not (unmoved and (other, one) == before):  # the board would not differ
            yield one, other


def iterate_squares(places: SquareSet) -> Iterator[int]:
    """Yield the squares of a set in reading order."""
    text = bin(places)
    last = len(text) - 1
    place = text.rfind("1")
    while place > 1:
        yield last - place
        place = text.rfind("1", 0, place)


def find_cuts(cell: int, home: int, free: SquareSet, stride: int) -> dict[int, SquareSet]:
    """Return the free squares without which a robot cannot reach its home.

    Each comes with the squares, not free, of which any one could replace it.

    Parameters
    ----------
    cell, home : int
        Different squares, the second one reached from the first.
    free : SquareSet
        Squares that are not occupied (R4), the home among them.
    """
    squares = set(iterate_squares(free))

    def steps(square: int) -> Iterator[tuple[int, int]]:
        around = (square - 1, square + 1, square - stride, square + stride)
        return ((other, other) for other in around if other in squares)

    found = shortest_path(cell, steps, lambda square: square == home)
    assert found is not None  # R8d
    path = found[0][:-1]
    here = _regions_before_cuts(cell, path, home, squares, stride)
    there = _regions_before_cuts(home, path[::-1], cell, squares, stride)
    return {cut: neighbours(here[cut], stride) & neighbours(there[cut], stride) & ~free for cut in here}


def _regions_before_cuts(
    start: int, path: Sequence[int], end: int, free: set[int], stride: int
) -> dict[int, SquareSet]:
    """Return for each cut square of a path the region that is reached without it."""
    places = {square: number for number, square in enumerate((*path, end))}
    found, fresh, reached, furthest = {start}, [start], 1 << start, -1
    before = {}
    for number, square in enumerate(path):
        while fresh:
            here = fresh.pop()
            for other in (here - 1, here + 1, here - stride, here + stride):
                if other in places:
                    furthest = max(furthest, places[other])
                elif other in free and other not in found:
                    found.add(other)
                    fresh.append(other)
                    reached |= 1 << other
        if furthest == number:
            before[square] = reached
        found.add(square)
        fresh.append(square)
        reached |= 1 << square
    return before
