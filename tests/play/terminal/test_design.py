"""The page on design says what the palettes say."""

from __future__ import annotations

from pathlib import Path

from gridproof.pictures.palette import DARK, LIGHT
from gridproof.play.terminal.themes import SIXTEEN

PAGE = Path(__file__).parents[3] / "docs" / "design.md"


def test_the_page_on_design_has_all_colours() -> None:
    told = PAGE.read_text(encoding="utf-8").splitlines()
    for name in LIGHT:
        row = f"| {name} | `{LIGHT[name]}` | `{DARK[name]}` | `{SIXTEEN[name]}` |"
        assert any(line.startswith(row) for line in told), row
