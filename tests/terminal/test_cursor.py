"""Marks of planned actions, on boards of any form."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from gridproof.core.look import Piece, no_marks
from gridproof.terminal.cursor import PATH_PIECE, marks_of

FLOOR, WALL = (Piece("floor", " ", "floor"),), (Piece("wall", "#", "wall"),)


def _position(board: Any, after: Any = None) -> Any:
    """Return a position whose actions lead to another board."""
    look = SimpleNamespace(board=lambda position: position.shown, marks=no_marks)
    position = SimpleNamespace(level=SimpleNamespace(game=SimpleNamespace(look=look)), shown=board)
    position.outcomes = lambda action: iter([SimpleNamespace(position=_position(after))])
    return position


def test_changed_cells_are_marked() -> None:
    (mark,) = marks_of(_position([[FLOOR, WALL]], [[FLOOR, FLOOR]]), ["any"])
    assert (mark.x, mark.y, mark.piece) == (1, 0, PATH_PIECE)


def test_board_is_not_marked_when_its_shape_changes() -> None:
    for after in ([[FLOOR]], [[FLOOR, WALL], [WALL, WALL]]):
        assert marks_of(_position([[FLOOR, WALL]], after), ["any"]) == ()
