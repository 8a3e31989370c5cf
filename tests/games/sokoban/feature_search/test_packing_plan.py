"""The plan of the packing."""

from __future__ import annotations

import numpy as np
from tests.games.sokoban.boards import position

from gridproof.games.sokoban.feature_search.macro_moves import allocate_work
from gridproof.games.sokoban.feature_search.packing_plan import PackingPlan, count_packed, plan_of, stages_of
from gridproof.games.sokoban.feature_search.searches import make_plans
from gridproof.games.sokoban.solver.board import Board

CORRIDOR = """
##########
#@  $ #..#
#  $  #..#
# $ $   ##
#       ##
##########
"""


def test_plan_fills_the_end_of_a_room_first() -> None:
    board = Board(position(CORRIDOR))
    plans = list[PackingPlan]()
    assert [*make_plans(board, plans)]
    plan = plans[0]
    first = [board.cells[square] for square in plan.following[: plan.following_ends[1]]]
    assert (7, 2) not in first
    assert set(first) <= {(7, 1), (8, 1), (8, 2)}
    assert plan.values.tolist()[-1] == 4


def packed(plan_layers: list[list[list[int]]], *boxes: int) -> int:
    work = allocate_work(10, len(boxes))
    work.occupied[list(boxes)] = 1
    work.boxes[:] = boxes
    plan = plan_of([*map(stages_of, plan_layers)], np.full((10, 4), -1, np.int16), [])
    return int(count_packed(plan, work)[0])


def test_packed_boxes_count_when_all_before_them_are_placed() -> None:
    chains = [[[1, 2], [3], [4]], [[7], [8]]]
    assert packed(chains) == 0
    assert packed(chains, 3, 4, 8) == 0
    assert packed(chains, 2) == 1
    assert packed(chains, 1, 2, 4) == 2
    assert packed(chains, 1, 2, 3, 4) == 4
    assert packed(chains, 1, 3, 7, 8) == 3
