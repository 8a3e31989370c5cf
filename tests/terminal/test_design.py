"""The page on design agrees with the palettes, and text has enough contrast."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.color import Color
from textual.theme import Theme

from gridproof.pictures.palette import DARK, LIGHT
from gridproof.terminal.themes import SIXTEEN, themes

PAGE = Path(__file__).parents[2] / "docs" / "design.md"


def test_design_page_lists_all_colours() -> None:
    told = PAGE.read_text(encoding="utf-8").splitlines()
    for name in LIGHT:
        row = f"| {name} | `{LIGHT[name]}` | `{DARK[name]}` | `{SIXTEEN[name]}` |"
        assert any(line.startswith(row) for line in told), row


@pytest.mark.parametrize("theme", themes("truecolor"), ids=lambda theme: theme.name)
def test_footer_keys_have_enough_contrast(theme: Theme) -> None:
    colours = theme.to_color_system().generate()
    key, row = (_luminance(colours[name]) for name in ("footer-key-foreground", "footer-background"))
    assert (max(key, row) + 0.05) / (min(key, row) + 0.05) >= 4.5


def _luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2.1."""
    parts = [part / 255 for part in Color.parse(colour).rgb]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
