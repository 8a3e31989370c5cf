"""Fill in floor that a solution does not need, while the level keeps its size."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection

from gridproof.core.trace import Trace
from gridproof.games.sokoban.generator import floor_plan
from gridproof.games.sokoban.rules import Level, Position, Pushed
from gridproof.games.sokoban.validity import Cell


def trim_level(level: Level, floor: set[Cell], trace: Trace) -> Level:
    """Return the level without the floor that a win does not need, as far as its size stays the same.

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
        smaller = _fit_grid(level, floor_plan.prune_floor(floor, used, margin))
        if smaller.size == level.size:
            return smaller
    return fill_with_rock(level)


def used_cells(trace: Trace) -> set[Cell]:
    """Return the cells that a player or a box visits, and the depots."""
    start = trace.start
    assert isinstance(start, Position)
    used = {start.player, *start.boxes, *start.level.depots}
    for outcome in trace.outcomes():
        used.add(outcome.position.player)
        used.update(event.to for event in outcome.events if isinstance(event, Pushed))
    return used


def _fit_grid(level: Level, floor: set[Cell]) -> Level:
    """Return the level with this floor only, in a grid without empty rows and columns at its edges."""
    walls = floor_plan.enclosing_walls(floor)
    left, top = min(x for x, _ in walls), min(y for _, y in walls)
    width, height = max(x for x, _ in walls) - left + 1, max(y for _, y in walls) - top + 1

    def shift(cells: Collection[Cell]) -> list[Cell]:
        return [(x - left, y - top) for x, y in cells]

    (player,) = shift([level.player])
    return Level(player, 0, shift(level.boxes), shift(level.depots), shift(walls), (width, height))


def fill_with_rock(level: Level) -> Level:
    """Return the level; if its walls do not span its grid, with walls on every cell out of reach."""
    width, height = level.size
    columns, rows = {x for x, _ in level.walls}, {y for _, y in level.walls}
    if {0, width - 1} <= columns and {0, height - 1} <= rows:
        return level
    everything = {(x, y) for x in range(width) for y in range(height)}
    floor = floor_plan.region(level.player, everything - level.walls)
    return dataclasses.replace(level, walls=frozenset(everything - floor.keys()))
