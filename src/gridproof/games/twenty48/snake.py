"""Values of boards whose large tiles lie along a snake, and the player that looks for them."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from operator import mul

from gridproof.games.twenty48.rules import Move, Position
from gridproof.search.simple_players import Expectimax


@functools.cache
def snake_weights(width: int, height: int) -> tuple[float, ...]:
    """Return a weight for each cell in reading order: 1 for the first corner, then a quarter of the one before, along a snake."""
    path = [(row, x if row % 2 == 0 else width - 1 - x) for row in range(height) for x in range(width)]
    weights = {cell: 4.0**-place for place, cell in enumerate(path)}
    return tuple(weights[row, column] for row in range(height) for column in range(width))


def snake_value(position: Position) -> float:
    """Return the value of a position: the tile in the first corner, a quarter of the next one along a snake, and so on."""
    weights = snake_weights(position.level.width, position.level.height)
    return float(sum(map(mul, position.cells, weights)))


class SnakePlayer(Expectimax):
    """Player that looks two slides ahead, for boards of large `snake_value`."""

    def __init__(self) -> None:
        super().__init__(snake_value, 2)

    def __str__(self) -> str:
        return "the player snake of twenty48, which looks 2 slides ahead"

    def _summary(self) -> str:
        return "<Player snake of twenty48: 2 slides ahead>"

    def reasons(self, position: Position) -> Mapping[Move, Mapping[tuple[int, int], float]]:
        """Return the parts of the value of each move, one slide ahead, by cells (row, column)."""
        width = position.level.width
        weights = snake_weights(width, position.level.height)
        return {
            move: {
                divmod(place, width): tile * weights[place]
                for place, tile in enumerate(position.afterstate(move).cells)
                if tile
            }
            for move in position.actions()
        }


SNAKE = SnakePlayer()
