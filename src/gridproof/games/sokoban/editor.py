"""The editor of levels of extended Sokoban."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gridproof.core.editor import Draft, Field, Place, character_editor, own_cell
from gridproof.core.errors import ParseError, Problem
from gridproof.core.look import Cell
from gridproof.core.text.lines import LevelHeader, header_text
from gridproof.games.sokoban.formats.rows import PIECES, Rows, full_rows
from gridproof.games.sokoban.look import BOX, DEPOT, FLOOR, PLACED_BOX, PLAYER, PLAYER_ON_DEPOT, WALL
from gridproof.games.sokoban.validity import LARGEST_NUMBER

CHARACTERS = {"-": "", **PIECES}


def cell_pieces(names: frozenset[str]) -> Cell:
    """Return the pieces of a cell in the order in which they are drawn."""
    depot = "depot" in names
    on_it = {
        "wall": WALL,
        "box": PLACED_BOX if depot else BOX,
        "player": PLAYER_ON_DEPOT if depot else PLAYER,
    }
    return (FLOOR, *([DEPOT] if depot else []), *(on_it[name] for name in on_it if name in names))


def _fields(draft: Draft) -> tuple[Field, ...]:
    return (Field("bombs", "0", most=LARGEST_NUMBER),)


def _text(about: LevelHeader, rows: str, draft: Draft) -> str:
    bombs = EDITOR.value(draft, "bombs")
    return rows + header_text(*about._replace(keys={"Bombs": bombs, **about.keys}))


def problem_cells(draft: Draft, problem: Problem) -> Iterable[Place]:
    """Return the cells of a problem; for counts that differ, the surplus boxes or depots that lie alone."""
    if problem.code != "K3-counts":
        return own_cell(draft, problem)
    boxes, depots = draft.places("$*".__contains__), draft.places(".*+".__contains__)
    return draft.places("$".__contains__ if len(boxes) > len(depots) else ".+".__contains__)


def found_fields(around: str) -> Mapping[str, str]:
    """Return the bombs in the lines around a board."""
    bombs = re.search(r"^\s*bombs\s*:\s*([0-9]{1,9})\s*$", around, re.IGNORECASE | re.MULTILINE)
    return {"bombs": bombs[1]} if bombs else {}


def _line_symbols(line: str) -> Sequence[str]:
    """Return a character for each cell, with run lengths expanded where nothing else is wrong."""
    rows: list[str] = []
    try:
        Rows(line).read(line, 1, rows)
    except ParseError:
        rows = [line.rstrip()]
    return tuple(rows[0].translate(_FLOORS)) if len(rows) == 1 else ()


_FLOORS = str.maketrans(" _", "--")
_CHARACTER_EDITOR = character_editor(
    CHARACTERS,
    cell_pieces,
    first="####### #-----# #-@$.-# #-----# #######",
    text=_text,
    rows=lambda level: full_rows(level.start()),
    once=("player",),
    empty="floor",
)


def _draft(level: Any) -> Draft:
    return replace(_CHARACTER_EDITOR.draft(level), fields={"bombs": str(level.bombs)})


EDITOR = replace(
    _CHARACTER_EDITOR,
    fields=_fields,
    draft=_draft,
    problem_cells=problem_cells,
    symbols=_line_symbols,
    found_fields=found_fields,
)
