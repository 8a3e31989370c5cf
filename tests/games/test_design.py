"""What games tell designers: levels that are the same turned, mirrored and with other names, and levels without a piece."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from tests.packs import pack

import gridproof as gp
from gridproof.analysis.design import ablations
from gridproof.core.design import canonical, images
from gridproof.games.robots import Robot
from gridproof.games.robots import Tile as Square
from gridproof.games.robots.board import Kind
from gridproof.games.shiftit import Tile


def test_table_has_eight_images() -> None:
    found = {table for _, _, table in images([[1, 2, 3], [4, 5, 6]])}
    assert len(found) == 8
    assert (False, 1, ((4, 1), (5, 2), (6, 3))) in images([[1, 2, 3], [4, 5, 6]])
    assert (True, 0, ((3, 2, 1), (6, 5, 4))) in images([[1, 2, 3], [4, 5, 6]])


def test_boards_of_shiftit_are_the_same_turned_and_recoloured() -> None:
    first = [
        Tile("a", 0, 1, ("r", "r", "g", "b"), True),
        Tile("b", 1, 1, "g"),
        Tile("c", 0, 0, "b"),
        Tile("d", 1, 0, "r"),
    ]
    # a quarter clockwise: what was on the left is above, what was below is on the left
    second = [
        Tile("1", 1, 1, ("y", "w", "w", "x"), True), Tile("2", 1, 0, "x"), Tile("3", 0, 1, "y"), Tile("4", 0, 0, "w"),
    ]  # fmt: skip
    third = [dataclasses_tile(tile, locked=False) for tile in second]
    levels = [type(pack("shiftit/boards/1")[0])(tiles) for tiles in (first, second, third)]
    one, same, other = map(canonical, levels)
    assert one == same
    assert one != other


def dataclasses_tile(tile: Tile, locked: bool) -> Tile:
    return Tile(tile.name, tile.x, tile.y, tile.colours, locked)


def turned(level: gp.Level) -> gp.Level:
    """A race of Robots a quarter clockwise."""
    tiles = next(table for _, quarters, table in images(level.tiles) if quarters == 1)  # type: ignore[attr-defined]
    rows = tuple(tuple(_turned(tile) for tile in row) for row in tiles)
    robots = tuple(Robot(name, rule, (rotation + 90) % 360) for name, rule, rotation in level.robots)  # type: ignore[attr-defined]
    return dataclasses.replace(level, robots=robots, tiles=rows, certificate=None)  # type: ignore[call-arg]


def _turned(tile: Square) -> Square:
    return tile._replace(rotation=(tile.rotation - 90) % 360) if tile.kind is Kind.CONVEYOR else tile


@pytest.mark.parametrize("name", ["robots/races/1", "robots/races/4", "robots/duels/2"])
def test_races_are_the_same_turned(name: str) -> None:
    level = pack(name)[0]
    other = turned(level)
    assert other != level
    assert canonical(other) == canonical(level)
    here, there = gp.explore(level), gp.explore(other)
    assert (here.by_depth, here.transitions) == (there.by_depth, there.transitions)


def test_boards_of_2048_are_the_same_mirrored() -> None:
    board = ((2, 4, 0), (0, 0, 8))
    level = dataclasses.replace(
        pack("twenty48/standard/1")[0], width=3, height=2, board=board, certificate=None
    )
    mirror = dataclasses.replace(level, board=((0, 4, 2), (8, 0, 0)))
    other = dataclasses.replace(level, board=((4, 2, 0), (0, 0, 8)))
    assert canonical(level) == canonical(mirror) != canonical(other)
    assert [(item.piece, item.place) for item in ablations(level)] == [
        ("the 2 at (0, 0)", (0, 0)), ("the 4 at (0, 1)", (1, 0)), ("the 8 at (1, 2)", (2, 1)),
    ]  # fmt: skip
    assert not list(ablations(pack("twenty48/standard/1")[0]))


def test_ablations_of_sokoban_remove_a_box_and_any_depot() -> None:
    (level,) = gp.read("#######\n#.$@$.#\n#######\n")
    boxes: list[Any] = list(ablations(level))
    assert [item.place for item in boxes] == [(2, 1), (4, 1)]
    assert [one.depots for one in boxes[0].levels] == [{(5, 1)}, {(1, 1)}]
    assert all(one.boxes == {(4, 1)} for one in boxes[0].levels)
    (alone,) = gp.read("#####\n#@$.#\n#####\n")
    assert not list(ablations(alone))


def test_ablations_of_shiftit_remove_colours_or_lock_of_a_tile() -> None:
    level = next(level for level in pack("shiftit/boards") if any(tile.locked for tile in level.tiles))
    found: dict[str, Any] = {item.piece: item.levels[0] for item in ablations(level)}
    locked = [tile for tile in level.tiles if tile.locked]
    assert len(found) == len(level.tiles) + len(locked)
    free = found[f"the lock of {locked[0].name}"]
    assert sum(tile.locked for tile in free.tiles) == len(locked) - 1
    plain = found[f"the tile {locked[0].name}"]
    assert set(plain.colours) - set(level.colours) == {"own"}


def test_ablations_of_robots_remove_a_robot_of_three() -> None:
    level = next(level for level in pack("robots/races") if len(level.robots) > 2)
    found: list[Any] = [item for item in ablations(level) if item.piece.startswith("the robot")]
    assert found
    for item in found:
        assert len(item.levels[0].robots) == len(level.robots) - 1
