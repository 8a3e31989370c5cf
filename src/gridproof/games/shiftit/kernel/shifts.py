"""Shift It on packed words, and on ranks. The same rules as `rules.py`, held to it by tests.

A state holds the tile on each place, 4 bits a place on boards of up to 16 places (one word), else 6
bits, 10 places a word. The win test first counts the borders at which colours meet; only where they
are enough to join all blocks are the blocks united.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import numpy as np

from gridproof.games.shiftit.connection import DOWN, LEFT, RIGHT, UP, Connection
from gridproof.games.shiftit.rules import Level, Position, tile_kinds
from gridproof.kernels.compile import borrowing, inlined, kernel
from gridproof.kernels.game import DONE, LOST, PLAYING, REFUSED, WON, Packing, join_tables, make_update

U = np.uint64
_FOUR, _SIX = U(4), U(6)
_LOW4, _LOW6 = U(15), U(63)
_PAIRS = U(256)

# Layout of the data of a level: numbers, then the beginnings of tables
PLACES, MOVES, NEEDED, BLOCKS, BORDERS, BESIDE, ACTIONS, TURNS = range(8)
"""The numbers of places, valid moves, unions that a win needs, blocks, borders, borders between places beside
each other (they come first, then those below each other), all moves, and turns of a move."""
SOURCES, NUMBERS, BORDER, BLOCK, COLOUR, AROUND, ALIKE, VALID, TURN, SHIFTS, MEETING, SIDES = range(8, 20)
"""SOURCES: by move and place, the place from which its tile comes. NUMBERS: the number of each valid move among all.
BORDER: place, neighbour, the side out of it, the side into the neighbour. BLOCK: by tile, the block of each side.
COLOUR: of each block. AROUND: by tile and place, 1 if it is the tile's start or next to it (S23). ALIKE: the kind
of each tile, then the next tile of that kind, then the first tile of each kind. VALID: the number of each move
among the valid ones, or -1.

For boards of one word: TURN: the turns of each move, as bits to the left and the mask after it. SHIFTS: the bit
of the two tiles of each border. MEETING: a byte for each two tiles beside each other (the first one in the lower
four bits of its number), 1 where colours meet, then for each two below each other.

SIDES: by tile, the colours of its sides, up, right, down and left, a byte each."""


@borrowing
def tile_at(state: Any, places: Any, place: Any) -> Any:
    """Return the tile on a place."""
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
    """Write the tiles of a state, one an item."""
    for place in range(places):
        tiles[place] = tile_at(state, places, place)


@kernel
def root(parents: Any, block: Any) -> Any:
    """Return the representative block of a region (union-find)."""
    while parents[block] != block:
        parents[block] = parents[parents[block]]
        block = parents[block]
    return block


@kernel
def blocks_at(data: Any, tiles: Any, i: Any) -> Any:
    """Return the two blocks that meet at the i-th border."""
    border, block = data[BORDER] + 4 * i, data[BLOCK]
    first = data[block + 4 * tiles[data[border]] + data[border + 2]]
    return first, data[block + 4 * tiles[data[border + 1]] + data[border + 3]]


@kernel
def unite(data: Any, tiles: Any, parents: Any) -> Any:
    """Unite the blocks that meet at borders with one colour (S9, S10); return the number of unions."""
    colour = data[COLOUR]
    for i in range(data[BLOCKS]):
        parents[i] = i
    unions = 0
    for i in range(data[BORDERS]):
        first, second = blocks_at(data, tiles, i)
        if data[colour + first] == data[colour + second]:
            first, second = root(parents, first), root(parents, second)
            if first != second:
                parents[first] = second
                unions += 1
    return unions


@kernel
def is_connected(data: Any, tiles: Any, parents: Any) -> Any:
    """Return whether each colour forms one region (S9, S10, S13)."""
    needed, colour = data[NEEDED], data[COLOUR]
    meeting = 0
    for i in range(data[BORDERS]):
        first, second = blocks_at(data, tiles, i)
        meeting += data[colour + first] == data[colour + second]
    if meeting < needed:
        return False
    return unite(data, tiles, parents) == needed


@kernel
def has_all_unions(data: Any, state: Any) -> Any:
    """Return whether the game is won, without the quick test of `is_won` (S13)."""
    tiles = np.empty(data[PLACES], np.int64)
    spread(state, data[PLACES], tiles)
    return is_connected(data, tiles, np.empty(data[BLOCKS], np.int64))


@borrowing
def count_meetings(data: Any, word: Any) -> Any:
    """Count the borders of a board of one word where colours meet."""
    table, shift, borders = data.view(np.uint8), U(data[SHIFTS]), U(data[BORDERS])
    meeting, beside, count = U(data[MEETING]) << U(3), U(data[BESIDE]), U(0)
    for i in range(borders):
        first, second = U(data[shift + U(2) * i]), U(data[shift + U(2) * i + U(1)])
        pair = ((word >> second) & _LOW4) << _FOUR | ((word >> first) & _LOW4)
        count += U(table[meeting + pair + (U(0) if i < beside else _PAIRS)])
    return np.int64(count)


@borrowing
def is_won(data: Any, state: Any) -> Any:
    """Return whether the game is won (S13); mostly, too few borders join colours."""
    if data[PLACES] <= 16 and count_meetings(data, state[0]) < data[NEEDED]:
        return False
    return has_all_unions(data, state)


@borrowing
def shift(data: Any, state: Any, move: Any, out: Any) -> None:
    """Write the state after a valid move, by its number among the valid ones (S5)."""
    places = data[PLACES]
    if places <= 16:
        word, after, turn = state[0], U(0), data[TURN] + 2 * data[TURNS] * move
        for _ in range(data[TURNS]):
            bits, cut = U(data[turn]), U(data[turn + 1])
            after |= ((word << bits) | (word >> ((U(0) - bits) & _LOW6))) & cut
            turn += 2
        out[0] = after
        return
    sources = data[SOURCES] + places * move
    for word in range(out.shape[0]):
        out[word] = U(0)
    for place in range(places):
        put(out, places, place, tile_at(state, places, data[sources + place]))


@kernel
def successors(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """Write the results of all moves; none once the game has ended (S14, S15)."""
    if is_won(data, state):
        return 0
    moves = data[MOVES]
    for move in range(moves):
        shift(data, state, move, out[move])
        action[move], reward[move], weight[move] = data[data[NUMBERS] + move], 0, 1
    return moves


@kernel
def predecessors(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """Write the positions from which one move leads here: the opposite undoes each move."""
    count = 0
    for move in range(data[MOVES]):
        shift(data, state, move, out[count])
        if not is_won(data, out[count]):
            count += 1
    return count


@kernel
def status(data: Any, state: Any) -> Any:
    """Return the status as `Position.status` does (S13, S14)."""
    if is_won(data, state):
        return WON
    return PLAYING if data[MOVES] else LOST


@inlined
def step(data: Any, state: Any, number: Any, random: Any, out: Any) -> Any:
    """Make one move, or refuse it."""
    over = is_won(data, state)
    move = np.int64(-1)
    if not over and 0 <= number < data[ACTIONS]:
        move = data[data[VALID] + number]
    if move < 0:
        for word in range(state.shape[0]):
            out[word] = state[word]
        return 0, (WON if over else PLAYING if data[MOVES] else LOST), REFUSED
    shift(data, state, move, out)
    return 0, (WON if is_won(data, out) else PLAYING), DONE


@borrowing
def mask(data: Any, state: Any, mask: Any) -> None:
    """Write 1 for each executable move, else 0 (S6)."""
    for number in range(data[ACTIONS]):
        mask[number] = 0
    if not is_won(data, state):
        for move in range(data[MOVES]):
            mask[data[data[NUMBERS] + move]] = 1


@borrowing
def observe(data: Any, state: Any, player: Any, out: Any) -> None:
    """Write the colours of the sides of each place's tile, up, right, down and left (S9)."""
    places, sides, seen = data[PLACES], U(data[SIDES]), out.view(np.uint32)
    for place in range(places):
        seen[place] = np.uint32(data[sides + U(tile_at(state, places, place))])


# -- environment steps, faster on 4 x 4 boards of one word

_3, _8, _16, _BYTE = (U(number) for number in (3, 8, 16, 255))
_EVEN, _ODD = U(0x0F0F_0F0F_0F0F_0F0F), U(0xF0F0_F0F0_F0F0_F0F0)
_TILES, _BESIDE = 16, 12
"""Tiles of a 4 x 4 board, and its borders between tiles beside each other."""


@inlined
def count_square_meetings(data: Any, word: Any) -> Any:
    """Count as `count_meetings` on 4 x 4 tiles: two tiles at a border are a byte, in one of four words."""
    table, meeting = data.view(np.uint8), U(data[MEETING]) << _3
    below, count = meeting + _PAIRS, U(0)
    next_to = word >> _FOUR
    even = (word & _EVEN) | ((word >> _16 & _EVEN) << _FOUR)
    odd = (word >> _FOUR & _EVEN) | (word >> _16 & _ODD)
    for place in range(8):
        count += U(table[meeting + ((word >> (_8 * U(place))) & _BYTE)])
    for row in range(4):
        count += U(table[meeting + ((next_to >> (_16 * U(row))) & _BYTE)])
    for place in range(6):
        count += U(table[below + ((even >> (_8 * U(place))) & _BYTE)])
        count += U(table[below + ((odd >> (_8 * U(place))) & _BYTE)])
    return np.int64(count)


_update_by_parts = make_update(step, observe, mask)


@inlined
def update(
    data: Any, state: Any, number: Any, random: Any, room: Any, observation: Any, mask_row: Any
) -> Any:
    """Make a move; write the observation and the mask, which stays the same until the game is won (S6, S14)."""
    if data[PLACES] != _TILES or data[BESIDE] != _BESIDE:
        return _update_by_parts(data, state, number, random, room, observation, mask_row)
    shift(data, state, data[data[VALID] + number], state)
    observe(data, state, 0, observation)
    if count_square_meetings(data, state[0]) < data[NEEDED] or not has_all_unions(data, state):
        return 0, PLAYING
    for other in range(U(mask_row.shape[0])):
        mask_row[other] = 0
    return 0, WON


@kernel
def near(data: Any, state: Any, arguments: Any) -> Any:
    """Return whether every tile is at its start or next to it (S23)."""
    places = data[PLACES]
    for place in range(places):
        if not data[data[AROUND] + places * tile_at(state, places, place) + place]:
            return np.int64(0)
    return np.int64(1)


@kernel
def has_each_tile(data: Any, state: Any, arguments: Any) -> Any:
    """Return the proposition `valid` (S1)."""
    places = data[PLACES]
    seen = np.zeros(places, np.uint8)
    for place in range(places):
        tile = tile_at(state, places, place)
        if tile >= places or seen[tile]:
            return np.int64(0)
        seen[tile] = 1
    return np.int64(1)


@kernel
def at(data: Any, state: Any, arguments: Any) -> Any:
    """Return whether a tile is on a place; the last argument is not used."""
    return np.int64(tile_at(state, data[PLACES], arguments[1]) == arguments[0])


def numbers(level: Level, name: str, arguments: tuple[int | str, ...]) -> tuple[int, ...] | None:
    """Return a tile, x and y as the numbers of the tile and of the place, and 0; None if they do not exist."""
    if name != "at":
        return () if not arguments else None
    tile, x, y = arguments
    if str(tile) not in level.names or x not in level.columns or y not in level.rows:
        return None
    return level.names.index(str(tile)), level.place(int(x), int(y)), 0


@kernel
def put_kinds(data: Any, kinds: Any, free: Any, state: Any) -> None:
    """Write the state with a tile of a kind on each place, in which identical tiles lie in their own order."""
    places = data[PLACES]
    after, first = data[ALIKE] + places, data[ALIKE] + 2 * places
    state[:] = U(0)
    for kind in range(places):
        free[kind] = data[first + kind]
    for place in range(places):
        kind = kinds[place]
        put(state, places, place, free[kind])
        free[kind] = data[after + free[kind]]


@kernel
def kinds_of(data: Any, state: Any, kinds: Any) -> None:
    """Write the kind of the tile on each place."""
    for place in range(data[PLACES]):
        kinds[place] = data[data[ALIKE] + tile_at(state, data[PLACES], place)]


@kernel
def canonicalize(data: Any, state: Any) -> None:
    """Put a state into canonical form: identical tiles lie in their own order on the places that they hold."""
    kinds, free = np.empty(data[PLACES], np.int64), np.empty(data[PLACES], np.int64)
    kinds_of(data, state, kinds)
    put_kinds(data, kinds, free, state)


def orbits_of(level: Level) -> list[int]:
    """Return the orbit of each place: tiles can travel between places with the same number."""
    first = list(range(len(level.tiles)))
    for move in level.valid_moves:
        joined = {first[place] for place in level.line(move)}
        first = [min(joined) if one in joined else one for one in first]
    numbers = {one: number for number, one in enumerate(dict.fromkeys(first))}
    return [numbers[one] for one in first]


def data_of(level: Level) -> np.ndarray[Any, Any]:
    """Return the level's numbers and tables, int64."""
    connection, places = level.connection, len(level.tiles)
    turns = [
        [
            (bits, int(U(cut).view(np.int64)))
            for bits, cut in turns_of(enumerate(level.sources(move)), 4).items()
        ]
        for move in (level.valid_moves if places <= 16 else ())
    ]
    most = max(map(len, turns), default=0)
    beside = sum(side == RIGHT for _, _, side, _ in connection.borders)
    tables: tuple[Iterable[Any], ...] = (
        (source for move in level.valid_moves for source in level.sources(move)),
        map(level.moves.index, level.valid_moves),
        itertools.chain.from_iterable(connection.borders),
        itertools.chain.from_iterable(connection.block),
        connection.colour,
        (place in near for near in level.neighbourhoods for place in range(places)),
        _alike(tile_kinds(level)),
        (level.valid_moves.index(move) if move in level.valid_moves else -1 for move in level.moves),
        (item for one in turns for turn in one + [(0, 0)] * (most - len(one)) for item in turn),
        (4 * place for border in connection.borders for place in border[:2]),
        _meetings(connection, places) if places <= 16 else (),
        (
            sum(connection.colour[block] << 8 * side for side, block in enumerate(one))
            for one in connection.block
        ),
    )
    numbers = [places, len(level.valid_moves), connection.needed, len(connection.colour)]
    return join_tables([*numbers, len(connection.borders), beside, len(level.moves), most], tables)


def turns_of(pairs: Iterable[tuple[int, int]], width: int) -> dict[int, int]:
    """Return the turns of a move: the bits that a word is rotated to the left, and the mask of what each brings.

    The pairs are places in the word, of `width` bits each, with the places from which their tiles come, 4 bits each.
    """
    turns: dict[int, int] = {}
    for place, source in pairs:
        bits = width * (place - source) % 64
        turns[bits] = turns.get(bits, 0) | 15 << width * place
    return turns


def _meetings(connection: Connection, places: int) -> np.ndarray[Any, Any]:
    """Return a byte for each two tiles beside each other, then below each other: 1 if colours meet."""
    table = np.zeros((2, 16, 16), np.uint8)
    for number, (out, into) in enumerate(((RIGHT, LEFT), (DOWN, UP))):
        for first, second in itertools.product(range(places), repeat=2):
            blocks = connection.block[first][out], connection.block[second][into]
            table[number, second, first] = connection.colour[blocks[0]] == connection.colour[blocks[1]]
    return table.ravel().view(np.int64)


def _alike(kinds: list[int]) -> Iterable[int]:
    """Return the kind of each tile, the next tile of that kind, and the first tile of each kind."""
    after, first = [0] * len(kinds), [0] * len(kinds)
    last: dict[int, int] = {}
    for tile, kind in enumerate(kinds):
        if kind in last:
            after[last[kind]] = tile
        else:
            first[kind] = tile
        last[kind] = tile
    return (*kinds, *after, *first)


def prepare(level: Level) -> Packing | None:
    """Return the packing of a board of up to 36 tiles; None for a larger board."""
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
        """Return whether each tile lies in its orbit: ranks and lists of wins have no other placements."""
        return all(orbits[place] == orbits[tile] for place, tile in enumerate(position.tiles))

    def from_symbols(sides: np.ndarray[Any, Any]) -> Position | None:
        """Return a placement with these colours; tiles of the same colours and orbit are in the order of their numbers."""
        colour, block, tiles = level.connection.colour, level.connection.block, list[int]()
        for place, seen in enumerate(sides.reshape(places, 4).tolist()):
            for tile in range(places):
                same = [colour[one] for one in block[tile]] == seen
                if same and orbits[tile] == orbits[place] and tile not in tiles:
                    tiles.append(tile)
                    break
            else:
                return None
        return Position(level, tuple(tiles))

    most = max(len(level.valid_moves), 1)
    return Packing(
        level,
        words,
        most,
        data_of(level),
        level.moves,
        pack,
        unpack,
        most_before=most,
        observed=(places // len(level.columns), len(level.columns), 4),
        symbols=max(level.connection.colour) + 1,
        fits=fits,
        from_symbols=from_symbols,
    )
