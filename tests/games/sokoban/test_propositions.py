"""The bound of actions left, and the work of its computation."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.games.sokoban.boards import positions
from tests.measurement import lines_run

from gridproof.games.sokoban import Level, Position, propositions
from gridproof.games.sokoban.kernel import prepare
from gridproof.games.sokoban.propositions import actions_left_bound
from gridproof.games.sokoban.validity import Cell


def apart(cell: Cell, other: Cell) -> int:
    return abs(cell[0] - other[0]) + abs(cell[1] - other[1])


@given(positions())
def test_boxes_go_straight_to_the_nearest_depot_after_a_walk(position: Position) -> None:
    away = position.boxes - position.level.depots
    pushes = sum(min(apart(box, depot) for depot in position.level.depots) for box in away)
    walk = min((apart(box, position.player) - 1 for box in away), default=0)
    assert actions_left_bound(position) == pushes + walk


def crowded_level(side: int, boxes: int) -> Level:
    """Boxes strewn above, as many depots below, and no walls."""
    cells = [(x, y) for y in range(1, side, 2) for x in range(1, side, 2)]
    return Level((0, 0), 0, cells[:boxes], cells[-boxes:], [], (side, side))


def test_actions_left_bound_takes_time_linear_in_boxes() -> None:
    def work(boxes: int) -> int:
        start = crowded_level(70, boxes).start()
        actions_left_bound(start)  # what is made once a level
        return lines_run(lambda: actions_left_bound(start))

    assert work(600) < 12 * work(60)  # 100 times, were it by the depots too


@pytest.mark.slow
def test_kernel_preparation_does_not_depend_on_number_of_depots() -> None:
    def work(boxes: int) -> int:
        level = crowded_level(50, boxes)
        propositions._nearest_distances.cache_clear()
        return lines_run(lambda: prepare(level))

    assert work(300) < 1.5 * work(1)
