"""Editor of levels of 2048."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from gridproof.core.editor import Draft, Editor, Field, Place, Tool, level_header
from gridproof.core.errors import GridproofError, Problem
from gridproof.core.look import Cell
from gridproof.core.text.lines import header_text
from gridproof.core.text.phrases import short_repr
from gridproof.games.twenty48.look import grid
from gridproof.games.twenty48.rules import Level
from gridproof.games.twenty48.tiles import SPAWN_RULES, SPAWN_WORDS
from gridproof.games.twenty48.validity import LARGEST, LEAST_TARGET, SIZES

EMPTY = "0"
LARGEST_TOOL = 2**17
"""The largest tile that a board of 4x4 cells can have."""


def _parse_tile(symbol: str) -> int:
    """Return the tile of a symbol; 0 for an empty cell."""
    if not (symbol.isascii() and symbol.isdecimal() and len(symbol) <= len(str(LARGEST))):
        raise GridproofError(f"{short_repr(symbol)} is no tile")
    return int(symbol)


def _tile_options(least: int, others: Iterable[str]) -> list[str]:
    """Return the usual powers of two, and those of the draft."""
    usual = {str(1 << power) for power in range(least.bit_length() - 1, LARGEST_TOOL.bit_length())}
    known = {symbol for symbol in others if _parse_tile(symbol)}
    return sorted(usual | known, key=_parse_tile)


def draft(level: Level) -> Draft:
    """Return the draft of a level; it is empty for a random start."""
    rows = level.board or ((0,) * level.width,) * level.height
    fields = {"spawn": level.spawn, "target": str(level.target)}
    return Draft(tuple(tuple(map(str, row)) for row in rows), fields, level_header(level))


def text(draft: Draft) -> str:
    """Return the header and the rows; no rows for an empty draft, which means a random start (T5)."""
    width, height = draft.size
    spawn, target = (EDITOR.value(draft, name) for name in ("spawn", "target"))
    empty = all(symbol == EMPTY for row in draft.cells for symbol in row)
    rows = "" if empty else "".join(" ".join(row) + "\n" for row in draft.cells)
    return f"2048 {width}x{height} spawn={spawn} target={target}\n{header_text(*draft.about)}{rows}"


def tools(draft: Draft) -> tuple[Tool, ...]:
    """Return the empty cell and the tiles."""
    symbols = {symbol for row in draft.cells for symbol in row}
    return (Tool("empty", _pile(EMPTY)), *(Tool(tile, _pile(tile)) for tile in _tile_options(2, symbols)))


def paint(draft: Draft, place: Place, tool: str, part: str) -> Draft:
    """Put a tile on a cell, or clear it."""
    return draft.with_symbol(place, EMPTY if tool == "empty" else tool)


def _pile(symbol: str) -> Cell:
    return grid([[_parse_tile(symbol)]])[0][0]


def fields(draft: Draft) -> tuple[Field, ...]:
    """Return the fields of the target (T1) and the spawn rule (T10)."""
    targets = _tile_options(LEAST_TARGET, [draft.fields.get("target", EMPTY)])
    spawn = Field("spawn", "spec", tuple(SPAWN_RULES), label="new tiles", words=tuple(SPAWN_WORDS.values()))
    return Field("target", "2048", tuple(targets)), spawn


def problem_cells(draft: Draft, problem: Problem) -> Iterable[Place]:
    """Return the cell of a problem, which 2048 names by row and column."""
    match problem.where:
        case (int(row), int(column)):
            return ((column, row),)
    return ()


def found_fields(around: str) -> Mapping[str, str]:
    """Return the spawn rule and the target in the lines around a board."""
    values = dict(re.findall(r"\b(spawn|target)=(\w{1,80})", around, re.ASCII))
    offered = {"spawn": SPAWN_RULES, "target": _tile_options(LEAST_TARGET, ())}
    return {name: value for name, value in values.items() if value in offered[name]}


_TILE = re.compile(rf"[0-9]{{1,{len(str(LARGEST))}}}")

EDITOR = Editor(
    first=Draft((("0", "0", "0", "0"),) * 2 + (("0", "2", "2", "0"),) + (("0", "0", "0", "0"),)),
    blank=EMPTY,
    draft=draft,
    text=text,
    tools=tools,
    paint=paint,
    board=lambda draft: grid([[*map(_parse_tile, row)] for row in draft.cells]),
    fields=fields,
    problem_cells=problem_cells,
    symbols=lambda row: row.replace(".", EMPTY).split(),
    is_symbol=_TILE.fullmatch,
    found_fields=found_fields,
    least=(SIZES[0], SIZES[0]),
    largest=(SIZES[-1], SIZES[-1]),
)
