"""The list of the moves of a level, each with a mark if it is proved to have cost something."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from gridproof.core.position import Position
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
    has_lost: bool = False
    """True if it is proved to have lost the win."""
    extra: int = 0
    """The moves that it is proved to cost beyond the fewest."""


def listed_moves(table: Table, frame: str, most: int) -> Iterator[ListedMove]:
    """Yield the moves of the current level, from at most `most` before the position to `most` after it.

    Their words are in directions of a frame. Verdicts are told as far as the mode of the table's status allows.
    """
    session, fatal = table.session, _fatal_move(table)
    first, steps = session.line(most)
    for number, (position, action) in enumerate(steps, first + 1):
        is_done = number <= session.actions_done
        at_end = session.position if number == session.actions_done else None
        after = steps[number - first][0] if number - first < len(steps) else at_end
        cost = (False, 0) if after is None else _cost(table, position, after)
        if number == fatal:
            cost = True, 0
        yield ListedMove(number, name_move(position, action, frame), is_done, *cost)


def _fatal_move(table: Table) -> int:
    """Return the number of the move that is proved to have made the position dead, as far as it may be told; 0 for none."""
    badge = table.status.badge
    if badge is None or badge.since is None or not table.status.is_told(table.status.mode):
        return 0
    return badge.since.dead if badge.since.exact and badge.since.winnable >= 0 else 0


def _cost(table: Table, before: Position[Any], after: Position[Any]) -> tuple[bool, int]:
    """Return whether a move lost the win, and its extra moves, as far as both is proved and may be told.

    An action of a game of chance has no fixed cost, nor has one after a win.
    """
    mode, recall = table.status.mode, table.status.proofs.recall
    if mode == OFF:
        return False, 0
    was, now = recall(before), recall(after)
    if was.winnable and now.dead:
        return True, 0
    if mode == WHEN_DEAD or not (was.left and was.fewest and now.fewest) or was.needs_luck:
        return False, 0
    return False, max(0, (now.left or 0) + 1 - was.left)
