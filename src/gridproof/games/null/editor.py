"""How levels of null are made by hand."""

from __future__ import annotations

from gridproof.core.editor import grid_editor
from gridproof.core.look import Cell
from gridproof.games.null.look import FLAG, FLOOR, WALKER
from gridproof.games.null.text import TEXT


def pile(names: frozenset[str]) -> Cell:
    """What a cell with these pieces looks like."""
    return (FLOOR, *(FLAG for _ in names & {"flag"}), *(WALKER for _ in names & {"walker"}))


EDITOR = grid_editor(TEXT, pile, first="@..o", empty="cell")
