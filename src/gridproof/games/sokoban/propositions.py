"""What formulas, goals and solvers may ask of Sokoban's positions and actions."""

from __future__ import annotations

import functools
from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from gridproof.core import position as core
from gridproof.core.errors import GridproofError
from gridproof.core.game import Measure, Proposition
from gridproof.games.sokoban.reasons import why_never_won
from gridproof.games.sokoban.rules import Action, Level, Position, Pushed
from gridproof.games.sokoban.validity import Board, Cell


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


def to_depot(level: Level) -> Sequence[Sequence[int]]:
    """The fewest pushes from each cell, `[x][y]`, to a depot without regard to walls; 0 where there are no depots."""
    return _to_nearest(level.depots, level.size)


@functools.lru_cache(maxsize=8)
def _to_nearest(depots: frozenset[Cell], size: tuple[int, int]) -> Sequence[Sequence[int]]:
    """One sweep along all rows and one along all columns, whatever the number of depots."""
    width, height = size
    far = width + height if depots else 0
    rows = [_swept([0 if (x, y) in depots else far for x in range(width)]) for y in range(height)]
    return [_swept(column) for column in zip(*rows, strict=True)]


def _swept(line: Sequence[int]) -> Sequence[int]:
    """For each place of a line, the least sum of a place's number and the distance to that place."""
    forwards = array("H", accumulate(line, _next))
    return array("H", accumulate(reversed(forwards), _next))[::-1]


def _next(before: int, here: int) -> int:
    return before + 1 if before < here else here


def until_won(position: Position) -> int:
    """A lower bound of the actions left, as though there were no walls, since bombs may delete them.

    Each box goes straight to the nearest depot, and the player first to the nearest box that has to.
    """
    away, (column, row) = to_depot(position.level), position.player
    pushed = position.boxes - position.level.depots
    walk = min((abs(x - column) + abs(y - row) - 1 for x, y in pushed), default=0)
    return sum(away[x][y] for x, y in pushed) + walk


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


def valid(position: Position) -> bool:
    """Whether a position is as K3 wants levels: none of its parts stands where it cannot, and no box is lost."""
    level = position.level
    parts = position.boxes, level.depots, position.walls, level.size
    return not Board((position.player,), position.bombs, *parts).problems()


PROPOSITIONS = (
    Proposition("won", (), "the level is completed", won, bound=until_won, never=why_never_won),
    Proposition("bombs", (), "how many bombs are left", bombs, number=True),
    Proposition("placed", (), "how many boxes stand on depots", placed, number=True),
    Proposition("at", ("x", "y"), "the player stands at (x, y)", at),
    Proposition("box", ("x", "y"), "a box stands at (x, y)", box),
    Proposition("valid", (), "as many boxes as depots, and nothing stands where it cannot (K3)", valid),
)

QUESTIONS = {
    "EF (won & bombs > 0)": "can it be won with a bomb to spare?",
    "AG (placed > 0 -> EF won)": "is a box on a depot never a mistake?",
    "G (won -> Y O [left])": "does every way to the win go to the left at some time?",
}

INVARIANTS = {"K3": "AG valid", "K10": "G ([bomb] -> X !won)"}

MEASURES = (
    Measure("moves", "steps and pushes done; bombs are free", moves),
    Measure("pushes", "pushes done; steps and bombs are free", pushes),
)
