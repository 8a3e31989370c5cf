"""The plan by pulls in which boxes leave the board."""

from __future__ import annotations

import pytest
from tests.games.sokoban.boards import position, winnable

from gridproof.games.sokoban.feature_search.packing_plan import PackingPlan
from gridproof.games.sokoban.feature_search.unpacking_search import UnpackingSearch
from gridproof.games.sokoban.solver.board import Board

TWO_SIDES = """
###############
#      #      #
# $ @  .      #
#  $#  .  #$  #
#   #  .  #   #
###############
"""


def plan_for(board: Board, shares: bool) -> PackingPlan:
    search = UnpackingSearch(board, shares)
    for _ in search.run(1 << 12):
        pass
    assert search.has_found
    return search.plan()


@pytest.mark.slow
@pytest.mark.parametrize("shares", [False, True])
def test_unpacking_search_finds_a_plan_for_each_winnable_level(shares: bool) -> None:
    for seed in range(6000, 6060):
        board = Board(winnable(seed).start())
        plan = plan_for(board, shares)
        last = plan.held[plan.held_ends[-2] : plan.held_ends[-1]].tolist()
        assert {*board.goals.tolist()} - {*board.boxes} <= {*last} <= {*board.goals.tolist()}
        assert plan.values[-1] == len(plan.following)


@pytest.mark.parametrize("shares", [False, True])
def test_plan_leaves_out_pulls_that_it_can_do_without(shares: bool) -> None:
    plan = plan_for(Board(position(TWO_SIDES)), shares)
    assert sorted(plan.following.tolist()) == sorted(Board(position(TWO_SIDES)).goals.tolist())
    assert len(plan.values) <= 4


def test_unpacking_search_ends_at_its_limit() -> None:
    search = UnpackingSearch(Board(position(TWO_SIDES)), shares=False)
    assert not [*search.run(1)]
    assert not search.has_found
    assert [*search.run(1 << 12)]
    assert search.has_found
