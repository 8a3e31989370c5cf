"""All positions of a board of Robots: robots on all cells with all rotations; after exchanges the tiles everywhere, too."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from gridproof.core.limit import check_stop
from gridproof.core.position import NATURE
from gridproof.games.robots.board import (
    BROKEN,
    CONVEYOR,
    NORMAL,
    ROTATIONS,
    Layout,
    is_connected,
    is_conveyor,
)
from gridproof.games.robots.rules import Position
from gridproof.prove.enumeration import Enumeration, Who


def _layouts(start: Position) -> Iterator[Layout]:
    """Yield each way to exchange and turn tiles; hints and homes stay (R21)."""
    codes, grid = start.layout.codes, start.layout.grid
    places = [square for square in grid.squares if _is_movable(codes[square])]
    wrecks, belts = _counts(start)
    for broken in itertools.combinations(places, wrecks):
        rest = [place for place in places if place not in broken]
        for conveyors in itertools.combinations(rest, belts):
            for turns in itertools.product(range(4), repeat=belts):
                tiles = bytearray(codes)
                for place in places:
                    tiles[place] = BROKEN if place in broken else NORMAL
                for place, turn in zip(conveyors, turns, strict=True):
                    tiles[place] = CONVEYOR + turn
                yield Layout(grid, bytes(tiles))


def _counts(start: Position) -> tuple[int, int]:
    """Return the numbers of broken tiles and of conveyors."""
    codes = [start.layout.codes[square] for square in start.layout.grid.squares]
    return codes.count(BROKEN), sum(map(is_conveyor, codes))


def _number_of_layouts(start: Position) -> int:
    """Return the number of ways to exchange and turn tiles."""
    wrecks, belts = _counts(start)
    normal = sum(start.layout.codes[square] == NORMAL for square in start.layout.grid.squares)
    turns: int = 4**belts
    return math.comb(normal + wrecks + belts, wrecks) * math.comb(normal + belts, belts) * turns


def _distinct(starts: Sequence[Position], who: Who) -> list[Position]:
    """Return a start for each layout; with exchanges for all layouts that lead to each other, perhaps."""
    if NATURE not in who:
        return list({start.layout: start for start in starts}.values())
    return list({(_counts(start), _fixed_tiles(start)): start for start in starts}.values())


def _fixed_tiles(start: Position) -> tuple[tuple[int, int], ...]:
    """Return the squares with the codes that no exchange changes."""
    codes = start.layout.codes
    fixed = (one for one in start.layout.grid.squares if not _is_movable(codes[one]))
    return tuple((square, codes[square]) for square in fixed)


def _is_movable(code: int) -> bool:
    """Return whether a tile can be exchanged (R21)."""
    return code in (NORMAL, BROKEN) or is_conveyor(code)


def size(starts: Sequence[Position], who: Who) -> int:
    """Return the number of placements and rotations of robots on all layouts, also where R8 fails."""
    level = starts[0].level
    robots, cells = len(level.robots), len(level.grid.squares)
    layouts = sum(_number_of_layouts(start) if NATURE in who else 1 for start in _distinct(starts, who))
    rotations: int = len(ROTATIONS) ** robots
    return layouts * math.perm(cells, robots) * rotations


def positions(starts: Sequence[Position], who: Who) -> Iterator[Position]:
    """Yield all positions in which R8 holds."""
    level = starts[0].level
    for start in _distinct(starts, who):
        for layout in _layouts(start) if NATURE in who else (start.layout,):
            floor = [one for one in level.grid.squares if layout.codes[one] != BROKEN]
            for squares in itertools.permutations(floor, len(level.robots)):
                check_stop()
                if is_connected(layout, squares, level.homes):
                    for rotations in itertools.product(ROTATIONS, repeat=len(squares)):
                        yield Position(level, layout, squares, rotations)


ENUMERATION = Enumeration(size=size, positions=positions)
