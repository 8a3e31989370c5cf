"""Sokoban's notes to the proof status: the boxes that are stuck."""

from __future__ import annotations

from collections.abc import Iterable

from gridproof.core.limit import Limit
from gridproof.core.text.phrases import format_count
from gridproof.games.sokoban.explanations import stuck_boxes
from gridproof.games.sokoban.rules import Position
from gridproof.prove.position_status import Badge, Note, StatusNotes


def notes(position: Position, badge: Badge, limit: Limit) -> Iterable[Note]:
    """Yield the boxes that make a position dead, where a quick look shows them."""
    stuck = stuck_boxes(position) if badge.dead else ()
    if stuck:
        yield Note(f"{format_count(len(stuck), 'boxes')} stuck", stuck)


STATUS = StatusNotes(notes)
