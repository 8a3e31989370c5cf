"""The text of lights out: a line `lights:` with the title, `key: value` lines, rows of lamps.

    lights: The cross
    author: Somebody
    .O.
    OOO
    .O.

`O` is a lamp that is lit, `.` a dark one.
"""

from __future__ import annotations

from typing import Any

from gridproof.core.text.grid_text import Grid, GridText
from gridproof_lights_out.rules import Level, Position


def _level(grid: Grid, **about: Any) -> Level:
    return Level(grid.width, grid.height, grid.bits("lit"), **about)


def _grid(position: Position) -> Grid:
    level = position.level
    return Grid(
        level.width, level.height, {"lit": [lamp for lamp in level.presses if position.is_lit(*lamp)]}
    )


TEXT = GridText(
    name="lights",
    extension=".lights",
    meaning="a title and rows of lamps",
    characters={".": "", "O": "lit"},
    level=_level,
    position=lambda level, grid: Position(level, grid.bits("lit")),
    grid=_grid,
    mark="lights",
)
