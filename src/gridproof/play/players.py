"""Simple players: functions from a position to an action, over nothing but `outcomes`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from operator import mul
from typing import TYPE_CHECKING, Any

from gridproof.core.errors import GridproofError
from gridproof.core.game import Action, Outcome, Position
from gridproof.core.rng import Rng

if TYPE_CHECKING:
    from gridproof.games import twenty48

Player = Callable[[Position[Any]], Action]
"""Chooses one of `position.actions()`, of which there is at least one."""

Value = Callable[[Any], float]
"""How much a player likes a position; only comparisons count."""


class RandomPlayer:
    """Chooses uniformly; a seed makes the same choices again."""

    def __init__(self, seed: int = 0) -> None:
        self._rng = Rng(seed)

    def __call__(self, position: Position[Any]) -> Action:
        action: Action = self._rng.choice(position.actions())
        return action


class Expectimax:
    """Chooses the action whose outcomes it likes best on average, looking a few actions ahead.

    Parameters
    ----------
    value : function of a position
        Asked where it looks no further.
    depth : int
        How many actions it looks ahead, at least 1.

    Raises
    ------
    GridproofError
        For a depth below 1.
    """

    def __init__(self, value: Value, depth: int = 1) -> None:
        if depth < 1:
            raise GridproofError(f"depth {depth}: a player looks at least one action ahead")
        self.value = value
        self.depth = depth

    def __call__(self, position: Position[Any]) -> Action:
        best: Action = max(position.actions(), key=lambda action: self._hope(position, action, self.depth))
        return best

    def _hope(self, position: Position[Any], action: Action, depth: int) -> float:
        outcomes: Iterable[Outcome[Any]] = position.outcomes(action)
        return sum(float(item.probability) * self._worth(item.position, depth - 1) for item in outcomes)

    def _worth(self, position: Position[Any], depth: int) -> float:
        actions = position.actions() if depth else ()
        if not actions:
            return self.value(position)
        return max(self._hope(position, action, depth) for action in actions)


@functools.cache
def _snake(width: int, height: int) -> tuple[int, ...]:
    """A weight for each cell in reading order, falling fourfold along a snake from the first corner."""
    path = [(row, x if row % 2 == 0 else width - 1 - x) for row in range(height) for x in range(width)]
    weights = {cell: 4 ** (len(path) - place) for place, cell in enumerate(path)}
    return tuple(weights[row, column] for row in range(height) for column in range(width))


def cornered(position: twenty48.Position) -> float:
    """How 2048 is liked: large tiles in a corner, the next ones beside them along a snake."""
    weights = _snake(position.level.width, position.level.height)
    return float(sum(map(mul, position.cells, weights)))
