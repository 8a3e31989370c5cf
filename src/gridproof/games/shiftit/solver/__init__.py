"""Shift It's own searches: from both ends where the wins can be listed, and up to symmetry of identical tiles."""

from __future__ import annotations

from typing import Any

from gridproof.core.game import Solver
from gridproof.games.shiftit.rules import no_two_alike


def _none_alike(position: Any, minimise: str) -> str:
    return "no two tiles are alike" if no_two_alike(position.level) else ""


SOLVERS = (
    Solver(
        "listed-wins",
        "from the start and from all wins, tiles that are alike as one",
        f"{__name__}.solve:from_wins",
    ),
    Solver(
        "alike-as-one",
        "breadth-first, tiles that are alike as one",
        f"{__name__}.solve:up_to_alike",
        refuses=_none_alike,
    ),
)
