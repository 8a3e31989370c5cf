"""Example formulas about Shift It."""

from __future__ import annotations

from collections.abc import Iterator

from gridproof.games.shiftit.rules import Level
from gridproof.prove.game_formulas import Domain, GameFormulas


def list_cells(level: Level) -> Iterator[tuple[int, int]]:
    """Yield the positions (x, y) of a board, in reading order."""
    return map(level.coordinates, range(len(level.tiles)))


FORMULAS = GameFormulas(
    domains={
        "tiles": Domain(("tile",), "the tiles by name", lambda level: ((name,) for name in level.names)),
        "cells": Domain(("x", "y"), "all positions of the board", list_cells),
    },
    questions={
        "EF (won & near)": "is there a win with every tile at its start or next to it?",
        "EF (won & !near)": "is there a win with some tile far from its start?",
        "E[near U won]": "can it be won without taking a tile far from its start?",
        "AG (!ended -> EF home)": "can the start always be reached again?",
    },
)
