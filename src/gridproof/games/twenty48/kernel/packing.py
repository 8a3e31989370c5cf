"""Packing of levels of 2048 for kernels.

`max_exponent` bounds the tiles beforehand, so nothing overflows. Where tiles above 2^62 are possible,
rewards would not fit their words, and only the rules play.
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from gridproof.games.twenty48.kernel.cells import BYTES, MOST, MOVES, NIBBLES
from gridproof.games.twenty48.kernel.rows import row_table
from gridproof.games.twenty48.rules import Level, Move, Position
from gridproof.kernels.game import Packing, join_tables

Array = np.ndarray[Any, Any]


def exponent_of(tile: int) -> int:
    """Return the exponent of a tile: 1 for 2, 2 for 4, ...; 0 for no tile."""
    return max(tile.bit_length() - 1, 0)


def max_exponent(level: Level, cells: Iterable[int]) -> int:
    """Return an upper bound of the exponents in all play from these cells, the same for all successors.

    The sum of a board grows by spawns, and n cells hold it only while it has at most n binary digits 1,
    since each tile is a power of two. In units of the largest spawn 2^s, a sum with n such digits is
    therefore never passed (a smaller tile cannot skip it), and no tile is larger than the sum.
    """
    unit = exponent_of(max(level.rule.tile))
    sum_of_tiles = -(-sum(cells) >> unit)
    while sum_of_tiles.bit_count() < level.width * level.height:
        sum_of_tiles |= sum_of_tiles + 1  # the least larger number with one more digit 1
    return sum_of_tiles.bit_length() - 1 + unit


def directions(width: int, height: int) -> list[tuple[int, int, int, int, int]]:
    """Return for each move: first cell, number of lines, their length, and the steps across and along them."""
    corner = width * height - 1
    return [
        (0, height, width, width, 1),
        (width - 1, height, width, width, -1),
        (0, width, height, 1, width),
        (corner - width + 1, width, height, 1, -width),
    ]


def data_of(level: Level, layout: int) -> Array:
    """Return the level's data, int64, in the layout NIBBLES or BYTES, as `cells.py` describes."""
    urn, pairs = level.rule.tile, () if level.board else level.rule.pair
    differ, square = Counter(urn), (level.width, level.height) == (4, 4)
    frame = [level.width * level.height, layout, (1 << (1 << layout)) - 1, exponent_of(level.target)]
    tables = (
        itertools.chain.from_iterable(directions(level.width, level.height)),
        map(exponent_of, urn),
        map(exponent_of, differ),
        differ.values(),
        map(exponent_of, itertools.chain.from_iterable(pairs)),
        _row_data() if square else (),
    )
    inverse = -(-(1 << 32) // len(urn))
    return join_tables([*frame, len(urn), len(differ), len(pairs), square, inverse], tables)


@functools.cache
def _row_data() -> Array:
    return row_table(data_of(Level(4, 2), NIBBLES))


def count_words(cells: int, layout: int) -> int:
    """Return how many words some cells take."""
    return -(-cells << layout >> 6)


def pack_cells(cells: Iterable[int], layout: int) -> Array:
    """Return the words of some cells."""
    exponents = list(map(exponent_of, cells))
    whole = sum(exponent << (place << layout) for place, exponent in enumerate(exponents))
    size = 8 * count_words(len(exponents), layout)
    return np.frombuffer(whole.to_bytes(size, "little"), "<u8").astype(np.uint64)


def unpack_cells(words: Array, layout: int, count: int) -> tuple[int, ...]:
    """Return the cells of some words, the inverse of `pack_cells`."""
    whole = int.from_bytes(words.astype("<u8").tobytes(), "little")
    ones = (1 << (1 << layout)) - 1
    exponents = ((whole >> (place << layout)) & ones for place in range(count))
    return tuple(1 << exponent if exponent else 0 for exponent in exponents)


def prepare(level: Level) -> Packing | None:
    """Return the packing of a level; None where tiles above 2^62 are possible."""
    start = level.start().cells
    largest = max_exponent(level, start)
    if largest > MOST[BYTES]:
        return None
    return packing_in(level, NIBBLES if largest <= MOST[NIBBLES] and len(start) <= 16 else BYTES, largest)


def packing_in(level: Level, layout: int, largest: int) -> Packing:
    """Return the packing of a level in the layout NIBBLES or BYTES, for exponents up to `largest`."""
    count = level.width * level.height
    return Packing(
        level=level,
        words=count_words(count, layout),
        most=MOVES * (count - 1) * len(set(level.rule.tile)),
        data=data_of(level, layout),
        actions=tuple(Move),
        pack=lambda position: pack_cells(position.cells, layout),
        unpack=lambda words: Position(level, unpack_cells(words, layout, count)),
        observed=(level.height, level.width),
        symbols=largest + 1,
        fits=lambda position: max_exponent(level, position.cells) <= MOST[layout],
        from_symbols=lambda exponents: Position(
            level, tuple(1 << exponent if exponent else 0 for exponent in exponents.ravel().tolist())
        ),
    )
