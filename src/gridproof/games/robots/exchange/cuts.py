"""Cut squares: those without which a robot cannot reach its home, and which squares could replace them (R8d).

Two flood fills along one shortest path find them all, since the region that is reached without a square of
the path only grows along it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gridproof.games.robots.board import around

Places = int
"""A set of squares, as bits."""


def squares_of(places: Places) -> Iterator[int]:
    """The squares of a set in reading order."""
    text = bin(places)
    last = len(text) - 1
    place = text.rfind("1")
    while place > 1:
        yield last - place
        place = text.rfind("1", 0, place)


def cuts(cell: int, home: int, free: Places, stride: int) -> dict[int, Places]:
    """The free squares without which a robot cannot reach its home.

    Each comes with those squares, not free, any one of which could replace it.

    Parameters
    ----------
    cell, home : int
        Different squares, the second one reached from the first.
    free : Places
        The squares that are not occupied (R4), the home among them.
    """
    squares = set(squares_of(free))
    way = _way(cell, home, squares, stride)
    here = _reached_before(cell, way, home, squares, stride)
    there = _reached_before(home, way[::-1], cell, squares, stride)
    return {cut: around(here[cut], stride) & around(there[cut], stride) & ~free for cut in here}


def _way(start: int, end: int, free: set[int], stride: int) -> list[int]:
    """The squares of a shortest path, without its ends."""
    came, queue = {start: start}, [start]
    for square in queue:
        for other in (square - 1, square + 1, square - stride, square + stride):
            if other in free and other not in came:
                came[other] = square
                queue.append(other)
        if end in came:
            break
    way = [came[end]]
    while way[-1] != start:
        way.append(came[way[-1]])
    return way[-2::-1]


def _reached_before(
    start: int, way: Sequence[int], end: int, free: set[int], stride: int
) -> dict[int, Places]:
    """For each cut square of a path, the region that is reached without it."""
    places = {square: number for number, square in enumerate((*way, end))}
    found, fresh, reached, furthest = {start}, [start], 1 << start, -1
    before = {}
    for number, square in enumerate(way):
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
