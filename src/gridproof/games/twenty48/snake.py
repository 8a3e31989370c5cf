"""Values of boards whose large tiles lie along a snake, and the player that looks for them."""

from __future__ import annotations

import functools
from operator import mul

from gridproof.games.twenty48.rules import Position
from gridproof.search.simple_players import Expectimax


@functools.cache
def snake_weights(width: int, height: int) -> tuple[int, ...]:
    """Return a weight for each cell in reading order, falling fourfold along a snake from the first corner."""
    path = [(row, x if row % 2 == 0 else width - 1 - x) for row in range(height) for x in range(width)]
    weights = {cell: 4 ** (len(path) - place) for place, cell in enumerate(path)}
    return tuple(weights[row, column] for row in range(height) for column in range(width))


def snake_value(position: Position) -> float:
    """Return the value of a position: high for large tiles in a corner and the next ones along a snake."""
    weights = snake_weights(position.level.width, position.level.height)
    return float(sum(map(mul, position.cells, weights)))


SNAKE = Expectimax(snake_value, 2)
"""The player that looks two slides ahead."""
