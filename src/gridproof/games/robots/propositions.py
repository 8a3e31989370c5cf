"""Statements and numbers about positions of Robots."""

from __future__ import annotations

from gridproof.core.errors import GridproofError
from gridproof.core.game import Proposition
from gridproof.games.robots.rules import Position
from gridproof.games.robots.validity import find_board_defects


def won(position: Position, robot: str | int | None = None) -> bool:
    """Return whether the robot, or without one some robot, stands on its own home."""
    if robot is None:
        return position.won
    number = position.level.number(robot)
    return position.cells[number] == position.level.homes[number]


def at(position: Position, robot: str | int, x: int | str, y: int | str) -> bool:
    """Return whether the robot stands on the cell (x, y)."""
    grid = position.level.grid
    if not isinstance(x, int) or not isinstance(y, int) or (x, y) not in grid:
        raise GridproofError(
            f"at({robot},{x},{y}): the cells are (0,0) to ({grid.width - 1},{grid.height - 1})"
        )
    return position.cells[position.level.number(robot)] == grid.square((x, y))


PROPOSITIONS = (
    Proposition("won", ("robot",), "some robot, or the one named, stands on its home", won, optional=1),
    Proposition("at", ("robot", "x", "y"), "the robot stands on the cell (x, y), from 0", at),
    Proposition("rotation", ("robot",), "the robot's rotation in degrees", Position.rotation, number=True),
    Proposition(
        "valid",
        (),
        "the board is as it has to be after every operation (R8)",
        lambda p: not find_board_defects(p.level.robots, p.tiles, p.level.grid),
    ),
)
