"""Pictures of any game as SVG, from its look alone; imported at the first drawing."""

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
"""Drawing functions for notebooks, which looks refer to."""
