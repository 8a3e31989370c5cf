"""Statements about positions of null."""

from __future__ import annotations

from gridproof.core.errors import GridproofError
from gridproof.core.game import Proposition
from gridproof.games.null.rules import Level, Position


def won(position: Position) -> bool:
    """Return whether the walker stands on the flag (N4)."""
    return position.won


def flag_positions(level: Level) -> tuple[Position, ...]:
    """Return the only won position."""
    return (Position(level, level.flag),)


def at_bound(position: Position, x: int) -> int:
    """Return the least number of actions to cell x: two cells an action to the right, else one."""
    distance = x - position.walker
    return (distance + 1) // 2 if distance > 0 else -distance


def at(position: Position, x: int | str) -> bool:
    """Return whether the walker stands on cell x."""
    if not isinstance(x, int) or not 0 <= x < position.level.width:
        raise GridproofError(f"at({x}): the cells are 0 to {position.level.width - 1}")
    return position.walker == x


PROPOSITIONS = (
    Proposition("won", (), "the walker stands on the flag", won, where=flag_positions),
    Proposition("at", ("x",), "the walker stands on cell x, from 0", at, bound=at_bound),
)
