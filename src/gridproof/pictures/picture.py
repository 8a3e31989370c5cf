"""Pictures as SVG, of any game, from its look alone: a position, a film strip, an animation.

The theme "auto" is light, or dark for readers with a dark colour scheme; "light" and "dark" are fixed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from html import escape
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.position import Action, Position
from gridproof.core.trace import Trace
from gridproof.pictures.drawn_board import (
    Drawing,
    FramedSvg,
    Place,
    add_margins,
    brush_of,
    document,
    draw,
    draw_trace,
    move_to,
    places,
)
from gridproof.pictures.shapes import FONT, Brush

_LINE = 56  # a caption's height
_REST = 2  # steps for which the last position stays longer
_REDUCED_MOTION = (
    "<style>@media (prefers-reduced-motion: reduce){"
    ".gp-shown{visibility:visible!important}.gp-hidden{visibility:hidden!important}}</style>"
)


def svg(
    position: Position[Any], action: Action | None = None, *, theme: str = "auto", width: int | None = None
) -> str:
    """A picture of a position, with marks of a planned action.

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
        For an invalid theme or width.
    """
    brush = brush_of(theme)
    drawing = draw(position, action, brush)
    return document(add_margins([drawing], _draw_cells(drawing)), position, brush, width)


def svg_with_marks(position: Position[Any], crossed: Collection[Place], dotted: Collection[Place]) -> str:
    """A picture of a position with crosses and dots on some cells, given by column and row."""

    def marks(brush: Brush) -> Iterator[tuple[Place, str]]:
        cross = brush.stroke("M28 28L72 72M72 28L28 72", "red", 12)
        dot = brush.circle(86, 14, 9, "blue")  # in a corner, so that pieces stay in sight
        yield from ((place, cross) for place in crossed)
        yield from ((place, dot) for place in dotted)

    return svg_with_overlay(position, marks)


def svg_with_overlay(position: Position[Any], overlay: Callable[[Brush], Iterable[tuple[Place, str]]]) -> str:
    """A picture of a position with SVG fragments over some cells, given by column and row; a cell is 100 units wide."""
    brush = brush_of("auto")
    drawing = draw(position, None, brush)
    over = "".join(move_to(place, fragment) for place, fragment in overlay(brush))
    return document(add_margins([drawing], _draw_cells(drawing) + over), position, brush)


def film(trace: Trace, *, theme: str = "auto", columns: int = 4, width: int | None = None) -> str:
    """A film strip of a trace: each position with its number and the next action.

    A bar runs above the loop of a lasso, and its last position names the one it equals.

    Parameters
    ----------
    columns : int
        Pictures in a row, at least 1.

    Raises
    ------
    GridproofError
        When the trace does not replay, or an argument is invalid.
    """
    if columns < 1:
        raise GridproofError(f"columns {columns}: must be at least 1")
    brush = brush_of(theme)
    drawings = draw_trace(trace, brush)
    strip = _draw_strip(drawings, min(columns, len(drawings)), brush, trace.loop)
    return document(strip, trace.start, brush, width)


def animation(trace: Trace, *, theme: str = "auto", seconds: float = 0.6, width: int | None = None) -> str:
    """A trace as an endless animated SVG.

    Readers with reduced motion in their system settings see the start.

    Parameters
    ----------
    seconds : float
        Seconds for each position; the last position is shown three times as long.

    Raises
    ------
    GridproofError
        When the trace does not replay, or an argument is invalid.
    """
    if not seconds > 0:
        raise GridproofError(f"seconds {seconds}: more than 0 are needed")
    brush = brush_of(theme)
    drawings = draw_trace(trace, brush)
    body = "".join(_animate_cell(place, drawings, seconds) for place in places(drawings))
    return document(add_margins(drawings, _REDUCED_MOTION + body), trace.start, brush, width)


def _draw_cells(drawing: Drawing) -> str:
    return "".join(move_to(place, fragment) for place, fragment in drawing.cells.items())


def _animate_cell(place: Place, drawings: Sequence[Drawing], seconds: float) -> str:
    """Return a cell through all positions: each of its contents, visible in its steps."""
    looks = [drawing.cells.get(place, "") for drawing in drawings]
    if len(set(looks)) == 1:
        return move_to(place, looks[0])
    times: dict[str, set[int]] = {}
    for time, look in enumerate(looks):
        times.setdefault(look, set()).add(time)
    groups = (_animate(look, when, len(looks), seconds) for look, when in times.items() if look)
    return "".join(move_to(place, fragment) for fragment in groups)


def _animate(look: str, times: set[int], count: int, seconds: float) -> str:
    changes = [time for time in range(count) if time == 0 or (time in times) != (time - 1 in times)]
    values = ["visible" if time in times else "hidden" for time in changes]
    total = count + _REST
    keys = ";".join(f"{time / total:.5g}" for time in changes)
    named = 'class="gp-shown"' if values[0] == "visible" else 'class="gp-hidden" visibility="hidden"'
    return (
        f'<g {named}>{look}<animate attributeName="visibility" calcMode="discrete" values="{";".join(values)}"'
        f' keyTimes="{keys}" dur="{total * seconds:g}s" repeatCount="indefinite"/></g>'
    )


def _draw_strip(drawings: Sequence[Drawing], columns: int, brush: Brush, loop: int | None) -> FramedSvg:
    frames = [add_margins(drawings, _draw_cells(drawing)) for drawing in drawings]
    wide, high = frames[0].width, frames[0].height + _LINE
    body = ""
    for number, (frame, drawing) in enumerate(zip(frames, drawings, strict=True)):
        caption = f"{number}: {drawing.caption}" if drawing.caption else f"{number}"
        if loop is not None and number == len(frames) - 1:
            caption = f"{number} = {loop}"
        size = min(38, 1.6 * wide / len(caption))
        text = (
            f'<text x="{wide / 2:g}" y="{_LINE - 8}" text-anchor="middle" font-family="{FONT}"'
            f' font-size="{size:.0f}"{brush.colour("ink")}>{escape(caption)}</text>'
        )
        place = f"translate({number % columns * wide} {number // columns * high})"
        bar = (
            f'<rect width="{wide}" height="8"{brush.colour("blue")}/>'
            if loop is not None and number >= loop
            else ""
        )
        body += f'<g transform="{place}">{bar}{text}<g transform="translate(0 {_LINE})">{frame.body}</g></g>'
    rows = -(-len(frames) // columns)
    return FramedSvg(wide * columns, high * rows, body)
