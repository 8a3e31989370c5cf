"""The board as a widget: as large as fits, pointed at with the mouse or the keyboard's cursor."""

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

from gridproof.core.look import Board, Cell, Mark, Motion, Piece, top
from gridproof.play.moved import differences, same_shape
from gridproof.play.terminal.cells import Canvas, cell_sizes, drawn
from gridproof.play.terminal.themes import palette_name

Place = tuple[int, int]

CURSOR = Piece("cursor", "", "frame", ("yellow",))
SIDE = 2
"""Characters of the margin for marks left and right of the board; above and below it is one line."""


def _over(strip: Strip, piece: Strip, column: int) -> Strip:
    """A line with a piece over it, as far as that is inside."""
    length = strip.cell_length
    end = min(column + piece.cell_length, length)
    if end <= 0 or column >= length:
        return strip
    inside = piece.crop(max(-column, 0), end - column)
    return Strip.join([strip.crop(0, max(column, 0)), inside, strip.crop(end, length)])


def on_the_same(below: Strip, spark: Segment) -> Strip:
    """A character in place of another, on its background."""
    under = next((segment.style for segment in below if segment.style), Style())
    return Strip([Segment(spark.text, Style(bgcolor=under.bgcolor) + (spark.style or Style()))])


class BoardView(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows a board; what is marked on or beside it lies over its pieces."""

    DEFAULT_CSS = """
    BoardView { width: 1fr; height: 1fr; background: $background; }
    """
    ALLOW_MAXIMIZE: ClassVar[bool] = False

    cursor: reactive[Place | None] = reactive(None)
    """The cell where the keyboard points."""

    class Pointed(Message):
        """A cell was clicked, or something dragged from it to another."""

        def __init__(self, at: Place, to: Place | None) -> None:
            super().__init__()
            self.at, self.to = at, to

    class Looked(Message):
        """The mouse is over a cell, or drags something there; over none, `at` is None."""

        def __init__(self, at: Place | None, to: Place | None) -> None:
            super().__init__()
            self.at, self.to = at, to

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._board: Board = ()
        self._marks: Mapping[Place, tuple[Piece, ...]] = {}
        self._handles: Mapping[Place, Piece] = {}
        self._margin = Spacing()
        self._cell = (2, 1)
        self._sliding: Sequence[tuple[Cell, float, float]] = ()
        self._strips: dict[int, Strip] = {}
        """Lines of the board that have been drawn: of a large one, those that are seen."""
        self._sparks: Mapping[tuple[int, int], Segment] = {}
        self._pressed: Place | None = None
        self._over: tuple[Place | None, Place | None] = (None, None)

    # -- what is shown

    def show(self, board: Board, handles: Iterable[Mark] = ()) -> None:
        """Show a board, and beside it what lines can be taken by."""
        before, self._board = self._board, board
        if not same_shape(before, board):
            self._margin = Spacing()
        self._handles = {(mark.x, mark.y): mark.piece for mark in handles if not self.holds(mark.x, mark.y)}
        self._marks, self._sliding = {}, ()
        self._fit()
        self._follow(before)

    def slide(self, board: Board, motions: Sequence[Motion], part: float) -> None:
        """Show things on their way, a part of it: the board is that before they moved."""
        rows = [list(row) for row in board]
        sliding = []
        for pieces, (x, y), (to_x, to_y) in motions:
            if 0 <= y < len(rows) and 0 <= x < len(rows[y]):
                floor = rows[y][x][:1]
                rows[y][x] = tuple(piece for piece in rows[y][x] if piece not in pieces) or floor
            else:
                floor = ()
            sliding.append(((*floor, *pieces), x + (to_x - x) * part, y + (to_y - y) * part))
        self._board, self._marks, self._sliding = tuple(map(tuple, rows)), {}, sliding
        self._redraw()

    def mark(self, marks: Iterable[Mark]) -> None:
        """Mark what an action would do, instead of what was marked before."""
        gathered: dict[Place, tuple[Piece, ...]] = {}
        for mark in marks:
            gathered[mark.x, mark.y] = (*gathered.get((mark.x, mark.y), ()), mark.piece)
        if gathered != self._marks:
            self._marks = gathered
            self._redraw()

    def spark(self, sparks: Mapping[tuple[int, int], Segment]) -> None:
        """Show these characters over the board, by column and line of the widget."""
        self._sparks = sparks
        self.refresh()

    @property
    def columns(self) -> int:
        """Cells in a row."""
        return max(map(len, self._board), default=0)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self._board)

    @property
    def board(self) -> Board:
        """What is shown."""
        return self._board

    @property
    def marked(self) -> Collection[Place]:
        """The cells that are marked."""
        return self._marks.keys()

    @property
    def handled(self) -> Collection[Place]:
        """The places beside the board by which lines can be taken."""
        return self._handles.keys()

    def holds(self, x: int, y: int) -> bool:
        """Whether a cell is on the board."""
        return 0 <= x < self.columns and 0 <= y < self.rows

    # -- where the mouse is

    def can_point(self, place: Place) -> bool:
        """Whether there is anything: a cell, or what stands beside the board."""
        return self.holds(*place) or place in self._handles

    def place_at(self, offset: Offset) -> Place | None:
        """The cell at a place of the widget; those beside the board are -1, or as many as there are."""
        wide, high = self._cell
        start = self._start
        x = offset.x + self.scroll_offset.x - start.x - self._margin.left
        y = offset.y + self.scroll_offset.y - start.y - self._margin.top
        place = max(x // wide, -1), max(y // high, -1)
        return place if self.can_point(place) else None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Something may be dragged from here."""
        self._pressed = self.place_at(Offset(event.x, event.y))
        self.capture_mouse()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """A click, or the end of dragging."""
        self.release_mouse()
        at, to = self._pressed, self.place_at(Offset(event.x, event.y))
        self._pressed = None
        if at is not None and to is not None:
            self.post_message(self.Pointed(at, None if at == to else to))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Say over which cell it is."""
        here = self.place_at(Offset(event.x, event.y))
        at, to = (self._pressed, here) if self._pressed not in (None, here) else (here, None)
        self._look(at, to)

    def on_leave(self) -> None:
        """The mouse is elsewhere."""
        self._look(None, None)

    def _look(self, at: Place | None, to: Place | None) -> None:
        if (at, to) != self._over:
            self._over = at, to
            self.post_message(self.Looked(at, to))

    # -- how it is drawn

    def on_resize(self) -> None:
        """The largest cells that fit now."""
        self._fit()

    def watch_cursor(self) -> None:
        """Show it, also where the board is larger than the view."""
        self._redraw()
        if self.cursor is not None:
            self._bring_into_view([self.cursor])

    def notify_style_update(self) -> None:
        """Colours are those of the theme."""
        super().notify_style_update()
        self._redraw()

    def render_line(self, y: int) -> Strip:
        """A line of the widget."""
        back, width = self._back, self.size.width
        line = y + self.scroll_offset.y - self._start.y
        if not 0 <= line < self.virtual_size.height:
            strip = Strip.blank(width, back)
        else:
            left = self.scroll_offset.x - self._start.x
            padded = Strip([Segment(" " * max(-left, 0), back), *self._strip(line)])
            strip = padded.crop(max(left, 0), max(left, 0) + width).extend_cell_length(width, back)
        return self._sparkling(strip, y)

    def _sparkling(self, strip: Strip, y: int) -> Strip:
        for (x, line), spark in self._sparks.items():
            if line == y and 0 <= x < self.size.width:
                below = strip.crop(x, x + 1)
                strip = Strip.join([strip.crop(0, x), on_the_same(below, spark), strip.crop(x + 1)])
        return strip

    @property
    def _back(self) -> Style:
        return Style(bgcolor=self.background_colors[1].rich_color)

    @property
    def canvas(self) -> Canvas:
        """How cells are drawn here and now."""
        palette = palette_name(self.app.current_theme.dark, self.app.console.color_system)
        return Canvas(*self._cell, palette, self.background_colors[1].hex6.lower(), self.in_letters)

    @property
    def in_letters(self) -> bool:
        """Whether the terminal has no colours."""
        return self.app.no_color or self.app.console.color_system is None

    @property
    def _start(self) -> Offset:
        """Where the board begins, in the middle of the widget."""
        room, needed = self.size, self.virtual_size
        return Offset(max(room.width - needed.width, 0) // 2, max(room.height - needed.height, 0) // 2)

    def _fit(self) -> None:
        if not self._board:
            return
        across = any(not 0 <= x < self.columns for x, _ in self._handles) or self._margin.left > 0
        along = any(not 0 <= y < self.rows for _, y in self._handles) or self._margin.top > 0
        self._margin = Spacing(along, SIDE * across, along, SIDE * across)
        for size in cell_sizes(self._board, self.in_letters):
            self._cell = size
            needed = self._needed(*size)
            if needed.width <= self.size.width and needed.height <= self.size.height:
                break
        self.virtual_size = needed
        self._redraw()

    def _needed(self, wide: int, high: int) -> Size:
        margin = self._margin
        return Size(self.columns * wide + margin.width, self.rows * high + margin.height)

    def _redraw(self) -> None:
        self._strips = {}
        self.refresh()

    def _strip(self, line: int) -> Strip:
        """A line of the board, drawn with all of its row."""
        if line not in self._strips:
            canvas, inside = self.canvas, line - self._margin.top
            y = min(inside // canvas.height, self.rows)
            first = line if y in (-1, self.rows) else line - inside % canvas.height
            self._strips |= self._slid(dict(enumerate(self._row(y, canvas), first)), canvas)
        return self._strips[line]

    def _row(self, y: int, canvas: Canvas) -> list[Strip]:
        """The lines of a row; that above the board is -1."""
        row = [self._cell_lines(x, y, canvas) for x in range(self.columns)]
        ends = [self._handle(x, y, canvas) if self._margin.left else [] for x in (-1, self.columns)]
        return [
            Strip(
                [
                    *ends[0][line : line + 1],
                    *(segment for cell in row for segment in cell[line]),
                    *ends[1][line : line + 1],
                ]
            ).simplify()
            for line in range(canvas.height if 0 <= y < self.rows else 1)
        ]

    def _slid(self, lines: dict[int, Strip], canvas: Canvas) -> dict[int, Strip]:
        """The lines with what is on its way over them."""
        for pile, right, down in self._sliding:
            column = self._margin.left + round(right * canvas.width)
            first = self._margin.top + round(down * canvas.height)
            for line, segments in enumerate(drawn(pile, canvas), first):
                if line in lines:
                    lines[line] = _over(lines[line], Strip(segments), column)
        return lines

    def _cell_lines(self, x: int, y: int, canvas: Canvas) -> list[tuple[Segment, ...]]:
        if not 0 <= y < self.rows:
            return [(segment,) for segment in self._handle(x, y, canvas)]
        pile = self._board[y][x] if x < len(self._board[y]) else ()
        cursor = (CURSOR,) if self.cursor == (x, y) and self.has_focus else ()
        return [*drawn((*pile, *self._marks.get((x, y), ()), *cursor), canvas)]

    def _handle(self, x: int, y: int, canvas: Canvas) -> list[Segment]:
        """The lines of a place beside the board."""
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
            lines[(height - 1) // 2] = Segment(top((piece,)).glyph.center(width), style)
        return lines

    # -- boards larger than the view

    def _follow(self, before: Board) -> None:
        if same_shape(before, self._board):
            self._bring_into_view(differences(before, self._board))

    def _bring_into_view(self, places: Collection[Place]) -> None:
        """Bring cells into view, with some of what is around them."""
        if places and (self.max_scroll_x or self.max_scroll_y):
            wide, high = self._cell
            left, right = min(x for x, _ in places) - 3, max(x for x, _ in places) + 4
            above, below = min(y for _, y in places) - 3, max(y for _, y in places) + 4
            region = Region(left * wide, above * high, (right - left) * wide, (below - above) * high)
            self.scroll_to_region(region.intersection(Region(0, 0, *self.virtual_size)), animate=False)
