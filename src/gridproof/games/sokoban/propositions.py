"""Propositions, numbers and measures of Sokoban's positions and actions."""

from __future__ import annotations

import functools
from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from gridproof.core import position as core
from gridproof.core.errors import GridproofError
from gridproof.core.game import Measure, Proposition
from gridproof.games.sokoban.explanations import explain_dead_position
from gridproof.games.sokoban.rules import Action, Level, Position, Pushed
from gridproof.games.sokoban.validity import Cell, LevelParts


def count_moves(position: core.Position[Any], action: Action, outcome: core.Outcome[Any]) -> int:
    """Return 1 for a step or a push, 0 for a bomb (K22)."""
    return int(action is not Action.BOMB)


def count_pushes(position: core.Position[Any], action: Action, outcome: core.Outcome[Any]) -> int:
    """Return 1 for a push, 0 for anything else (K22)."""
    return sum(isinstance(event, Pushed) for event in outcome.events)


def count_placed(position: Position) -> int:
    """Return the number of boxes on depots."""
    return len(position.boxes & position.level.depots)


def depot_distances(level: Level) -> Sequence[Sequence[int]]:
    """Return the distance of each cell, `[x][y]`, to a depot without regard to walls; 0 without depots."""
    return _nearest_distances(level.depots, level.size)


@functools.lru_cache(maxsize=8)
def _nearest_distances(depots: frozenset[Cell], size: tuple[int, int]) -> Sequence[Sequence[int]]:
    """Sweep once along all rows and once along all columns, whatever the number of depots."""
    width, height = size
    far = width + height if depots else 0
    rows = [_sweep_line([0 if (x, y) in depots else far for x in range(width)]) for y in range(height)]
    return [_sweep_line(column) for column in zip(*rows, strict=True)]


def _sweep_line(line: Sequence[int]) -> Sequence[int]:
    """Return, for each place of a line, the least sum of a number and the distance to its place."""
    forwards = array("H", accumulate(line, _relax))
    return array("H", accumulate(reversed(forwards), _relax))[::-1]


def _relax(before: int, here: int) -> int:
    return before + 1 if before < here else here


def actions_left_bound(position: Position) -> int:
    """Return a lower bound of the actions left, without walls, since bombs may delete them.

    Each box goes straight to the nearest depot, and the player first to the nearest box that has to.
    """
    pushes_from, (column, row) = depot_distances(position.level), position.player
    pushed = position.boxes - position.level.depots
    walk = min((abs(x - column) + abs(y - row) - 1 for x, y in pushed), default=0)
    return sum(pushes_from[x][y] for x, y in pushed) + walk


def _check_cell(position: Position, name: str, x: int | str, y: int | str) -> Cell:
    width, height = position.level.size
    if isinstance(x, int) and isinstance(y, int) and 0 <= x < width and 0 <= y < height:
        return x, y
    raise GridproofError(f"{name}({x},{y}): x is from 0 to {width - 1} and y from 0 to {height - 1}")


def is_valid(position: Position) -> bool:
    """Return whether a position fulfils the conditions of K3 for levels."""
    level = position.level
    parts = position.boxes, level.depots, position.walls, level.size
    return not LevelParts((position.player,), position.bombs, *parts).problems()


PROPOSITIONS = (
    Proposition(
        "won",
        (),
        "the level is completed",
        lambda p: p.won,  # K9
        bound=actions_left_bound,
        never=explain_dead_position,
    ),
    Proposition("bombs", (), "the number of bombs left", lambda p: p.bombs, number=True),
    Proposition("placed", (), "the number of boxes on depots", count_placed, number=True),
    Proposition(
        "at",
        ("x", "y"),
        "the player stands at (x, y)",
        lambda p, x, y: p.player == _check_cell(p, "at", x, y),
    ),
    Proposition(
        "box", ("x", "y"), "a box stands at (x, y)", lambda p, x, y: _check_cell(p, "box", x, y) in p.boxes
    ),
    Proposition("valid", (), "as many boxes as depots, and nothing stands where it cannot (K3)", is_valid),
)

MEASURES = (
    Measure("moves", "steps and pushes done; bombs are free", count_moves),
    Measure("pushes", "pushes done; steps and bombs are free", count_pushes),
)
