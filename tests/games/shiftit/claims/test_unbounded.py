"""Statements of the page "Six claims and beyond" about every board, without a last time."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from tests.games.shiftit.boards import LETTERS, levels, unwinnable_board
from tests.measurement import examples

import gridproof as gp
from gridproof.games.shiftit import Level

HOME = "AG (!ended -> EF home)"


@pytest.mark.slow
@pytest.mark.clause("S6", "S14", "S15")
@given(levels(LETTERS, most=2))
@example(unwinnable_board(2, 2))
@example(unwinnable_board(2, 2, locked=(0,)))
@examples(12)
def test_winnable_level_always_stays_winnable(level: Level) -> None:
    space = gp.explore(level)
    assert gp.check(space, HOME).holds
    assert gp.check(space, "AG EF won").holds is gp.check(space, "EF won").holds
    assert gp.check(space, "AG (!ended -> AX (ended -> won))").holds  # claim 2


@pytest.mark.clause("S24")
@given(levels(LETTERS, most=2))
@examples(10)
def test_opposite_move_restores_a_line(level: Level) -> None:
    space = gp.explore(level)
    opposites = {"up": "down", "down": "up", "left": "right", "right": "left"}
    for move in map(str, level.all_actions()):
        line, _, way = move[:-1].rpartition(",")
        back = f"{line},{opposites[way]})"
        assert gp.check(space, f"G (home & [{move}] & X [{back}] -> X X home)").holds
