"""Shift It's own solvers."""

from __future__ import annotations

from typing import Any

from gridproof.games.shiftit.rules import has_unique_tiles
from gridproof.search.solver import Solver


def _refuse_unique_tiles(position: Any, minimise: str) -> str:
    return "no two tiles are alike" if has_unique_tiles(position.level) else ""


SOLVERS = (
    Solver(
        "listed-wins",
        "bidirectional breadth-first, identical tiles merged",
        "gridproof.games.shiftit.solver.solve:solve_from_wins",
    ),
    Solver(
        "alike-as-one",
        "breadth-first, identical tiles merged",
        "gridproof.games.shiftit.solver.solve:solve_up_to_symmetry",
        refuses=_refuse_unique_tiles,
    ),
)
