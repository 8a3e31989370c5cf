"""Moved pieces: where the pieces stand that an action of a solution moves."""

from __future__ import annotations

from typing import Any

from gridproof.core.look import Motion
from gridproof.core.position import Action, Outcome, Position
from gridproof.core.trace import Trace
from gridproof.table.board_diff import differences, match_motions, same_shape

Place = tuple[int, int]
_PLAYER = "person"
"""Shape of the player's own figure, which moves in every step: nobody needs to be told."""


def motions_of(before: Position[Any], action: Action, outcome: Outcome[Any]) -> tuple[Motion, ...]:
    """Return what an action moves, as the game's look says, else by comparing the boards."""
    look = before.level.game.look
    if look.motions:
        return look.motions(before, action, outcome)
    old, new = look.board(before), look.board(outcome.position)
    return match_motions(old, new, differences(old, new)) if same_shape(old, new) else ()


def next_moved(way: Trace) -> tuple[Place, ...]:
    """Return the cells of the pieces that a solution moves next, apart from the player's figure.

    An actor that turns counts, too; () if the next step is about no piece.
    """
    position = way.start
    first: tuple[Place, ...] = ()
    for action, outcome in zip(way.actions, way.outcomes(), strict=True):
        motions = motions_of(position, action, outcome)
        moved = tuple(motion for motion in motions if not _is_player(motion))
        if moved or not motions:
            return _origins(position, moved) or _place_of_actor(position, action)
        first = first or _origins(position, motions)
        position = outcome.position
    return first


def _is_player(motion: Motion) -> bool:
    return any(piece.shape == _PLAYER for piece in motion.pieces)


def _place_of_actor(position: Position[Any], action: Action) -> tuple[Place, ...]:
    """Return where the piece of an action's actor stands, in games whose actors have pieces."""
    find = position.level.game.look.place
    place = find and find(position, position.level.owner(action))
    return (place,) if place else ()


def _origins(position: Position[Any], motions: tuple[Motion, ...]) -> tuple[Place, ...]:
    """Return where moved pieces stand on the board, each once."""
    board = position.level.game.look.board(position)
    places = dict.fromkeys(motion.origin for motion in motions)
    return tuple((x, y) for x, y in places if 0 <= y < len(board) and 0 <= x < len(board[y]))
