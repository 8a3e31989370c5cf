"""What designers ask of a race of Robots: the same one turned, without a robot, and without what is special of a tile."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterator
from typing import Any

from gridproof.core.errors import InvalidLevel
from gridproof.core.game import Without
from gridproof.core.symmetry import Table, images
from gridproof.games.robots.board import Kind, Tile
from gridproof.games.robots.level import Level

_SPECIAL = {Kind.BROKEN: "the broken tile", Kind.CONVEYOR: "the conveyor"}
"""What changes where robots can go; hints do not."""


def canonical(level: Level) -> Hashable:
    """The least of the board turned by quarters, robots by their place in the order: what mirrors would turn robots over."""
    turned = [
        _turned(level, quarters, table) for mirrored, quarters, table in images(level.tiles) if not mirrored
    ]
    return min(turned)


def _turned(level: Level, quarters: int, table: Table[Tile]) -> tuple[object, ...]:
    numbers = {"": -1, **level.numbers}
    robots = tuple((robot.rule.value, (robot.rotation + 90 * quarters) % 360) for robot in level.robots)
    return robots, tuple(
        tuple(
            (tile.kind.value, numbers[tile.occupier], numbers[tile.target], _runs(tile, quarters))
            for tile in row
        )
        for row in table
    )


def _runs(tile: Tile, quarters: int) -> int:
    """Where a conveyor runs after quarters clockwise: its rotations count the other way (R3)."""
    return (tile.rotation - 90 * quarters) % 360 if tile.kind is Kind.CONVEYOR else 0


def without(level: Level) -> Iterator[Without]:
    """The level without each robot and its home, and with a normal tile for each broken one and conveyor; where it is valid."""
    for robot in level.robots:
        rest = tuple(one for one in level.robots if one.name != robot.name)
        tiles = tuple(tuple(_left(tile, robot.name) for tile in row) for row in level.tiles)
        cell = level.grid.cell(level.cells[level.numbers[robot.name]])
        yield from _valid(level, f"the robot {robot.name}", cell, robots=rest, tiles=tiles)
    for y, row in enumerate(level.tiles):
        for x, tile in enumerate(row):
            if tile.kind in _SPECIAL:
                changed = (*row[:x], Tile(occupier=tile.occupier), *row[x + 1 :])
                tiles = (*level.tiles[:y], changed, *level.tiles[y + 1 :])
                yield from _valid(level, f"{_SPECIAL[tile.kind]} at {x, y}", (x, y), tiles=tiles)


def _left(tile: Tile, robot: str) -> Tile:
    """What is left of a tile without a robot."""
    bare = Tile(occupier=tile.occupier) if tile.target == robot else tile
    return bare._replace(occupier="") if tile.occupier == robot else bare


def _valid(level: Level, piece: str, place: tuple[int, int], **changes: Any) -> Iterator[Without]:
    try:
        changed = dataclasses.replace(level, certificate=None, **changes)
    except InvalidLevel:
        return
    yield Without(piece, (changed,), place)
