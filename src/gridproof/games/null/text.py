"""The text of null: one row, `@` the walker, `o` the flag, `*` both, `.` a cell; keys may stand above.

title: The short way
author: Somebody
.@...o
"""

from __future__ import annotations

from typing import Any

from gridproof.core.text.grid_text import Grid, GridText
from gridproof.games.null.rules import Level, Position


def _level(grid: Grid, **about: Any) -> Level:
    return Level(grid.width, grid.cell("walker")[0], grid.cell("flag")[0], **about)


def _grid(position: Position) -> Grid:
    level = position.level
    return Grid(level.width, 1, {"walker": [(position.walker, 0)], "flag": [(level.flag, 0)]})


TEXT = GridText(
    name="null",
    extension=".null",
    meaning="a row of cells",
    characters={".": "", "@": "walker", "o": "flag", "*": "walker flag"},
    level=_level,
    position=lambda level, grid: Position(level, grid.cell("walker")[0]),
    grid=_grid,
    once=("walker", "flag"),
    fixed=("flag",),
    height=1,
)
