"""Sokoban's own improver of solutions."""

from __future__ import annotations

from gridproof.search.improver import Improver

IMPROVER = Improver(
    "vicinity",
    "searches among the arrangements in which few boxes stand off those of the solution",
    "gridproof.games.sokoban.vicinity.improve:improve",
)
