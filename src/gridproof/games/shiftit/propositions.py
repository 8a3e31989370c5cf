"""Propositions of Shift It."""

from __future__ import annotations

from gridproof.core.errors import GridproofError
from gridproof.core.game import Proposition
from gridproof.core.text.phrases import some
from gridproof.games.shiftit.rules import Position


def near(position: Position) -> bool:
    """Return whether every tile is at its start or next to it (S23)."""
    around = position.level.neighbourhoods
    return all(place in around[tile] for place, tile in enumerate(position.tiles))


def at(position: Position, tile: str | int, x: int | str, y: int | str) -> bool:
    """Return whether the tile with this name is at P(x, y) (S1)."""
    level = position.level
    if x not in level.columns or y not in level.rows:
        columns, rows = level.columns, level.rows
        raise GridproofError(
            f"at({tile},{x},{y}): x is from {columns[0]} to {columns[-1]} and y from {rows[0]} to {rows[-1]}"
        )
    if str(tile) not in level.names:
        raise GridproofError(f"no tile {tile!r}; choose from {some(level.names)}")
    return level.names[position.tiles[level.place(int(x), int(y))]] == str(tile)


def is_valid(position: Position) -> bool:
    """Return whether exactly one tile lies on each position (S1)."""
    return sorted(position.tiles) == list(range(len(position.level.tiles)))


PROPOSITIONS = (
    Proposition("near", (), "every tile is at its start or next to it (S23)", near),
    Proposition("at", ("tile", "x", "y"), "the tile of this name is at P(x, y)", at),
    Proposition("valid", (), "exactly one tile lies on each position (S1)", is_valid),
)
