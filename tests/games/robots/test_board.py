"""R1-R7: tiles, occupation and where belts lead."""

from __future__ import annotations

import functools
import itertools

import pytest
from tests.games.robots.boards import board

from gridproof.games.robots import Kind, Position, Tile
from gridproof.games.robots.belts import destination, unit_destination
from gridproof.games.robots.board import Grid, Layout, component, find_cut_off_robots, to_bits


@functools.cache
def board_with_belts() -> Position:
    return board("a=A0 b=B0", "a . > > v A", ". # . ? v .", "B . < . b^ .")


def test_grid_turns_cells_into_squares_and_back() -> None:
    grid = Grid(4, 3)
    cells = [(x, y) for y in range(3) for x in range(4)]
    assert [grid.cell(square) for square in grid.squares] == cells
    assert [grid.square(cell) for cell in cells] == list(grid.squares)


@pytest.mark.clause("R1")
def test_x_grows_to_the_right_and_y_downwards() -> None:
    assert board_with_belts().cell("b") == (4, 2)
    grid = board_with_belts().level.grid
    assert (grid.width, grid.height) == (6, 3)
    assert (0, 0) in grid
    assert (5, 2) in grid
    assert not any(cell in grid for cell in ((-1, 0), (0, -1), (6, 0), (0, 3)))


@pytest.mark.clause("R2")
def test_tiles_are_of_five_kinds_and_hold_a_robot_each() -> None:
    tiles = board_with_belts().tiles
    assert tiles[0][0] == Tile(Kind.NORMAL, occupier="a")
    assert tiles[1][1] == Tile(Kind.BROKEN)
    assert tiles[1][3] == Tile(Kind.HINT)
    assert tiles[0][5] == Tile(Kind.HOME, target="a")
    assert tiles[2][4] == Tile(Kind.CONVEYOR, occupier="b", rotation=270)


@pytest.mark.clause("R3")
@pytest.mark.parametrize(("mark", "to"), [("<", (0, 1)), ("v", (1, 2)), (">", (2, 1)), ("^", (1, 0))])
def test_conveyors_run_west_south_east_north(mark: str, to: tuple[int, int]) -> None:
    position = board("a=A0 b=B0", ". . .", f". {mark} .", ". . .", "a A b", ". . B")
    grid = position.level.grid
    assert position.tiles[1][1].rotation == {"<": 0, "v": 90, ">": 180, "^": 270}[mark]
    assert unit_destination(position.layout, position.cells, grid.square((1, 1))) == grid.square(to)


@pytest.mark.clause("R4", "R6")
@pytest.mark.parametrize("block", ["b", "#"])
def test_conveyor_does_not_lead_to_occupied_cell(block: str) -> None:
    other = {"b": ".", "#": "b"}[block]
    position = board("a=A0 b=B0", f"> {block} {other}", "a A B")
    assert unit_destination(position.layout, position.cells, 0) is None
    assert destination(position.layout, position.cells, 0) == 0


@pytest.mark.clause("R6")
@pytest.mark.parametrize(("mark", "x", "y"), [("<", 0, 1), ("^", 1, 0), (">", 2, 1), ("v", 1, 2)])
def test_conveyor_does_not_lead_off_the_board(mark: str, x: int, y: int) -> None:
    rows = [[".", ".", "."] for _ in range(3)]
    rows[y][x] = mark
    position = board("a=A0 b=B0", *(" ".join(row) for row in rows), "a b .", "A B .")
    square = position.level.grid.square((x, y))
    assert unit_destination(position.layout, position.cells, square) is None
    assert destination(position.layout, position.cells, square) == square


@pytest.mark.clause("R6")
def test_belts_may_merge() -> None:
    position = board("a=A0 b=B0", "> . <", "a . b", "A . B")
    assert [unit_destination(position.layout, position.cells, square) for square in (0, 2)] == [1, 1]


def find_ends(position_rows: tuple[str, ...], robots: str = "a=A0 b=B0") -> dict[tuple[int, int], object]:
    """Return the end of every conveyor of a board."""
    position = board(robots, *position_rows)
    grid = position.level.grid
    found: dict[tuple[int, int], object] = {}
    for x, y in itertools.product(range(grid.width), range(grid.height)):
        if position.tiles[y][x].kind is Kind.CONVEYOR:
            target = destination(position.layout, position.cells, grid.square((x, y)))
            found[x, y] = None if target is None else grid.cell(target)
    return found


@pytest.mark.clause("R7")
def test_belt_leads_round_corners_to_first_cell_without_conveyor() -> None:
    found = find_ends(("> > v", ". . v", "a b .", "A B ."))
    assert set(found.values()) == {(2, 2)}


@pytest.mark.clause("R7")
def test_blocked_belt_leads_to_last_free_cell() -> None:
    assert find_ends(("> > > #", "a b . .", "A B . .")) == {(0, 0): (2, 0), (1, 0): (2, 0), (2, 0): (2, 0)}
    assert find_ends(("> > b> .", "a . . .", "A B . .")) == {(0, 0): (1, 0), (1, 0): (1, 0), (2, 0): (3, 0)}


@pytest.mark.clause("R7")
def test_cell_without_conveyor_is_its_own_destination() -> None:
    square = board_with_belts().level.grid.square((1, 0))
    assert destination(board_with_belts().layout, board_with_belts().cells, square) == square


@pytest.mark.clause("R7")
def test_loops_and_what_leads_into_them_have_no_destination() -> None:
    found = find_ends(("> > v .", ". ^ < .", "a b . .", "A B . ."))
    assert set(found.values()) == {None}
    assert find_ends(("> < .", "a b .", "A B .")) == {(0, 0): None, (1, 0): None}


@pytest.mark.clause("R7")
def test_loops_depend_on_conveyors_and_not_on_robots() -> None:
    found = find_ends(("> > bv .", ". ^ < .", "a . . .", "A B . ."))
    assert set(found.values()) == {None}


@pytest.mark.clause("R5", "R8")
def test_flood_fill_finds_components() -> None:
    grid = Grid(5, 4)
    layout = Layout.from_codes(grid, [int(c) for c in "00200" "00200" "22200" "00002"])  # fmt: skip
    left = component(1 << grid.square((0, 0)), layout.open, grid.stride)
    assert left == to_bits(map(grid.square, ((0, 0), (1, 0), (0, 1), (1, 1))))
    right = component(1 << grid.square((4, 0)), layout.open, grid.stride)
    assert right == layout.open & ~left


@pytest.mark.clause("R5", "R8")
def test_reaching_is_reflexive_and_needs_a_free_home() -> None:
    grid = Grid(3, 1)
    free = to_bits([1])
    assert list(find_cut_off_robots([0], [0], free, grid.stride)) == []
    assert list(find_cut_off_robots([0], [1], free, grid.stride)) == []
    assert list(find_cut_off_robots([0, 2], [1, 0], free, grid.stride)) == [1]


@pytest.mark.clause("R8")
def test_robots_in_several_components_are_each_judged_by_their_own() -> None:
    position = board("a=A0 b=B0 c=A0", "a A # . . c", ". . # b . C", ". . # B . .")
    free = position.layout.open & ~to_bits(position.cells)
    assert (
        list(find_cut_off_robots(position.cells, position.level.homes, free, position.level.grid.stride))
        == []
    )
    wrong = (position.level.homes[1], *position.level.homes[1:])
    assert list(find_cut_off_robots(position.cells, wrong, free, position.level.grid.stride)) == [0]
