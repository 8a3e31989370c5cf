"""Positions as drawn cells, for pictures, film strips, animations and reports.

A cell is 100 units wide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.look import Board, Piece, board_text, check_piece
from gridproof.core.position import Action, Position
from gridproof.core.text.files import NO_XML
from gridproof.core.trace import Trace
from gridproof.pictures.palette import DARK, ink_on
from gridproof.pictures.shapes import DRAW, Brush, wall

CELL = 100
_MARGIN = 14
_WIDE_MARGIN = 96  # room for marks, and for pieces, beside the board
_PIXELS = 40  # a cell's width on the page by default

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawn position: the SVG fragment of each cell, with marks outside the board."""

    columns: int
    rows: int
    cells: Mapping[Place, str]
    caption: str
    """The planned action in words, or ""."""

    beside: int = 0
    """Number of pieces that always lie below the board."""

    @property
    def margins(self) -> tuple[int, int, int]:
        """Margins at both sides, above, and below: equal, to centre the board, unless pieces lie below."""
        below = {(x, self.rows) for x in range(self.beside)}
        outside = [place for place in self.cells if place not in below]
        across = any(not 0 <= x < self.columns for x, _ in outside)
        along = any(not 0 <= y < self.rows for _, y in outside)
        sides, above = (_WIDE_MARGIN if has_marks else _MARGIN for has_marks in (across, along))
        return sides, above, _WIDE_MARGIN if below else above


def brush_of(theme: str) -> Brush:
    """Return the brush of a theme; GridproofError if that is not "auto", "light" or "dark"."""
    if theme not in ("auto", "light", "dark"):
        raise GridproofError(f"theme {theme!r}: it is auto, light or dark")
    return Brush(theme)


def draw(position: Position[Any], action: Action | None, brush: Brush) -> Drawing:
    """Draw a position, the pieces beside its board, and marks of a planned action."""
    look = position.level.game.look
    board = look.board(position)
    cells = {
        (x, y): "".join(draw_piece(piece, near, brush) for piece, near in visible_pieces(board, x, y))
        for y, row in enumerate(board)
        for x in range(len(row))
    }
    beside = look.beside(position)
    for x, piece in enumerate(beside):
        cells[x, len(board)] = draw_piece(piece, None, brush)
    if action is None:
        return Drawing(len(board[0]), len(board), cells, "", len(beside))
    for mark in look.marks(position, action):
        place = mark.x, mark.y
        cells[place] = cells.get(place, "") + draw_piece(mark.piece, None, brush)
    return Drawing(len(board[0]), len(board), cells, look.describe(position.level, action), len(beside))


def draw_trace(trace: Trace, brush: Brush) -> tuple[Drawing, ...]:
    """Draw every position of a trace."""
    pairs = zip(trace.positions(), (*trace.actions, None), strict=True)
    return tuple(draw(position, action, brush) for position, action in pairs)


class WallNeighbours(NamedTuple):
    """Neighbours of a wall."""

    walls: tuple[bool, bool, bool, bool]
    """True for each side with a wall: up, right, down, left."""
    below_left: bool
    """True if there is a wall below to the left."""
    rim: bool
    """True if the wall is beside the open: then no floor is drawn under it."""


def neighbours_of(board: Board, x: int, y: int) -> WallNeighbours:
    """Return the neighbours of a cell."""
    near = [_shapes(board, i, j) for i, j in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))]
    up, right, down, left = ("wall" in shapes for shapes in near)
    rim = any(not shapes or "ground" in shapes for shapes in near)
    return WallNeighbours((up, right, down, left), "wall" in _shapes(board, x - 1, y + 1), rim)


def visible_pieces(board: Board, x: int, y: int) -> Iterator[tuple[Piece, WallNeighbours | None]]:
    """Yield the pieces of a cell from bottom to top: walls with their neighbours, others with None."""
    cell = board[y][x]
    if not any(piece.shape == "wall" for piece in cell):
        yield from ((piece, None) for piece in cell)
        return
    near = neighbours_of(board, x, y)
    for piece in cell:
        if piece.shape == "wall":
            yield piece, near
        elif not near.rim:
            yield piece, None


def draw_piece(piece: Piece, near: WallNeighbours | None, brush: Brush) -> str:
    """Draw a piece, with its neighbours if it is a wall; GridproofError if it cannot be drawn."""
    check_piece(piece)
    if near is None:
        return DRAW[piece.shape](piece, brush)
    return wall(brush, piece.colours[0], near.walls, near.below_left)


def _shapes(board: Board, x: int, y: int) -> set[str]:
    """Return the shapes on a cell; none outside the board."""
    inside = 0 <= y < len(board) and 0 <= x < len(board[y])
    return {piece.shape for piece in board[y][x]} if inside else set()


def move_to(place: Place, fragment: str) -> str:
    """Return an SVG fragment at a cell."""
    return f'<g transform="translate({place[0] * CELL} {place[1] * CELL})">{fragment}</g>'


def places(drawings: Sequence[Drawing]) -> list[Place]:
    """Return every place of the drawings, row by row."""
    return sorted({place for drawing in drawings for place in drawing.cells}, key=lambda place: place[::-1])


@dataclass(frozen=True, slots=True)
class FramedSvg:
    """An SVG body with its size."""

    width: int
    height: int
    body: str


def add_margins(drawings: Sequence[Drawing], body: str) -> FramedSvg:
    """Return a body of cells with margins for any of the drawings."""
    sides, above, below = map(max, zip(*(drawing.margins for drawing in drawings), strict=True))
    columns = max(drawing.columns for drawing in drawings)
    rows = max(drawing.rows for drawing in drawings)
    inside = f'<g transform="translate({sides} {above})">{body}</g>'
    return FramedSvg(columns * CELL + 2 * sides, rows * CELL + above + below, inside)


def document(picture: FramedSvg, position: Position[Any], brush: Brush, width: int | None = None) -> str:
    """Return an SVG document with the game's title, and the position's board in characters as its description."""
    pixels = width if width is not None else picture.width * _PIXELS // CELL
    if pixels < 1:
        raise GridproofError(f"width {width}: at least 1 pixel is needed")
    game = position.level.game
    back = f'<rect width="{picture.width}" height="{picture.height}" rx="24"{brush.colour("page")}/>'
    style = f"<style>{dark_rules(brush)}</style>" if brush.names else ""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {picture.width} {picture.height}"'
        f' width="{pixels}" height="{pixels * picture.height // picture.width}" role="img">'
        f"<title>{escape(game.title)}</title><desc>{escape(board_text(game.look.board(position)))}</desc>"
        f"{style}{back}{picture.body}</svg>\n"
    )
    return NO_XML.sub("\N{REPLACEMENT CHARACTER}", svg)  # other people's names of colours and tiles


def dark_rules(brush: Brush) -> str:
    """Return the style sheet that replaces the brush's colours in dark surroundings."""
    rules = (
        f".gp-f-{name}{{fill:{DARK[name]}}}.gp-s-{name}{{stroke:{DARK[name]}}}.gp-i-{name}{{fill:{ink_on(DARK[name])}}}"
        for name in sorted(brush.names)
        if name in DARK
    )
    return f"@media (prefers-color-scheme: dark){{{''.join(rules)}}}"
