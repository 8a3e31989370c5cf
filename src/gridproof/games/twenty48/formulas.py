"""Invariants of 2048, and example formulas."""

from __future__ import annotations

from collections.abc import Iterator

from gridproof.games.twenty48.rules import Level
from gridproof.prove.game_formulas import Domain, GameFormulas


def list_tiles(level: Level) -> Iterator[tuple[int]]:
    """Yield 2, 4, 8 and so on, up to the target."""
    value = 2
    while value <= level.target:
        yield (value,)
        value *= 2


FORMULAS = GameFormulas(
    invariants={"T3": "AG valid"},
    domains={"tiles": Domain(("value",), "2, 4, 8 and so on, up to the target", list_tiles)},
    questions={
        "EF tile(16)": "can there be a tile of 16 or more?",
        "EF empty = 0": "can the board become full?",
        "EF (lost & !tile(16))": "can the game be lost without a tile of 16 or more, and how?",
        "AG (empty > 1 -> EX true)": "is a move always possible while two cells are empty?",
    },
)
