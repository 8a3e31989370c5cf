"""Plots as SVG: stacked columns, one for each whole number."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from gridproof.pictures.drawn_board import brush_of, dark_rules
from gridproof.pictures.shapes import FONT, Brush

_WIDTH, _HEIGHT = 380, 240
"""Size of a plot: its text can be read in the width of a phone."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 72, 12, 40, 48
_COLOURS = ("blue", "orange", "green", "purple")
_TEXT = 14
_LINES = 5
"""Largest number of lines of the scale besides the one at 0."""


class Svg(str):
    """An SVG document as text, which notebooks show as a picture."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<Svg of {len(self):,} characters>"

    def _repr_html_(self) -> str:
        return f"<div>{self}</div>"


def columns(
    title: str,
    across: str,
    series: Mapping[str, Sequence[float]],
    names: Sequence[str] | None = None,
    theme: str = "auto",
) -> Svg:
    """A plot of stacked columns.

    Parameters
    ----------
    title : str
        Title, also for screen readers.
    across : str
        Label of the axis, such as "actions done".
    series : mapping of str to sequence of numbers of at least 0
        Up to four series of one length.
    names : sequence of str, optional
        Names of the columns; by default their numbers from 0.
    theme : {"auto", "light", "dark"}

    Raises
    ------
    GridproofError
        For an invalid theme.
    """
    brush = brush_of(theme)
    sums = [sum(values) for values in zip(*series.values(), strict=True)]
    most = max(sums, default=0) or 1
    step = _step(most)
    if all(float(value).is_integer() for values in series.values() for value in values):
        step = max(step, 1)  # what is counted has no parts
    lines = math.ceil(most / step)
    top = lines * step
    body = (
        _draw_scale(lines, step, brush)
        + _draw_bars(series, top, brush)
        + _draw_names(names, len(sums), brush)
    )
    body += _draw_labels(title, across, list(series), brush)
    description = "; ".join(
        f"{name}: {', '.join(f'{value:g}' for value in values)}" for name, values in series.items()
    )
    return Svg(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}"'
        f' height="{_HEIGHT}" role="img"><title>{escape(title)}</title><desc>{escape(description)}</desc>'
        f"<style>{dark_rules(brush)}</style>"
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="8"{brush.colour("page")}/>{body}</svg>\n'
    )


def _step(value: float) -> float:
    """Return the step of the scale for values up to `value`: 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value / _LINES))
    return next(times * power for times in (1, 2, 5, 10) if times * power * _LINES >= value)


def _height(value: float, top: float) -> float:
    return (_HEIGHT - _TOP - _BOTTOM) * value / top


def _draw_scale(lines: int, step: float, brush: Brush) -> str:
    floor, body = _HEIGHT - _BOTTOM, ""
    for line in range(lines + 1):
        y = floor - _height(line, lines)
        body += brush.stroke(f"M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}", "line", 1)
        body += _draw_text(f"{line * step:,.6g}", _LEFT - 6, y + 5, "end", brush)
    return body


def _draw_bars(series: Mapping[str, Sequence[float]], top: float, brush: Brush) -> str:
    count = max(map(len, series.values()), default=0)
    bases, body = [0.0] * count, ""
    wide = (_WIDTH - _LEFT - _RIGHT) / max(count, 1)
    for colour, values in zip(_COLOURS, series.values(), strict=False):
        path = ""
        for place, value in enumerate(values):
            x, high = _LEFT + place * wide, _height(value, top)
            y = _HEIGHT - _BOTTOM - _height(bases[place], top) - high
            bases[place] += value
            if value:
                path += f"M{x + 0.1 * wide:.2f} {y:.2f}h{0.8 * wide:.2f}v{high:.2f}h{-0.8 * wide:.2f}z"
        body += brush.path(path, colour) if path else ""
    return body


def _draw_names(names: Sequence[str] | None, count: int, brush: Brush) -> str:
    """Draw names below the columns, as many as fit."""
    named = names if names is not None else [str(place) for place in range(count)]
    longest = max(map(len, named), default=1)
    wide = (_WIDTH - _LEFT - _RIGHT) / max(count, 1)
    step = max(1, math.ceil((longest + 1) * 0.62 * _TEXT / wide))
    return "".join(
        _draw_text(named[place], _LEFT + (place + 0.5) * wide, _HEIGHT - _BOTTOM + 18, "middle", brush)
        for place in range(0, count, step)
    )


def _draw_labels(title: str, across: str, series: Sequence[str], brush: Brush) -> str:
    """Draw the title, the label of the axis, and the legend."""
    body = _draw_text(across, (_WIDTH + _LEFT) / 2, _HEIGHT - 8, "middle", brush)
    if len(series) == 1:
        return body + _draw_text(title, _LEFT, 22, "start", brush)
    x = float(_LEFT)
    for colour, name in zip(_COLOURS, series, strict=False):
        body += brush.rect(x, 11, 13, 13, colour) + _draw_text(name, x + 19, 22, "start", brush)
        x += 40 + 0.62 * _TEXT * len(name)
    return body


def _draw_text(text: str, x: float, y: float, anchor: str, brush: Brush) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-family="{FONT}" font-size="{_TEXT}"'
        f"{brush.colour('ink')}>{escape(text)}</text>"
    )
