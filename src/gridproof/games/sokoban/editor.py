"""How levels of extended Sokoban are made by hand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from gridproof.core.editor import Draft, Field, Place, character_editor, own_cell
from gridproof.core.errors import ParseError, Problem
from gridproof.core.lines import About, about_text
from gridproof.core.look import Cell
from gridproof.core.sketch import about_in, sketched
from gridproof.games.sokoban.formats.rows import Rows, full_rows
from gridproof.games.sokoban.look import BOX, DEPOT, FLOOR, PLACED_BOX, PLAYER, PLAYER_ON_DEPOT, WALL
from gridproof.games.sokoban.validity import LARGEST_NUMBER

CHARACTERS = {
    "-": "", "#": "wall", "$": "box", ".": "depot", "@": "player", "*": "box depot", "+": "player depot",
}  # fmt: skip


def pile(names: frozenset[str]) -> Cell:
    """What a cell with these pieces looks like."""
    depot = "depot" in names
    on_it = {
        "wall": WALL,
        "box": PLACED_BOX if depot else BOX,
        "player": PLAYER_ON_DEPOT if depot else PLAYER,
    }
    return (FLOOR, *([DEPOT] if depot else []), *(on_it[name] for name in on_it if name in names))


def _fields(draft: Draft) -> tuple[Field, ...]:
    return (Field("bombs", "0", most=LARGEST_NUMBER),)


def _text(about: About, rows: str, draft: Draft) -> str:
    bombs = EDITOR.value(draft, "bombs")
    return rows + about_text(*about._replace(keys={"Bombs": bombs, **about.keys}))


def concerned(draft: Draft, problem: Problem) -> Iterable[Place]:
    """The cells of a problem: of counts that differ, the boxes or the depots of which there are more and that lie alone."""
    if problem.code != "K3-counts":
        return own_cell(draft, problem)
    boxes, depots = draft.places("$*".__contains__), draft.places(".*+".__contains__)
    return draft.places("$".__contains__ if len(boxes) > len(depots) else ".+".__contains__)


def sketch(text: str, line: int) -> Draft | None:
    """The board of a text that is no level, and its bombs."""
    found = sketched(text, _symbols, CHARACTERS.__contains__, "-", line)
    if found is None:
        return None
    bombs = re.search(r"^\s*bombs\s*:\s*([0-9]{1,9})\s*$", found[1], re.IGNORECASE | re.MULTILINE)
    return Draft(found[0], {"bombs": bombs[1]} if bombs else {}, about_in(found[1]))


def _symbols(line: str) -> Sequence[str]:
    """A character for each cell, run lengths written out where nothing else is wrong."""
    rows: list[str] = []
    try:
        Rows(line).read(line, 1, rows)
    except ParseError:
        rows = [line.rstrip()]
    return tuple(rows[0].translate(_FLOORS)) if len(rows) == 1 else ()


_FLOORS = str.maketrans(" _", "--")
_DRAWN = character_editor(
    CHARACTERS,
    pile,
    first="####### #-----# #-@$.-# #-----# #######",
    text=_text,
    rows=lambda level: full_rows(level.start()),
    once=("player",),
    empty="floor",
    fields=_fields,
    values=lambda level: {"bombs": str(level.bombs)},
)
EDITOR = replace(_DRAWN, concerned=concerned, sketch=sketch)
