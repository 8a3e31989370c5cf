"""Cells of a board as characters of a terminal: block characters where there is room, else glyphs."""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style

from gridproof.core.look import Board, Cell, Piece, check_piece, top
from gridproof.pictures.palette import ink_on
from gridproof.terminal.shapes import OWN, colour_at
from gridproof.terminal.themes import PALETTES

MIN_DRAWN_LINES = 2
"""Lines of the smallest cells with drawn pieces; smaller ones show glyphs."""
MIN_BELT_LINES = 3
"""Lines of the smallest cells in which one sees where a belt leads; smaller ones show its glyph all over."""
MAX_LINES = 8
"""Lines of the largest cells: larger ones look coarse."""
MAX_LINES_WITHOUT_COLOURS = 3

_BLOCKS = " ▗▖▄▝▐▞▟▘▚▌▙▀▜▛█"
"""Block characters by the sum of their quarters: 8 upper left, 4 upper right, 2 lower left, 1 lower right."""
_CORNERS = ((-1, -1), (1, -1), (-1, 1), (1, 1))

Lines = tuple[tuple[Segment, ...], ...]


@dataclass(frozen=True, slots=True)
class Canvas:
    """Size and colours of cells."""

    width: int
    """Columns of a cell."""
    height: int
    """Lines of a cell."""
    palette: str
    """One of `PALETTES`."""
    background: str
    """Colour around the board, "#rrggbb"."""
    letters: bool = False
    """True if there are no colours, so that glyphs show everything."""

    def hue(self, name: str) -> str:
        """Return a colour of a piece as "#rrggbb"."""
        return PALETTES[self.palette].get(name, name)


def cell_sizes(board: Board, letters: bool) -> list[tuple[int, int]]:
    """Return the possible sizes of cells, the largest first: a character is about twice as high as wide."""
    widest = max((len(top(cell).glyph) for row in board for cell in row), default=1)
    largest = MAX_LINES_WITHOUT_COLOURS if letters else MAX_LINES
    sizes = [(max(2 * lines, widest + 1), lines) for lines in range(largest, 0, -1)]
    return [*sizes, (widest, 1)]


@functools.lru_cache(maxsize=4096)
def draw_cell(pile: Cell, canvas: Canvas) -> Lines:
    """Draw the lines of a cell; GridproofError for a piece that cannot be drawn."""
    for piece in pile:
        if piece.shape not in OWN:
            check_piece(piece)
    if canvas.letters:
        return _draw_letters(pile, canvas)
    if canvas.height < MIN_DRAWN_LINES:
        return (_draw_glyph(pile, canvas),)
    if canvas.height < MIN_BELT_LINES and top(pile).shape == "belt":
        style = Style(color=canvas.hue(top(pile).colours[0]), bgcolor=canvas.hue("line"), bold=True)
        return ((Segment(top(pile).glyph * canvas.width, style),),) * canvas.height
    return tuple(
        tuple(_draw_block(pile, canvas, column, line) for column in range(canvas.width))
        for line in range(canvas.height)
    )


def _visible_piece(pile: Cell) -> Piece:
    """Return the piece whose glyph is shown: a mark hides nothing but the floor."""
    below = top(tuple(piece for piece in pile if piece.shape != "dot"))
    return top(pile) if below.shape in ("floor", "ground") else below


# -- with colours


def _colour_of(pile: Cell, canvas: Canvas, x: float, y: float) -> str:
    for piece in reversed(pile):
        colour = colour_at(piece, x, y)
        if colour is not None:
            hue = canvas.hue(colour)
            is_hidden = piece.shape == "square" and hue == canvas.background
            return canvas.hue("line") if is_hidden else hue
    return canvas.background


def _draw_block(pile: Cell, canvas: Canvas, column: int, line: int) -> Segment:
    """Draw a character: a letter, or the block that shows its quarters best in two colours."""
    middle = (2 * column + 1) / canvas.width - 1, (2 * line + 1) / canvas.height - 1
    quarters = [
        _colour_of(
            pile, canvas, middle[0] + 0.5 * right / canvas.width, middle[1] + 0.5 * down / canvas.height
        )
        for right, down in _CORNERS
    ]
    common = [colour for colour, _ in Counter(quarters).most_common(2)]
    letter = _letters(pile, canvas).get((column, line))
    if letter:
        under = common[0]
        return Segment(letter, Style(color=ink_on(under), bgcolor=under, bold=True))
    if len(common) == 1:
        return Segment(" ", Style(bgcolor=common[0]))
    front, under = common
    filled = sum(8 >> place for place, colour in enumerate(quarters) if colour == front)
    return Segment(_BLOCKS[filled], Style(color=front, bgcolor=under))


@functools.lru_cache(maxsize=1024)
def _letters(pile: Cell, canvas: Canvas) -> dict[tuple[int, int], str]:
    """Return the letters of a cell by place."""
    piece = next((piece for piece in reversed(pile) if piece.text or piece.shape == "person"), None)
    if piece is None:
        return {}
    if piece.shape == "quarters":
        return _letters_in_quarters(piece, canvas)
    return _letters_in_middle(piece, canvas)


def _letters_in_middle(piece: Piece, canvas: Canvas) -> dict[tuple[int, int], str]:
    text = piece.text[: canvas.width]
    line = canvas.height // 2 if piece.shape == "home" else (canvas.height - 1) // 2
    first = (canvas.width - len(text)) // 2
    return {(first + place, line): letter for place, letter in enumerate(text)}


def _letters_in_quarters(piece: Piece, canvas: Canvas) -> dict[tuple[int, int], str]:
    """Return a letter for each quarter, for people who cannot tell the colours apart."""
    if canvas.height < 3 or len(piece.text) != 4:
        return {}
    x, y = (canvas.width - 1) // 2, (canvas.height - 1) // 2
    left, above = canvas.width // 6, canvas.height // 5  # larger tiles have a gap around them
    right, below = canvas.width - 1 - left, canvas.height - 1 - above
    places = ((x, above), (right, y), (x, below), (left, y))
    return dict(zip(places, piece.text, strict=True))


def _draw_glyph(pile: Cell, canvas: Canvas) -> tuple[Segment, ...]:
    """Draw a small cell: the glyph of its top piece, on the colour below it."""
    piece = _visible_piece(pile)
    under = _colour_of(
        tuple(one for one in pile if one.shape in ("floor", "wall", "box", "square", "question")),
        canvas,
        0,
        0.7,
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
    return (Segment(text, Style(color=_readable_colour(piece, canvas, under), bgcolor=under, bold=True)),)


def _readable_colour(piece: Piece, canvas: Canvas, under: str) -> str:
    """Return the colour of a piece; black or white if it lies on its own colour."""
    own = canvas.hue(piece.colours[0])
    return ink_on(under) if own == under else own


# -- without colours


def _draw_letters(pile: Cell, canvas: Canvas) -> Lines:
    """Draw the glyph in the middle; walls fill their cells, and marks are inverse."""
    piece, width = _visible_piece(pile), canvas.width
    marked = any(
        one.shape in ("frame", "ring", "circle") and not one.glyph for one in pile
    ) or piece is not top(pile)
    style = Style(bold=piece.shape not in ("floor", "ground"), reverse=marked)
    fill = "#" if piece.shape == "wall" else " "
    text = fill * width if fill == "#" else piece.glyph.center(width)[:width]
    blank = Segment(fill * width, style)
    middle = (canvas.height - 1) // 2
    return tuple((Segment(text, style) if line == middle else blank,) for line in range(canvas.height))
