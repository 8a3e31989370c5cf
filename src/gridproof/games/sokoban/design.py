"""Symmetry, ablations and solution keys of levels, for designers."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from gridproof.core.design import Ablation, images
from gridproof.games.sokoban.rules import Action, Level, Position, Stepped
from gridproof.games.sokoban.validity import Cell, sort_cells


def _variant(level: Level, bombs: int, boxes: Iterable[Cell], depots: Iterable[Cell]) -> Level:
    return Level(level.player, bombs, boxes, depots, level.walls, level.size)


def _distance(box: Cell, depot: Cell) -> tuple[int, Cell]:
    """Return the distance without regard to walls, then the depot to break ties."""
    return abs(box[0] - depot[0]) + abs(box[1] - depot[1]), depot


class SokobanDesign:
    """Implement `gridproof.analysis.design.Design` and `gridproof.prove.reachability.SolutionKey`."""

    def solution_key(self, position: Position, action: Action, outcome: Any) -> Hashable:
        """Return the push, or the walls that a bomb deletes; None for a step."""
        return tuple(event for event in outcome.events if not isinstance(event, Stepped)) or None

    def canonical(self, level: Level) -> Hashable:
        """Return the least image of the board under symmetry, and the bombs."""
        width, height = level.size
        parts = ({level.player}, level.boxes, level.depots, level.walls)
        board = [
            [sum(((x, y) in part) << bit for bit, part in enumerate(parts)) for x in range(width)]
            for y in range(height)
        ]
        return min(table for _, _, table in images(board)), level.bombs

    def ablations(self, level: Level) -> Iterator[Ablation]:
        """Yield the level without each box and any one of the depots (K3), and with fewer bombs."""
        for box in sort_cells(level.boxes) if len(level.boxes) > 1 else ():
            near = sorted(level.depots, key=functools.partial(_distance, box))
            boxes = level.boxes - {box}
            fewer = tuple(_variant(level, level.bombs, boxes, level.depots - {depot}) for depot in near)
            yield Ablation(f"the box at {box}", fewer, box, "the box")
        if level.bombs:
            fewer_bombs = _variant(level, level.bombs - 1, level.boxes, level.depots)
            yield Ablation("the bomb" if level.bombs == 1 else "one bomb", (fewer_bombs,))
        if level.bombs > 1:
            yield Ablation("all bombs", (_variant(level, 0, level.boxes, level.depots),))


DESIGN = SokobanDesign()
