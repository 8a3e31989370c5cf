"""Simple players: functions from a position to an action, over nothing but `outcomes`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from gridproof.core.errors import GridproofError
from gridproof.core.position import Action, Level, Outcome, Position
from gridproof.core.representation import Representable
from gridproof.core.rng import Rng
from gridproof.core.text.phrases import format_count

Player = Callable[[Position[Any]], Action]
"""Chooses one of `position.actions()`, of which there is at least one."""

Value = Callable[[Any], float]
"""A player's value of a position; only comparisons count."""


A = TypeVar("A")

NO_ACTION = "no action is possible in this position"


def best_action(values: Mapping[A, float]) -> A:
    """Return the action with the largest value, the first of several; GridproofError if there is no action."""
    if not values:
        raise GridproofError(NO_ACTION)
    return max(values, key=values.__getitem__)


class Expectimax(Representable):
    """Chooses the action with the best average value, looking so many actions ahead, at least 1.

    `value` is a function of a position, whose value counts at the depth.
    """

    def __init__(self, value: Value, depth: int = 1) -> None:
        if depth < 1:
            raise GridproofError(f"depth {depth}: a player must look ahead at least one action")
        self.value = value
        self.depth = depth

    def __str__(self) -> str:
        return f"a player that looks {format_count(self.depth, 'actions')} ahead"

    def _summary(self) -> str:
        return f"<Player: {format_count(self.depth, 'actions')} ahead>"

    def __call__(self, position: Position[Any]) -> Action:
        return best_action(self.values(position))

    def values(self, position: Position[Any]) -> dict[Action, float]:
        """Return the player's value of each action."""
        return {action: self._action_value(position, action, self.depth) for action in position.actions()}

    def _action_value(self, position: Position[Any], action: Action, depth: int) -> float:
        outcomes: Iterable[Outcome[Any]] = position.outcomes(action)
        return sum(
            float(item.probability) * self._position_value(item.position, depth - 1) for item in outcomes
        )

    def _position_value(self, position: Position[Any], depth: int) -> float:
        actions = position.actions() if depth else ()
        if not actions:
            return self.value(position)
        return max(self._action_value(position, action, depth) for action in actions)


def play_game(player: Player, level: Level, seed: int) -> Iterator[tuple[Action, Outcome[Any]]]:
    """Play a game with one player, and with the chance of a session with this seed; yield actions and outcomes."""
    position, number = level.start(seed), 0
    while not position.ended:
        number += 1
        action = player(position)
        outcome = position.step(action, Rng(seed, number))
        yield action, outcome
        position = outcome.position
