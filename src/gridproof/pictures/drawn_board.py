"""Positions as drawn cells: what pictures, film strips, animations and reports are made of.

A cell is 100 units wide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.files import NO_XML
from gridproof.core.look import Board, Piece, board_text
from gridproof.core.position import Action, Position
from gridproof.core.trace import Trace
from gridproof.pictures.palette import DARK, ink_on
from gridproof.pictures.shapes import DRAW, Brush, wall

CELL = 100
_MARGIN = 14
_MARKED = 96  # room for marks, and for pieces, beside the board
_PIXELS = 40  # a cell's width on the page by default

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A position drawn: the SVG fragment of each cell, marks outside the board included."""

    columns: int
    rows: int
    cells: Mapping[Place, str]
    caption: str
    """The action about to be done in words, or ""."""

    beside: int = 0
    """How many pieces lie below the board whatever is done."""

    @property
    def margins(self) -> tuple[int, int, int]:
        """Room at both sides, above and below: alike, so that the board is centred, but for pieces below."""
        below = {(x, self.rows) for x in range(self.beside)}
        outside = [place for place in self.cells if place not in below]
        across = any(not 0 <= x < self.columns for x, _ in outside)
        along = any(not 0 <= y < self.rows for _, y in outside)
        sides, above = (_MARKED if marked else _MARGIN for marked in (across, along))
        return sides, above, _MARKED if below else above


def brush_of(theme: str) -> Brush:
    """The brush of a theme.

    Raises
    ------
    GridproofError
        When it is not "auto", "light" or "dark".
    """
    if theme not in ("auto", "light", "dark"):
        raise GridproofError(f"theme {theme!r}: it is auto, light or dark")
    return Brush(theme)


def draw(position: Position[Any], action: Action | None, brush: Brush) -> Drawing:
    """Draw a position, what lies beside its board, and what is about to be done in it."""
    look = position.level.game.look
    board = look.board(position)
    cells = {
        (x, y): "".join(fragment(piece, near, brush) for piece, near in drawn(board, x, y))
        for y, row in enumerate(board)
        for x in range(len(row))
    }
    beside = look.beside(position)
    for x, piece in enumerate(beside):
        cells[x, len(board)] = DRAW[piece.shape](piece, brush)
    if action is None:
        return Drawing(len(board[0]), len(board), cells, "", len(beside))
    for mark in look.marks(position, action):
        place = mark.x, mark.y
        cells[place] = cells.get(place, "") + DRAW[mark.piece.shape](mark.piece, brush)
    return Drawing(len(board[0]), len(board), cells, look.words(action), len(beside))


def draw_trace(trace: Trace, brush: Brush) -> tuple[Drawing, ...]:
    """Draw every position of a trace, which is replayed by this."""
    pairs = zip(trace.positions(), (*trace.actions, None), strict=True)
    return tuple(draw(position, action, brush) for position, action in pairs)


class Around(NamedTuple):
    """What a wall sees of its neighbours."""

    walls: tuple[bool, bool, bool, bool]
    """Whether there are walls up, right, down and left of it."""
    below_left: bool
    """Whether there is one below to the left."""
    rim: bool
    """Whether it stands beside the open: then no floor is drawn under it."""


def around(board: Board, x: int, y: int) -> Around:
    """The neighbours of a cell."""
    near = [_shapes(board, i, j) for i, j in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))]
    up, right, down, left = ("wall" in shapes for shapes in near)
    rim = any(not shapes or "ground" in shapes for shapes in near)
    return Around((up, right, down, left), "wall" in _shapes(board, x - 1, y + 1), rim)


def drawn(board: Board, x: int, y: int) -> Iterator[tuple[Piece, Around | None]]:
    """The pieces of a cell that are drawn on each other: walls with what is around them, others with None."""
    cell = board[y][x]
    if not any(piece.shape == "wall" for piece in cell):
        yield from ((piece, None) for piece in cell)
        return
    near = around(board, x, y)
    for piece in cell:
        if piece.shape == "wall":
            yield piece, near
        elif not near.rim:
            yield piece, None


def fragment(piece: Piece, near: Around | None, brush: Brush) -> str:
    """The SVG of a piece as `drawn` gives it."""
    if near is None:
        return DRAW[piece.shape](piece, brush)
    return wall(brush, piece.colours[0], near.walls, near.below_left)


def _shapes(board: Board, x: int, y: int) -> set[str]:
    """What is on a cell; nothing outside the board."""
    inside = 0 <= y < len(board) and 0 <= x < len(board[y])
    return {piece.shape for piece in board[y][x]} if inside else set()


def at(place: Place, fragment: str) -> str:
    """A fragment at a cell."""
    return f'<g transform="translate({place[0] * CELL} {place[1] * CELL})">{fragment}</g>'


def places(drawings: Sequence[Drawing]) -> list[Place]:
    """Every place something is drawn at, row by row."""
    return sorted({place for drawing in drawings for place in drawing.cells}, key=lambda place: place[::-1])


@dataclass(frozen=True, slots=True)
class Framed:
    """A body of SVG with its size."""

    width: int
    height: int
    body: str


def framed(drawings: Sequence[Drawing], body: str) -> Framed:
    """A body of cells with room around, as much as any of these drawings needs."""
    sides, above, below = map(max, zip(*(drawing.margins for drawing in drawings), strict=True))
    columns = max(drawing.columns for drawing in drawings)
    rows = max(drawing.rows for drawing in drawings)
    inside = f'<g transform="translate({sides} {above})">{body}</g>'
    return Framed(columns * CELL + 2 * sides, rows * CELL + above + below, inside)


def document(picture: Framed, position: Position[Any], brush: Brush, width: int | None = None) -> str:
    """An SVG document, named after the game and described by the position's board in characters.

    Raises
    ------
    GridproofError
        When the width in pixels is less than 1.
    """
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
    """The style sheet that repaints what the brush has painted, where the surroundings are dark."""
    rules = (
        f".gp-f-{name}{{fill:{DARK[name]}}}.gp-s-{name}{{stroke:{DARK[name]}}}.gp-i-{name}{{fill:{ink_on(DARK[name])}}}"
        for name in sorted(brush.names)
        if name in DARK
    )
    return f"@media (prefers-color-scheme: dark){{{''.join(rules)}}}"
