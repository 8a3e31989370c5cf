"""Sets of cells as bits."""

from __future__ import annotations

import pytest

from gridproof.games.sokoban.grid import Grid

GRID = Grid(5, 4)


def cells(places: int) -> list[tuple[int, int]]:
    return list(GRID.to_cells(places))


def test_cells_come_back_in_reading_order() -> None:
    assert cells(GRID.to_places([(4, 3), (0, 0), (4, 0), (2, 1)])) == [(0, 0), (4, 0), (2, 1), (4, 3)]
    assert cells(0) == []


def test_inside_is_all_but_the_border() -> None:
    assert cells(GRID.interior) == [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2)]
    assert cells(GRID.all_cells) == [(x, y) for y in range(4) for x in range(5)]


@pytest.mark.clause("K8")
def test_cross_is_a_row_and_a_column() -> None:
    assert cells([*GRID.rows][1]) == [(x, 1) for x in range(5)]
    assert cells([*GRID.columns][4]) == [(4, y) for y in range(4)]
    assert cells(GRID.crosses[4, 1]) == [(4, 0), *[(x, 1) for x in range(5)], (4, 2), (4, 3)]


def test_flood_fill_has_four_directions_and_does_not_wrap() -> None:
    start = GRID.to_places([(4, 1)])
    assert cells(GRID.flood_fill(start, GRID.all_cells & ~[*GRID.columns][3])) == [(4, y) for y in range(4)]
    wall = GRID.to_places([(0, 1), (1, 1), (2, 1), (4, 1)])
    assert cells(GRID.flood_fill(GRID.to_places([(0, 0)]), GRID.all_cells & ~wall)) == [
        *[(x, 0) for x in range(5)],
        (3, 1),
        *[(x, y) for y in (2, 3) for x in range(5)],
    ]
