"""The search backwards: depths are fewest pushes, and what they say of other states is never too much."""

from __future__ import annotations

import dataclasses

import pytest
from tests.games.sokoban.boards import winnable

import gridproof as gp
from gridproof.core.shelf import shipped
from gridproof.games.sokoban import GAME, Level
from gridproof.games.sokoban.solver import pulling
from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.matching import HOPELESS
from gridproof.games.sokoban.solver.pulling import Pulled, bound_by_pulls


@pytest.mark.parametrize("seed", range(4))
def test_depths_are_fewest_pushes(seed: int) -> None:
    level = winnable(seed)
    board = Board(level.start())
    pulled = Pulled(board, 1 << 10)
    apart = level.depots - board.number.keys()
    for number in range(0, pulled.states, max(1, pulled.states // 4)):
        boxes, player = pulled.arranged(number)
        starts = apart.union(board.cells[box] for box in boxes)
        moved = dataclasses.replace(level, boxes=starts, player=board.cells[player])
        assert gp.solve(moved, minimise="pushes").cost == pulled.tables[2][number]


@pytest.mark.parametrize("seed", range(16))
def test_bounds_are_never_too_much_and_rise(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulling, "_FIRST", 64)
    board = Board(winnable(seed).start())
    everything = Pulled(board, 1 << 10)
    words, _, depths, _ = everything.tables
    partly = Pulled(board, 0)
    states = range(everything.states)
    bounds = [int(depths[number]) % 2 for number in states]
    assert [bound_by_pulls(partly.tables, words[number], bounds[number]) for number in states] == bounds
    most = 64
    while most < 1 << 11 and not partly.exhausted:
        assert not [*partly.extend(most, 1 << 20)]
        before, bounds = bounds, [bound_by_pulls(partly.tables, words[n], bounds[n]) for n in states]
        for number in states:
            assert before[number] <= bounds[number] <= depths[number]
            assert (bounds[number] - depths[number]) % 2 == 0
            assert bounds[number] == depths[number] or bounds[number] > partly.tables[3][0]
        most = most * 5 // 4 + 8
    assert bounds == depths[: len(states)].tolist()


def test_what_no_pulls_lead_to_cannot_be_won() -> None:
    level = next(level for level in shipped(GAME, "first-steps") if isinstance(level, Level))
    board = Board(level.start())
    pulled = Pulled(board, 1 << 18)
    assert pulled.exhausted
    nowhere = pulled.tables[0][0].copy()
    nowhere[:-1] = 0
    assert bound_by_pulls(pulled.tables, nowhere, 0) >= HOPELESS
