"""Colours of pictures, by the names in `gridproof.core.look`, for the light and the dark theme.

The eight hues are Okabe and Ito's, which the colour-blind can tell apart ("Color Universal Design",
2008), darker or lighter for each theme; marks of distinct shapes repeat them. Red is darker than theirs,
and no orange: the two look alike on small tiles. Purple is much lighter or darker than blue, which looks
alike to people without red cones. Walls are quieter than what moves on the board.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_SHADES = {
    "page": ("#ffffff", "#14171f"),
    "ink": ("#1f2430", "#e9edf5"),
    "floor": ("#eceff4", "#262b38"),
    "line": ("#d5dbe5", "#353c4d"),
    "stone": ("#78839a", "#4b5469"),
    "dark": ("#3b4252", "#6b758c"),
    "light": ("#ffffff", "#f4f6fa"),
    "grey": ("#8d95a5", "#8d95a5"),
    "blue": ("#0072b2", "#3d9fe0"),
    "red": ("#b00020", "#dd3344"),
    "green": ("#009e73", "#40d8ad"),
    "yellow": ("#f0d91e", "#f3e04d"),
    "orange": ("#e69f00", "#f0ac1f"),
    "purple": ("#b084f0", "#9048d0"),
    "brown": ("#8f5a2a", "#c4905c"),
}
LIGHT, DARK = ({name: both[theme] for name, both in _SHADES.items()} for theme in (0, 1))
"""Colours by name, "#rrggbb", for each theme."""
THEMES: Mapping[str, Mapping[str, str]] = {"light": LIGHT, "dark": DARK}

MARKS: Mapping[str, str] = {
    "blue": "disc",
    "red": "triangle",
    "green": "square",
    "yellow": "ring",
    "orange": "diamond",
    "purple": "plus",
}
"""Shape of the mark for each colour, for people who cannot tell the colours apart."""

_HEX = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)


def shade(name: str, theme: str) -> str:
    """Return the "#rrggbb" of a colour name; return a "#rrggbb" unchanged."""
    return name if _HEX.fullmatch(name) else THEMES[theme][name]


def ink_on(colour: str) -> str:
    """Return black or white, whichever contrasts more with a "#rrggbb" (by WCAG's relative luminance)."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#1f2430" if luminance > _BETWEEN else "#ffffff"


_BETWEEN = 0.2165
"""The luminance from which both contrast alike: (L + 0.05)² = 1.05 · (0.0177 + 0.05)."""
