"""What Sokoban adds to what is proved while one plays: which boxes are stuck."""

from __future__ import annotations

from collections.abc import Iterable

from gridproof.core.limit import Limit
from gridproof.core.wording import counted
from gridproof.games.sokoban.reasons import stuck_boxes
from gridproof.games.sokoban.rules import Position
from gridproof.prove.badge import Badge, Manner, Note


def notes(position: Position, badge: Badge, limit: Limit) -> Iterable[Note]:
    """The boxes that keep a dead position from being won, where a quick look shows them."""
    stuck = stuck_boxes(position) if badge.dead else ()
    if stuck:
        yield Note(f"{counted(len(stuck), 'boxes')} stuck", stuck)


MANNER = Manner(notes)
