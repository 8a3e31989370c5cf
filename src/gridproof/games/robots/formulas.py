"""Formulas that the rules of Robots promise, and formulas to begin with."""

from __future__ import annotations

from collections.abc import Iterator

from gridproof.games.robots.rules import Level
from gridproof.prove.game_formulas import Domain, GameFormulas


def list_cells(level: Level) -> Iterator[tuple[int, int]]:
    """Yield the cells (x, y) of a board, the top row first."""
    return ((x, y) for y in range(level.grid.height) for x in range(level.grid.width))


FORMULAS = GameFormulas(
    invariants={"R8": "AG valid"},
    domains={
        "robots": Domain(
            ("robot",), "the robots by name, in their order", lambda level: ((name,) for name in level.names)
        ),
        "cells": Domain(("x", "y"), "all cells of the board, from 0", list_cells),
    },
    questions={
        "<<a>> F won(a)": "can a get home first, whatever the others do?",
        "AG EF won": "can a robot always still reach its home?",
        "EF rotation(a) = 180": "can a ever look to the left?",
        "E[!won(b) U won(a)]": "can a get home before b?",
    },
)
