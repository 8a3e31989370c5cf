"""Pictures as SVG, of any game, from its look alone: a position, a film strip, an animation.

A cell is 100 units wide. The theme "auto" is light, and dark where the reader's surroundings are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.game import Action, Position
from gridproof.core.look import Board, Cell, Mark, board_text
from gridproof.core.trace import Trace
from gridproof.play.palette import DARK, ink_on
from gridproof.play.shapes import DRAW, Brush, wall

CELL = 100
_MARGIN = 14
_MARKED = 96  # room beside the board for marks
_PIXELS = 40  # a cell's width on the page by default
_LINE = 56  # a caption's height

Fragments = dict[tuple[int, int], str]


def svg(
    position: Position[Any], action: Action | None = None, *, theme: str = "auto", width: int | None = None
) -> str:
    """A picture of a position; with an action, also of what is about to be done.

    Parameters
    ----------
    position : Position
    action : Action, optional
        Shown by the game's marks, such as the arrow beside a row that will move (S26).
    theme : {"auto", "light", "dark"}
    width : int, optional
        Pixels; 40 a cell by default.

    Raises
    ------
    GridproofError
        For a theme or a width that is none.
    """
    look = position.level.game.look
    marks = look.marks(position, action) if action is not None else ()
    brush = _brush(theme)
    board = look.board(position)
    margin = _MARKED if marks else _MARGIN
    body = "".join(_placed(fragments, cell) for cell, fragments in _drawn(board, brush).items())
    body += "".join(_mark(mark, brush) for mark in marks)
    return _document(_framed(board, margin, body), _alt(position), brush, width)


def film(trace: Trace, *, theme: str = "auto", columns: int = 4, width: int | None = None) -> str:
    """A film strip of a trace: each position with the action about to be done, numbered.

    Parameters
    ----------
    columns : int
        Pictures in a row, at least 1.

    Raises
    ------
    GridproofError
        When the trace does not replay, or for an argument that is none.
    """
    if columns < 1:
        raise GridproofError(f"columns {columns}: at least 1 is needed")
    brush = _brush(theme)
    look = trace.level.game.look
    pairs = _pairs(trace)
    marked = [look.marks(position, action) if action is not None else () for position, action in pairs]
    margin = _MARKED if any(marked) else _MARGIN
    frames = []
    for number, ((position, action), marks) in enumerate(zip(pairs, marked, strict=True)):
        board = look.board(position)
        body = "".join(_placed(part, cell) for cell, part in _drawn(board, brush).items())
        body += "".join(_mark(mark, brush) for mark in marks)
        caption = f"{number}" + (f": {look.words(action)}" if action is not None else "")
        frames.append((*_framed(board, margin, body), caption))
    return _document(_strip(frames, min(columns, len(frames)), brush), _alt(trace.start), brush, width)


def animation(trace: Trace, *, theme: str = "auto", seconds: float = 0.6, width: int | None = None) -> str:
    """A trace as an animated SVG that runs for ever; what does not change is drawn once.

    Parameters
    ----------
    seconds : float
        How long each position is shown; the last three times as long.

    Raises
    ------
    GridproofError
        When the trace does not replay, or for an argument that is none.
    """
    if not seconds > 0:
        raise GridproofError(f"seconds {seconds}: more than 0 are needed")
    brush = _brush(theme)
    look = trace.level.game.look
    boards, frames = [], []
    for position, action in _pairs(trace):
        boards.append(look.board(position))
        drawn = _drawn(boards[-1], brush)
        for mark in look.marks(position, action) if action is not None else ():
            drawn[mark.x, mark.y] = drawn.get((mark.x, mark.y), "") + DRAW[mark.piece.shape](
                mark.piece, brush
            )
        frames.append(drawn)
    body = "".join(_changing(cell, frames, seconds) for cell in _cells_of(frames))
    margin = (
        _MARKED if any(x < 0 or y < 0 or _beyond(boards[0], x, y) for x, y in _cells_of(frames)) else _MARGIN
    )
    return _document(_framed(boards[0], margin, body), _alt(trace.start), brush, width)


def _beyond(board: Board, x: int, y: int) -> bool:
    return x >= len(board[0]) or y >= len(board)


def _pairs(trace: Trace) -> list[tuple[Position[Any], Action | None]]:
    return list(zip(trace.positions(), (*trace.actions, None), strict=True))


def _brush(theme: str) -> Brush:
    if theme not in ("auto", "light", "dark"):
        raise GridproofError(f"theme {theme!r}: it is auto, light or dark")
    return Brush(theme)


def _drawn(board: Board, brush: Brush) -> Fragments:
    return {
        (x, y): _pile(board, x, y, cell, brush) for y, row in enumerate(board) for x, cell in enumerate(row)
    }


def _pile(board: Board, x: int, y: int, cell: Cell, brush: Brush) -> str:
    parts = []
    for piece in cell:
        if piece.shape == "wall":
            around = ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))
            up, right, down, left = (_is_wall(board, i, j) for i, j in around)
            parts.append(wall(brush, piece.colours[0], (up, right, down, left)))
        else:
            parts.append(DRAW[piece.shape](piece, brush))
    return "".join(parts)


def _is_wall(board: Board, x: int, y: int) -> bool:
    inside = 0 <= y < len(board) and 0 <= x < len(board[y])
    return inside and any(piece.shape == "wall" for piece in board[y][x])


def _placed(fragment: str, cell: tuple[int, int]) -> str:
    return f'<g transform="translate({cell[0] * CELL} {cell[1] * CELL})">{fragment}</g>'


def _mark(mark: Mark, brush: Brush) -> str:
    return _placed(DRAW[mark.piece.shape](mark.piece, brush), (mark.x, mark.y))


def _cells_of(frames: Iterable[Fragments]) -> list[tuple[int, int]]:
    return sorted({cell for frame in frames for cell in frame}, key=lambda cell: (cell[1], cell[0]))


def _changing(cell: tuple[int, int], frames: Sequence[Fragments], seconds: float) -> str:
    """A cell through all frames: runs of one look, each visible in its time."""
    looks = [frame.get(cell, "") for frame in frames]
    if len(set(looks)) == 1:
        return _placed(looks[0], cell)
    total = len(frames) + 2
    return "".join(
        _placed(_visible(look, times, total, seconds), cell)
        for look in dict.fromkeys(looks)
        if (times := [place for place, other in enumerate(looks) if other == look]) and look
    )


def _visible(look: str, times: Sequence[int], total: int, seconds: float) -> str:
    values, keys, shown = [], [], None
    for place in range(total):
        now = min(place, total - 3) in times
        if now != shown:
            values.append("visible" if now else "hidden")
            keys.append(f"{place / total:.5g}")
            shown = now
    first = 'visibility="hidden"' if values[0] == "hidden" else ""
    return (
        f'<g {first}>{look}<animate attributeName="visibility" calcMode="discrete" values="{";".join(values)}"'
        f' keyTimes="{";".join(keys)}" dur="{total * seconds:g}s" repeatCount="indefinite"/></g>'
    )


Framed = tuple[int, int, str]


def _framed(board: Board, margin: int, body: str) -> Framed:
    """Width, height and body with room around."""
    wide, high = len(board[0]) * CELL + 2 * margin, len(board) * CELL + 2 * margin
    return wide, high, f'<g transform="translate({margin} {margin})">{body}</g>'


def _strip(frames: Sequence[tuple[int, int, str, str]], columns: int, brush: Brush) -> Framed:
    wide = max(frame[0] for frame in frames)
    high = max(frame[1] for frame in frames) + _LINE
    body = ""
    for place, (_, _, drawn, caption) in enumerate(frames):
        x, y = place % columns * wide, place // columns * high
        size = min(38, 1.5 * wide / max(len(caption), 1))
        text = (
            f'<text x="{wide / 2:g}" y="{_LINE - 10}" text-anchor="middle" font-family="DejaVu Sans, Arial, sans-serif"'
            f' font-size="{size:.0f}"{brush.colour("ink")}>{escape(caption)}</text>'
        )
        body += f'<g transform="translate({x} {y})">{text}<g transform="translate(0 {_LINE - 14})">{drawn}</g></g>'
    rows = -(-len(frames) // columns)
    return wide * columns, high * rows, body


def _alt(position: Position[Any]) -> str:
    return position.level.game.title + "\n" + board_text(position.level.game.look.board(position))


def _document(framed: Framed, alt: str, brush: Brush, width: int | None) -> str:
    wide, high, body = framed
    pixels = width if width is not None else wide * _PIXELS // CELL
    if pixels < 1:
        raise GridproofError(f"width {width}: at least 1 pixel is needed")
    title, _, text = alt.partition("\n")
    back = f'<rect width="{wide}" height="{high}" rx="24"{brush.colour("page")}/>'
    style = (
        f"<style>@media (prefers-color-scheme: dark){{{_dark_rules(brush)}}}</style>" if brush.names else ""
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{pixels}"'
        f' height="{pixels * high // wide}" role="img"><title>{escape(title)}</title><desc>{escape(text)}</desc>'
        f"{style}{back}{body}</svg>\n"
    )


def _dark_rules(brush: Brush) -> str:
    return "".join(
        f".gp-f-{name}{{fill:{DARK[name]}}}.gp-s-{name}{{stroke:{DARK[name]}}}.gp-i-{name}{{fill:{ink_on(DARK[name])}}}"
        for name in sorted(brush.names)
        if name in DARK
    )
