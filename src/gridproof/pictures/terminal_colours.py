"""Boards of text in the colours of a terminal, with the characters of `board_text`."""

from __future__ import annotations

from collections.abc import Mapping

from rich.color import Color
from rich.style import Style
from rich.text import Text

from gridproof.core.look import Board, Piece, check_piece, columns, top
from gridproof.pictures.palette import ink_on, shade

# Colours by name are the terminal's own, which suit its background; the others come from the palette.
_OWN: Mapping[str, Style] = {
    "floor": Style(dim=True),
    "stone": Style(),
    "dark": Style(),
    "light": Style(),
    "grey": Style(dim=True),
    "blue": Style(color="blue", bold=True),
    "red": Style(color="red", bold=True),
    "green": Style(color="green", bold=True),
    "yellow": Style(color="yellow", bold=True),
    "orange": Style(color="bright_red", bold=True),
    "purple": Style(color="magenta", bold=True),
    "brown": Style(color="yellow"),
}


def paint(board: Board) -> Text:
    """Return the board as text, each cell in the colours of its top piece; GridproofError if it cannot be drawn.

    A glyph with as many characters as its piece has colours shows one in each.
    """
    width, gap = columns(board)
    text = Text(no_wrap=True)
    for row in board:
        line = Text()
        for place, cell in enumerate(row):
            line.append(gap if place else "")
            _append(line, top(cell), width)
        line.rstrip()
        text.append_text(line).append("\n")
    return text


def _append(line: Text, piece: Piece, width: int) -> None:
    check_piece(piece)
    glyph = piece.glyph.rjust(width)
    if piece.shape == "square" and piece.colours[0].startswith("#"):
        line.append(glyph, _tile(piece.colours[0]))
    elif len(piece.colours) == len(piece.glyph) > 1:
        line.append(" " * (width - len(piece.glyph)))
        for character, colour in zip(piece.glyph, piece.colours, strict=True):
            line.append(character, _style(colour))
    else:
        line.append(glyph, _style(piece.colours[0]))


def _tile(colour: str) -> Style:
    return Style(color=ink_on(colour), bgcolor=colour, bold=True)


def _style(colour: str) -> Style:
    return _OWN.get(colour) or Style.from_color(Color.parse(shade(colour, "dark")))
