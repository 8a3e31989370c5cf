"""Cursor keys, and marks that preview a click on a cell."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.look import Mark, Piece, PointedCell, no_marks
from gridproof.core.position import Action, Position
from gridproof.table.board_diff import differences, same_shape
from gridproof.table.table import Table
from gridproof.terminal.board import BoardView, Place

PATH_PIECE = Piece("on the way", "·", "dot", ("yellow",))
MAX_PATH = 200
"""Largest number of steps on show."""
_MAX_CHANGED_CELLS = 6
"""Largest number of changed cells to mark; words say more of larger changes."""

_ARROWS: Mapping[str, Place] = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
DRAGS: Mapping[str, Place] = {f"shift+{key}": direction for key, direction in _ARROWS.items()}
"""Keys that drag the piece under the cursor."""


def _handles(position: Position[Any]) -> tuple[Mark, ...]:
    """Return the handles beside the board: the marks of all actions, and below it pieces such as bombs."""
    look, below = position.level.game.look, len(position.level.game.look.board(position))
    pieces = (Mark(x, below, _as_handle(piece)) for x, piece in enumerate(look.beside(position)))
    if look.marks is no_marks:
        return tuple(pieces)
    lines = (mark for action in position.all_actions() for mark in look.marks(position, action))
    return (*lines, *pieces)


def _as_handle(piece: Piece) -> Piece:
    return piece if piece.glyph else piece._replace(glyph=f"●{piece.text}")


def show_position(view: BoardView, position: Position[Any]) -> None:
    """Show a position's board with its handles and numbers."""
    look = position.level.game.look
    view.show(look.board(position), _handles(position), look.numbers and look.numbers(position))


def marks_of(position: Position[Any], actions: Sequence[Action]) -> tuple[Mark, ...]:
    """Return marks for planned actions: the game's own marks of a single one, else the cells that change."""
    look = position.level.game.look
    own = look.marks(position, actions[0]) if len(actions) == 1 else ()
    return own or tuple(Mark(x, y, PATH_PIECE) for x, y in _changed_cells(position, actions))


def pointed_texts(table: Table, at: Place, to: Place | None = None) -> tuple[str, ...]:
    """Return the actions of a click or a drag; () if it has no effect."""
    try:
        return table.look.pointed(table.session.position, PointedCell(*at, to, table.actor))
    except GridproofError:
        return ()


def preview(table: Table, at: Place | None, to: Place | None = None) -> tuple[Mark, ...]:
    """Return marks that preview a click or a drag; () if it has no effect."""
    texts = () if at is None else pointed_texts(table, at, to)
    position = table.session.position
    try:
        return marks_of(position, [*_actions(position, texts)]) if texts else ()
    except GridproofError:
        return ()


def action_to_confirm(table: Table, texts: Sequence[str]) -> Action | None:
    """Return the single action of texts, if it uses up something beside the board and is allowed; else None."""
    if len(texts) != 1:
        return None
    confirmed, actions = table.look.confirmed, table.session.position.actions()
    return next((action for action in actions if str(action) == texts[0] and confirmed(action)), None)


def _actions(position: Position[Any], texts: Iterable[str]) -> Iterable[Action]:
    for text in itertools.islice(texts, MAX_PATH):
        action = position.action(text)
        yield action
        position = next(iter(position.outcomes(action))).position


def _changed_cells(position: Position[Any], actions: Sequence[Action]) -> set[Place]:
    """Return the cells that actions change in turn; none if chance decides or they are many."""
    cells: set[Place] = set()
    look = position.level.game.look
    board = look.board
    before = board(position)
    for action in actions:
        outcomes = [*itertools.islice(position.outcomes(action), 2)]
        if len(outcomes) > 1:
            return set()
        position = outcomes[0].position
        after = board(position)
        changed = differences(before, after) if same_shape(before, after) else None
        if changed is None or (len(changed) > _MAX_CHANGED_CELLS and not look.confirmed(action)):
            return set()
        cells |= {*changed}
        before = after
    return cells


def move_cursor(board: BoardView, key: str) -> bool:
    """Move the cursor by an arrow key, also onto handles; return whether the key is an arrow."""
    if key not in _ARROWS:
        return False
    right, down = _ARROWS[key]
    at = board.cursor
    if at is None:
        board.cursor = board.middle
    else:
        to = at[0] + right, at[1] + down
        if board.can_point(to):
            board.cursor = to
    return True
