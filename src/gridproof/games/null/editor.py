"""Level editor of null."""

from __future__ import annotations

from gridproof.core.editor import grid_editor
from gridproof.core.look import Cell
from gridproof.games.null.look import FLAG, FLOOR, WALKER
from gridproof.games.null.text import TEXT


def pile(names: frozenset[str]) -> Cell:
    """Return the look of a cell with these pieces."""
    return (FLOOR, *(FLAG for _ in names & {"flag"}), *(WALKER for _ in names & {"walker"}))


EDITOR = grid_editor(TEXT, pile, first="@..o", empty="cell")
