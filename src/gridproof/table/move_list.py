"""The list of the moves of a level, each with a mark if it is proved to have cost something."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from gridproof.core.position import Action, Position
from gridproof.prove.position_status import LossCause, loss_cause
from gridproof.table.messages import name_move
from gridproof.table.status import OFF, WHEN_DEAD

if TYPE_CHECKING:
    from gridproof.table.table import Table


class ListedMove(NamedTuple):
    """A move of a list."""

    number: int
    """Number from 1."""
    name: str
    is_done: bool
    """False if it was undone and can be redone."""
    loss: LossCause | None = None
    """The cause of the loss of the win with this move, by proof; None if it was not lost here."""
    extra: int = 0
    """The moves that it is proved to cost beyond the fewest."""


def listed_moves(table: Table, frame: str, most: int) -> Iterator[ListedMove]:
    """Yield the moves of the current level, from at most `most` before the position to `most` after it.

    Their words are in directions of a frame. Verdicts are told as far as the mode of the table's status allows.
    """
    session, status = table.session, table.status
    fatal, cause = (status.is_told(status.mode) and status.fatal_action) or (0, None)
    first, steps = session.line(most)
    for number, (position, action) in enumerate(steps, first + 1):
        is_done = number <= session.actions_done
        at_end = session.position if number == session.actions_done else None
        after = steps[number - first][0] if number - first < len(steps) else at_end
        cost = (None, 0) if after is None else _cost(table, position, action, after)
        if number == fatal:
            cost = cause, 0
        yield ListedMove(number, name_move(position, action, frame), is_done, *cost)


def _cost(
    table: Table, before: Position[Any], action: Action, after: Position[Any]
) -> tuple[LossCause | None, int]:
    """Return what lost the win with a move, and its extra moves, as far as both is proved and may be told.

    An action of a game of chance has no fixed cost, nor has one after a win.
    """
    mode, recall = table.status.mode, table.status.proofs.recall
    if mode == OFF:
        return None, 0
    was, now = recall(before), recall(after)
    if was.winnable and now.dead:
        return loss_cause(was, str(action), table.session.game), 0
    if mode == WHEN_DEAD or not (was.left and was.fewest and now.fewest) or was.needs_luck:
        return None, 0
    return None, max(0, (now.left or 0) + 1 - was.left)
