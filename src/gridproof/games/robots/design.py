"""Symmetry and ablations of Robots, for designers."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterator
from typing import Any

from gridproof.core.design import Ablation, Table, images
from gridproof.core.errors import InvalidLevel
from gridproof.games.robots.board import Kind, Tile
from gridproof.games.robots.rules import Level

_SPECIAL = {Kind.BROKEN: "the wreck", Kind.CONVEYOR: "the belt"}
"""Names of the tiles that change where robots can go; hints do not."""


def _turn_level(level: Level, quarters: int, table: Table[Tile]) -> tuple[object, ...]:
    numbers = {"": -1, **level.numbers}
    robots = tuple((robot.rule.value, (robot.rotation + 90 * quarters) % 360) for robot in level.robots)
    return robots, tuple(
        tuple(
            (tile.kind.value, numbers[tile.occupier], numbers[tile.target], _turn_conveyor(tile, quarters))
            for tile in row
        )
        for row in table
    )


def _turn_conveyor(tile: Tile, quarters: int) -> int:
    """Return a conveyor's rotation after quarters clockwise: its rotations count the other way (R3)."""
    return (tile.rotation - 90 * quarters) % 360 if tile.kind is Kind.CONVEYOR else 0


def _remove_robot(tile: Tile, robot: str) -> Tile:
    """Return a tile without a robot and its home."""
    bare = Tile(occupier=tile.occupier) if tile.target == robot else tile
    return bare._replace(occupier="") if tile.occupier == robot else bare


def _ablate(
    level: Level, piece: str, place: tuple[int, int], noun: str = "", **changes: Any
) -> Iterator[Ablation]:
    try:
        changed = dataclasses.replace(level, certificate=None, **changes)
    except InvalidLevel:
        return
    yield Ablation(piece, (changed,), place, noun)


class RobotsDesign:
    """Implementation of `gridproof.analysis.design.Design`."""

    def canonical(self, level: Level) -> Hashable:
        """Return the least of the level's four rotations, robots by their place; a mirror would turn robots over."""
        return min(
            _turn_level(level, quarters, table)
            for is_mirrored, quarters, table in images(level.tiles)
            if not is_mirrored
        )

    def ablations(self, level: Level) -> Iterator[Ablation]:
        """Yield the valid levels without one robot and its home, or with one special tile made normal."""
        for robot in level.robots:
            rest = tuple(other for other in level.robots if other is not robot)
            tiles = tuple(tuple(_remove_robot(tile, robot.name) for tile in row) for row in level.tiles)
            cell = level.grid.cell(level.cells[level.numbers[robot.name]])
            yield from _ablate(level, f"the robot {robot.name}", cell, robots=rest, tiles=tiles)
        for y, row in enumerate(level.tiles):
            for x, tile in enumerate(row):
                if tile.kind in _SPECIAL:
                    changed = (*row[:x], Tile(occupier=tile.occupier), *row[x + 1 :])
                    tiles = (*level.tiles[:y], changed, *level.tiles[y + 1 :])
                    noun = _SPECIAL[tile.kind]
                    yield from _ablate(level, f"{noun} at {x, y}", (x, y), noun, tiles=tiles)


DESIGN = RobotsDesign()
