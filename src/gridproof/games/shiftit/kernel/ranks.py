"""Shift It by ranks: placements of the movable tiles in the order of their permutations.

Boards of up to 16 places of which at most 13 are on a line that moves: 13! = 6,227,020,800 ranks. Where all lines that
move are of odd length, only even permutations can be reached, and there are half as many ranks: an odd permutation shares the
rank of the even one in which its last two tiles are swapped. Movable places are numbered in reading order, and so are movable
tiles, each as the place it starts at. A placement is one word, 5 bits a movable place, of which the uppermost guards
comparisons; the last of 13 places has 4 bits, since nothing is compared with it. One expansion
costs an unranking, a win test, and for all moves together, side by side in the processor's vectors, a
line's shift and a ranking. All data of a level are one array of words, since each array handed to a
compiled function costs about as much as ranking a placement.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from gridproof.games.shiftit.kernel.shifts import root, turns_of
from gridproof.games.shiftit.rules import Level, Position
from gridproof.kernels.compile import Hole, inlined, kernel
from gridproof.kernels.game import Ranking

U = np.uint64
_ZERO, _ONE, _FOUR, _FIVE, _EIGHT, _SIXTY = U(0), U(1), U(4), U(5), U(8), U(60)
_TILE, _FIELD, _WORD, _BYTE, _HALF = U(15), U(31), U(63), U(255), U(0xFFFF_FFFF)
_MOST_PLACES, _MOST_MOVABLE, _MOST_MOVES, _MOST_BORDERS, _MOST_TURNS = 16, 13, 34, 24, 5
_GUARDED = U(12)  # places whose field of a word has a guard
_SMALL_PLACES, _SMALL_TURNS = U(9), U(3)

# Layout of the data of a level
MOVES, COUNT, BORDERS, NEEDED, BLOCKS, TURNS = map(U, range(6))
"""The numbers of moves, movable places, borders, unions that a win needs, blocks, and turns of a move."""
EVEN = U(6)
"""1 if all placements are even permutations, else 0."""
LAST = U(7)
"""The last movable place, or 1."""
FACTORIAL = U(8)
"""For each movable place, the factorial of the number of movable places behind it; of even permutations half of it, or 0."""
INVERSE = U(FACTORIAL + U(_MOST_MOVABLE))
"""For each movable place, 2**60 divided by what FACTORIAL has, rounded up: `_is_exact`; 0 where that has 0."""
GUARD = U(INVERSE + U(_MOST_MOVABLE))
"""The guards of the fields that have another one 0, 1, 2, ... fields further on."""
TURN = U(GUARD + U(_MOST_MOVABLE))
"""A move is the union of the word turned to the left by some numbers of bits, cut out. The first turns
of all moves, then the second ones, ..."""
CUT = U(TURN + U(_MOST_TURNS * _MOST_MOVES))
"""The mask of each turn."""
FIRST = U(CUT + U(_MOST_TURNS * _MOST_MOVES))
"""The first place of each border as a shift; 0, where any tile may be, for a tile that stays."""
SECOND = U(FIRST + U(_MOST_BORDERS))
"""The second place of each border as a shift."""
TABLE = U(SECOND + U(_MOST_BORDERS))
"""The index of the meetings of each border."""
MEETING = U(TABLE + U(_MOST_BORDERS))
"""An entry for each two tiles: 0 if different colours meet, else 1, with the blocks in the next bytes. A table for
borders below a place, one for those beside it, and one for each border of a tile that stays."""
_PAIRS = 256
RESTING = U(MEETING + U(_PAIRS * (2 + _MOST_BORDERS)))
"""The tiles that stay, as the words of `shifts.py` hold them."""
PLACE = U(RESTING + _ONE)
"""The bit of each movable place in words of `shifts.py`."""
TILE = U(PLACE + U(_MOST_MOVABLE))
"""The number of each movable tile in `shifts.py`."""
_SIZE = int(TILE) + _MOST_MOVABLE


@kernel
def rank_of(data: Any, word: Any) -> Any:
    """Return the rank of a placement: its number among the permutations in lexicographic order."""
    rank, count = _ZERO, data[COUNT]
    for i in range(count):
        digit, tile = _ZERO, (word >> (_FIVE * i)) & _FIELD
        for j in range(i + _ONE, count):
            digit += U((word >> (_FIVE * j)) & _FIELD < tile)
        rank += digit * data[FACTORIAL + i]
    return np.int64(rank)


@inlined
def swap_last(data: Any, word: Any, state: Any, mask: Any) -> Any:
    """Swap the tiles of the last two places in a placement, and in its word of `shifts.py`, unless the mask is 0."""
    last = data[LAST]
    before = last - _ONE
    one, two = word >> (_FIVE * before) & _TILE, word >> (_FIVE * last) & _TILE
    change, others = (one ^ two) & mask, (data[TILE + one] ^ data[TILE + two]) & mask
    word ^= (change << (_FIVE * before)) | (change << (_FIVE * last))
    state ^= (others << data[PLACE + before]) | (others << data[PLACE + last])
    return word, state


@inlined
def unrank(data: Any, rank: Any) -> Any:
    """Return the placement of a rank, and its word of `shifts.py`, 4 bits a place.

    The tiles without a place stand in a word, 4 bits each.
    """
    left, word, rest, state, odd = U(0xFEDCBA9876543210), _ZERO, U(rank), data[RESTING], _ZERO
    for i in range(data[COUNT]):
        digit = (rest * data[INVERSE + i]) >> _SIXTY
        rest -= digit * data[FACTORIAL + i]
        odd ^= digit
        at = digit * _FOUR
        tile = (left >> at) & _TILE
        word |= tile << (_FIVE * i)
        state |= data[TILE + tile] << data[PLACE + i]
        below = (_ONE << at) - _ONE
        left = (left & below) | ((left >> _FOUR) & ~below)
    return swap_last(data, word, state, _ZERO - (odd & data[EVEN]))


@kernel
def word_of(data: Any, rank: Any) -> Any:
    """Return the placement of a rank."""
    return unrank(data, rank)[0]


@kernel
def border_entry(data: Any, word: Any, i: Any) -> Any:
    """Return the entry of MEETING for the i-th border."""
    first, second = (word >> data[FIRST + i]) & _TILE, (word >> data[SECOND + i]) & _TILE
    return data[data[TABLE + i] + ((first << _FOUR) | second)]


@kernel
def is_won(data: Any, word: Any, scratch: Any) -> Any:
    """Return whether the game is won (S13): enough borders join colours, and they join all."""
    count = _ZERO
    for i in range(data[BORDERS]):
        count += border_entry(data, word, i) & _ONE
    if count < data[NEEDED]:
        return False
    for block in range(data[BLOCKS]):
        scratch[block] = block
    unions = _ZERO
    for i in range(data[BORDERS]):
        pair = border_entry(data, word, i)
        if pair != _ZERO:
            first, second = root(scratch, (pair >> _EIGHT) & _BYTE), root(scratch, pair >> (_EIGHT + _EIGHT))
            if first != second:
                scratch[first] = second
                unions += _ONE
    return unions == data[NEEDED]


places: Any = Hole()
turns: Any = Hole()


def rank_moves(data: Any, word: Any, out: Any) -> None:
    """Write the ranks of the positions after all moves.

    Of a placement's rank, the digit of a place is how many tiles behind it are less than its own: they
    are counted in the fields of a word, for all places at once, by subtractions that leave a guard
    standing. The inner loops are short and of known length, so the compiler writes them out and does
    the outer one in vectors.
    """
    moves, guards = data[MOVES], data[GUARD]
    for move in range(moves):
        after, digits, rank = _ZERO, _ZERO, _ZERO
        for turn in range(turns):
            bits = data[TURN + turn * moves + move]
            turned = (word << bits) | (word >> ((_ZERO - bits) & _WORD))
            after |= turned & data[CUT + turn * moves + move]
        for further in range(_ONE, places):
            digits += (((after | guards) - (after >> (_FIVE * further))) & data[GUARD + further]) >> _FOUR
        for i in range(places - _ONE):  # nothing is behind the last place
            rank += ((digits >> (_FIVE * i)) & _FIELD) * (data[FACTORIAL + i] & _HALF)
        out[move] = np.int64(rank)


_small = kernel(rank_moves, places=_SMALL_PLACES, turns=_SMALL_TURNS)
_large = kernel(rank_moves, places=_GUARDED, turns=U(_MOST_TURNS))
_largest = kernel(rank_moves, places=U(_MOST_MOVABLE), turns=U(_MOST_TURNS))


@inlined
def write_successors(data: Any, word: Any, out: Any) -> Any:
    """Write the ranks after all moves of a placement (S5); return their number."""
    if data[COUNT] <= _SMALL_PLACES and data[TURNS] <= _SMALL_TURNS:
        _small(data, word, out)
    elif data[COUNT] <= _GUARDED:
        _large(data, word, out)
    else:
        _largest(data, word, out)
    return np.int64(data[MOVES])


@kernel
def ranked_successors(data: Any, rank: Any, out: Any, scratch: Any, through: Any) -> Any:
    """Write the ranks after all moves; none once the game has ended, unless `through`."""
    word = word_of(data, rank)
    if not through and is_won(data, word, scratch):
        return 0
    return write_successors(data, word, out)


@kernel
def ranked_state(data: Any, rank: Any, out: Any) -> None:
    """Write the word of `shifts.py` of a rank's placement."""
    out[0] = unrank(data, rank)[1]


@kernel
def expand(data: Any, rank: Any, out: Any, scratch: Any, state: Any) -> Any:
    """Write the ranks after all moves, none once the game has ended, and the word of `shifts.py`."""
    word, state[0] = unrank(data, rank)
    return 0 if is_won(data, word, scratch) else write_successors(data, word, out)


@functools.lru_cache(maxsize=16)
def ranking(level: Level) -> Ranking | None:
    """Return the ranking of a board; None when it is too large or its locks split it into too many orbits."""
    places = len(level.tiles)
    movable = sorted({place for move in level.valid_moves for place in level.line(move)})
    if places > _MOST_PLACES or len(movable) > _MOST_MOVABLE:
        return None
    number = {place: i for i, place in enumerate(movable)}  # of a place, and of the tile that starts there
    sources = map(level.sources, level.valid_moves)
    moves = [
        turns_of(((to, number[origins[place]]) for place, to in number.items()), 5) for origins in sources
    ]
    if max(map(len, moves), default=0) > _MOST_TURNS:
        return None
    # a line of odd length moves in a cycle that is an even permutation; two places have no even one but the first
    even = len(movable) > 2 and all(len(level.line(move)) % 2 for move in level.valid_moves)
    factorials = [math.factorial(behind) // (1 + even) for behind in range(len(movable))][::-1]
    if not _is_exact(factorials):
        return None
    data = np.zeros(_SIZE, np.uint64)
    data[EVEN] = even
    _lay_places(data, factorials)
    _lay_tiles(data, places, movable)
    _lay_moves(data, moves)
    _lay_borders(data, level, number)

    def rank(position: Position) -> int:
        word = sum(number.get(position.tiles[place], 0) << 5 * i for place, i in number.items())
        return int(rank_of(data, U(word)))

    def unrank(rank: int) -> Position:
        word, tiles = int(word_of(data, rank)), list(range(places))
        for place, i in number.items():
            tiles[place] = movable[word >> 5 * i & 31]
        return Position(level, tuple(tiles))

    most = max(len(moves), 1)
    return Ranking(
        level,
        size=math.factorial(len(movable)) // (1 + even),
        most=most,
        data=data,
        rank=rank,
        unrank=unrank,
        numbers=np.array([level.moves.index(move) for move in level.valid_moves], np.int32),
        scratch=len(level.connection.colour),
    )


Data = np.ndarray[Any, Any]


def _inverse(factorial: int) -> int:
    return -(-(1 << 60) // factorial) if factorial else 0


def _is_exact(factorials: list[int]) -> bool:
    """Return whether a multiplication by the inverse gives the exact quotient of every rank."""
    errors = (
        (factorial, _inverse(factorial) * factorial - (1 << 60)) for factorial in factorials if factorial
    )
    return all(factorial * len(factorials) * error < 1 << 60 for factorial, error in errors)


def _lay_places(data: Data, factorials: list[int]) -> None:
    movable = len(factorials)
    data[COUNT], data[LAST] = movable, max(movable - 1, 1)
    for i, factorial in enumerate(factorials):
        data[int(FACTORIAL) + i] = factorial
        data[int(INVERSE) + i] = _inverse(factorial)
        data[int(GUARD) + i] = sum(16 << 5 * place for place in range(min(movable - i, int(_GUARDED))))


def _lay_tiles(data: Data, places: int, movable: list[int]) -> None:
    data[int(RESTING)] = sum(tile << 4 * tile for tile in range(places) if tile not in movable)
    for i, place in enumerate(movable):
        data[int(PLACE) + i], data[int(TILE) + i] = 4 * place, place


def _lay_moves(data: Data, moves: list[dict[int, int]]) -> None:
    data[MOVES], data[TURNS] = len(moves), max(map(len, moves), default=0)
    for i, turns in enumerate(moves):
        for turn, (bits, cut) in enumerate(turns.items()):
            at = turn * len(moves) + i
            data[int(TURN) + at], data[int(CUT) + at] = bits, cut


def _lay_borders(data: Data, level: Level, number: dict[int, int]) -> None:
    connection = level.connection
    data[BORDERS], data[NEEDED] = len(connection.borders), connection.needed
    data[BLOCKS] = len(connection.colour)
    for i, (place, neighbour, side, other) in enumerate(connection.borders):
        ends = number.get(place), number.get(neighbour)
        data[int(FIRST) + i], data[int(SECOND) + i] = (5 * (end or 0) for end in ends)
        table = int(MEETING) + _PAIRS * (side & 1 if None not in ends else 2 + i)
        data[int(TABLE) + i] = table
        for first, row in number.items():
            for second, column in number.items():
                one = connection.block[place if ends[0] is None else first][side]
                two = connection.block[neighbour if ends[1] is None else second][other]
                at = table + 16 * row + column
                same = connection.colour[one] == connection.colour[two]
                data[at] = two << 16 | one << 8 | 1 if same else 0
