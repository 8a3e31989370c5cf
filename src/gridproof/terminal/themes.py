"""Colours of the terminal, from the palette of the pictures: docs/design.md says what each is for."""

from __future__ import annotations

from collections.abc import Mapping

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.theme import Theme

from gridproof.pictures.palette import DARK, LIGHT

Palette = Mapping[str, str]

SIXTEEN: Palette = {
    "page": "#000000",
    "ink": "#ffffff",
    "floor": "#000000",
    "line": "#555555",
    "stone": "#555555",
    "dark": "#555555",
    "light": "#ffffff",
    "grey": "#aaaaaa",
    "blue": "#5555ff",
    "red": "#ff5555",
    "green": "#00aa00",
    "yellow": "#ffff55",
    "orange": "#aa5500",
    "purple": "#aa00aa",
    "brown": "#aa5500",
    "edge": "#000000",
}
"""Palette for terminals of 16 colours: exactly Rich's, so that no colour is replaced by another."""

# In 256 colours, greys with a little blue would become blue, or white.
_DARK_256: Palette = {
    "floor": "#262626",
    "line": "#3a3a3a",
    "stone": "#585858",
    "dark": "#6c6c6c",
    "grey": "#949494",
}
_LIGHT_256: Palette = {
    "floor": "#e4e4e4",
    "line": "#d0d0d0",
    "stone": "#808080",
    "dark": "#444444",
    "grey": "#8a8a8a",
}
_EDGE_DARK: Palette = {**DARK, "edge": "#7d5226"}
_EDGE_LIGHT: Palette = {**LIGHT, "edge": "#6d4219"}

PALETTES: Mapping[str, Palette] = {
    "dark": _EDGE_DARK,
    "light": _EDGE_LIGHT,
    "dark 256": {**_EDGE_DARK, **_DARK_256},
    "light 256": {**_EDGE_LIGHT, **_LIGHT_256},
    "16": SIXTEEN,
}
"""Palettes by theme and the terminal's number of colours; true colour without a number."""


def palette_name(dark: bool, colours: str | None) -> str:
    """Return the name of the palette for a theme and Rich's name of the terminal's colours."""
    if colours in ("standard", "windows"):
        return "16"
    return ("dark" if dark else "light") + (" 256" if colours == "256" else "")


class NoColours(LineFilter):
    """Removes colours from lines, for NO_COLOR (https://no-color.org).

    Text on the theme's primary colour, such as the current line of a list, becomes inverse.
    """

    def __init__(self, primary: str) -> None:
        super().__init__()
        self._primary = primary

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the line without colours."""
        return [Segment(text, self._plain(style), control) for text, style, control in segments]

    def _plain(self, style: Style | None) -> Style | None:
        if style is None:
            return None
        under = style.bgcolor.triplet if style.bgcolor else None
        chosen = under is not None and under.hex == self._primary
        return style.without_color + Style(reverse=True) if chosen else style.without_color


LIGHT_KEY = "#7a4a00"
"""Colour of keys in the footer of the light theme: the palette's orange, dark enough to read."""


def _theme(name: str, palette: Palette, dark: bool) -> Theme:
    return Theme(
        name=name,
        primary=palette["blue"],
        secondary=palette["purple"],
        accent=palette["orange"],
        warning=palette["orange"],
        error=palette["red"],
        success=palette["green"],
        foreground=palette["ink"],
        background=palette["page"],
        surface=palette["floor"],
        panel=palette["line"],
        variables={} if dark else {"footer-key-foreground": LIGHT_KEY},
        dark=dark,
    )


def themes(colours: str | None) -> tuple[Theme, ...]:
    """Return the dark theme, the light one, and that of 16 colours, by Rich's name of the terminal's colours."""
    many = "256" if colours == "256" else None
    dark, light = (PALETTES[palette_name(is_dark, many)] for is_dark in (True, False))
    return _theme(DARK_NAME, dark, dark=True), _theme("gridproof-light", light, dark=False), GRIDPROOF_16


DARK_NAME = "gridproof-dark"
GRIDPROOF_16 = _theme("gridproof-16", {**SIXTEEN, "orange": SIXTEEN["yellow"]}, dark=True)
