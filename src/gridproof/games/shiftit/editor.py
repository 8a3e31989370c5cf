"""How levels of Shift It are made by hand: tiles have the names that they have by default."""

from __future__ import annotations

import re

from gridproof.core.editor import Draft, Editor, Place, Tool, about_of
from gridproof.core.errors import GridproofError
from gridproof.core.lines import about_text
from gridproof.core.look import Board, Cell
from gridproof.core.sketch import about_in, sketched
from gridproof.core.wording import shown
from gridproof.games.shiftit.colours import PALETTE, colour_of, letter_of
from gridproof.games.shiftit.elements import DIRECTIONS
from gridproof.games.shiftit.look import SCREWS, tile_cell
from gridproof.games.shiftit.rules import Level

LOCKED, UNLOCKED = "locked", "not locked"
_SYMBOL = re.compile(r"([a-z]|[a-z]{4})(\*?)")


def _parts(symbol: str) -> tuple[str, bool]:
    """The letters of the four sides, and whether the tile is locked."""
    match = _SYMBOL.fullmatch(symbol)
    if match is None:
        raise GridproofError(f"{shown(symbol)} is no tile")
    return match[1] * (5 - len(match[1])) if len(match[1]) == 1 else match[1], bool(match[2])


def _symbol(letters: str, locked: bool) -> str:
    return (letters[0] if len(set(letters)) == 1 else letters) + "*" * locked


def draft(level: Level) -> Draft:
    """That of a level.

    Raises
    ------
    GridproofError
        For a colour that no letter means.
    """
    if other := [colour for colour in level.colours if letter_of(colour) is None]:
        raise GridproofError(
            f"the colour {shown(other[0])} has no letter, so that the level cannot be edited here"
        )
    words, width = level.words, len(level.columns)
    rows = tuple(tuple(words[start : start + width]) for start in range(0, len(words), width))
    return Draft(rows, {}, about_of(level))


def text(draft: Draft) -> str:
    """The first line, keys and rows of tiles."""
    width, height = draft.size
    rows = "".join(" ".join(row) + "\n" for row in draft.cells)
    return f"shiftit {width}x{height}\n{about_text(*draft.about)}{rows}"


def tools(draft: Draft) -> tuple[Tool, ...]:
    """Screws and colours: those with names, and others that the draft has."""
    used = {letter for row in draft.cells for symbol in row for letter in _parts(symbol)[0]}
    colours = dict.fromkeys([*PALETTE, *map(colour_of, sorted(used))])
    plain = (PALETTE[0],) * 4
    return (
        Tool(UNLOCKED, tile_cell(UNLOCKED, plain, locked=False), whole=True),
        Tool(LOCKED, (*tile_cell(LOCKED, plain, locked=False), SCREWS), whole=True),
        *(Tool(colour, tile_cell(colour, (colour,) * 4, locked=False)) for colour in colours),
    )


def paint(draft: Draft, place: Place, tool: str, part: str) -> Draft:
    """A colour on a tile or on one side of it, or its screws."""
    letters, locked = _parts(draft.at(place))
    if tool in (LOCKED, UNLOCKED):
        return draft.put(place, _symbol(letters, tool == LOCKED))
    letter = letter_of(tool) or ""
    if part:
        side = DIRECTIONS.index(part)
        return draft.put(place, _symbol(letters[:side] + letter + letters[side + 1 :], locked))
    return draft.put(place, _symbol(letter * 4, locked))


def board(draft: Draft) -> Board:
    """The tiles."""
    return tuple(tuple(map(_pile, row)) for row in draft.cells)


def _pile(symbol: str) -> Cell:
    letters, locked = _parts(symbol)
    return tile_cell("tile", tuple(map(colour_of, letters)), locked=locked)


def sketch(text: str, line: int) -> Draft | None:
    """The tiles of a text that is no level."""
    found = sketched(text, str.split, _SYMBOL.fullmatch, "r", line)
    return found and Draft(found[0], {}, about_in(found[1]))


EDITOR = Editor(
    first=Draft((("r", "b", "r"), ("b", "b", "r"))),
    blank="r",
    draft=draft,
    text=text,
    tools=tools,
    paint=paint,
    board=board,
    sketch=sketch,
    parts=tuple(DIRECTIONS),
)
