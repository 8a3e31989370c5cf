"""A Shift It board as C tables and as a Promela model, for the peers' searches."""

from __future__ import annotations

from gridproof.games.shiftit import Level
from gridproof.games.shiftit.rules import Move

RIGHT, DOWN, LEFT, UP = 1, 2, 3, 0

MODEL = r"""c_decl {
\#include "board.h"
\#include "shiftit_won.h"
static int ended(const unsigned char *tile)
{
    uint64_t word = 0;
    for (int place = 0; place < PLACES; place++)
        word |= (uint64_t)tile[place] << 4 * place;
    return won(word);
}
\#define ENDED ended(now.tile)
}
byte tile[%(places)d];
hidden byte kept;
active proctype board()
{
    d_step { %(start)s };
    do
%(moves)s
    od
}
"""


def _array(values: object) -> str:
    if isinstance(values, list):
        return "{" + ", ".join(map(_array, values)) + "}"
    return f"{values:d}" if isinstance(values, (int, bool)) else str(values)


def c_tables(level: Level, room_bits: int = 19) -> str:
    """The header of the C search: 4 bits a place, square boards of up to 16 places without locks.

    It has room for half of two to the power of `room_bits` positions.
    """
    connection, places, moves = level.connection, len(level.tiles), level.valid_moves
    lines = [level.line(move) for move in moves]
    whole = (1 << 4 * places) - 1
    keep = [whole & ~sum(15 << 4 * place for place in line) for line in lines]
    onto = [[4 * place for place in line] for line in lines]
    out_of = [
        [4 * level.sources(move)[place] for place in line] for move, line in zip(moves, lines, strict=True)
    ]
    sides = ((RIGHT, LEFT), (DOWN, UP))
    meets = [
        [
            [connection.colour[first[one]] == connection.colour[second[two]] for second in connection.block]
            for first in connection.block
        ]
        for one, two in sides
    ]
    blocks = [
        [[[first[one], second[two]] for second in connection.block] for first in connection.block]
        for one, two in sides
    ]
    start = sum(tile << 4 * place for place, tile in enumerate(level.start().tiles))
    return f"""#include <stdint.h>
enum {{ PLACES = {places}, MOVES = {len(moves)}, LINE = {len(lines[0])}, ROOM_BITS = {room_bits}, ROOM = 1 << ROOM_BITS }};
enum {{ BORDERS = {len(connection.borders)}, BLOCKS = {len(connection.colour)}, NEEDED = {connection.needed} }};
#define START {start}u
static const uint64_t keep[MOVES] = {_array(keep)};
static const uint8_t from[MOVES][LINE] = {_array(out_of)};
static const uint8_t to[MOVES][LINE] = {_array(onto)};
static const uint8_t first_place[BORDERS] = {_array([4 * item[0] for item in connection.borders])};
static const uint8_t second_place[BORDERS] = {_array([4 * item[1] for item in connection.borders])};
static const uint8_t below[BORDERS] = {_array([item[2] == DOWN for item in connection.borders])};
static const uint8_t meets[2][PLACES][PLACES] = {_array(meets)};
static const uint8_t blocks[2][PLACES][PLACES][2] = {_array(blocks)};
"""


def promela(level: Level) -> str:
    """The model of SPIN, with the win test of the C search."""
    start = "; ".join(f"tile[{place}] = {tile}" for place, tile in enumerate(level.start().tiles))
    moves = [f"    :: d_step {{ c_expr {{ !ENDED }} -> {_turn(level, move)} }}" for move in level.valid_moves]
    return MODEL % {"places": len(level.tiles), "start": start, "moves": "\n".join(moves)}


def _turn(level: Level, move: Move) -> str:
    """A line's cyclic shift, statement by statement."""
    first = place = level.line(move)[0]
    sources, steps = level.sources(move), [f"kept = tile[{first}]"]
    while sources[place] != first:
        steps.append(f"tile[{place}] = tile[{sources[place]}]")
        place = sources[place]
    return "; ".join([*steps, f"tile[{place}] = kept", "kept = 0"])
