"""S9 to S13: connection, reached sides and the win, against a naive reading of the clauses."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from tests.games.shiftit.boards import (
    is_won_naively,
    level,
    naive_connection,
    naive_reference,
    positions,
    start,
)

import gridproof as gp
from gridproof.core.limit import Limit
from gridproof.games.shiftit import Position
from gridproof.games.shiftit.elements import DIRECTIONS
from gridproof.games.shiftit.status import notes
from gridproof.prove.position_status import Badge


@pytest.mark.slow
@pytest.mark.clause("S9", "S10")
@given(positions())
def test_regions_are_those_of_the_least_fixpoint(position: Position) -> None:
    regions = position.level.connection.regions(position.tiles)
    connected = naive_connection(position)
    for (one, way), (other, to) in itertools.combinations(connected, 2):
        same = regions[one][DIRECTIONS.index(way)] == regions[other][DIRECTIONS.index(to)]
        assert same == ((other, to) in connected[one, way])


@pytest.mark.slow
@given(positions())
def test_regions_are_counted_for_each_colour(position: Position) -> None:
    level, regions = position.level, position.level.connection.regions(position.tiles)
    sides = [
        (colour, region)
        for tile, own in zip(level.tiles, regions, strict=True)
        for colour, region in zip(filter(None, tile.colours), own, strict=True)
    ]
    counts = [len({region for one, region in sides if one == colour}) for colour in level.colours]
    assert level.connection.count_regions(position.tiles) == counts


def test_status_notes_count_the_parts_of_each_colour() -> None:
    position: Any = gp.level("shiftit/boards/7").start()
    (note,) = notes(position, Badge(), Limit())
    assert note.text == "not connected yet: blue in 3, green in 2 parts"
    assert not [*notes(start("rrgg"), Badge(), Limit())]


def test_status_notes_say_that_every_line_is_held() -> None:
    position: Any = gp.read("shiftit 2x2\nr* b\nb r*\n")[0].start()
    held, _ = notes(position, Badge(), Limit())
    assert held.text == "every row and every column is held by a tile with screws"


@pytest.mark.clause("S9")
def test_sides_across_a_tile_touch_in_a_corner_only() -> None:
    assert not start("rgrb").won
    assert start("rrgg").won
    assert start("rggr").won


@pytest.mark.clause("S9")
def test_adjacency_does_not_wrap_around_the_board() -> None:
    assert not start("r g r").won
    assert not start("r\ng\nr").won
    assert start("r r g").won


@pytest.mark.clause("S9")
def test_sides_face_each_other_across_a_border_and_corners_do_not_touch() -> None:
    assert not start("r g\nb r").won
    assert start("r g\nr b").won
    assert not start("bbbr rbbb").won
    assert start("brbb bbbr").won is False  # each blue part is cut off by the red across the border
    assert start("brrb rbbr").won is False
    assert start("brrb rgrr").won


@pytest.mark.slow
@given(positions())
@pytest.mark.clause("S11")
def test_references_are_the_largest_sides(position: Position) -> None:
    board = position.level
    for colour in board.colours:
        index, side = board.references[colour]
        assert (index, DIRECTIONS[side]) == naive_reference(board, colour)


@pytest.mark.clause("S11")
def test_references_depend_on_the_start_with_y_before_x() -> None:
    board = level("r g\nb r\nnames: a b c d")
    assert board.references["red"] == (0, DIRECTIONS.index("up"))
    assert level("g r\nb r").references["red"] == (1, DIRECTIONS.index("up"))
    assert level("grrg").references == {"green": (0, 0), "red": (0, 1)}
    assert level("grgr").references["red"] == (0, DIRECTIONS.index("right"))
    assert "blue" not in level("r g").references


@pytest.mark.slow
@given(positions())
@pytest.mark.clause("S12")
def test_reached_sides_are_connected_with_their_reference(position: Position) -> None:
    connected = naive_connection(position)
    reached = position.reachable_sides()
    for index, direction in connected:
        side = DIRECTIONS.index(direction)
        colour = position.level.tiles[index].colours[side]
        reference = naive_reference(position.level, colour or "")
        assert reached[index][side] == ((index, direction) in connected[reference or (0, "")])


@given(positions(most=2))
@pytest.mark.clause("S13")
def test_won_agrees_with_the_naive_reading(position: Position) -> None:
    assert position.won == is_won_naively(position)
    assert position.won == all(map(all, position.reachable_sides()))


@pytest.mark.clause("S13")
def test_won_on_every_placement_of_a_board_with_blocks_of_all_kinds() -> None:
    board = level("rrgb r bbgr\ng rggr rrrg")
    for tiles in itertools.permutations(range(6)):
        position = Position(board, tiles)
        assert position.won == is_won_naively(position)
