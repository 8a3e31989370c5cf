"""Board deltas: what moved, and which cells changed."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

from gridproof.analysis.json_data import Data, plain
from gridproof.core.look import ON_BOARD, Board, Cell, Look, Motion
from gridproof.core.position import Action, Outcome, Position
from gridproof.server.live.piece_table import PieceTable, is_wall
from gridproof.table.board_diff import differences, match_motions

Place = tuple[int, int]


def add_walls_around(board: Board, places: Sequence[Place], before: Board) -> Sequence[Place]:
    """Add the walls around the places where a wall appeared or vanished, because they look different."""
    changed = [(x, y) for x, y in places if is_wall(board[y][x]) != is_wall(before[y][x])]
    if not changed:
        return places
    near = {(x + dx, y + dy) for x, y in changed for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    return sorted({*places, *((x, y) for x, y in near if _holds(board, x, y) and is_wall(board[y][x]))})


def add_motion_ends(board: Board, places: Sequence[Place], motions: Iterable[Motion]) -> Sequence[Place]:
    """Add the cells where a motion starts or ends, because pages remove the piece there."""
    ends = {place for motion in motions for place in (motion.origin, motion.to)}
    added = [place for place in ends.difference(places) if _holds(board, *place)]
    return sorted({*places, *added})


def _holds(board: Board, x: int, y: int) -> bool:
    return 0 <= y < len(board) and 0 <= x < len(board[y])


class BoardSnapshot:
    """A position with its board as JSON."""

    def __init__(self, position: Position[Any]) -> None:
        look = position.level.game.look
        self.position = position
        self.board = look.board(position)
        self.beside: Cell = look.beside(position)
        self._data: Data | None = None

    def data(self, table: PieceTable) -> Data:
        """Return the whole board as JSON, always for the same piece table."""
        if self._data is None:
            self._data = table.board(self.board, self.beside)
            look = self.position.level.game.look
            if look.numbers is not None:
                rows, columns = look.numbers(self.position)
                self._data["numbers"] = {"rows": [*rows], "columns": [*columns]}
        return self._data


def events_data(look: Look, outcome: Outcome[Any]) -> Data:
    """Return the events of actions as JSON, as far as one actor may learn them."""
    data: Data = {"label": outcome.label, "events": [*map(_event_data, outcome.events)]}
    return data | heard_data(look, outcome)


def heard_data(look: Look, outcome: Outcome[Any]) -> Data:
    """Return what one actor's player alone is told, in the actor's own directions, and in those of the board."""
    if not (words := look.private_texts(outcome)):
        return {}
    seen = look.private_texts(outcome, ON_BOARD)
    return {"heard": words, **({} if seen == words else {"seen_heard": seen})}


def words_data(position: Position[Any], action: Action) -> Data:
    """Return an action in words, in its actor's own directions, and in those of the board if it has any."""
    look = position.level.game.look
    words: Data = {"words": look.describe(position.level, action)}
    return words if look.seen is None else {**words, "seen": look.seen(position, action).words}


def _event_data(event: object) -> Any:
    """Return an event as JSON."""
    try:
        return _plain_event(event)
    except TypeError:  # it cannot be hashed
        return plain(event)


_plain_event = functools.lru_cache(maxsize=4096)(plain)
"""Cached, since a session has few different events."""


def step_data(
    table: PieceTable,
    before: BoardSnapshot,
    after: BoardSnapshot,
    action: Action,
    outcome: Outcome[Any],
    back: bool = False,
) -> Data:
    """Return one action, done or undone, as a delta.

    Parameters
    ----------
    before, after : BoardSnapshot
        Before and after the action, also for an undo.
    outcome : Outcome
        With the events that the viewer may learn.
    """
    look: Look = before.position.level.game.look
    data: Data = {
        "action": str(action),
        **words_data(before.position, action),
        "reward": outcome.reward,
        **events_data(look, outcome),
    }
    if look.dialogue is not None:
        data["dialogue"] = look.dialogue(before.position, action, outcome)._asdict()
    new, old = (before, after) if back else (after, before)
    places = differences(old.board, new.board)
    motions = (
        look.motions(before.position, action, outcome)
        if look.motions
        else match_motions(before.board, after.board, places)
    )
    data["moves"] = [
        [table.number(piece), *(motion.to + motion.origin if back else motion.origin + motion.to)]
        for motion in motions
        for piece in motion.pieces
    ]
    cells = add_walls_around(new.board, add_motion_ends(new.board, places, motions), old.board)
    data["cells"] = [[x, y, table.pile(new.board, x, y)] for x, y in cells]
    if new.beside != old.beside:
        data["beside"] = [table.number(piece) for piece in new.beside]
    return data


def replay_data(
    pieces: PieceTable, start: Position[Any], actions: Sequence[Action], outcomes: Sequence[Outcome[Any]]
) -> Data:
    """Return the board at the start and the steps; equal starts and actions number their pieces in the same way."""
    snapshot = BoardSnapshot(start)
    data: Data = {"pieces": pieces.pieces, "board": snapshot.data(pieces)}
    steps = []
    for action, outcome in zip(actions, outcomes, strict=True):
        after = BoardSnapshot(outcome.position)
        steps.append(step_data(pieces, snapshot, after, action, outcome))
        snapshot = after
    return {**data, "steps": steps}
