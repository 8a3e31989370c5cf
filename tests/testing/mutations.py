"""Helpers that break null, and run the conformance kit on it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from gridproof.core.position import Outcome
from gridproof.games import null
from gridproof.games.null import Level, Move, Position
from gridproof.testing import NonConformance, check_game

NULL = null.GAME
FORMAT = NULL.formats[0]
LEVELS = (Level(5, 1, 4, title="A walk"), Level(4, 3, 0))
SHORT = Level(3, 1, 2)
Change = Callable[[str, object], None]

outcomes, actions = Position.outcomes, Position.actions
"""The original functions."""


def check(levels: tuple[Level, ...] = LEVELS) -> None:
    fresh = tuple(dataclasses.replace(level) for level in levels)  # a level keeps its game once it was asked
    check_game(NULL, levels=fresh, walks=2, depth=8)


def fault(levels: tuple[Level, ...] = LEVELS) -> str:
    with pytest.raises(NonConformance) as caught:
        check(levels)
    return str(caught.value)


def change_outcomes(change_one: Callable[[Outcome[Any]], object]) -> object:
    """Return outcomes with a change in each."""
    return lambda self, action: tuple(change_one(outcome) for outcome in outcomes(self, action))


def accept_all(self: Position, action: Move) -> Any:
    """Return outcomes of every action, wherever the walker stands."""
    ways = {Move.LEFT: -1, Move.RIGHT: 1, Move.HOP: 1}
    cell = min(max(self.walker + ways[action], 0), self.level.width - 1)
    return (Outcome(Position(self.level, cell)),)
