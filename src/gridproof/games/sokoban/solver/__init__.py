"""Sokoban by fewest pushes or fewest moves: A* on pushes and bombs.

A state is the boxes and the player's region (for fewest pushes) or cell (for fewest moves). What
prunes: dead squares and exact distances of a single box by the side that the player stands on, the
cheapest matching of boxes and goals as the bound, and freeze deadlocks; while bombs are left, all
told without the walls that they could still delete. For fewest pushes also PI-corrals, and a perimeter
of arrangements around the goal, found backwards by `pulling`. The ideas are those of the
Sokoban programming community (see the wiki of sokobano.de) and of A. Junghanns and J. Schaeffer
("Sokoban: Enhancing general single-agent search methods", Artificial Intelligence 129, 2001).
"""

from __future__ import annotations

from typing import Any

from gridproof.core.game import ANY, Solver


def _why_not_by_moves(position: Any, minimise: str) -> str:
    """Fewest moves are not the fewest actions where bombs are left: of these, bombs count."""
    return "bombs are actions, but cost it nothing" if position.bombs and minimise == "actions" else ""


SOLVERS = (
    Solver(
        "greedy-pushes",
        "a win that is found soon, by pushes",
        f"{__name__}.solve:any_win",
        (ANY, "actions", "moves", "pushes"),
        optimal=False,
    ),
    Solver(
        "fewest-pushes",
        "A* on pushes and bombs",
        f"{__name__}.solve:fewest_pushes",
        ("pushes",),
    ),
    Solver(
        "fewest-moves",
        "A* on pushes and bombs with the walks between them",
        f"{__name__}.solve:fewest_moves",
        ("actions", "moves"),
        refuses=_why_not_by_moves,
    ),
)
