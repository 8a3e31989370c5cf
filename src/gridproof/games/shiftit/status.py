"""Shift It's notes to the proof status: how many regions each colour has."""

from __future__ import annotations

from collections.abc import Iterable

from gridproof.core.limit import Limit
from gridproof.games.shiftit.rules import Position
from gridproof.prove.position_status import Badge, Note, StatusNotes


def notes(position: Position, badge: Badge, limit: Limit) -> Iterable[Note]:
    """Yield how far each colour is from one region (S13), until all are."""
    level = position.level
    counts = dict(zip(level.colours, level.connection.count_regions(position.tiles), strict=True))
    if max(counts.values()) > 1:
        yield Note(
            f"regions: {', '.join(f'{colour} {count}' for colour, count in counts.items())}", aside=True
        )


STATUS = StatusNotes(notes, actions="shifts")
