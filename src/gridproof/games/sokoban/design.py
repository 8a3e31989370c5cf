"""What designers ask of a level of Sokoban: the same one turned, without a piece, and what an action does to it."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from gridproof.core.game import Without
from gridproof.core.symmetry import images
from gridproof.games.sokoban.rules import Action, Level, Position, Stepped
from gridproof.games.sokoban.validity import Cell, in_reading_order


def deed(position: Position, action: Action, outcome: Any) -> Hashable:
    """A push from one cell to another, or the walls that a bomb deletes; None of a step."""
    return tuple(event for event in outcome.events if not isinstance(event, Stepped)) or None


def canonical(level: Level) -> Hashable:
    """The least image of the board, and the bombs."""
    width, height = level.size
    parts = ({level.player}, level.boxes, level.depots, level.walls)
    board = [
        [sum(((x, y) in part) << bit for bit, part in enumerate(parts)) for x in range(width)]
        for y in range(height)
    ]
    return min(table for _, _, table in images(board)), level.bombs


def without(level: Level) -> Iterator[Without]:
    """The level without each box and any one of the depots (K3), and with fewer bombs."""
    for box in in_reading_order(level.boxes) if len(level.boxes) > 1 else ():
        near = sorted(level.depots, key=functools.partial(_distance, box))
        boxes = level.boxes - {box}
        fewer = tuple(_changed(level, level.bombs, boxes, level.depots - {depot}) for depot in near)
        yield Without(f"the box at {box}", fewer, box)
    if level.bombs:
        fewer_bombs = _changed(level, level.bombs - 1, level.boxes, level.depots)
        yield Without("the bomb" if level.bombs == 1 else "one bomb", (fewer_bombs,))
    if level.bombs > 1:
        yield Without("all bombs", (_changed(level, 0, level.boxes, level.depots),))


def _changed(level: Level, bombs: int, boxes: Iterable[Cell], depots: Iterable[Cell]) -> Level:
    return Level(level.player, bombs, boxes, depots, level.walls, level.size)


def _distance(box: Cell, depot: Cell) -> tuple[int, Cell]:
    """How far a depot is from a box without regard to walls; of those equally far, any fixed order will do."""
    return abs(box[0] - depot[0]) + abs(box[1] - depot[1]), depot
