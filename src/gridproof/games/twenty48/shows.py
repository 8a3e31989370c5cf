"""How 2048 plays itself, to be watched."""

from __future__ import annotations

import functools
from operator import mul

from gridproof.games.twenty48.rules import Position
from gridproof.search.players import Expectimax, played_by


@functools.cache
def _snake(width: int, height: int) -> tuple[int, ...]:
    """A weight for each cell in reading order, falling fourfold along a snake from the first corner."""
    path = [(row, x if row % 2 == 0 else width - 1 - x) for row in range(height) for x in range(width)]
    weights = {cell: 4 ** (len(path) - place) for place, cell in enumerate(path)}
    return tuple(weights[row, column] for row in range(height) for column in range(width))


def cornered(position: Position) -> float:
    """The value of a position: high for large tiles in a corner, with the next ones beside them along a snake."""
    weights = _snake(position.level.width, position.level.height)
    return float(sum(map(mul, position.cells, weights)))


ADVISER = Expectimax(cornered, 2)
"""What it would do."""

SHOWS = {"snake": lambda level, seed: played_by(ADVISER, level, seed)}
"""What can be watched besides the players of every game."""
