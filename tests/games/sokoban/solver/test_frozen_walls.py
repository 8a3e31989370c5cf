"""Boxes that are frozen on goals: among them as walls, no bound is too large and no box of a win is lost."""

from __future__ import annotations

import numpy as np
import pytest
from tests.games.sokoban.boards import winnable

from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.solver import frozen_walls
from gridproof.games.sokoban.solver.board import FAR, Board
from gridproof.games.sokoban.solver.frozen_walls import allocate_walls, find_slot, match_among_walls
from gridproof.games.sokoban.solver.matching import empty_assignment, match_boxes
from gridproof.games.sokoban.solver.pull_search import PullSearch


def check_walls(level: Level, most: int) -> int:
    """Check the positions nearest to the goal; return for how many frozen boxes raise the bound."""
    board = Board(level.start())
    walls, pulls = allocate_walls(board, wanted=True), PullSearch(board, most)
    assignment = empty_assignment(len(board.cells), len(board.goals))
    mark, raised = np.zeros(len(board.cells), np.uint8), 0
    for number in range(pulls.states):
        listed, player = pulls.arrangement(number)
        boxes, occupied = np.array(listed, np.int16), np.zeros(len(board.cells), np.uint8)
        occupied[boxes] = 1
        slot = find_slot(walls, board.neighbours[0], board.dead[0], boxes, mark)
        assert not mark.any()
        if slot < 0:
            continue
        bound = match_among_walls(walls, slot, boxes, occupied, player)
        assert bound <= pulls.tables[2][number], level.text()
        assert not walls.dead[slot][boxes].any(), level.text()
        plain = match_boxes(board.distances[0], board.sides[0], boxes, occupied, player, 0, assignment)
        assert plain <= bound
        raised += plain < bound
        frozen = {box for box in listed if walls.keys[slot, box >> 6] >> np.uint64(box & 63) & np.uint64(1)}
        assert frozen <= set(board.goals.tolist())
        assert all((walls.distances[slot, box] < FAR).any() for box in listed)
    return raised


@pytest.mark.slow
@pytest.mark.plain
def test_frozen_walls_never_raise_bounds_too_much() -> None:
    assert sum(check_walls(level, 1 << 9) for level in map(winnable, range(60))) > 30


@pytest.mark.slow
@pytest.mark.plain
def test_frozen_walls_are_made_again_when_a_slot_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frozen_walls, "_MOST_SLOTS", 1)
    assert sum(check_walls(level, 1 << 9) for level in map(winnable, range(60))) > 30


@pytest.mark.long
def test_frozen_walls_never_raise_bounds_too_much_on_more_boards() -> None:
    assert sum(check_walls(level, 1 << 13) for level in map(winnable, range(60, 900))) > 1000


def test_boards_without_slots_have_no_frozen_boxes() -> None:
    board = Board(winnable(3).start())
    boxes = board.goals.astype(np.int16)
    mark = np.zeros(len(board.cells), np.uint8)
    walls = allocate_walls(board, wanted=False)
    assert find_slot(walls, board.neighbours[0], board.dead[0], boxes, mark) == frozen_walls.NO_SLOT
