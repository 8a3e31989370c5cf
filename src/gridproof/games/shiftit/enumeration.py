"""All positions of a board of Shift It: the tiles without locks on all their places, in any order."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from gridproof.games.shiftit.rules import Level, Position
from gridproof.prove.enumeration import Enumeration, Who


def _free_places(level: Level) -> list[int]:
    """Return the places of tiles without locks; locked tiles stay (S4)."""
    return [place for place, tile in enumerate(level.tiles) if not tile.locked]


def size(starts: Sequence[Position], who: Who) -> int:
    """Return the number of positions."""
    return math.factorial(len(_free_places(starts[0].level)))


def positions(starts: Sequence[Position], who: Who) -> Iterator[Position]:
    """Yield all positions: the start is the identity."""
    level = starts[0].level
    places = _free_places(level)
    tiles = list(range(len(level.tiles)))
    for order in itertools.permutations(places):
        for place, tile in zip(places, order, strict=True):
            tiles[place] = tile
        yield Position(level, tuple(tiles))


ENUMERATION = Enumeration(size=size, positions=positions)
