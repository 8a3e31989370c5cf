"""What formulas, goals and solvers may ask of Sokoban's positions and actions."""

from __future__ import annotations

from typing import Any

from gridproof.core import game as core
from gridproof.core.errors import GridproofError
from gridproof.games.sokoban.rules import Action, Level, Position, Pushed
from gridproof.games.sokoban.validity import Cell


def moves(position: core.Position[Any], action: Action, outcome: core.Outcome[Any]) -> int:
    """1 for a step or a push, 0 for a bomb (K22)."""
    return int(action is not Action.BOMB)


def pushes(position: core.Position[Any], action: Action, outcome: core.Outcome[Any]) -> int:
    """1 for a push, 0 for anything else (K22)."""
    return sum(isinstance(event, Pushed) for event in outcome.events)


def bombs(position: Position) -> int:
    """How many bombs are left."""
    return position.bombs


def placed(position: Position) -> int:
    """How many boxes stand on depots."""
    return len(position.boxes & position.level.depots)


def won(position: Position) -> bool:
    """Whether the level is completed (K9)."""
    return position.won


def to_depot(level: Level, cell: Cell) -> int:
    """The fewest pushes from a cell to a depot, were there no walls."""
    return min((_apart(cell, depot) for depot in level.depots), default=0)


def until_won(position: Position) -> int:
    """How many actions are left at least, as bombs may delete all walls.

    Each box goes straight to the nearest depot, and the player first to the nearest box that has to.
    """
    away = {box: to_depot(position.level, box) for box in position.boxes - position.level.depots}
    walk = min((_apart(position.player, box) - 1 for box in away), default=0)
    return sum(away.values()) + walk


def _apart(cell: Cell, other: Cell) -> int:
    return abs(cell[0] - other[0]) + abs(cell[1] - other[1])


def at(position: Position, x: int | str, y: int | str) -> bool:
    """Whether the player stands at (x, y)."""
    return position.player == _cell(position, "at", x, y)


def box(position: Position, x: int | str, y: int | str) -> bool:
    """Whether a box stands at (x, y)."""
    return _cell(position, "box", x, y) in position.boxes


def _cell(position: Position, name: str, x: int | str, y: int | str) -> Cell:
    width, height = position.level.size
    if isinstance(x, int) and isinstance(y, int) and 0 <= x < width and 0 <= y < height:
        return x, y
    raise GridproofError(f"{name}({x},{y}): x is from 0 to {width - 1} and y from 0 to {height - 1}")
