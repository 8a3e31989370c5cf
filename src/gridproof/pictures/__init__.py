"""Pictures of any game as SVG, from its look alone; imported at the first drawing."""

from __future__ import annotations

from gridproof.core.lazy_import import load
from gridproof.core.look import Pictures

_MODULE = "gridproof.pictures.picture"

PICTURES = Pictures(
    svg=lambda position: load(_MODULE).svg(position), film=lambda trace: load(_MODULE).film(trace)
)
"""Drawing functions for notebooks, which looks refer to."""
