"""Fills in floor that a solution does not need, while the level keeps the wished size."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection

from gridproof.core.trace import Trace
from gridproof.games.sokoban.making import floorplan
from gridproof.games.sokoban.rules import Level, Position, Pushed
from gridproof.games.sokoban.validity import Cell


def trimmed(level: Level, floor: set[Cell], trace: Trace) -> Level:
    """The level without the floor that a win does not need, as far as its size stays the same.

    Parameters
    ----------
    level : Level
        Without bombs, its walls those around the floor.
    floor : set of Cell
        All of it; where it does not reach to all sides of the grid, there is rock beyond.
    trace : Trace
        Wins the level.
    """
    used = used_cells(trace)
    for margin in (2, 4, len(floor)):
        fitted = _fitted(level, floorplan.without_needless(floor, used, margin))
        if fitted.size == level.size:
            return fitted
    return in_rock(level)


def used_cells(trace: Trace) -> set[Cell]:
    """The cells that a player or a box comes to, and the depots."""
    start = trace.start
    assert isinstance(start, Position)
    used = {start.player, *start.boxes, *start.level.depots}
    for outcome in trace.outcomes():
        used.add(outcome.position.player)
        used.update(event.to for event in outcome.events if isinstance(event, Pushed))
    return used


def _fitted(level: Level, floor: set[Cell]) -> Level:
    """The level with this floor only, in a grid that has no empty row or column at its edges."""
    walls = floorplan.walls_around(floor)
    left, top = min(x for x, _ in walls), min(y for _, y in walls)
    width, height = max(x for x, _ in walls) - left + 1, max(y for _, y in walls) - top + 1

    def moved(cells: Collection[Cell]) -> list[Cell]:
        return [(x - left, y - top) for x, y in cells]

    (player,) = moved([level.player])
    return Level(player, 0, moved(level.boxes), moved(level.depots), moved(walls), (width, height))


def in_rock(level: Level) -> Level:
    """The level; if its walls do not span its grid, every cell that cannot be reached becomes a wall."""
    width, height = level.size
    columns, rows = {x for x, _ in level.walls}, {y for _, y in level.walls}
    if {0, width - 1} <= columns and {0, height - 1} <= rows:
        return level
    everything = {(x, y) for x in range(width) for y in range(height)}
    floor = floorplan.region(level.player, everything - level.walls)
    return dataclasses.replace(level, walls=frozenset(everything - floor.keys()))
