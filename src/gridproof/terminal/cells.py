"""Cells of a board as characters of a terminal: drawn in blocks where there is room, else the look's glyphs."""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style

from gridproof.core.look import Board, Cell, Piece, top
from gridproof.pictures.palette import ink_on
from gridproof.play.terminal.shapes import colour_at
from gridproof.play.terminal.themes import PALETTES

SMALLEST_DRAWN = 2
"""Lines of a cell from which pieces are drawn; smaller cells show their glyphs."""
LARGEST = 8
"""Lines of the largest cells: on a small board more would only be coarse."""
LARGEST_IN_LETTERS = 3

_BLOCKS = " ▗▖▄▝▐▞▟▘▚▌▙▀▜▛█"
"""By the quarters that are filled: 8 for the upper left one, 4, 2 and 1 for the lower right one."""
_CORNERS = ((-1, -1), (1, -1), (-1, 1), (1, 1))

Lines = tuple[tuple[Segment, ...], ...]


@dataclass(frozen=True, slots=True)
class Canvas:
    """How cells are drawn."""

    width: int
    """Characters of a cell."""
    height: int
    """Lines of a cell."""
    palette: str
    """One of `PALETTES`."""
    back: str
    """"#rrggbb" of what lies around the board."""
    letters: bool = False
    """Whether there are no colours, so that glyphs tell everything."""

    def hue(self, name: str) -> str:
        """The "#rrggbb" of a colour of a piece."""
        return PALETTES[self.palette].get(name, name)


def cell_sizes(board: Board, letters: bool) -> list[tuple[int, int]]:
    """The sizes that cells can have, the largest first: a character is about twice as high as wide."""
    widest = max((len(top(cell).glyph) for row in board for cell in row), default=1)
    largest = LARGEST_IN_LETTERS if letters else LARGEST
    sizes = [(max(2 * lines, widest + 1), lines) for lines in range(largest, 0, -1)]
    return [*sizes, (widest, 1)]


@functools.lru_cache(maxsize=4096)
def drawn(pile: Cell, canvas: Canvas) -> Lines:
    """The lines of a cell."""
    if canvas.letters:
        return _lettered(pile, canvas)
    if canvas.height < SMALLEST_DRAWN:
        return (_glyph(pile, canvas),)
    return tuple(
        tuple(_block(pile, canvas, column, line) for column in range(canvas.width))
        for line in range(canvas.height)
    )


def _seen(pile: Cell) -> Piece:
    """The piece whose glyph is shown: a mark hides nothing but the floor."""
    below = top(tuple(piece for piece in pile if piece.shape != "dot"))
    return top(pile) if below.shape in ("floor", "ground") else below


# -- with colours


def _colour(pile: Cell, canvas: Canvas, x: float, y: float) -> str:
    for piece in reversed(pile):
        colour = colour_at(piece, x, y)
        if colour is not None:
            return canvas.hue(colour)
    return canvas.back


def _block(pile: Cell, canvas: Canvas, column: int, line: int) -> Segment:
    """One character: the one of the blocks that shows its quarters best in two colours, or a written one."""
    middle = (2 * column + 1) / canvas.width - 1, (2 * line + 1) / canvas.height - 1
    quarters = [
        _colour(pile, canvas, middle[0] + 0.5 * right / canvas.width, middle[1] + 0.5 * down / canvas.height)
        for right, down in _CORNERS
    ]
    common = [colour for colour, _ in Counter(quarters).most_common(2)]
    letter = _written(pile, canvas).get((column, line))
    if letter:
        under = common[0]
        return Segment(letter[0], Style(color=letter[1] or ink_on(under), bgcolor=under, bold=True))
    if len(common) == 1:
        return Segment(" ", Style(bgcolor=common[0]))
    front, under = common
    filled = sum(8 >> place for place, colour in enumerate(quarters) if colour == front)
    return Segment(_BLOCKS[filled], Style(color=front, bgcolor=under))


@functools.lru_cache(maxsize=1024)
def _written(pile: Cell, canvas: Canvas) -> dict[tuple[int, int], tuple[str, str | None]]:
    """The letters of a cell by their places, each with its colour; None for black or white."""
    piece = next(
        (piece for piece in reversed(pile) if piece.text or piece.shape in ("person", "robot")), None
    )
    if piece is None:
        return {}
    if piece.shape == "quarters":
        return _in_quarters(piece, canvas)
    return _in_the_middle(piece, canvas)


def _in_the_middle(piece: Piece, canvas: Canvas) -> dict[tuple[int, int], tuple[str, str | None]]:
    text = piece.text[: canvas.width]
    line = canvas.height // 2 if piece.shape == "home" else (canvas.height - 1) // 2
    first = (canvas.width - len(text)) // 2
    own = canvas.hue(piece.colours[0]) if piece.shape == "question" else None
    return {(first + place, line): (letter, own) for place, letter in enumerate(text)}


def _in_quarters(piece: Piece, canvas: Canvas) -> dict[tuple[int, int], tuple[str, str | None]]:
    """A letter in each quarter: colours alone do not tell all people enough."""
    if canvas.height < 3 or len(piece.text) != 4:
        return {}
    x, y = (canvas.width - 1) // 2, (canvas.height - 1) // 2
    right, down = canvas.width - 1 - canvas.width // 6, canvas.height - 1
    places = ((x, 0), (right, y), (x, down), (canvas.width // 6, y))
    return {place: (letter, None) for place, letter in zip(places, piece.text, strict=True)}


def _glyph(pile: Cell, canvas: Canvas) -> tuple[Segment, ...]:
    """A small cell: the glyph of its top piece, on the colour of what it stands on."""
    piece = _seen(pile)
    under = _colour(
        tuple(one for one in pile if one.shape in ("floor", "wall", "box", "square")), canvas, 0, 0.7
    )
    text = piece.glyph.rjust(canvas.width)[: canvas.width]
    if piece.shape in ("wall", "floor", "ground") and piece.glyph in "#. ":
        return (Segment(" " * canvas.width, Style(bgcolor=under)),)
    if len(piece.colours) == len(piece.glyph) > 1:
        blank = Segment(" " * (canvas.width - len(piece.glyph)), Style(bgcolor=under))
        return (
            blank,
            *(
                Segment(letter, Style(color=canvas.hue(colour), bgcolor=under, bold=True))
                for letter, colour in zip(piece.glyph, piece.colours, strict=True)
            ),
        )
    return (Segment(text, Style(color=_readable(piece, canvas, under), bgcolor=under, bold=True)),)


def _readable(piece: Piece, canvas: Canvas, under: str) -> str:
    """A piece's own colour, or black or white where it lies on that itself."""
    own = canvas.hue(piece.colours[0])
    return ink_on(under) if own == under else own


# -- without


def _lettered(pile: Cell, canvas: Canvas) -> Lines:
    """The glyph in the middle; walls fill their cells, and what can be marked is."""
    piece, width = _seen(pile), canvas.width
    marked = any(one.shape in ("frame", "ring") and not one.glyph for one in pile) or piece is not top(pile)
    style = Style(bold=piece.shape not in ("floor", "ground"), reverse=marked)
    fill = "#" if piece.shape == "wall" else " "
    text = fill * width if fill == "#" else piece.glyph.center(width)[:width]
    blank = Segment(fill * width, style)
    middle = (canvas.height - 1) // 2
    return tuple((Segment(text, style) if line == middle else blank,) for line in range(canvas.height))
