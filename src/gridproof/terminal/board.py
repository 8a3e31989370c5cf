"""Board as a widget: as large as fits, for the mouse and the keyboard's cursor."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Offset, Region, Size, Spacing
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from gridproof.core.look import Board, Cell, Mark, Motion, Numbers, Piece, top
from gridproof.table.board_diff import differences, same_shape
from gridproof.terminal.cells import Canvas, cell_sizes, draw_cell
from gridproof.terminal.themes import palette_name

Place = tuple[int, int]

CURSOR = Piece("cursor", "", "frame", ("yellow",))
SIDE = 2
"""Characters of the margin for marks left and right of the board; above and below it is one line."""


def _overlay(strip: Strip, piece: Strip, column: int) -> Strip:
    """Return a line with the part of a piece that lies inside drawn over it."""
    length = strip.cell_length
    end = min(column + piece.cell_length, length)
    if end <= 0 or column >= length:
        return strip
    inside = piece.crop(max(-column, 0), end - column)
    return Strip.join([strip.crop(0, max(column, 0)), inside, strip.crop(end, length)])


def replace_character(below: Strip, spark: Segment) -> Strip:
    """Return a character in place of another, on its background."""
    under = next((segment.style for segment in below if segment.style), Style())
    return Strip([Segment(spark.text, Style(bgcolor=under.bgcolor) + (spark.style or Style()))])


class BoardView(ScrollView, can_focus=True, inherit_bindings=False):
    """A board; marks on or beside it lie over its pieces."""

    DEFAULT_CSS = """
    BoardView { width: 1fr; height: 1fr; background: $background; }
    """
    ALLOW_MAXIMIZE: ClassVar[bool] = False

    cursor: reactive[Place | None] = reactive(None)
    """The cell of the keyboard's cursor."""

    class Pointed(Message):
        """A click on a cell, or a drag from it to another."""

        def __init__(self, at: Place, to: Place | None) -> None:
            super().__init__()
            self.at, self.to = at, to

    class Hovered(Message):
        """The mouse over a cell, or dragging something there; over none, `at` is None."""

        def __init__(self, at: Place | None, to: Place | None) -> None:
            super().__init__()
            self.at, self.to = at, to

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._board: Board = ()
        self._marks: Mapping[Place, tuple[Piece, ...]] = {}
        self._handles: Mapping[Place, Piece] = {}
        self._numbers: Numbers | None = None
        self._margin = Spacing()
        self._cell = (2, 1)
        self._slides: Sequence[tuple[Cell, float, float]] = ()
        self._strips: dict[int, Strip] = {}
        """Drawn lines of the board: of a large one, those in view."""
        self._sparks: Mapping[tuple[int, int], Segment] = {}
        self._pressed: Place | None = None
        self._hover: tuple[Place | None, Place | None] = (None, None)

    # -- contents

    def show(self, board: Board, handles: Iterable[Mark] = (), numbers: Numbers | None = None) -> None:
        """Show a board, and beside it the handles of lines and the numbers of its rows and columns."""
        before, self._board, self._numbers = self._board, board, numbers
        if not same_shape(before, board):
            self._margin = Spacing()
        self._handles = {
            (mark.x, mark.y): mark.piece for mark in handles if not self.has_cell(mark.x, mark.y)
        }
        self._marks, self._slides = {}, ()
        self._fit()
        self._scroll_to_changes(before)

    def slide(self, board: Board, motions: Sequence[Motion], part: float) -> None:
        """Show pieces a part of their way on, over the board from before the move."""
        rows = [list(row) for row in board]
        slides = []
        for pieces, (x, y), (to_x, to_y) in motions:
            if 0 <= y < len(rows) and 0 <= x < len(rows[y]):
                floor = rows[y][x][:1]
                rows[y][x] = tuple(piece for piece in rows[y][x] if piece not in pieces) or floor
            else:
                floor = ()
            slides.append(((*floor, *pieces), x + (to_x - x) * part, y + (to_y - y) * part))
        self._board, self._marks, self._slides = tuple(map(tuple, rows)), {}, slides
        self._redraw()

    def mark(self, marks: Iterable[Mark]) -> None:
        """Replace the marks."""
        by_place: dict[Place, tuple[Piece, ...]] = {}
        for mark in marks:
            by_place[mark.x, mark.y] = (*by_place.get((mark.x, mark.y), ()), mark.piece)
        if by_place != self._marks:
            self._marks = by_place
            self._redraw()

    def show_sparks(self, sparks: Mapping[tuple[int, int], Segment]) -> None:
        """Show characters over the board, by column and line of the widget."""
        self._sparks = sparks
        self.refresh()

    @property
    def columns(self) -> int:
        """Number of cells in a row."""
        return max(map(len, self._board), default=0)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self._board)

    @property
    def middle(self) -> Place:
        """The cell where the cursor appears."""
        return self.columns // 2, self.rows // 2

    @property
    def board(self) -> Board:
        """The board on show."""
        return self._board

    @property
    def marked_places(self) -> Collection[Place]:
        """Places with marks."""
        return self._marks.keys()

    @property
    def handle_places(self) -> Collection[Place]:
        """Places beside the board with handles of lines."""
        return self._handles.keys()

    def has_cell(self, x: int, y: int) -> bool:
        """Return whether a cell is on the board."""
        return 0 <= x < self.columns and 0 <= y < self.rows

    # -- the mouse

    def can_point(self, place: Place) -> bool:
        """Return whether there is a cell or a handle."""
        return self.has_cell(*place) or place in self._handles

    def place_at(self, offset: Offset) -> Place | None:
        """Return the cell at an offset of the widget; beside the board, -1 or the number of columns or rows."""
        wide, high = self._cell
        start = self._start
        x = offset.x + self.scroll_offset.x - start.x - self._margin.left
        y = offset.y + self.scroll_offset.y - start.y - self._margin.top
        place = max(x // wide, -1), max(y // high, -1)
        return place if self.can_point(place) else None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Start a click or a drag."""
        self._pressed = self.place_at(Offset(event.x, event.y))
        self.capture_mouse()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """End a click or a drag."""
        self.release_mouse()
        at, to = self._pressed, self.place_at(Offset(event.x, event.y))
        self._pressed = None
        if at is not None and to is not None:
            self.post_message(self.Pointed(at, None if at == to else to))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Post the cell under the mouse."""
        here = self.place_at(Offset(event.x, event.y))
        at, to = (self._pressed, here) if self._pressed not in (None, here) else (here, None)
        self._post_hover(at, to)

    def on_leave(self) -> None:
        """Post that the mouse is over no cell."""
        self._post_hover(None, None)

    def _post_hover(self, at: Place | None, to: Place | None) -> None:
        if (at, to) != self._hover:
            self._hover = at, to
            self.post_message(self.Hovered(at, to))

    # -- drawing

    def on_resize(self) -> None:
        """Choose the largest cells that fit now."""
        self._fit()

    def watch_cursor(self) -> None:
        """Show the cursor, also where the board is larger than the view."""
        self._redraw()
        if self.cursor is not None:
            self._scroll_to_places([self.cursor])

    def notify_style_update(self) -> None:
        """Draw in the colours of the theme."""
        super().notify_style_update()
        self._redraw()

    def render_line(self, y: int) -> Strip:
        """Draw a line of the widget."""
        back, width = self._back, self.size.width
        line = y + self.scroll_offset.y - self._start.y
        if not 0 <= line < self.virtual_size.height:
            strip = Strip.blank(width, back)
        else:
            left = self.scroll_offset.x - self._start.x
            padded = Strip([Segment(" " * max(-left, 0), back), *self._line(line)])
            strip = padded.crop(max(left, 0), max(left, 0) + width).extend_cell_length(width, back)
        return self._overlay_sparks(strip, y)

    def _overlay_sparks(self, strip: Strip, y: int) -> Strip:
        for (x, line), spark in self._sparks.items():
            if line == y and 0 <= x < self.size.width:
                below = strip.crop(x, x + 1)
                strip = Strip.join([strip.crop(0, x), replace_character(below, spark), strip.crop(x + 1)])
        return strip

    @property
    def _back(self) -> Style:
        return Style(bgcolor=self.background_colors[1].rich_color)

    @property
    def canvas(self) -> Canvas:
        """Canvas for cells in the current theme and size."""
        palette = palette_name(self.app.current_theme.dark, self.app.console.color_system)
        return Canvas(*self._cell, palette, self.background_colors[1].hex6.lower(), self.has_no_colours)

    @property
    def has_no_colours(self) -> bool:
        """True if the terminal has no colours."""
        return self.app.no_color or self.app.console.color_system is None

    @property
    def _start(self) -> Offset:
        """Offset of the board, which is in the middle of the widget."""
        room, needed = self.size, self.virtual_size
        return Offset(max(room.width - needed.width, 0) // 2, max(room.height - needed.height, 0) // 2)

    def _fit(self) -> None:
        if not self._board:
            self.virtual_size = Size()
            self._redraw()
            return
        across = any(not 0 <= x < self.columns for x, _ in self._handles) or self._margin.right > 0
        along = any(not 0 <= y < self.rows for _, y in self._handles) or self._margin.bottom > 0
        above, left = along + (self._numbers is not None), SIDE * across + self._digits
        self._margin = Spacing(above, SIDE * across, along, left)
        for size in cell_sizes(self._board, self.has_no_colours):
            self._cell = size
            needed = self._size_for(*size)
            if needed.width <= self.size.width and needed.height <= self.size.height:
                break
        self.virtual_size = needed
        self._redraw()

    @property
    def _digits(self) -> int:
        """Width of the numbers of rows."""
        return 1 + max(len(str(row)) for row in self._numbers.rows) if self._numbers else 0

    def _size_for(self, wide: int, high: int) -> Size:
        margin = self._margin
        return Size(self.columns * wide + margin.width, self.rows * high + margin.height)

    def _redraw(self) -> None:
        self._strips = {}
        self.refresh()

    def _line(self, line: int) -> Strip:
        """Return a line of the board; draw all of its row if needed."""
        if line not in self._strips:
            canvas, inside = self.canvas, line - self._margin.top
            if self._numbers and line == 0:
                self._strips[line] = self._column_numbers(canvas)
                return self._strips[line]
            y = min(inside // canvas.height, self.rows)
            first = line if y in (-1, self.rows) else line - inside % canvas.height
            self._strips |= self._overlay_slides(dict(enumerate(self._draw_row(y, canvas), first)), canvas)
        return self._strips[line]

    def _draw_row(self, y: int, canvas: Canvas) -> list[Strip]:
        """Draw the lines of a row; the one above the board is -1."""
        row = [self._draw_cell(x, y, canvas) for x in range(self.columns)]
        ends = [self._draw_handle(x, y, canvas) if self._margin.right else [] for x in (-1, self.columns)]
        middle = (canvas.height - 1) // 2 if 0 <= y < self.rows else -1
        return [
            Strip(
                [
                    *([self._row_number(y if line == middle else None, canvas)] if self._numbers else ()),
                    *ends[0][line : line + 1],
                    *(segment for cell in row for segment in cell[line]),
                    *ends[1][line : line + 1],
                ]
            ).simplify()
            for line in range(canvas.height if 0 <= y < self.rows else 1)
        ]

    def _row_number(self, y: int | None, canvas: Canvas) -> Segment:
        """Draw the number of a row, left of the board; blanks for None."""
        text = str(self._numbers.rows[y]) if self._numbers and y is not None else ""
        return Segment(text.ljust(self._digits), self._back + Style(color=canvas.hue("grey")))

    def _column_numbers(self, canvas: Canvas) -> Strip:
        """Draw the line of column numbers."""
        columns = self._numbers.columns if self._numbers else ()
        text = "".join(str(column).center(canvas.width)[: canvas.width] for column in columns)
        style = self._back + Style(color=canvas.hue("grey"))
        return Strip([Segment(" " * self._margin.left, self._back), Segment(text, style)])

    def _overlay_slides(self, lines: dict[int, Strip], canvas: Canvas) -> dict[int, Strip]:
        """Draw sliding pieces over the lines."""
        for pile, right, down in self._slides:
            column = self._margin.left + round(right * canvas.width)
            first = self._margin.top + round(down * canvas.height)
            for line, segments in enumerate(draw_cell(pile, canvas), first):
                if line in lines:
                    lines[line] = _overlay(lines[line], Strip(segments), column)
        return lines

    def _draw_cell(self, x: int, y: int, canvas: Canvas) -> list[tuple[Segment, ...]]:
        if not 0 <= y < self.rows:
            return [(segment,) for segment in self._draw_handle(x, y, canvas)]
        pile = self._board[y][x] if x < len(self._board[y]) else ()
        cursor = (CURSOR,) if self.cursor == (x, y) and self.has_focus else ()
        return [*draw_cell((*pile, *self._marks.get((x, y), ()), *cursor), canvas)]

    def _draw_handle(self, x: int, y: int, canvas: Canvas) -> list[Segment]:
        """Draw the lines of a place beside the board."""
        across = x in (-1, self.columns)
        width, height = SIDE if across else canvas.width, 1 if not 0 <= y < self.rows else canvas.height
        piece = self._handles.get((x, y))
        blank = Segment(" " * width, self._back)
        lines = [blank] * height
        if piece is not None:
            marked = (x, y) in self._marks or self.cursor == (x, y)
            style = self._back + Style(
                color=canvas.hue("yellow" if marked else "grey"), bold=marked, reverse=marked
            )
            lines[(height - 1) // 2] = Segment(top((piece,)).glyph.center(width)[:width], style)
        return lines

    # -- boards larger than the view

    def _scroll_to_changes(self, before: Board) -> None:
        if same_shape(before, self._board):
            self._scroll_to_places(differences(before, self._board))

    def _scroll_to_places(self, places: Collection[Place]) -> None:
        """Scroll cells and their surroundings into view."""
        if places and (self.max_scroll_x or self.max_scroll_y):
            wide, high = self._cell
            left, right = min(x for x, _ in places) - 3, max(x for x, _ in places) + 4
            above, below = min(y for _, y in places) - 3, max(y for _, y in places) + 4
            region = Region(left * wide, above * high, (right - left) * wide, (below - above) * high)
            self.scroll_to_region(region.intersection(Region(0, 0, *self.virtual_size)), animate=False)
