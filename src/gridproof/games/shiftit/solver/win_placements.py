"""All winning placements of a board, up to symmetry of identical tiles: where a backward search begins.

Places are filled in reading order, each with a tile of its orbit. A region without an open
place beside it is closed: if its colour occurs elsewhere too, no win can follow (S9, S10, S13).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gridproof.games.shiftit.kernel.shifts import orbits_of, root
from gridproof.games.shiftit.rules import Level, Position, tile_kinds
from gridproof.kernels.compile import kernel

_MOST = 1 << 12  # wins; a board with more has too many to list
_NODES, _STEPS = 1 << 21, 1 << 12  # tiles put in all, and between two looks at the clock

# Indices into the tables of a board; kinds are tiles with the same colours, and the same lock
COLOUR = 0  # int64 (kinds, 4): of each side
BLOCK = 1  # int64 (kinds, 4): of each side, the first side of its block
FACING = 2  # int64 (places, 4): the place that a side faces, or -1
ORBIT = 3  # int64 (places,): equal for places between which tiles can travel

# Indices into the counters of a search
DEPTH, FOUND, STEPS = range(3)
"""The next place, wins found, and tiles put."""


class Placement(NamedTuple):
    """A partial placement, with the regions after each place."""

    choice: Any
    """int64 (places,): the kind on each place filled, -1 behind them"""
    tiles: Any
    """int64 (orbits, kinds): those left"""
    left: Any
    """int64 (colours,): blocks that are not on the board yet"""
    regions: Any
    """int64 (places + 1, 4 * places): after each place"""
    growing: Any
    """bool (4 * places,)"""
    closed: Any
    """int64 (colours,)"""


@kernel
def unite(tables: Any, choice: Any, place: Any, before: Any, regions: Any) -> None:
    """Add the blocks of the tile on `place` to the regions `before`."""
    colour, block, facing = tables[COLOUR], tables[BLOCK], tables[FACING]
    kind = choice[place]
    for side in range(4 * place):
        regions[side] = before[side]
    for side in range(4):
        regions[4 * place + side] = 4 * place + block[kind, side]
    for side in range(4):
        other, back = facing[place, side], (side + 2) & 3
        if 0 <= other < place and colour[kind, side] == colour[choice[other], back]:
            first = root(regions, 4 * place + block[kind, side])
            regions[root(regions, 4 * other + block[choice[other], back])] = first


@kernel
def can_win(tables: Any, choice: Any, place: Any, regions: Any, left: Any, growing: Any, closed: Any) -> Any:
    """Return whether a win is still possible: no region is closed while its colour occurs elsewhere too.

    `left` counts the blocks of each colour that are not on the board yet; `growing` and `closed` are scratch space.
    """
    colour, facing = tables[COLOUR], tables[FACING]
    ends = 4 * (place + 1)
    for side in range(ends):
        growing[side] = False
    for side in range(ends):
        if facing[side >> 2, side & 3] > place:
            growing[root(regions, side)] = True
    closed[:] = 0
    for side in range(ends):
        if regions[side] == side:
            own = colour[choice[side >> 2], side & 3]
            if closed[own] < 0 or (closed[own] > 0 and not growing[side]):
                return False  # the colour has a closed region and another region
            if growing[side]:
                closed[own] = 1
            elif left[own] > 0:
                return False
            else:
                closed[own] = -1
    return True


@kernel
def take_tile(tables: Any, kind: Any, orbit: Any, tiles: Any, left: Any, sign: Any) -> None:
    """Take a tile from those left, or give it back with a sign of 1."""
    tiles[orbit, kind] += sign
    for side in range(4):
        if tables[BLOCK][kind, side] == side:
            left[tables[COLOUR][kind, side]] += sign


@kernel
def search(tables: Any, placement: Placement, wins: Any, counters: Any, most: Any) -> None:
    """Search until all placements are seen, the list of wins has reached its capacity, or `most` tiles were put."""
    choice, tiles, left, regions, growing, closed = placement
    place, found, steps = counters[DEPTH], counters[FOUND], counters[STEPS]
    last, kinds = choice.shape[0] - 1, tiles.shape[1]
    while place >= 0 and found < wins.shape[0] and steps < most:
        kind, orbit = choice[place], tables[ORBIT][place]
        if kind >= 0:
            take_tile(tables, kind, orbit, tiles, left, 1)
        kind += 1
        while kind < kinds and tiles[orbit, kind] == 0:
            kind += 1
        choice[place] = kind
        if kind == kinds:
            choice[place] = -1
            place -= 1
            continue
        take_tile(tables, kind, orbit, tiles, left, -1)
        steps += 1
        unite(tables, choice, place, regions[place], regions[place + 1])
        if can_win(tables, choice, place, regions[place + 1], left, growing, closed):
            if place == last:
                for i in range(place + 1):
                    wins[found, i] = choice[i]
                found += 1
            else:
                place += 1
    counters[DEPTH], counters[FOUND], counters[STEPS] = place, found, steps


def _make_tables(level: Level, kinds: list[int]) -> tuple[tuple[Any, ...], Placement]:
    """Return the tables of a board, and its empty placement."""
    places, count = len(level.tiles), max(kinds) + 1
    orbit, connection = orbits_of(level), level.connection
    colour, block = np.zeros((count, 4), np.int64), np.zeros((count, 4), np.int64)
    for tile, kind in enumerate(kinds):
        sides = connection.block[tile]
        block[kind] = [sides.index(side) for side in sides]
        colour[kind] = [connection.colour[side] for side in sides]
    facing = np.full((places, 4), -1, np.int64)
    for place, other, out, into in connection.borders:
        facing[place, out], facing[other, into] = other, place
    tiles = np.zeros((max(orbit) + 1, count), np.int64)
    np.add.at(tiles, (orbit, kinds), 1)
    empty = Placement(
        np.full(places, -1, np.int64),
        tiles,
        np.bincount(connection.colour),
        np.zeros((places + 1, 4 * places), np.int64),
        np.zeros(4 * places, np.bool_),
        np.zeros(max(connection.colour) + 1, np.int64),
    )
    return (colour, block, facing, np.array(orbit)), empty


def _canonical_position(level: Level, kinds: list[int], win: list[int]) -> Position:
    """Return the position of a win, given by the kind on each place."""
    alike: dict[int, list[int]] = {}
    for tile in reversed(range(len(kinds))):
        alike.setdefault(kinds[tile], []).append(tile)
    return Position(level, tuple(alike[kind].pop() for kind in win))


def find_wins(level: Level, stop: Callable[[], bool]) -> list[Position] | None:
    """Return all winning placements in canonical form; None when they are too many, or `stop` says so.

    Only tiles that can come to a place are put there, but not all these placements can be reached.
    """
    kinds = tile_kinds(level)
    tables, placement = _make_tables(level, kinds)
    wins, counters = np.zeros((_MOST, len(level.tiles)), np.int64), np.zeros(3, np.int64)
    search(tables, placement, wins, counters, 0)  # compiles it, even if it is stopped at once
    while counters[DEPTH] >= 0:
        if counters[FOUND] == _MOST or counters[STEPS] >= _NODES or stop():
            return None
        search(tables, placement, wins, counters, int(counters[STEPS]) + _STEPS)
    return [_canonical_position(level, kinds, win) for win in wins[: counters[FOUND]].tolist()]
