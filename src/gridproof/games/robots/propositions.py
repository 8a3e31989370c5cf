"""Statements and numbers about positions of Robots."""

from __future__ import annotations

from gridproof.core.errors import GridproofError
from gridproof.core.game import Proposition
from gridproof.games.robots.rules import Position
from gridproof.games.robots.validity import broken_in


def won(position: Position, robot: str | int | None = None) -> bool:
    """Whether the robot stands on its own home; without one, whether some robot does."""
    if robot is None:
        return position.won
    number = position.level.number(robot)
    return position.cells[number] == position.level.homes[number]


def nearest(position: Position) -> float:
    """How near the nearest robot is to its home, in steps of rule A on a bare board, negative."""
    cell = position.level.grid.cell
    ways = (
        zip(cell(here), cell(home), strict=True)
        for here, home in zip(position.cells, position.level.homes, strict=True)
    )
    return -float(min(sum(abs(a - b) for a, b in way) for way in ways))


def at(position: Position, robot: str | int, x: int | str, y: int | str) -> bool:
    """Whether the robot stands on the cell (x, y)."""
    grid = position.level.grid
    if not isinstance(x, int) or not isinstance(y, int) or not grid.holds((x, y)):
        raise GridproofError(
            f"at({robot},{x},{y}): the cells are (0,0) to ({grid.width - 1},{grid.height - 1})"
        )
    return position.cells[position.level.number(robot)] == grid.square((x, y))


def rotation(position: Position, robot: str | int) -> int:
    """The robot's rotation in degrees."""
    return position.rotations[position.level.number(robot)]


def valid(position: Position) -> bool:
    """Whether the board is as R8 wants it."""
    return not broken_in(position)


PROPOSITIONS = (
    Proposition("won", ("robot",), "some robot, or the one named, stands on its home", won, optional=1),
    Proposition("at", ("robot", "x", "y"), "the robot stands on the cell (x, y), from 0", at),
    Proposition("rotation", ("robot",), "the robot's rotation in degrees", rotation, number=True),
    Proposition("valid", (), "the board is as it has to be after every operation (R8)", valid),
)

QUESTIONS = {
    "<<a>> F won(a)": "can a get home first, whatever the others do?",
    "AG EF won": "can one always still come home?",
    "E[!won(b) U won(a)]": "can a get home before b?",
}

INVARIANTS = {"R8": "AG valid"}
