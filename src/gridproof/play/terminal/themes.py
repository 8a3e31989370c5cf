"""The colours of the terminal, made of the palette of the pictures: docs/design.md says what each is for."""

from __future__ import annotations

from textual.theme import Theme

from gridproof.pictures.palette import DARK, LIGHT


def _theme(name: str, palette: dict[str, str], dark: bool) -> Theme:
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
        dark=dark,
    )


GRIDPROOF_DARK = _theme("gridproof-dark", {**DARK}, dark=True)
GRIDPROOF_LIGHT = _theme("gridproof-light", {**LIGHT}, dark=False)
