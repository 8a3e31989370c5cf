"""Frozen boxes as walls, on positions that can be won: none is refused, and no winning push leads to a dead square."""

from __future__ import annotations

import numpy as np
import pytest
from tests.games.sokoban.boards import position, random_level

from gridproof.games.sokoban.feature_search.fields import forward_field
from gridproof.games.sokoban.feature_search.frozen import find_dead_squares
from gridproof.games.sokoban.feature_search.macro_moves import Options, allocate_work
from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.pull_search import PullSearch


def check_positions(seed: int) -> tuple[int, int]:
    """Check positions that pulls reach; return how many squares are dead because of frozen boxes, and how many positions are checked."""
    board = Board(random_level(seed).start())
    if not board.possible or not board.boxes:
        return 0, 0
    field = forward_field(board, Options(), np.zeros((len(board.cells), 1), np.uint64))
    work = allocate_work(len(board.cells), len(board.boxes))
    pulled = PullSearch(board, 1 << 9)
    more = 0
    for number in range(pulled.states):
        boxes, _ = pulled.arrangement(number)
        work.boxes[:] = boxes
        work.occupied[:] = 0
        work.occupied[list(boxes)] = 1
        assert find_dead_squares(field, work)
        movable = {box for box in boxes if not board.goal[box]}
        assert not any(work.dead[box] for box in movable)
        assert all(work.dead >= board.dead[0])
        more += int((work.dead > board.dead[0]).sum())
    return more, pulled.states


@pytest.mark.slow
def test_dead_squares_by_frozen_boxes_refuse_no_winnable_position() -> None:
    counts = [check_positions(seed) for seed in range(200)]
    assert sum(more for more, _ in counts) > 100
    assert sum(positions for _, positions in counts) > 2000


def test_dead_squares_refuse_boxes_that_hold_each_other_at_a_wall() -> None:
    board = Board(position("########\n#.$$. @#\n#      #\n########\n"))
    field = forward_field(board, Options(), np.zeros((len(board.cells), 1), np.uint64))
    work = allocate_work(len(board.cells), len(board.boxes))
    work.boxes[:] = board.boxes
    work.occupied[list(board.boxes)] = 1
    assert not find_dead_squares(field, work)
