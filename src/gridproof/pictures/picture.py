"""Pictures as SVG, of any game, from its look alone: a position, a film strip, an animation.

The theme "auto" is light, and dark where the reader's surroundings are; "light" and "dark" are fixed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.position import Action, Position
from gridproof.core.trace import Trace
from gridproof.pictures.drawing import (
    Drawing,
    Framed,
    Place,
    at,
    brush_of,
    document,
    draw,
    draw_trace,
    framed,
    places,
)
from gridproof.pictures.shapes import FONT, Brush

_LINE = 56  # a caption's height
_REST = 2  # steps for which the last position stays longer
_UNMOVED = (
    "<style>@media (prefers-reduced-motion: reduce){"
    ".gp-shown{visibility:visible!important}.gp-hidden{visibility:hidden!important}}</style>"
)


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
        For an invalid theme or width.
    """
    brush = brush_of(theme)
    drawing = draw(position, action, brush)
    return document(framed([drawing], _still(drawing)), position, brush, width)


def marked(
    position: Position[Any],
    crossed: Collection[Place] = (),
    dotted: Collection[Place] = (),
    *,
    theme: str = "auto",
) -> str:
    """A picture of a position with crosses and dots on some cells, given by column and row.

    Raises
    ------
    GridproofError
        For an invalid theme.
    """
    brush = brush_of(theme)
    drawing = draw(position, None, brush)
    cross = brush.stroke("M28 28L72 72M72 28L28 72", "red", 12)
    dot = brush.circle(50, 50, 15, "blue")
    marks = [at(place, cross) for place in crossed] + [at(place, dot) for place in dotted]
    return document(framed([drawing], _still(drawing) + "".join(marks)), position, brush)


def film(trace: Trace, *, theme: str = "auto", columns: int = 4, width: int | None = None) -> str:
    """A film strip of a trace: each position with the action about to be done, numbered.

    Of a lasso a bar runs above its loop, and the last position says which one it is again.

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
        raise GridproofError(f"columns {columns}: at least 1 is needed")
    brush = brush_of(theme)
    drawings = draw_trace(trace, brush)
    strip = _strip(drawings, min(columns, len(drawings)), brush, trace.loop)
    return document(strip, trace.start, brush, width)


def animation(trace: Trace, *, theme: str = "auto", seconds: float = 0.6, width: int | None = None) -> str:
    """A trace as an animated SVG that runs for ever; what does not change is drawn once.

    Readers who have asked their system for less motion see the start.

    Parameters
    ----------
    seconds : float
        How long each position is shown; the last three times as long.

    Raises
    ------
    GridproofError
        When the trace does not replay, or an argument is invalid.
    """
    if not seconds > 0:
        raise GridproofError(f"seconds {seconds}: more than 0 are needed")
    brush = brush_of(theme)
    drawings = draw_trace(trace, brush)
    body = "".join(_changing(place, drawings, seconds) for place in places(drawings))
    return document(framed(drawings, _UNMOVED + body), trace.start, brush, width)


def _still(drawing: Drawing) -> str:
    return "".join(at(place, fragment) for place, fragment in drawing.cells.items())


def _changing(place: Place, drawings: Sequence[Drawing], seconds: float) -> str:
    """A cell through all positions: each of its looks, visible in its times."""
    looks = [drawing.cells.get(place, "") for drawing in drawings]
    if len(set(looks)) == 1:
        return at(place, looks[0])
    times: dict[str, set[int]] = {}
    for time, look in enumerate(looks):
        times.setdefault(look, set()).add(time)
    shown = (_visible(look, when, len(looks), seconds) for look, when in times.items() if look)
    return "".join(at(place, fragment) for fragment in shown)


def _visible(look: str, times: set[int], count: int, seconds: float) -> str:
    changes = [time for time in range(count) if time == 0 or (time in times) != (time - 1 in times)]
    values = ["visible" if time in times else "hidden" for time in changes]
    total = count + _REST
    keys = ";".join(f"{time / total:.5g}" for time in changes)
    named = 'class="gp-shown"' if values[0] == "visible" else 'class="gp-hidden" visibility="hidden"'
    return (
        f'<g {named}>{look}<animate attributeName="visibility" calcMode="discrete" values="{";".join(values)}"'
        f' keyTimes="{keys}" dur="{total * seconds:g}s" repeatCount="indefinite"/></g>'
    )


def _strip(drawings: Sequence[Drawing], columns: int, brush: Brush, loop: int | None) -> Framed:
    frames = [framed(drawings, _still(drawing)) for drawing in drawings]
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
    return Framed(wide * columns, high * rows, body)
