"""Statements about positions of null."""

from __future__ import annotations

from gridproof.core.errors import GridproofError
from gridproof.core.game import Proposition
from gridproof.games.null.rules import Level, Position


def won(position: Position) -> bool:
    """Whether the walker stands on the flag (N4)."""
    return position.won


def on_flag(level: Level) -> tuple[Position, ...]:
    """The one position that is won."""
    return (Position(level, level.flag),)


def until_at(position: Position, x: int) -> int:
    """How many actions it takes at least to cell x: two cells an action to the right, else one."""
    way = x - position.walker
    return (way + 1) // 2 if way > 0 else -way


def at(position: Position, x: int | str) -> bool:
    """Whether the walker stands on cell x."""
    if not isinstance(x, int) or not 0 <= x < position.level.width:
        raise GridproofError(f"at({x}): the cells are 0 to {position.level.width - 1}")
    return position.walker == x


PROPOSITIONS = (
    Proposition("won", (), "the walker stands on the flag", won, where=on_flag),
    Proposition("at", ("x",), "the walker stands on cell x, from 0", at, bound=until_at),
)
