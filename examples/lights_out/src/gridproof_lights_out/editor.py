"""Level editor of lights out."""

from __future__ import annotations

from gridproof.core.editor import grid_editor
from gridproof.core.look import Cell
from gridproof_lights_out.look import DARK, FLOOR, LIT
from gridproof_lights_out.text import TEXT


def pile(names: frozenset[str]) -> Cell:
    """Return the look of a lamp, lit or dark."""
    return FLOOR, LIT if names else DARK


EDITOR = grid_editor(TEXT, pile, first="... .O. ...", empty="dark")
