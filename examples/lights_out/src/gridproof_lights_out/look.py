"""Look of lights out."""

from __future__ import annotations

from gridproof.core.look import Board, Look, Mark, Piece
from gridproof.pictures import PICTURES
from gridproof_lights_out.rules import Position, Press

FLOOR = Piece("wall behind the lamps", "", "floor", ("floor",))
LIT = Piece("lit lamp", "O", "light", ("yellow",))
DARK = Piece("dark lamp", ".", "light", ("dark",))
PRESSED = Piece("lamp to be pressed", "+", "ring", ("red",))


def board(position: Position) -> Board:
    """Return the lamps row by row."""
    level = position.level
    return tuple(
        tuple((FLOOR, LIT if position.is_lit(x, y) else DARK) for x in range(level.width))
        for y in range(level.height)
    )


def marks(position: Position, press: Press) -> tuple[Mark, ...]:
    """Return a ring around the lamp that is about to be pressed."""
    return (Mark(press.x, press.y, PRESSED),)


LOOK = Look(
    board=board,
    pictures=PICTURES,
    marks=marks,
    words=lambda press: f"press the lamp in column {press.x + 1}, row {press.y + 1}",
    welcome="Turn off all lamps: a press switches a lamp and those above, below and beside it.",
    prompt="press(column,row), both from 0",
    won="All lamps are dark: you have won!",
)
