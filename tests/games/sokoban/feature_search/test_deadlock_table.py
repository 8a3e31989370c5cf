"""Deadlocks of two and three boxes against exhaustive search on small boards."""

from __future__ import annotations

import numpy as np
import pytest
from tests.games.sokoban.boards import random_level, winnable

from gridproof.games.sokoban.feature_search import deadlock_table
from gridproof.games.sokoban.feature_search.deadlock_table import (
    Deadlocks,
    deadlock_bytes,
    find_deadlocks,
    is_deadlock,
)
from gridproof.games.sokoban.feature_search.fields import backward_field, forward_field
from gridproof.games.sokoban.feature_search.macro_moves import BACKWARDS, Field, Options
from gridproof.games.sokoban.feature_search.packing_plan import final_regions
from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.search import PushSearch


def deadlocks_of(field: Field, boxes: int) -> Deadlocks:
    found = list[Deadlocks]()
    for _ in find_deadlocks(field, boxes, found):
        pass
    return found[0]


def is_dead(field: Field, boxes: list[int], player: int) -> bool:
    """Whether a box is dead by itself, or with others by the tables."""
    deadlocks, places = deadlocks_of(field, len(boxes)), np.array(boxes, np.int16)
    return any(
        field.dead[box] or is_deadlock(deadlocks, places, np.int64(box), np.int64(player)) for box in boxes
    )


def check_level(level: Level) -> tuple[int, bool] | None:
    """Check the start of a level, and its end, by pulls; return the number of boxes, and whether the level is won."""
    board = Board(level.start())
    if not board.possible or not board.boxes:
        return None
    search = PushSearch(board, by_moves=False, plain=True)
    for _ in search.run():
        pass
    boxes, goals, won = list(board.boxes), board.goals.tolist(), search.goal is not None
    forwards = forward_field(board, Options(), np.zeros((1, 1), np.uint64))
    backwards = backward_field(board, Options(BACKWARDS))
    dead = is_dead(forwards, boxes, board.player)
    ends = [is_dead(backwards, goals, region) for region in final_regions(board.neighbours[0], goals)]
    if won:
        assert not dead, level.text()
        assert not all(ends), level.text()
    elif 1 < len(boxes) < 4:
        assert dead, level.text()
        assert all(ends), level.text()
    return len(boxes), won


def check_levels(numbers: range) -> tuple[list[tuple[int, bool]], list[tuple[int, bool]]]:
    """Check random levels, and such as are won."""
    strewn, pulled = (
        [result for seed in numbers if (result := check_level(make(seed)))]
        for make in (random_level, winnable)
    )
    return strewn, pulled


@pytest.mark.slow
def test_deadlock_table_knows_exactly_the_deadlocks_of_two_and_three_boxes() -> None:
    strewn, pulled = check_levels(range(60))
    assert all(strewn.count((boxes, False)) > 3 for boxes in (2, 3, 4))
    assert sum(boxes > 2 for boxes, _ in pulled) > 20


def test_deadlock_table_has_no_leads_where_groups_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadlock_table, "_LARGEST", 0)
    field = backward_field(Board(winnable(3).start()), Options(BACKWARDS))
    assert deadlock_bytes(field, 3) == 0
    found = deadlocks_of(field, 3)
    assert (found.pairs.size, found.triples.size, found.leads.size) == (0, 0, 0)


def test_deadlock_bytes_count_pairs_and_triples() -> None:
    field = backward_field(Board(winnable(3).start()), Options(BACKWARDS))
    tables = deadlocks_of(field, 3)
    assert deadlock_bytes(field, 3) > tables.pairs.nbytes + tables.triples.nbytes > 0


@pytest.mark.long
def test_deadlock_table_refuses_no_winnable_level_among_thousands() -> None:
    strewn, pulled = check_levels(range(60, 3000))
    assert strewn.count((2, True)) > 30
    assert sum(boxes > 2 for boxes, _ in pulled) > 1000
