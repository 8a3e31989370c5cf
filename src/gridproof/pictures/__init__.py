"""Pictures as SVG of any game, from its look alone; what draws is imported when something is drawn."""

from __future__ import annotations

from typing import Any

from gridproof.core.look import Pictures


def _svg(position: Any) -> str:
    from gridproof.pictures.picture import svg

    return svg(position)


def _film(trace: Any) -> str:
    from gridproof.pictures.picture import film

    return film(trace)


PICTURES = Pictures(svg=_svg, film=_film)
"""What a game's look names to be drawn in notebooks."""
