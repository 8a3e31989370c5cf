"""The search backwards: depths are fewest pushes, and what they say of other states is never too much."""

from __future__ import annotations

import dataclasses

import pytest
from tests.games.sokoban.boards import winnable

import gridproof as gp
from gridproof.core.text.level_lookup import builtin_pack
from gridproof.games.sokoban import GAME, Level
from gridproof.games.sokoban.solver import pull_search
from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.matching import HOPELESS
from gridproof.games.sokoban.solver.pull_search import PullSearch, perimeter_bound


@pytest.mark.parametrize("seed", range(4))
def test_depths_are_fewest_pushes(seed: int) -> None:
    level = winnable(seed)
    board = Board(level.start())
    pulled = PullSearch(board, 1 << 10)
    apart = level.depots - board.number.keys()
    for number in range(0, pulled.states, max(1, pulled.states // 4)):
        boxes, player = pulled.arrangement(number)
        starts = apart.union(board.cells[box] for box in boxes)
        moved = dataclasses.replace(level, boxes=starts, player=board.cells[player])
        assert gp.solve(moved, minimise="pushes").cost == pulled.tables[2][number]


@pytest.mark.parametrize("seed", range(16))
def test_bounds_are_never_too_much_and_rise(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pull_search, "_FIRST", 64)
    board = Board(winnable(seed).start())
    pack_contents = PullSearch(board, 1 << 10)
    words, _, depths, _ = pack_contents.tables
    partly = PullSearch(board, 0)
    states = range(pack_contents.states)
    bounds = [int(depths[number]) % 2 for number in states]
    assert [perimeter_bound(partly.tables, words[number], bounds[number]) for number in states] == bounds
    most = 64
    while most < 1 << 11 and not partly.is_exhausted:
        assert not [*partly.extend(most, 1 << 20)]
        before, bounds = bounds, [perimeter_bound(partly.tables, words[n], bounds[n]) for n in states]
        for number in states:
            assert before[number] <= bounds[number] <= depths[number]
            assert (bounds[number] - depths[number]) % 2 == 0
            assert bounds[number] == depths[number] or bounds[number] > partly.tables[3][0]
        most = most * 5 // 4 + 8
    assert bounds == depths[: len(states)].tolist()


def test_states_out_of_reach_of_pulls_cannot_be_won() -> None:
    level = next(level for level in builtin_pack(GAME, "first-steps") if isinstance(level, Level))
    board = Board(level.start())
    pulled = PullSearch(board, 1 << 18)
    assert pulled.is_exhausted
    nowhere = pulled.tables[0][0].copy()
    nowhere[:-1] = 0
    assert perimeter_bound(pulled.tables, nowhere, 0) >= HOPELESS
