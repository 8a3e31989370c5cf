"""Cut squares, without which a robot cannot reach its home, and squares that could replace them (R8d).

Two flood fills along one shortest path find them all, since the region that is reached without a square of
the path only grows along it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gridproof.games.robots.board import neighbours

SquareSet = int
"""Set of squares as bits."""


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
    path = _shortest_path(cell, home, squares, stride)
    here = _regions_before_cuts(cell, path, home, squares, stride)
    there = _regions_before_cuts(home, path[::-1], cell, squares, stride)
    return {cut: neighbours(here[cut], stride) & neighbours(there[cut], stride) & ~free for cut in here}


def _shortest_path(start: int, end: int, free: set[int], stride: int) -> list[int]:
    """Return the squares of a shortest path, without its ends."""
    came, queue = {start: start}, [start]
    for square in queue:
        for other in (square - 1, square + 1, square - stride, square + stride):
            if other in free and other not in came:
                came[other] = square
                queue.append(other)
        if end in came:
            break
    path = [came[end]]
    while path[-1] != start:
        path.append(came[path[-1]])
    return path[-2::-1]


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
