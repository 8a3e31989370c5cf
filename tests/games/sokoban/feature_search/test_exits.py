"""Where boxes leave the board by groups of starts, against a search for each pair of starts."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.games.sokoban.boards import position, random_level

from gridproof.games.sokoban.feature_search.fields import leaving_field
from gridproof.games.sokoban.feature_search.macro_moves import (
    BACKWARDS,
    CLOSED,
    HERE,
    Options,
    allocate_work,
    label_position,
    mark_exits,
)
from gridproof.games.sokoban.solver.board import Board


def reached_by_pushes(board: Board, boxes: set[int], start: int) -> set[int]:
    """Where a box comes from a square while the others stay and the player is wherever it is wanted."""
    found = [start]
    for square in found:
        for direction in range(4):
            ahead, behind = (int(board.neighbours[0, square, way]) for way in (direction, direction ^ 1))
            if min(ahead, behind) >= 0 and not boxes & {ahead, behind} and ahead not in found:
                found.append(ahead)
    return set(found)


def largest_group(board: Board, boxes: set[int], free: list[int]) -> set[int]:
    """The first one of the largest sets of free starts among which a box goes to and fro."""
    reached = {start: reached_by_pushes(board, boxes, start) for start in free}
    groups = [
        {other for other in free if other in reached[start] and start in reached[other]} for start in free
    ]
    return max(groups, key=len, default=set())


def exits(board: Board, boxes: set[int], gone: set[int]) -> tuple[set[int], dict[int, int]]:
    """The starts where boxes can leave for the player in the first region, by the kernel; and the region of each square."""
    squares, starts = len(board.cells), sorted(board.boxes)
    field = leaving_field(board, Options(BACKWARDS, clearing=1), shares=False)
    work = allocate_work(len(field.neighbours), len(board.boxes))
    work.occupied[[*boxes, *(squares + starts.index(start) for start in gone)]] = 1
    label_position(field, work)
    regions = {square: int(work.places[HERE, square]) for square in range(squares)}
    first = min((region for region in regions.values() if region >= 0), default=-1)
    mark_exits(field, work, np.int64(first))
    return {start for start in starts if not work.places[CLOSED, start]}, regions


@pytest.mark.slow
def test_exits_are_the_largest_group_of_starts_if_the_player_reaches_it() -> None:
    counts = []
    for seed in range(400):
        board, chance = Board(random_level(seed).start()), random.Random(seed)
        if not board.possible:
            continue
        starts = sorted(board.boxes)
        gone = set(chance.sample(starts, chance.randrange(len(starts))))
        boxes = set(chance.sample(range(len(board.cells)), len(starts) - len(gone)))
        found, regions = exits(board, boxes, gone)
        first = min(region for region in regions.values() if region >= 0)
        wanted = largest_group(board, boxes, [start for start in starts if start not in boxes | gone])
        assert found == (wanted if {regions[start] for start in wanted} <= {first} else set())
        counts.append(len(found))
    assert {0, 1, 2} <= {*counts}


def test_exits_are_none_where_a_wall_of_boxes_keeps_the_player_from_the_group() -> None:
    board = Board(position("#########\n#  .  $@#\n#  .  $ #\n#########\n"))
    found, regions = exits(board, {*board.goals.tolist()}, set())
    assert regions[0] != regions[max(board.boxes)]
    assert not found
