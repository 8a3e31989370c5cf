"""What pointing at a cell would do, as marks; and the keyboard's way to point."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.look import Mark, Piece, Pointed, no_marks
from gridproof.core.position import Action, Position
from gridproof.play.moved import differences, same_shape
from gridproof.play.table import Table
from gridproof.play.terminal.board import BoardView, Place

WAY = Piece("on the way", "·", "dot", ("yellow",))
LONGEST_WAY = 200
"""Steps of a way that are shown."""
_MOST_CHANGED = 6
"""Cells of an action that are marked; where it changes more, words say it better."""

_ARROWS: Mapping[str, Place] = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
DRAGS: Mapping[str, Place] = {f"shift+{key}": way for key, way in _ARROWS.items()}
"""Keys that drag what the cursor is on."""


def handles(position: Position[Any]) -> tuple[Mark, ...]:
    """What stands beside the board to be taken: the marks of all that can be done."""
    look = position.level.game.look
    if look.marks is no_marks:
        return ()
    return tuple(mark for action in position.all_actions() for mark in look.marks(position, action))


def marks(position: Position[Any], actions: Sequence[Action]) -> tuple[Mark, ...]:
    """What shows actions about to be done: the game's own marks of one, else the cells that change."""
    look = position.level.game.look
    own = look.marks(position, actions[0]) if len(actions) == 1 else ()
    return own or tuple(Mark(x, y, WAY) for x, y in _way(position, actions))


def preview(table: Table, at: Place | None, to: Place | None = None) -> tuple[Mark, ...]:
    """What pointing there would do, or dragging something; () where it does nothing."""
    if at is None:
        return ()
    position = table.session.position
    try:
        texts = table.look.pointed(position, Pointed(*at, to, table.actor))
        return marks(position, [*_actions(position, texts)]) if texts else ()
    except GridproofError:
        return ()


def _actions(position: Position[Any], texts: Iterable[str]) -> Iterable[Action]:
    for text in itertools.islice(texts, LONGEST_WAY):
        action = position.action(text)
        yield action
        position = next(iter(position.outcomes(action))).position


def _way(position: Position[Any], actions: Sequence[Action]) -> set[Place]:
    """The cells that actions change one after the other, where chance has no part in it and they are few."""
    found: set[Place] = set()
    board = position.level.game.look.board
    before = board(position)
    for action in actions:
        outcomes = [*itertools.islice(position.outcomes(action), 2)]
        if len(outcomes) > 1:
            return set()
        position = outcomes[0].position
        after = board(position)
        changed = differences(before, after) if same_shape(before, after) else None
        if changed is None or len(changed) > _MOST_CHANGED:
            return set()
        found |= {*changed}
        before = after
    return found


def moves_cursor(board: BoardView, key: str) -> bool:
    """Move the cursor by an arrow key, also onto what stands beside the board; whether it is one."""
    if key not in _ARROWS:
        return False
    right, down = _ARROWS[key]
    at = board.cursor
    if at is None:
        board.cursor = board.columns // 2, board.rows // 2
    else:
        to = at[0] + right, at[1] + down
        if board.can_point(to):
            board.cursor = to
    return True
