"""Statements and numbers about positions of 2048."""

from __future__ import annotations

from gridproof.core.errors import GridproofError
from gridproof.core.game import Proposition
from gridproof.games.twenty48.rules import Position
from gridproof.games.twenty48.tiles import is_tile
from gridproof.games.twenty48.validity import board_problems


def empty(position: Position) -> int:
    """How many cells are empty."""
    return position.cells.count(0)


def max_tile(position: Position) -> int:
    """The largest tile."""
    return max(position.cells)


def until_won(position: Position) -> int:
    """How many moves it takes at least until the game is won."""
    return until_tile(position, position.level.target)


def until_tile(position: Position, value: int) -> int:
    """How many moves it takes at least until there is a tile of that value or more.

    It is made of tiles that are on the board, at best the largest ones, and of one new tile a move. The
    smallest of them, or the last to appear, combines at most once in a move.
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


def tile(position: Position, value: int | str) -> bool:
    """Whether there is a tile of that value or more."""
    if not (isinstance(value, int) and is_tile(value)):
        raise GridproofError(f"tile({value}): a tile is a power of two from 2 on")
    return max(position.cells) >= value


def valid(position: Position) -> bool:
    """Whether the board is as T1 and T3 want it."""
    size = position.level.width, position.level.height
    return not any(board_problems(position.rows, size))


PROPOSITIONS = (
    Proposition("won", (), "some tile is the target or more", lambda p: p.won, bound=until_won),
    Proposition("lost", (), "no move is valid (true of some won positions too)", lambda p: p.lost),
    Proposition("empty", (), "how many cells are empty", empty, number=True),
    Proposition("max_tile", (), "the largest tile", max_tile, number=True),
    Proposition("valid", (), "at least two cells hold a tile (T3)", valid),
    Proposition("tile", ("value",), "some tile has that value or more", tile, bound=until_tile),
)

QUESTIONS = {
    "EF tile(16)": "can a 16 be made?",
    "EF (lost & !tile(16))": "can one lose before a 16 is made, and how?",
    "AG (empty > 1 -> EX true)": "can one always move while two cells are empty?",
}

INVARIANTS = {"T3": "AG valid"}
