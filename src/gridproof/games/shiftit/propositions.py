"""Statements about positions of Shift It."""

from __future__ import annotations

from gridproof.core.game import Proposition
from gridproof.games.shiftit.rules import Position


def near(position: Position) -> bool:
    """Whether every tile is at its start or next to it (S23)."""
    around = position.level.neighbourhoods
    return all(place in around[tile] for place, tile in enumerate(position.tiles))


def joined(position: Position) -> float:
    """How much of what a win joins is joined (S13)."""
    return float(position.level.connection.unions(position.tiles))


PROPOSITIONS = (Proposition("near", (), "every tile is at its start or next to it (S23)", near),)

QUESTIONS = {
    "EF (won & near)": "is there a win with every tile at its start or next to it?",
    "E[near U won]": "can it be won without taking a tile far from its start?",
    "AG (!ended -> EF home)": "can one always go back to the start?",
}
