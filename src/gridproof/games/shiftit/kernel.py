"""Shift It on packed words, and on ranks. The same rules as `rules.py`, held to it by tests.

A state holds the tile on each place, 4 bits a place on boards of up to 16 places (one word), else 6
bits, 10 places a word. The win test first counts the borders at which colours meet; only where they
are enough to join all blocks are the blocks united.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.shiftit.rules import Level, Position
from gridproof.kernels.compile import kernel
from gridproof.kernels.game import LOST, PLAYING, WON, Packing

U = np.uint64
_FOUR, _SIX = U(4), U(6)
_LOW4, _LOW6 = U(15), U(63)

# Indices into the tables of a level
SHAPE = 0  # int64: places, moves, unions needed, blocks
SOURCES = 1  # int16 (moves, places): where the tile of a place comes from
MOVES = 2  # int32 (moves,): the numbers of the valid moves among all moves
BORDERS = 3  # int16 (borders, 4): place, neighbour, the side out of it, the side into the neighbour
BLOCK = 4  # int16 (tiles, 4): the block of each side
COLOUR = 5  # int16 (blocks,)
AROUND = 6  # uint8 (tiles, places): whether the place is the tile's start or next to it (S23)
ALIKE = 7  # int16 (3, tiles): of each tile its kind, the next tile of that kind; of each kind its first tile


@kernel
def tile_at(state: Any, places: Any, place: Any) -> Any:
    """The tile on a place."""
    if places <= 16:
        return np.int64((state[0] >> (U(place) * _FOUR)) & _LOW4)
    return np.int64((state[place // 10] >> (U(place % 10) * _SIX)) & _LOW6)


@kernel
def put(state: Any, places: Any, place: Any, tile: Any) -> None:
    """Add a tile on a place where there is none (0)."""
    if places <= 16:
        state[0] |= U(tile) << (U(place) * _FOUR)
    else:
        state[place // 10] |= U(tile) << (U(place % 10) * _SIX)


@kernel
def spread(state: Any, places: Any, tiles: Any) -> None:
    """The tiles of a state, one an item."""
    for place in range(places):
        tiles[place] = tile_at(state, places, place)


@kernel
def root(parents: Any, block: Any) -> Any:
    """The block that stands for a region."""
    while parents[block] != block:
        parents[block] = parents[parents[block]]
        block = parents[block]
    return block


@kernel
def joined(tables: Any, tiles: Any, parents: Any) -> Any:
    """Whether each colour forms one region (S9, S10, S13)."""
    needed, blocks = tables[SHAPE][2], tables[SHAPE][3]
    borders, block, colour = tables[BORDERS], tables[BLOCK], tables[COLOUR]
    meeting = 0
    for i in range(borders.shape[0]):
        first = block[tiles[borders[i, 0]], borders[i, 2]]
        second = block[tiles[borders[i, 1]], borders[i, 3]]
        meeting += colour[first] == colour[second]
    if meeting < needed:
        return False
    for i in range(blocks):
        parents[i] = i
    unions = 0
    for i in range(borders.shape[0]):
        first = block[tiles[borders[i, 0]], borders[i, 2]]
        second = block[tiles[borders[i, 1]], borders[i, 3]]
        if colour[first] == colour[second]:
            first, second = root(parents, first), root(parents, second)
            if first != second:
                parents[first] = second
                unions += 1
    return unions == needed


@kernel
def won(tables: Any, state: Any) -> Any:
    """Whether the game is won (S13)."""
    places = tables[SHAPE][0]
    tiles = np.empty(places, np.int64)
    spread(state, places, tiles)
    return joined(tables, tiles, np.empty(tables[SHAPE][3], np.int64))


@kernel
def shift(tables: Any, state: Any, move: Any, out: Any) -> None:
    """The state after a valid move, counted among the valid ones (S5)."""
    places, sources = tables[SHAPE][0], tables[SOURCES]
    out[:] = U(0)
    for place in range(places):
        put(out, places, place, tile_at(state, places, sources[move, place]))


@kernel
def successors(tables: Any, state: Any, out: Any, action: Any, reward: Any, chance: Any) -> Any:
    """All moves; none once the game has ended (S14, S15)."""
    if won(tables, state):
        return 0
    moves = tables[SHAPE][1]
    for move in range(moves):
        shift(tables, state, move, out[move])
        action[move], reward[move], chance[move] = tables[MOVES][move], 0, 1.0
    return moves


@kernel
def predecessors(tables: Any, state: Any, out: Any, action: Any, reward: Any, chance: Any) -> Any:
    """The positions from which one move leads here: each move is undone by its opposite."""
    count = 0
    for move in range(tables[SHAPE][1]):
        shift(tables, state, move, out[count])
        if not won(tables, out[count]):
            count += 1
    return count


@kernel
def status(tables: Any, state: Any) -> Any:
    """As `Position.status` (S13, S14)."""
    if won(tables, state):
        return WON
    return PLAYING if tables[SHAPE][1] else LOST


@kernel
def step(tables: Any, state: Any, number: Any, random: Any, out: Any) -> Any:
    """One move."""
    for move in range(tables[SHAPE][1]):
        if tables[MOVES][move] == number:
            shift(tables, state, move, out)
    return 0


@kernel
def mask(tables: Any, state: Any, mask: Any) -> None:
    """Which moves are executable (S6)."""
    mask[:] = 0
    if not won(tables, state):
        for move in range(tables[SHAPE][1]):
            mask[tables[MOVES][move]] = 1


@kernel
def near(tables: Any, state: Any, arguments: Any) -> Any:
    """Whether every tile is at its start or next to it (S23)."""
    places = tables[SHAPE][0]
    for place in range(places):
        if not tables[AROUND][tile_at(state, places, place), place]:
            return np.int64(0)
    return np.int64(1)


@kernel
def canonical(tables: Any, state: Any) -> None:
    """Of tiles that are alike, put the first one on the first place, and so on."""
    places, alike = tables[SHAPE][0], tables[ALIKE]
    tiles, free = np.empty(places, np.int64), alike[2].copy()
    spread(state, places, tiles)
    state[:] = U(0)
    for place in range(places):
        kind = alike[0, tiles[place]]
        put(state, places, place, free[kind])
        free[kind] = alike[1, free[kind]]


def kinds_of(level: Level) -> list[int]:
    """Of each tile a number that tiles have in common which nothing tells apart in play."""
    numbers: dict[object, int] = {}
    return [numbers.setdefault((tile.colours, tile.locked), len(numbers)) for tile in level.tiles]


def orbits_of(level: Level) -> list[int]:
    """Of each place, the number of the places between which tiles can travel."""
    first = list(range(len(level.tiles)))
    for move in level.valid_moves:
        joined = {first[place] for place in level.line(move)}
        first = [min(joined) if one in joined else one for one in first]
    numbers = {one: number for number, one in enumerate(dict.fromkeys(first))}
    return [numbers[one] for one in first]


def tables_of(level: Level) -> tuple[Any, ...]:
    """The level's tables, at their indices."""
    connection, places = level.connection, len(level.tiles)
    numbers = [level.moves.index(move) for move in level.valid_moves]
    sources = [level.sources(move) for move in level.valid_moves]
    around = np.zeros((places, places), np.uint8)
    for tile, where in enumerate(level.neighbourhoods):
        around[tile, sorted(where)] = 1
    shape = [places, len(numbers), connection.needed, len(connection.colour)]
    return (
        np.array(shape, np.int64),
        np.array(sources, np.int16).reshape(len(sources), places),
        np.array(numbers, np.int32),
        np.array(connection.borders, np.int16).reshape(-1, 4),
        np.array(connection.block, np.int16),
        np.array(connection.colour, np.int16),
        around,
        _alike(kinds_of(level)),
    )


def _alike(kinds: list[int]) -> np.ndarray[Any, Any]:
    """The table by which tiles that are alike are put in order."""
    table = np.zeros((3, len(kinds)), np.int16)
    table[0] = kinds
    last: dict[int, int] = {}
    for tile, kind in enumerate(kinds):
        if kind in last:
            table[1, last[kind]] = tile
        else:
            table[2, kind] = tile
        last[kind] = tile
    return table


def prepare(level: Level) -> Packing | None:
    """The packing of a board of up to 36 tiles."""
    places = len(level.tiles)
    if places > 36:
        return None
    words = 1 if places <= 16 else -(-places // 10)

    def pack(position: Position) -> np.ndarray[Any, Any]:
        state = np.zeros(words, np.uint64)
        for place, tile in enumerate(position.tiles):
            put(state, places, place, tile)
        return state

    def unpack(state: np.ndarray[Any, Any]) -> Position:
        return Position(level, tuple(int(tile_at(state, places, place)) for place in range(places)))

    orbits = orbits_of(level)

    def fits(position: Position) -> bool:
        """Whether each tile lies where it can have come to: ranks and lists of wins know of no other places."""
        return all(orbits[place] == orbits[tile] for place, tile in enumerate(position.tiles))

    most = max(len(level.valid_moves), 1)
    alike = len(set(kinds_of(level))) < places
    return Packing(
        level,
        words,
        most,
        tables_of(level),
        level.moves,
        pack,
        unpack,
        most_before=most,
        alike=alike,
        fits=fits,
    )
