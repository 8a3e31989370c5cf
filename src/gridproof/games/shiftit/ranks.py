"""Shift It by ranks: placements of the movable tiles in the order of their permutations.

Boards of up to 16 places of which at most 12 are on a line that moves: 12! = 479,001,600 ranks. A
placement is one word, 4 bits a place. One expansion costs an unranking, a win test, and for all moves
together, side by side in the processor's vectors, a line's shift and a ranking: some 10 operations a
place. All data of a level are one array of words, since each array handed to a compiled function
costs about as much as ranking a placement.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gridproof.games.shiftit.rules import Level, Position
from gridproof.kernels.compile import kernel
from gridproof.kernels.game import Ranking

U = np.uint64
_ZERO, _ONE, _TWO, _THREE, _FOUR, _FIFTEEN = U(0), U(1), U(2), U(3), U(4), U(15)
_ABOVE = U(0x1111111111111110)
_MOST_PLACES, _MOST_MOVABLE, _MOST_MOVES = 16, 12, 34
_FACTORIALS = np.array([math.factorial(i) for i in range(_MOST_MOVABLE + 1)], np.uint32)

# Where the data of a level stand
MOVES, COUNT, BORDERS, NEEDED, BLOCKS, FIXED = map(U, range(6))
"""How many moves, movable places, borders, unions that a win needs, and blocks; the tiles that stay."""
MOVABLE = U(8)
"""The movable places as shifts."""
TILE = U(MOVABLE + _FIFTEEN)
"""The tile of each number among the movable ones."""
NUMBER = U(TILE + _FIFTEEN)
"""And back."""
KEPT = U(NUMBER + U(_MOST_PLACES))
"""Of each move, the bits of the places that it leaves alone."""
LENGTH = U(KEPT + U(_MOST_MOVES))
"""Of each move, the length of its line."""
SHIFTS = U(LENGTH + U(_MOST_MOVES))
"""Of each move, 16 pairs: where a tile of the line comes from and where it goes, as shifts."""
_STRIDE = U(32)
ENDS = U(SHIFTS + _STRIDE * U(_MOST_MOVES))
"""Of each border three words: its two places as shifts; 0 if it lies below a place, 256 if beside."""
MEETING = U(ENDS + U(3 * 24))
"""Whether colours meet at a border, by its third word and both tiles."""
JOINT = U(MEETING + U(512))
"""The blocks that meet there: 64 times the first one's number and the second's."""
_SIZE = int(JOINT) + 512
_SCRATCH = 3 * _MOST_MOVES


@kernel
def rank_of(data: Any, word: Any) -> Any:
    """The rank of a placement: its number among the permutations in lexicographic order.

    The tiles placed so far that are less than t are counted in the t-th 4 bits of `less`.
    """
    rank, less, count = _ZERO, _ZERO, data[COUNT]
    for i in range(count):
        at = data[NUMBER + ((word >> data[MOVABLE + i]) & _FIFTEEN)] * _FOUR
        rank = rank * (count - i) + (at >> _TWO) - ((less >> at) & _FIFTEEN)
        less += _ABOVE << at
    return np.int64(rank)


@kernel
def word_of(data: Any, rank: Any) -> Any:
    """The placement of a rank. The tiles not yet placed stand in a word, 4 bits each."""
    left, word, count = U(0xFEDCBA9876543210), data[FIXED], data[COUNT]
    rest = np.uint32(rank)
    for i in range(count):
        size = _FACTORIALS[count - i - _ONE]
        digit = rest // size
        rest -= digit * size
        at = U(digit) * _FOUR
        word |= data[TILE + ((left >> at) & _FIFTEEN)] << data[MOVABLE + i]
        below = (_ONE << at) - _ONE
        left = (left & below) | ((left >> _FOUR) & ~below)
    return word


@kernel
def border(data: Any, word: Any, i: Any) -> Any:
    """The index of what meets at the i-th border."""
    first = (word >> data[ENDS + _THREE * i]) & _FIFTEEN
    second = (word >> data[ENDS + _THREE * i + _ONE]) & _FIFTEEN
    return data[ENDS + _THREE * i + _TWO] | (first << _FOUR) | second


@kernel
def root(parents: Any, block: Any) -> Any:
    """The block that stands for a region."""
    while parents[block] != block:
        parents[block] = parents[parents[block]]
        block = parents[block]
    return block


@kernel
def is_won(data: Any, word: Any, scratch: Any) -> Any:
    """Whether the game is won (S13): whether enough borders join colours, and whether they join all."""
    count = _ZERO
    for i in range(data[BORDERS]):
        count += data[MEETING + border(data, word, i)]
    if count < data[NEEDED]:
        return False
    for block in range(data[BLOCKS]):
        scratch[block] = block
    unions = _ZERO
    for i in range(data[BORDERS]):
        place = border(data, word, i)
        if data[MEETING + place]:
            first = root(scratch, data[JOINT + place] >> U(6))
            second = root(scratch, data[JOINT + place] & U(63))
            if first != second:
                scratch[first] = second
                unions += _ONE
    return unions == data[NEEDED]


@kernel
def ranked_successors(data: Any, rank: Any, out: Any, scratch: Any, through: Any) -> Any:
    """The ranks of all moves' results (S5); once the game has ended none, but `through` it."""
    word = word_of(data, rank)
    if not through and is_won(data, word, scratch):
        return 0
    moves, count = data[MOVES], data[COUNT]
    less, ranks = moves, moves + moves
    for move in range(moves):
        after, shifts = word & data[KEPT + move], SHIFTS + _STRIDE * move
        for i in range(data[LENGTH + move]):
            tile = (word >> data[shifts + _TWO * i]) & _FIFTEEN
            after |= tile << data[shifts + _TWO * i + _ONE]
        scratch[move], scratch[less + move], scratch[ranks + move] = after, _ZERO, _ZERO
    for i in range(count):
        left, place = count - i, data[MOVABLE + i]
        for move in range(moves):
            at = data[NUMBER + ((scratch[move] >> place) & _FIFTEEN)] * _FOUR
            fewer = (scratch[less + move] >> at) & _FIFTEEN
            scratch[ranks + move] = scratch[ranks + move] * left + (at >> _TWO) - fewer
            scratch[less + move] += _ABOVE << at
    for move in range(moves):
        out[move] = scratch[ranks + move]
    return np.int64(moves)


def ranking(level: Level) -> Ranking | None:
    """The ranking of a board; None when it is too large."""
    places = len(level.tiles)
    movable = sorted({place for move in level.valid_moves for place in level.line(move)})
    if places > _MOST_PLACES or len(movable) > _MOST_MOVABLE:
        return None
    data = np.zeros(_SIZE, np.uint64)
    _lay_places(data, movable, places)
    _lay_moves(data, level)
    _lay_borders(data, level)

    def rank(position: Position) -> int:
        word = sum(tile << 4 * place for place, tile in enumerate(position.tiles))
        return int(rank_of(data, U(word)))

    def unrank(number: int) -> Position:
        word = int(word_of(data, number))
        return Position(level, tuple(word >> 4 * place & 15 for place in range(places)))

    most = max(len(level.valid_moves), 1)
    return Ranking(level, math.factorial(len(movable)), most, data, rank, unrank, _SCRATCH)


Data = np.ndarray[Any, Any]


def _lay_places(data: Data, movable: list[int], places: int) -> None:
    """A movable tile is one that starts on a movable place; the others stay where they are."""
    data[COUNT] = len(movable)
    data[FIXED] = sum(place << 4 * place for place in range(places) if place not in movable)
    for number, place in enumerate(movable):
        data[int(MOVABLE) + number] = 4 * place
        data[int(TILE) + number] = place
        data[int(NUMBER) + place] = number


def _lay_moves(data: Data, level: Level) -> None:
    data[MOVES] = len(level.valid_moves)
    whole = (1 << 4 * len(level.tiles)) - 1
    for number, move in enumerate(level.valid_moves):
        line, sources = level.line(move), level.sources(move)
        data[int(KEPT) + number] = whole & ~sum(15 << 4 * place for place in line)
        data[int(LENGTH) + number] = len(line)
        first = int(SHIFTS + _STRIDE * U(number))
        for i, place in enumerate(line):
            data[first + 2 * i : first + 2 * i + 2] = 4 * sources[place], 4 * place


def _lay_borders(data: Data, level: Level) -> None:
    """Borders beside a place leave it by its right side (1), those below by the lower one (2)."""
    connection = level.connection
    data[BORDERS], data[NEEDED] = len(connection.borders), connection.needed
    data[BLOCKS] = len(connection.colour)
    for number, (place, neighbour, side, _) in enumerate(connection.borders):
        first = int(ENDS) + 3 * number
        data[first : first + 3] = 4 * place, 4 * neighbour, 256 * (side & 1)
    for first, out_of in enumerate(connection.block):
        for second, into in enumerate(connection.block):
            for direction, one, other in ((256, out_of[1], into[3]), (0, out_of[2], into[0])):
                place = direction | first << 4 | second
                data[int(MEETING) + place] = connection.colour[one] == connection.colour[other]
                data[int(JOINT) + place] = one << 6 | other
