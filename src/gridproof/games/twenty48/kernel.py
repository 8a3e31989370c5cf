"""2048 on packed words: the same rules as `rules.py`, held to it by tests.

A cell is the exponent of its tile, 0 when it is empty: four bits where no exponent above 15 can come,
else eight. Cells stand in reading order from the lowest bits of the first word on, so that a state
of 4 x 4 cells takes two words, of 3 x 4 one, and of 6 x 6 five.

How large tiles can become is known beforehand (`reach`), so nothing overflows. Where tiles above
2^62 could come, rewards would not fit their words, and the rules are left to do the work.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from gridproof.games.twenty48.rules import Level, Move, Position
from gridproof.kernels.chance import below
from gridproof.kernels.compile import kernel
from gridproof.kernels.game import LOST, PLAYING, WON, GameKernel, Packing

CELLS, SHIFT, MASK, TARGET = range(4)
"""What stands where in the first table: the number of cells, 2 or 3 (a cell has 2^SHIFT bits), these
bits, and the target's exponent."""

NIBBLES, BYTES = 2, 3
MOST = {NIBBLES: 15, BYTES: 62}
"""The largest exponent of each layout. All tiles of a board and all that one move can gain are less
than twice the largest that can come: below 2^63."""
_HIGHEST = MOST[BYTES]

MOVES = len(Move)
ZERO = np.uint64(0)
FIRST, LINES, LENGTH, ACROSS, ALONG = range(5)
"""Of a direction, a row of the second table: its first cell, how many lines it has and how long they
are, and what leads to the next line and to the line's next cell, from the edge moved towards."""


# -- cells of a state


@kernel
def exponent_at(frame: Any, state: Any, cell: Any) -> Any:
    """The exponent of a cell's tile, 0 when it is empty."""
    bit = cell << frame[SHIFT]
    return np.int64((state[bit >> 6] >> np.uint64(bit & 63)) & np.uint64(frame[MASK]))


@kernel
def put(frame: Any, state: Any, cell: Any, exponent: Any) -> None:
    """A tile into an empty cell."""
    bit = cell << frame[SHIFT]
    state[bit >> 6] |= np.uint64(exponent) << np.uint64(bit & 63)


@kernel
def copy(state: Any, out: Any) -> None:
    """`out` becomes the state."""
    for i in range(state.shape[0]):
        out[i] = state[i]


@kernel
def same(state: Any, other: Any) -> Any:
    """Whether two states are equal."""
    different = ZERO
    for i in range(state.shape[0]):
        different |= state[i] ^ other[i]
    return different == ZERO


@kernel
def empty_cells(frame: Any, state: Any) -> Any:
    """How many cells are empty."""
    count = 0
    for cell in range(frame[CELLS]):
        if exponent_at(frame, state, cell) == 0:
            count += 1
    return count


@kernel
def empty_cell(frame: Any, state: Any, number: Any) -> Any:
    """The empty cell of that number, from 0, in reading order."""
    cell = 0
    while True:
        if exponent_at(frame, state, cell) == 0:
            if number == 0:
                return cell
            number -= 1
        cell += 1


@kernel
def largest(frame: Any, state: Any) -> Any:
    """The exponent of the largest tile."""
    found = 0
    for cell in range(frame[CELLS]):
        found = max(found, exponent_at(frame, state, cell))
    return found


# -- moves


@kernel
def slide(tables: Any, state: Any, number: Any, out: Any) -> Any:
    """Slide all tiles in the direction of that number (T6); return the sum of the new tiles (T7)."""
    frame, move = tables[0], tables[1][number]
    along = move[ALONG]
    gained = 0
    for i in range(out.shape[0]):
        out[i] = ZERO
    for line in range(move[LINES]):
        cell = move[FIRST] + line * move[ACROSS]
        target, waiting = cell, 0  # where the next tile comes to lie, and the one that may still combine
        for _ in range(move[LENGTH]):
            exponent = exponent_at(frame, state, cell)
            cell += along
            if exponent == 0:
                continue
            if exponent == waiting:
                put(frame, out, target, exponent + 1)
                gained += 1 << (exponent + 1)
                target, waiting = target + along, 0
                continue
            if waiting:
                put(frame, out, target, waiting)
                target += along
            waiting = exponent
        if waiting:
            put(frame, out, target, waiting)
    return gained


@kernel
def valid(tables: Any, state: Any, number: Any) -> Any:
    """Whether some tile can slide or combine in that direction (T8)."""
    frame, move = tables[0], tables[1][number]
    for line in range(move[LINES]):
        cell = move[FIRST] + line * move[ACROSS]
        before = exponent_at(frame, state, cell)
        for _ in range(1, move[LENGTH]):
            cell += move[ALONG]
            exponent = exponent_at(frame, state, cell)
            if exponent and (before in (0, exponent)):
                return True
            before = exponent
    return False


@kernel
def lost(tables: Any, state: Any, arguments: Any) -> Any:
    """The proposition `lost`: no move is valid (T11); also `ended`."""
    for number in range(MOVES):
        if valid(tables, state, number):
            return 0
    return 1


# -- the interface


@kernel
def successors(tables: Any, state: Any, out: Any, action: Any, reward: Any, chance: Any) -> Any:
    """All outcomes: each valid move with each place and tile that chance may choose (T9, T10, T17)."""
    frame, tiles, chances = tables[0], tables[3], tables[4]
    after = out[out.shape[0] - 1]  # no more than the very last outcome is written over it
    count = 0
    for number in range(MOVES):
        gained = slide(tables, state, number, after)
        if same(state, after):
            continue
        empty = empty_cells(frame, after)
        for cell in range(frame[CELLS]):
            if exponent_at(frame, after, cell):
                continue
            for kind in range(tiles.shape[0]):
                copy(after, out[count])
                put(frame, out[count], cell, tiles[kind])
                action[count], reward[count], chance[count] = number, gained, chances[empty, kind]
                count += 1
    return count


@kernel
def status(tables: Any, state: Any) -> Any:
    """As `Position.status` (T11)."""
    if largest(tables[0], state) >= tables[0][TARGET]:
        return WON
    return LOST if lost(tables, state, tables[0]) else PLAYING


@kernel
def step(tables: Any, state: Any, number: Any, random: Any, out: Any) -> Any:
    """One valid move, and the tile that appears, drawn as the rules do (T10, T18)."""
    frame, urn = tables[0], tables[2]
    gained = slide(tables, state, number, out)
    drawn = below(random, empty_cells(frame, out) * urn.shape[0])
    put(frame, out, empty_cell(frame, out, drawn // urn.shape[0]), urn[drawn % urn.shape[0]])
    return gained


@kernel
def mask(tables: Any, state: Any, mask: Any) -> None:
    """Which moves are valid (T8)."""
    for number in range(MOVES):
        mask[number] = 1 if valid(tables, state, number) else 0


@kernel
def empty(tables: Any, state: Any, arguments: Any) -> Any:
    """The number `empty`."""
    return empty_cells(tables[0], state)


@kernel
def max_tile(tables: Any, state: Any, arguments: Any) -> Any:
    """The number `max_tile`."""
    return 1 << largest(tables[0], state)


@kernel
def tile(tables: Any, state: Any, arguments: Any) -> Any:
    """The proposition `tile(value)`; the value is a tile."""
    return np.int64(1 << largest(tables[0], state) >= arguments[0])


@kernel
def until_exponent(tables: Any, state: Any, exponent: Any) -> Any:
    """How many moves it takes at least until there is such a tile: `rules.until_tile`."""
    frame, urn = tables[0], tables[2]
    if largest(frame, state) >= exponent:
        return 0
    missing = 1 << min(exponent, _HIGHEST)
    for smallest in range(min(exponent, _HIGHEST) - 1, 0, -1):
        for cell in range(frame[CELLS]):
            if exponent_at(frame, state, cell) == smallest and missing:
                missing -= 1 << smallest
        if not missing:
            return exponent - smallest
    most = 0
    for i in range(urn.shape[0]):
        most = max(most, urn[i])
    return ((missing + (1 << most) - 1) >> most) + max(exponent - most, 0)


@kernel
def until_won(tables: Any, state: Any, arguments: Any) -> Any:
    """The bound of `won`."""
    return until_exponent(tables, state, tables[0][TARGET])


@kernel
def until_tile(tables: Any, state: Any, arguments: Any) -> Any:
    """The bound of `tile(value)`."""
    exponent = 0
    while exponent < _HIGHEST and 1 << (exponent + 1) <= arguments[0]:
        exponent += 1
    return until_exponent(tables, state, exponent)


# -- levels made ready


def exponent_of(tile: int) -> int:
    """Of 2, 4, 8, ...: 1, 2, 3, ...; 0 of no tile."""
    return max(tile.bit_length() - 1, 0)


def reach(level: Level, cells: Iterable[int]) -> int:
    """An exponent that no play from these cells exceeds; the same for all that follows from them.

    The sum of a board grows by what appears, and n cells hold it only while it has at most n binary
    digits 1: each tile is a power of two. Counted in the largest tile 2^s that may appear, a sum with
    n such digits is therefore never passed (a smaller tile cannot lead around it), and no tile is
    larger than the sum.
    """
    unit = exponent_of(max(level.rule.tile))
    sum_of_tiles = -(-sum(cells) >> unit)
    while sum_of_tiles.bit_count() < level.width * level.height:
        sum_of_tiles |= sum_of_tiles + 1  # the least larger number with one more digit 1
    return sum_of_tiles.bit_length() - 1 + unit


def directions(width: int, height: int) -> list[tuple[int, int, int, int, int]]:
    """Of each move: first cell, number of lines, their length, and the ways across and along them."""
    corner = width * height - 1
    return [
        (0, height, width, width, 1),
        (width - 1, height, width, width, -1),
        (0, width, height, 1, width),
        (corner - width + 1, width, height, 1, -width),
    ]


def tables_of(level: Level, layout: int) -> tuple[np.ndarray[Any, Any], ...]:
    """The level's data, in the layout of NIBBLES or BYTES.

    Returns
    -------
    tuple of arrays
        int64 (4,) the frame; int64 (4, 5) the directions; int64 (u,) exponents of the urn; int64 (k,)
        those that differ; float64 (cells, k) by the number of empty cells, each one's probability
        at one of them.
    """
    frame = [level.width * level.height, layout, (1 << (1 << layout)) - 1, exponent_of(level.target)]
    return (
        np.array(frame, np.int64),
        np.array(directions(level.width, level.height), np.int64),
        np.array([exponent_of(tile) for tile in level.rule.tile], np.int64),
        np.array([exponent_of(tile) for tile, _ in level.chances[1]], np.int64),
        np.array([[0.0] * len(level.chances[1]), *_chances(level)]),
    )


def _chances(level: Level) -> Iterator[list[float]]:
    return ([float(probability) for _, probability in urn] for urn in level.chances[1:])


def packed(cells: Iterable[int], layout: int) -> np.ndarray[Any, Any]:
    """The words of some cells."""
    exponents = list(map(exponent_of, cells))
    each = 64 >> layout
    return np.array(
        [
            sum(
                exponent << (place << layout)
                for place, exponent in enumerate(exponents[first : first + each])
            )
            for first in range(0, len(exponents), each)
        ],
        np.uint64,
    )


def unpacked(words: np.ndarray[Any, Any], layout: int, count: int) -> tuple[int, ...]:
    """The cells of some words: `packed` undone."""
    whole = int.from_bytes(words.astype("<u8").tobytes(), "little")
    ones = (1 << (1 << layout)) - 1
    exponents = ((whole >> (place << layout)) & ones for place in range(count))
    return tuple(1 << exponent if exponent else 0 for exponent in exponents)


def prepare(level: Level) -> Packing | None:
    """A level's tables; None where tiles above 2^62 could come."""
    start = level.start().cells
    count, largest = len(start), reach(level, start)
    if largest > MOST[BYTES]:
        return None
    layout = NIBBLES if largest <= MOST[NIBBLES] and count <= 16 else BYTES
    return Packing(
        level=level,
        words=-(-count << layout >> 6),
        most=MOVES * (count - 1) * len(set(level.rule.tile)),
        tables=tables_of(level, layout),
        actions=tuple(Move),
        pack=lambda position: packed(position.cells, layout),
        unpack=lambda words: Position(level, unpacked(words, layout, count)),
        fits=lambda position: reach(level, position.cells) <= MOST[layout],
    )


def _play_out() -> None:
    """Random games on both kinds of boards that `playouts` knows."""
    from gridproof.games.twenty48.playouts import playouts

    for size in (4, 2):
        playouts(Level(size, size), 1)


KERNEL = GameKernel(
    prepare=prepare,
    successors=successors,
    status=status,
    step=step,
    mask=mask,
    propositions={
        ("empty", 0): empty,
        ("max_tile", 0): max_tile,
        ("tile", 1): tile,
        ("lost", 0): lost,
        ("ended", 0): lost,  # one may go on after a win (T11)
    },
    bounds={("won", 0): until_won, ("tile", 1): until_tile},
    others={"random games": _play_out},
)
