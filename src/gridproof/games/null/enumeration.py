"""All positions of a level of null: the walker on each cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gridproof.games.null.rules import Position
from gridproof.prove.enumeration import Enumeration, Who


def size(starts: Sequence[Position], who: Who) -> int:
    """Return the number of positions."""
    return starts[0].level.width


def positions(starts: Sequence[Position], who: Who) -> Iterator[Position]:
    """Yield all positions."""
    level = starts[0].level
    return (Position(level, walker) for walker in range(level.width))


ENUMERATION = Enumeration(size=size, positions=positions)
