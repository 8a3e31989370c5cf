"""Editor of levels of Shift It; tiles have default names."""

from __future__ import annotations

import re

from gridproof.core.editor import Draft, Editor, Place, Tool, level_header
from gridproof.core.errors import GridproofError
from gridproof.core.look import Board, Cell, Piece
from gridproof.core.text.lines import header_text
from gridproof.core.text.phrases import short_repr
from gridproof.games.shiftit.colours import PALETTE, colour_of, letter_of
from gridproof.games.shiftit.elements import DIRECTIONS
from gridproof.games.shiftit.look import SCREWS, tile_cell
from gridproof.games.shiftit.rules import Level

LOCKED, UNLOCKED = "locked", "not locked"
_SYMBOL = re.compile(r"([a-z]|[a-z]{4})(\*?)")


def _parse_symbol(symbol: str) -> tuple[str, bool]:
    """Return the letters of the four sides, and whether the tile is locked."""
    match = _SYMBOL.fullmatch(symbol)
    if match is None:
        raise GridproofError(f"{short_repr(symbol)} is no tile")
    return match[1] * (5 - len(match[1])) if len(match[1]) == 1 else match[1], bool(match[2])


def _format_symbol(letters: str, locked: bool) -> str:
    return (letters[0] if len(set(letters)) == 1 else letters) + "*" * locked


def draft(level: Level) -> Draft:
    """Return the draft of a level.

    Raises
    ------
    GridproofError
        For a colour that no letter means.
    """
    if other := [colour for colour in level.colours if letter_of(colour) is None]:
        raise GridproofError(
            f"the colour {short_repr(other[0])} has no letter, so that the level cannot be edited here"
        )
    words, width = level.words, len(level.columns)
    rows = tuple(tuple(words[start : start + width]) for start in range(0, len(words), width))
    return Draft(rows, {}, level_header(level))


def text(draft: Draft) -> str:
    """Return the first line, keys and rows of tiles of a draft."""
    width, height = draft.size
    rows = "".join(" ".join(row) + "\n" for row in draft.cells)
    return f"shiftit {width}x{height}\n{header_text(*draft.about)}{rows}"


def tools(draft: Draft) -> tuple[Tool, ...]:
    """Return screws and colours: those with names, and others of the draft."""
    used = {letter for row in draft.cells for symbol in row for letter in _parse_symbol(symbol)[0]}
    colours = dict.fromkeys([*PALETTE, *map(colour_of, sorted(used))])
    tile = Piece("tile", "", "quarters", ("grey",) * 4)  # no colour, as these tools change none
    return (
        Tool(UNLOCKED, (tile,), whole=True),
        Tool(LOCKED, (tile, SCREWS), whole=True),
        *(Tool(colour, tile_cell(colour, (colour,) * 4, locked=False)) for colour in colours),
    )


def paint(draft: Draft, place: Place, tool: str, part: str) -> Draft:
    """Put a colour on a tile or on one side of it, or change its screws."""
    letters, locked = _parse_symbol(draft.at(place))
    if tool in (LOCKED, UNLOCKED):
        return draft.with_symbol(place, _format_symbol(letters, tool == LOCKED))
    letter = letter_of(tool) or ""
    if part:
        side = DIRECTIONS.index(part)
        return draft.with_symbol(place, _format_symbol(letters[:side] + letter + letters[side + 1 :], locked))
    return draft.with_symbol(place, _format_symbol(letter * 4, locked))


def board(draft: Draft) -> Board:
    """Return the tiles of a draft."""
    return tuple(tuple(map(_pile, row)) for row in draft.cells)


def _pile(symbol: str) -> Cell:
    letters, locked = _parse_symbol(symbol)
    return tile_cell("tile", tuple(map(colour_of, letters)), locked=locked)


EDITOR = Editor(
    first=Draft((("r", "b", "r"), ("b", "b", "r"))),
    blank="r",
    draft=draft,
    text=text,
    tools=tools,
    paint=paint,
    board=board,
    symbols=str.split,
    is_symbol=_SYMBOL.fullmatch,
    parts=tuple(DIRECTIONS),
)
