"""How levels of lights out are made by hand."""

from __future__ import annotations

from gridproof.core.editor import grid_editor
from gridproof.core.look import Cell
from gridproof_lights_out.look import DARK, FLOOR, LIT
from gridproof_lights_out.text import TEXT


def pile(names: frozenset[str]) -> Cell:
    """What a lamp looks like, lit or dark."""
    return FLOOR, LIT if names else DARK


EDITOR = grid_editor(TEXT, pile, first="... .O. ...", empty="dark")
