"""Propositions of Shift It."""

from __future__ import annotations

from gridproof.core.game import Proposition
from gridproof.games.shiftit.rules import Position


def near(position: Position) -> bool:
    """Return whether every tile is at its start or next to it (S23)."""
    around = position.level.neighbourhoods
    return all(place in around[tile] for place, tile in enumerate(position.tiles))


PROPOSITIONS = (Proposition("near", (), "every tile is at its start or next to it (S23)", near),)
