"""Look and keys of null."""

from __future__ import annotations

from gridproof.core.look import Board, Cell, Look, Piece
from gridproof.games.null.rules import Position
from gridproof.pictures import PICTURES

FLOOR = Piece("cell", ".", "floor", ("floor",))
FLAG = Piece("flag", "o", "star", ("yellow",))
WALKER = Piece("walker", "@", "person", ("blue",))


def _cell(position: Position, x: int) -> Cell:
    pile = [FLOOR]
    if x == position.level.flag:
        pile.append(FLAG)
    if x == position.walker:
        pile.append(WALKER)
    return tuple(pile)


def board(position: Position) -> Board:
    """Return the board: one row."""
    return (tuple(_cell(position, x) for x in range(position.level.width)),)


LOOK = Look(
    board=board,
    pictures=PICTURES,
    keys={
        "left": "left",
        "right": "right",
        "a": "left",
        "d": "right",
        "h": "left",
        "l": "right",
        "space": "hop",
    },
    welcome="Walk to the flag; a hop carries you one cell or two, as chance has it.",
    prompt="left, right or hop",
)
