"""Shift It's notes to the proof status: which colours are not connected yet, and whether a line can move."""

from __future__ import annotations

from collections.abc import Iterable

from gridproof.core.limit import Limit
from gridproof.games.shiftit.rules import Position
from gridproof.prove.position_status import Badge, Note, StatusNotes


def notes(position: Position, badge: Badge, limit: Limit) -> Iterable[Note]:
    """Yield that no line can move (S6), and the colours that are not one region yet, each with the number of its regions (S13)."""
    level = position.level
    if not level.valid_moves:
        yield Note("every row and every column is held by a tile with screws", aside=True)
    counts = zip(level.colours, level.connection.count_regions(position.tiles), strict=True)
    apart = [f"{colour} in {count}" for colour, count in counts if count > 1]
    if apart:
        yield Note(f"not connected yet: {', '.join(apart)} parts", aside=True)


STATUS = StatusNotes(notes, actions="shifts")
