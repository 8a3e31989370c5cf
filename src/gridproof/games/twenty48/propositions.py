"""Propositions and numbers of 2048."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

from gridproof.core.errors import GridproofError
from gridproof.core.game import Proposition
from gridproof.games.twenty48.rules import Position
from gridproof.games.twenty48.tiles import is_tile
from gridproof.games.twenty48.validity import find_board_problems

_MOST_MOVES = 1000
"""The most moves with a bound of a probability: its fractions have more and more digits."""


def empty(position: Position) -> int:
    """Count the empty cells."""
    return position.cells.count(0)


def max_tile(position: Position) -> int:
    """Return the largest tile."""
    return max(position.cells)


def next_target(position: Position) -> int:
    """Return the tile to make: the target, and once it is made twice the largest tile."""
    return max(position.level.target, 2 * max_tile(position) if position.won else 0)


def has_room_for(position: Position, value: int) -> bool:
    """Return whether a tile of that value may be made; False if the board has too few cells for its parts.

    A tile is made of two halves. While the second one is made, the first takes up a cell.
    """
    left, most = Counter(position.cells), max(position.level.rule.tile)

    def fits(tile: int, cells: int) -> bool:
        if cells and left[tile]:
            left[tile] -= 1
            return True
        if cells and tile <= most << cells - 1:
            return True
        return cells > 0 and tile > most and fits(tile // 2, cells) and fits(tile // 2, cells - 1)

    return fits(value, len(position.cells))


def min_moves_to_win(position: Position) -> int:
    """Return a lower bound of the moves to a win."""
    return min_moves_to_tile(position, position.level.target)


def min_moves_to_tile(position: Position, value: int) -> int:
    """Return a lower bound of the moves to a tile of that value or more.

    Tiles on the board, at best the largest ones, and one new tile a move make it. The smallest of them,
    or the last to appear, combines at most once in a move.
    """
    if max(position.cells) >= value:
        return 0
    missing = smallest = value
    for tile in sorted(filter(None, position.cells), reverse=True):
        if tile <= missing:
            missing, smallest = missing - tile, tile
    most = max(position.level.rule.tile)
    if not missing:
        return (value // smallest).bit_length() - 1
    return -(-missing // most) + max(value // most, 1).bit_length() - 1


def chance_of_win(position: Position, moves: int) -> Fraction:
    """Return an upper bound of the probability to win within some moves."""
    return chance_of_tile(position, moves, position.level.target)


def chance_of_tile(position: Position, moves: int, value: int) -> Fraction:
    """Return an upper bound of the probability of a tile of that value or more within some moves.

    The tiles before the last move have at least its value as their sum, unless it appears as it is. Each move adds one tile.
    """
    urn = position.level.rule.tile
    least, most, added = min(urn), max(urn), max(moves - 1, 0)
    missing = value - sum(position.cells) - added * least
    if max(position.cells) >= value or value <= most or missing <= 0 or added > _MOST_MOVES:
        return Fraction(1)
    if least == most:
        return Fraction(0)
    needed, larger = -(-missing // (most - least)), len(urn) - urn.count(least)
    ways = sum(
        math.comb(added, count) * larger**count * (len(urn) - larger) ** (added - count)
        for count in range(needed, added + 1)
    )
    return Fraction(ways, len(urn) ** added)


def tile(position: Position, value: int | str) -> bool:
    """Return whether there is a tile of that value or more."""
    if not (isinstance(value, int) and is_tile(value)):
        raise GridproofError(f"tile({value}): a tile is a power of two from 2 on")
    return max(position.cells) >= value


def valid(position: Position) -> bool:
    """Return whether the board meets T1 and T3."""
    size = position.level.width, position.level.height
    return not any(find_board_problems(position.rows, size))


def explain_dead_position(position: Position) -> str:
    """Return why the target is out of reach; "" where no move is left only later."""
    return "the board is full, and no two neighbours are equal" if position.lost else ""


PROPOSITIONS = (
    Proposition(
        "won",
        (),
        "some tile is the target or more",
        lambda p: p.won,
        bound=min_moves_to_win,
        chance=chance_of_win,
        never=explain_dead_position,
    ),
    Proposition(
        "lost",
        (),
        "no move is valid (true of some won positions too)",
        lambda p: p.lost,
        bound=empty,  # one new tile a move
        final=True,
    ),
    Proposition("empty", (), "the number of empty cells", empty, number=True),
    Proposition("max_tile", (), "the largest tile", max_tile, number=True),
    Proposition("valid", (), "at least two cells hold a tile (T3)", valid),
    Proposition(
        "tile",
        ("value",),
        "some tile has that value or more",
        tile,
        bound=min_moves_to_tile,
        chance=chance_of_tile,
    ),
)
