"""Formulas that the rules of Sokoban guarantee, and formulas to begin with."""

from __future__ import annotations

from collections.abc import Iterable

from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.validity import Cell
from gridproof.prove.game_formulas import Domain, GameFormulas


def list_squares(level: Level) -> Iterable[Cell]:
    """List the squares that are no wall at the start, row by row."""
    width, height = level.size
    squares = ((x, y) for y in range(height) for x in range(width))
    return (square for square in squares if square not in level.walls)


FORMULAS = GameFormulas(
    invariants={"K3": "AG valid", "K10": "G ([bomb] -> X !won)"},
    domains={
        "squares": Domain(("x", "y"), "the squares that are no wall at the start", list_squares),
        "depots": Domain(("x", "y"), "the depots", lambda level: sorted(level.depots)),
        "boxes": Domain(
            ("x", "y"), "the squares of the boxes at the start", lambda level: sorted(level.boxes)
        ),
    },
    questions={
        "EF (won & bombs > 0)": "can it be won with a bomb to spare?",
        "AG (placed > 0 -> EF won)": "is a box on a depot never a mistake?",
        "EF (placed > 0 & AG !won)": "can a box stand on a depot although the win is lost?",
        "AG (bombs = 0 -> EF won)": "can it always be won when no bomb is left?",
        "G (won -> Y O [left])": "does every way to the win go to the left at some time?",
    },
    is_worth_asking=lambda level, formula: level.bombs > 0 or "bombs" not in formula,
)
