"""Sokoban's own solvers."""

from __future__ import annotations

from typing import Any

from gridproof.core.measure import ANY
from gridproof.search.solver import Solver


def _refuse_bombs(position: Any, minimise: str) -> str:
    """Return why fewest moves are not the fewest actions where bombs are left; "" when they are."""
    by_actions = "actions" in minimise.split(",")
    return "bombs are actions, but free for this solver" if position.bombs and by_actions else ""


SOLVERS = (
    Solver(
        "greedy-pushes",
        "finds a solution soon: by features of the board, backwards, and by pushes, in turns",
        "gridproof.games.sokoban.feature_search.portfolio:any_win",
        (ANY, "actions", "moves", "pushes"),
        optimal=False,
    ),
    Solver(
        "fewest-pushes",
        "A* on pushes and bombs",
        "gridproof.games.sokoban.solver.solve:fewest_pushes",
        ("pushes",),
    ),
    Solver(
        "fewest-pushes-then-moves",
        "A* on pushes and bombs, then among the fewest pushes with the walks between them",
        "gridproof.games.sokoban.solver.solve:fewest_pushes_then_moves",
        ("pushes,moves", "pushes,actions"),
        refuses=_refuse_bombs,
    ),
    Solver(
        "fewest-moves",
        "A* on pushes and bombs with the walks between them",
        "gridproof.games.sokoban.solver.solve:fewest_moves",
        ("actions", "moves"),
        refuses=_refuse_bombs,
    ),
)
