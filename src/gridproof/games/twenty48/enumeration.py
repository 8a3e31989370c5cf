"""All positions of a board of 2048: all tiles up to the largest one that can be made."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from gridproof.games.twenty48.rules import Position
from gridproof.prove.enumeration import Enumeration, Who


def _values(starts: Sequence[Position]) -> list[int]:
    """Return 0 and the tiles up to the largest one.

    A tile is made of two that stand at once, so each doubling of the largest given tile needs a cell more.
    """
    level = starts[0].level
    largest = max(*level.values, *(max(start.cells) for start in starts))
    return [0, *(1 << power for power in range(1, largest.bit_length() + len(level.cells) - 1))]


def size(starts: Sequence[Position], who: Who) -> int:
    """Return the number of boards, also those with fewer than two tiles."""
    boards: int = len(_values(starts)) ** len(starts[0].cells)
    return boards


def positions(starts: Sequence[Position], who: Who) -> Iterator[Position]:
    """Yield all boards with two tiles or more (T3)."""
    level, cells = starts[0].level, len(starts[0].cells)
    for board in itertools.product(_values(starts), repeat=cells):
        if board.count(0) <= cells - 2:
            yield Position(level, board)


ENUMERATION = Enumeration(size=size, positions=positions)
