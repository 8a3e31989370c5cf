"""How levels of extended Sokoban are made by hand."""

from __future__ import annotations

from gridproof.core.editor import Draft, Field, character_editor
from gridproof.core.lines import About, about_text
from gridproof.core.look import Cell
from gridproof.games.sokoban.formats.rows import full_rows
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


EDITOR = character_editor(
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
