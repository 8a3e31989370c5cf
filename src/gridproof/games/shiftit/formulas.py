"""Formulas that the rules of Shift It promise, and formulas to begin with."""

from __future__ import annotations

from collections.abc import Iterator

from gridproof.games.shiftit.rules import Level
from gridproof.prove.game_formulas import Domain, GameFormulas


def list_cells(level: Level) -> Iterator[tuple[int, int]]:
    """Yield the positions (x, y) of a board, in reading order."""
    return map(level.coordinates, range(len(level.tiles)))


def list_locks(level: Level) -> Iterator[tuple[str, int, int]]:
    """Yield the locked tiles with their positions at the start, in reading order."""
    return ((tile.name, tile.x, tile.y) for tile in level.tiles if tile.locked)


FORMULAS = GameFormulas(
    invariants={
        "S1": "AG valid",
        "S6": "AG (forall (t,x,y) in locks: at(t,x,y))",
        "S7": "AG (deadlock -> ended)",
        "S13": "G (won -> X won)",
        "S14": "AG (won -> ended)",
        "S15": "AG (ended -> deadlock)",
    },
    domains={
        "tiles": Domain(("tile",), "the tiles by name", lambda level: ((name,) for name in level.names)),
        "cells": Domain(("x", "y"), "all positions of the board", list_cells),
        "locks": Domain(
            ("tile", "x", "y"), "the locked tiles, with their positions at the start", list_locks
        ),
    },
    questions={
        "EF (won & near)": "is there a win with every tile at its start or next to it?",
        "EF (won & !near)": "is there a win with some tile far from its start?",
        "E[near U won]": "can it be won without taking a tile far from its start?",
        "AG (!ended -> EF home)": "can the start always be reached again?",
    },
)
