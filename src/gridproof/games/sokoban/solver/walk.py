"""Walks of the player between pushes."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from gridproof.core.distances import shortest_path
from gridproof.games.sokoban.rules import Action
from gridproof.games.sokoban.solver.board import DIRECTIONS


def shortest_walk(
    neighbours: Sequence[Sequence[int]], boxes: Container[int], start: int, ends: Container[int]
) -> tuple[list[Action], int]:
    """Return the shortest walk to one of some squares, which there must be, and its end.

    Parameters
    ----------
    neighbours : sequence of sequences of int
        Those of each square, as of `Board`, among the walls.
    boxes : container of int
        Squares that cannot be entered.
    """

    def steps(square: int) -> Iterator[tuple[Action, int]]:
        for action, other in zip(DIRECTIONS, neighbours[square], strict=True):
            if other >= 0 and other not in boxes:
                yield action, other

    solution = shortest_path(start, steps, ends.__contains__)
    assert solution is not None  # a search has walked there
    return solution
