"""What an action has changed on the board, for pages: what moved, and which cells look different."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from gridproof.core.look import Board, Cell, Look
from gridproof.core.position import Action, Outcome, Position
from gridproof.play.data import Data, plain
from gridproof.play.moved import compared, differences
from gridproof.play.web.pieces import PieceTable, is_wall

Place = tuple[int, int]


def with_walls_around(board: Board, places: Sequence[Place], before: Board) -> Sequence[Place]:
    """The places, and the walls around those where a wall has come or gone: they look different, too."""
    changed = [(x, y) for x, y in places if is_wall(board[y][x]) != is_wall(before[y][x])]
    if not changed:
        return places
    near = {(x + dx, y + dy) for x, y in changed for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    walls = {
        (x, y) for x, y in near if 0 <= y < len(board) and 0 <= x < len(board[y]) and is_wall(board[y][x])
    }
    return sorted({*places, *walls})


class Drawn:
    """A position with its board, as pages see it."""

    def __init__(self, position: Position[Any]) -> None:
        look = position.level.game.look
        self.position = position
        self.board = look.board(position)
        self.beside: Cell = look.beside(position)

    def data(self, table: PieceTable) -> Data:
        """All of it."""
        return table.board(self.board, self.beside)


def heard_data(look: Look, outcome: Outcome[Any]) -> Data:
    """What is told of what came of an action, to one who learns so much of it."""
    data: Data = {"label": outcome.label, "events": [*map(_event_data, outcome.events)]}
    if words := look.private_words(outcome):
        data["heard"] = words
    return data


def _event_data(event: object) -> Any:
    """An event as JSON has it."""
    try:
        return _known_event(event)
    except TypeError:  # it cannot be hashed
        return plain(event)


_known_event = functools.lru_cache(maxsize=4096)(plain)
"""The same few events come again and again."""


def step_data(
    table: PieceTable, before: Drawn, after: Drawn, action: Action, outcome: Outcome[Any], back: bool = False
) -> Data:
    """One action as it is to be shown, or as it is taken back.

    Parameters
    ----------
    before, after : Drawn
        As the action was done, also when it is taken back.
    outcome : Outcome
        As whoever is told learns of it.
    """
    look: Look = before.position.level.game.look
    data: Data = {
        "action": str(action),
        "words": look.words(action),
        "reward": outcome.reward,
        **heard_data(look, outcome),
    }
    shown, left = (before, after) if back else (after, before)
    places = differences(left.board, shown.board)
    motions = (
        look.motions(before.position, action, outcome)
        if look.motions
        else compared(before.board, after.board, places)
    )
    data["moves"] = [
        [table.number(piece), *(motion.to + motion.origin if back else motion.origin + motion.to)]
        for motion in motions
        for piece in motion.pieces
    ]
    cells = with_walls_around(shown.board, places, left.board)
    data["cells"] = [[x, y, table.pile(shown.board, x, y)] for x, y in cells]
    if shown.beside != left.beside:
        data["beside"] = [table.number(piece) for piece in shown.beside]
    return data
