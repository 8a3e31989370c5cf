"""The plan by pulls in which boxes leave the board."""

from __future__ import annotations

import numpy as np
import pytest
from tests.games.sokoban.boards import position, winnable

from gridproof.games.sokoban.feature_search.packing_plan import PackingPlan
from gridproof.games.sokoban.feature_search.unpacking_search import Leaving, UnpackingSearch
from gridproof.games.sokoban.solver.board import Board

TWO_SIDES = """
###############
#      #      #
# $ @  .      #
#  $#  .  #$  #
#   #  .  #   #
###############
"""


def plan_for(board: Board, leaving: Leaving, one_by_one: bool = False) -> PackingPlan:
    search = UnpackingSearch(board, leaving)
    for _ in search.run(1 << 12):
        pass
    assert search.has_found
    return search.plan(one_by_one)


@pytest.mark.slow
@pytest.mark.parametrize("leaving", Leaving)
def test_unpacking_search_finds_a_plan_for_each_winnable_level(leaving: Leaving) -> None:
    for seed in range(6000, 6060):
        board = Board(winnable(seed).start())
        plan = plan_for(board, leaving)
        last = plan.held[plan.held_ends[-2] : plan.held_ends[-1]].tolist()
        assert {*board.goals.tolist()} - {*board.boxes} <= {*last} <= {*board.goals.tolist()}
        assert plan.values[-1] == len(plan.following)


@pytest.mark.parametrize("leaving", [Leaving.EACH, Leaving.SHARED])
def test_plan_leaves_out_pulls_that_it_can_do_without(leaving: Leaving) -> None:
    plan = plan_for(Board(position(TWO_SIDES)), leaving)
    assert sorted(plan.following.tolist()) == sorted(Board(position(TWO_SIDES)).goals.tolist())
    assert len(plan.values) <= 4


def test_plan_one_by_one_has_one_square_in_each_step() -> None:
    board = Board(position(TWO_SIDES))
    together, alone = (plan_for(board, Leaving.GROUPED, one_by_one) for one_by_one in (False, True))
    assert np.diff(together.following_ends).tolist() == [0, 3, 1, 0]
    assert np.diff(alone.following_ends).tolist() == [0, 1, 1, 1, 1, 0]
    assert sorted(alone.following.tolist()) == sorted(together.following.tolist())


def test_boxes_leave_in_the_largest_group_of_starts_first() -> None:
    board = Board(position(TWO_SIDES))
    search = UnpackingSearch(board, Leaving.GROUPED)
    for _ in search.run(1 << 12):
        pass
    moves = search.searches[0].path()[::-1]
    left = [move.origin - len(board.cells) for move in moves if move.origin >= len(board.cells)]
    assert {*left[:2]} == {0, 1}  # in the order of the starts: the last one is alone on its side


def test_unpacking_search_ends_at_its_limit() -> None:
    search = UnpackingSearch(Board(position(TWO_SIDES)), Leaving.EACH)
    assert not [*search.run(1)]
    assert not search.has_found
    assert [*search.run(1 << 12)]
    assert search.has_found
