"""How levels of 2048 are made by hand."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gridproof.core.editor import Draft, Editor, Field, Place, Tool, about_of
from gridproof.core.errors import GridproofError, Problem
from gridproof.core.lines import about_text
from gridproof.core.look import Cell
from gridproof.core.sketch import about_in, sketched
from gridproof.core.wording import shown
from gridproof.games.twenty48.look import grid
from gridproof.games.twenty48.rules import Level
from gridproof.games.twenty48.tiles import SPAWN_RULES
from gridproof.games.twenty48.validity import LARGEST, LEAST_TARGET, SIZES

EMPTY = "0"
LARGEST_TOOL = 2**17
"""The largest tile that a board of 4x4 cells can have."""


def _number(symbol: str) -> int:
    """The tile that a symbol stands for; 0 for an empty cell."""
    if not (symbol.isascii() and symbol.isdecimal() and len(symbol) <= len(str(LARGEST))):
        raise GridproofError(f"{shown(symbol)} is no tile")
    return int(symbol)


def _powers(least: int, others: Iterable[str]) -> list[str]:
    """The powers of two that are offered, and those that the draft has."""
    usual = {str(1 << power) for power in range(least.bit_length() - 1, LARGEST_TOOL.bit_length())}
    known = {symbol for symbol in others if _number(symbol)}
    return sorted(usual | known, key=_number)


def draft(level: Level) -> Draft:
    """That of a level; one that starts by chance begins empty."""
    rows = level.board or ((0,) * level.width,) * level.height
    fields = {"spawn": level.spawn, "target": str(level.target)}
    return Draft(tuple(tuple(map(str, row)) for row in rows), fields, about_of(level))


def text(draft: Draft) -> str:
    """The header and the rows; without them where all is empty, since the start is then drawn by chance (T5)."""
    width, height = draft.size
    spawn, target = (EDITOR.value(draft, name) for name in ("spawn", "target"))
    empty = all(symbol == EMPTY for row in draft.cells for symbol in row)
    rows = "" if empty else "".join(" ".join(row) + "\n" for row in draft.cells)
    return f"2048 {width}x{height} spawn={spawn} target={target}\n{about_text(*draft.about)}{rows}"


def tools(draft: Draft) -> tuple[Tool, ...]:
    """Nothing, and the tiles."""
    symbols = {symbol for row in draft.cells for symbol in row}
    return (Tool("empty", _pile(EMPTY)), *(Tool(tile, _pile(tile)) for tile in _powers(2, symbols)))


def paint(draft: Draft, place: Place, tool: str, part: str) -> Draft:
    """A tile on a cell, or none."""
    return draft.put(place, EMPTY if tool == "empty" else tool)


def _pile(symbol: str) -> Cell:
    return grid([[_number(symbol)]])[0][0]


def fields(draft: Draft) -> tuple[Field, ...]:
    """Which tiles appear (T10), and which one wins (T1)."""
    targets = _powers(LEAST_TARGET, [draft.fields.get("target", EMPTY)])
    return Field("target", "2048", tuple(targets)), Field("spawn", "spec", tuple(SPAWN_RULES))


def concerned(draft: Draft, problem: Problem) -> Iterable[Place]:
    """Cells of a problem, which 2048 names by row and column."""
    match problem.where:
        case (int(row), int(column)):
            return ((column, row),)
    return ()


def sketch(text: str, line: int) -> Draft | None:
    """The board of a text that is no level, with what its header says."""
    found = sketched(text, lambda row: row.replace(".", EMPTY).split(), _TILE.fullmatch, EMPTY, line)
    if found is None:
        return None
    rows, around = found
    values = dict(re.findall(r"\b(spawn|target)=(\w{1,80})", around, re.ASCII))
    offered = {"spawn": SPAWN_RULES, "target": _powers(LEAST_TARGET, ())}
    return Draft(
        rows, {name: value for name, value in values.items() if value in offered[name]}, about_in(around)
    )


_TILE = re.compile(rf"[0-9]{{1,{len(str(LARGEST))}}}")

EDITOR = Editor(
    first=Draft((("0", "0", "0", "0"),) * 2 + (("0", "2", "2", "0"),) + (("0", "0", "0", "0"),)),
    blank=EMPTY,
    draft=draft,
    text=text,
    tools=tools,
    paint=paint,
    board=lambda draft: grid([[*map(_number, row)] for row in draft.cells]),
    fields=fields,
    concerned=concerned,
    sketch=sketch,
    least=(SIZES[0], SIZES[0]),
    largest=(SIZES[-1], SIZES[-1]),
)
