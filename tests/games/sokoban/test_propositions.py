"""What bounds say of positions, and that they say it soon."""

from __future__ import annotations

import time

from hypothesis import given
from tests.games.sokoban.boards import positions

from gridproof.games.sokoban import Level, Position
from gridproof.games.sokoban.kernel import prepare
from gridproof.games.sokoban.propositions import until_won
from gridproof.games.sokoban.validity import Cell


def apart(cell: Cell, other: Cell) -> int:
    return abs(cell[0] - other[0]) + abs(cell[1] - other[1])


@given(positions())
def test_boxes_go_straight_to_the_nearest_depot_after_a_walk(position: Position) -> None:
    away = position.boxes - position.level.depots
    pushes = sum(min(apart(box, depot) for depot in position.level.depots) for box in away)
    walk = min((apart(box, position.player) - 1 for box in away), default=0)
    assert until_won(position) == pushes + walk


def crowded(side: int, boxes: int) -> Level:
    """Boxes strewn above, as many depots below, and no walls."""
    cells = [(x, y) for y in range(1, side, 2) for x in range(1, side, 2)]
    return Level((0, 0), 0, cells[:boxes], cells[-boxes:], [], (side, side))


def seconds(level: Level) -> float:
    """Of a bound, the first of the level left out."""
    start = level.start()
    until_won(start)
    began = time.process_time()
    until_won(start)
    return time.process_time() - began


def test_a_bound_takes_time_by_the_boxes() -> None:
    few, many = (min(seconds(crowded(100, boxes)) for _ in range(5)) for boxes in (100, 1000))
    assert many < 40 * few  # 100 times, were it by the depots too


def test_a_kernel_is_soon_prepared_for_many_depots() -> None:
    def took(boxes: int) -> float:
        level = crowded(100, boxes)
        began = time.process_time()
        assert prepare(level)
        return time.process_time() - began

    assert took(1000) < 4 * min(took(1), took(1))
