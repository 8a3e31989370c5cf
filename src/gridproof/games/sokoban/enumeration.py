"""All positions of a level of Sokoban: the player and the boxes anywhere in the grid, after bombs anywhere."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Sequence

from gridproof.games.sokoban.rules import Position
from gridproof.games.sokoban.validity import Cell
from gridproof.prove.enumeration import Enumeration, Who

Walls = tuple[int, frozenset[Cell]]
"""The bombs and the walls that are left."""


def _walls_after_bombs(starts: Sequence[Position], cells: Sequence[Cell]) -> list[Walls]:
    """Return the bombs and walls of the starts, and those after bombs on cells without a wall (K7, K8)."""
    found = dict.fromkeys((start.bombs, start.walls) for start in starts)
    waiting = list(found)
    for bombs, walls in waiting:
        for column, row in cells if bombs else ():
            left = frozenset(wall for wall in walls if wall[0] != column and wall[1] != row)
            after = bombs - 1, left
            if (column, row) not in walls and after not in found:
                found[after] = None
                waiting.append(after)
    return waiting


@functools.lru_cache(maxsize=1)
def _parts(starts: tuple[Position, ...]) -> tuple[list[Cell], list[Walls], int]:
    """Return the cells of the grid, the bombs and walls that are possible, and the number of boxes."""
    width, height = starts[0].level.size
    cells = [(x, y) for y in range(height) for x in range(width)]
    return cells, _walls_after_bombs(starts, cells), len(starts[0].boxes)


def size(starts: Sequence[Position], who: Who) -> int:
    """Return the number of positions."""
    cells, walls, boxes = _parts(tuple(starts))
    free = [len(cells) - len(left) for _, left in walls]
    return sum(math.comb(number, boxes) * (number - boxes) for number in free)


def positions(starts: Sequence[Position], who: Who) -> Iterator[Position]:
    """Yield all positions: each thing on a cell of its own, and as many boxes as depots (K3)."""
    level = starts[0].level
    cells, walls, number = _parts(tuple(starts))
    for bombs, left in walls:
        free = [cell for cell in cells if cell not in left]
        for chosen in itertools.combinations(free, number):
            boxes = frozenset(chosen)
            for player in free:
                if player not in boxes:
                    yield Position(level, player, boxes, bombs, left)


ENUMERATION = Enumeration(size=size, positions=positions)
