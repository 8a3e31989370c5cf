"""How 2048 plays itself, to be watched; and how likely a win is, where that can be known."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import replace
from operator import mul
from typing import TYPE_CHECKING

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.games.twenty48.rules import Level, Move, Position
from gridproof.search.players import Expectimax, played_by

if TYPE_CHECKING:
    from gridproof.prove.value import Value

_MOST_CELLS = 9
_MOST_STATES = 20_000_000
"""Half a gigabyte, and half a minute of work."""


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


@functools.lru_cache(maxsize=2)
def _values(level: Level) -> Value:
    """How likely a win is in every position that can follow."""
    from gridproof.prove.value import value

    return value(level, "won", limit=Limit(states=_MOST_STATES))


def chances(position: Position) -> Mapping[Move, float] | None:
    """How likely each move leads to the win, if the best is done afterwards: exactly but for rounding.

    None where that is not known: on boards of more than 9 cells, where too many positions can follow, once the game is
    won, and where it can no longer be. Levels that begin with a board have the values of the same board begun by chance,
    if it can lead there: they are found once for all of them.
    """
    level = position.level
    if position.won or level.width * level.height > _MOST_CELLS:
        return None
    begun_by_chance = replace(level, board=None, title="", author="", keys={})
    for known in (begun_by_chance, level):
        try:
            worth = _values(known).at(Position(known, position.cells))
        except GridproofError:  # it does not follow from there, or there are too many
            continue
        found = {move: float(chance) for move, chance in worth.actions.items()}
        return found if any(found.values()) else None
    return None


CHANCES = chances

SHOWS = {"snake": lambda level, seed: played_by(ADVISER, level, seed)}
"""What can be watched besides the players of every game."""
