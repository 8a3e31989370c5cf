"""Look of 2048: pieces, keys and messages (T15)."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from gridproof.core.look import Board, Cell, Look, Motion, Piece, point_by_arrow
from gridproof.core.position import Outcome
from gridproof.games.twenty48.propositions import has_room_for, next_target
from gridproof.games.twenty48.rules import Level, Move, Position
from gridproof.games.twenty48.tiles import slide_targets
from gridproof.pictures import PICTURES

TILES = (
    "#f7eed5",  # 2
    "#f3e1b7",
    "#f1d298",  # 8
    "#f1c279",
    "#efb161",  # 32
    "#ee9f4e",
    "#ed8b3f",  # 128
    "#eb7737",
    "#e2653d",  # 512
    "#d85545",
    "#cb464c",  # 2048
    "#bd3853",
    "#ab3059",  # 8192
    "#952c65",
    "#7e2a6c",  # 32768
    "#67286e",
    "#50266b",  # 131072 and more
)
"""The colours of 2, 4, 8, ..., each darker than the last; a front end writes on them in black or white."""

_ADDED = {"spec": "a 2", "classic": "a 2, or one time in ten a 4"}
"""The tile that each move adds, by the spawn rule."""

EMPTY = Piece("empty cell", "   .", "square", ("floor",))
"""Glyphs are four wide, so that text boards keep their shape for a while."""


@functools.cache
def _piece(tile: int) -> Piece:
    rank = min(tile.bit_length() - 2, len(TILES) - 1)
    return Piece(f"tile {tile}", f"{tile:>4}", "square", (TILES[rank],), str(tile))


@functools.cache
def _cell(tile: int) -> Cell:
    return (EMPTY, _piece(tile)) if tile else (EMPTY,)


def grid(rows: Sequence[Sequence[int]]) -> Board:
    """Return the board of rows of numbers."""
    return tuple([tuple(map(_cell, row)) for row in rows])


def board(position: Position) -> Board:
    """Return the board; columns grow to the right, rows downwards (T15)."""
    return grid(position.rows)


def motions(position: Position, move: Move, outcome: Outcome[Position]) -> tuple[Motion, ...]:
    """Return the motion of each tile that slides, also into another tile; new tiles do not move."""
    level, cells = position.level, position.cells
    found = []
    for where, _ in level.lines[move]:
        places = range(len(cells))[where]
        for start, end in slide_targets(cells[where]).items():
            if start != end:
                (row, column), (to_row, to_column) = level.cells[places[start]], level.cells[places[end]]
                found.append(Motion((_piece(cells[places[start]]),), (column, row), (to_column, to_row)))
    return tuple(found)


def counts(position: Position, tally: int) -> tuple[tuple[str, str], ...]:
    """Return the counts beside the board and the score."""
    return (("moves", str(tally)), ("target", str(_open_target(position) or position.level.target)))


def goal(level: Level) -> str:
    """Return sentences about the target, and about the tiles that appear after a move."""
    return f"Merge equal tiles until you make {_name(level.target)}. Each move adds {_ADDED[level.spawn]}."


def next_goal(position: Position) -> str:
    """Return sentences about the tile to make after the target; "" before it is made, and where nothing can be done."""
    if not position.won or position.lost:
        return ""
    target = _open_target(position)
    aim = f"until you make {_name(target)}" if target else "for points"
    return f"You have won; go on {aim}. Each move adds {_ADDED[position.level.spawn]}."


def _open_target(position: Position) -> int | None:
    """Return the tile to make after the target; None before it is made, at the end, and where the board has no room for it."""
    target = next_target(position)
    return target if position.won and not position.lost and has_room_for(position, target) else None


def _name(tile: int) -> str:
    return f"{'an' if str(tile).startswith('8') else 'a'} {tile}"


LOOK = Look(
    invitation="Slide, merge, double: you know it. Here you also see the chance that is left, and, if you ask, what each direction is worth.",
    order=1,
    board=board,
    pictures=PICTURES,
    counts=counts,
    pointed=point_by_arrow,
    motions=motions,
    keys={
        "left": "left", "right": "right", "up": "up", "down": "down",
        "a": "left", "d": "right", "w": "up", "s": "down",
        "h": "left", "l": "right", "k": "up", "j": "down",
    },
    gestures="Swipe, or drag anywhere on the board, the way that the tiles slide.",
    welcome="Slide the tiles: equal tiles that meet become one of twice the value.",
    goal=goal,
    next_goal=next_goal,
    prompt="left, right, up or down",
    won="You have made the target tile: you have won!",
    won_as=lambda position: f"You have made {position.level.target}, the target tile: you have won!",
    lost="No move is left: you have lost.",
    over=lambda position: f"You made {position.level.target} and won; no move is left.",
    farewell="Thank you for playing. Good-bye!",
)  # fmt: skip
