"""The searches by macro moves against exhaustive search on small boards."""

from __future__ import annotations

import itertools
from typing import Any, cast

import pytest
from tests.games.sokoban.boards import level as level_of
from tests.games.sokoban.boards import random_level, winnable

from gridproof.games.sokoban.feature_search import deadlock_table, tree_search
from gridproof.games.sokoban.feature_search.deadlock_proof import DeadlockProof, find_any_pattern
from gridproof.games.sokoban.feature_search.macro_trace import trace_of_moves
from gridproof.games.sokoban.feature_search.phase_search import PhaseSearch
from gridproof.games.sokoban.feature_search.relay import RelaySearch
from gridproof.games.sokoban.feature_search.searches import AnySearch, Searches, searches_of
from gridproof.games.sokoban.feature_search.tree_search import TreeSearch
from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.search import PushSearch


def is_winnable(level: Level) -> bool:
    """Whether the exhaustive search by pushes finds a win."""
    search = PushSearch(Board(level.start()), by_moves=False, plain=True)
    assert [*search.run()] or search.is_exhausted
    return search.goal is not None


def wins(level: Level, board: Board, search: AnySearch) -> bool:
    """Whether a search finds a win, which is replayed; else it must have exhausted its moves."""
    for _ in search.run():
        pass
    if search.goal is None:
        assert isinstance(search, TreeSearch | PhaseSearch)
        assert search.is_exhausted
        return False
    assert trace_of_moves(level.start(), board, search.path()).replay().won
    return True


def check_wins(levels: list[Level]) -> tuple[int, int]:
    """Compare all searches with the exhaustive one; return how many levels can be won, and how many there are."""
    won, count = 0, 0
    for level in levels:
        board = Board(level.start())
        if board.possible:
            winnable = is_winnable(level)
            found = [wins(level, board, search) for search in searches_of(board)]
            assert found == [winnable] * len(found), level.text()
            won, count = won + winnable, count + 1
    return won, count


@pytest.mark.slow
@pytest.mark.plain
def test_tree_searches_win_where_exhaustive_search_wins() -> None:
    won, count = check_wins([*map(random_level, range(150))])
    assert 3 < won < count - 20


@pytest.mark.slow
@pytest.mark.plain
def test_tree_searches_win_from_pulled_starts() -> None:
    assert check_wins([*map(winnable, range(6000, 6012))]) == (12, 12)


@pytest.mark.slow
@pytest.mark.plain
def test_tree_searches_that_learn_from_each_best_position_win_where_exhaustive_search_wins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    learned = list[int]()

    def find(proof: DeadlockProof, boxes: Any, player: Any) -> bool:
        found = bool(find_any_pattern(proof, boxes, player))
        learned.append(found)
        return found

    monkeypatch.setattr(tree_search, "_PICKS", 1)
    monkeypatch.setattr(tree_search, "find_any_pattern", find)
    monkeypatch.setattr(deadlock_table, "_LARGEST", 0)
    won, count = check_wins([*map(random_level, range(150, 300)), *map(winnable, range(6030, 6050))])
    assert 20 < won < count - 20
    assert any(learned)


@pytest.mark.slow
@pytest.mark.plain
def test_relays_meet_the_searches_from_the_other_end() -> None:
    met = 0
    for level in map(winnable, range(6000, 6010)):
        searches = Searches(Board(level.start()))
        for _ in searches.build():
            pass
        searches.build_relays()
        runs = [search.run() for search in searches.all]
        while all(search.goal is None for search in searches.all):
            for run in runs[::-1]:
                next(run, None)
        for search in searches.relays:
            if search.goal is not None:
                assert trace_of_moves(level.start(), searches.board, search.path()).replay().won
                met += 1
    assert met > 3


BOX_IN_THE_DOOR = """
##########
#####    #
#  @$    #
#####$  .#
#####   .#
##########
"""


def test_search_by_a_plan_of_the_starts_is_one_of_all_and_knows_those_forwards() -> None:
    searches = Searches(Board(level_of(BOX_IN_THE_DOOR).start()))
    for _ in itertools.chain(searches.build(), searches.build_planned()):
        pass
    (search,) = searches.planned
    assert search in searches.all
    assert search.opposites == searches.forwards
    assert all(search in other.opposites for other in searches.forwards)
    order = [searches.board.cells[square] for square in search.plan.following]
    assert order == [(5, 3), (4, 2)]  # the box that can leave first comes last


def test_relays_know_each_other_from_the_first_search_on() -> None:
    searches = Searches(Board(winnable(6000).start()))
    for _ in searches.build():
        pass
    searches.build_relays()
    forwards, backwards = searches.relays
    assert forwards.opposites == [backwards, *searches.backwards]
    assert backwards.opposites == [forwards, *searches.forwards]


ROOM = """
##########
#        #
#      $ #
#      $.#
#  @    .#
#        #
##########
"""


def test_search_that_clears_the_depots_takes_boxes_far_away_and_a_relay_aims_there() -> None:
    searches = Searches(Board(level_of(ROOM).start()))
    for _ in searches.build():
        pass
    searches.build_clearing()
    searches.build_relays()
    (search,), (_, _, relay) = searches.clearing, searches.relays
    assert search in relay.opposites
    assert all(search in other.opposites for other in searches.forwards)
    search.opposites, search.field.end[0] = [], len(searches.board.cells)  # no position is the end
    for _ in search.run():
        pass
    assert not {*search.best_boxes} & {*searches.board.goals.tolist()}
    assert search.field.depots[search.best_boxes].sum() >= 8  # where they start it is 5
    for _ in itertools.islice(relay.run(), 4):
        pass
    assert relay.goal is not None


class Aim:
    """The best position of a search that makes no nodes."""

    def __init__(self) -> None:
        self.best_boxes = [1]


def test_relay_without_anything_open_waits_for_a_better_position_to_aim_at() -> None:
    searches = Searches(Board(level_of(BOX_IN_THE_DOOR).start()))
    for _ in searches.build():
        pass
    aim, built, last = Aim(), list[list[int]](), searches.forwards[0]

    def build(boxes: list[int]) -> TreeSearch:
        built.append(boxes)
        first = TreeSearch(last.field, [], [], last.plan)
        return last if len(built) > 1 else first

    relay = RelaySearch(cast("TreeSearch", aim), build)
    run = relay.run()
    assert [next(run) for _ in range(5)] == [0] * 5
    aim.best_boxes = [2]
    assert next(run) > 0
    assert built == [[1], [2]]


@pytest.mark.long
def test_tree_searches_win_where_exhaustive_search_wins_on_more() -> None:
    won, count = check_wins([*map(random_level, range(150, 1000)), *map(winnable, range(6030, 6250))])
    assert 250 < won < count - 150


def test_tree_searches_grow_and_pause_without_another_result(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board(winnable(6001).start())
    paths = []
    monkeypatch.setattr(tree_search, "_PICKS", 2)
    for first, work in ((1 << 13, 1 << 24), (2, 1)):
        monkeypatch.setattr(tree_search, "_FIRST", first)
        monkeypatch.setattr(tree_search, "_WORK", work)
        searches = searches_of(board)
        assert all([*search.run()] for search in searches)
        paths.append([search.path() for search in searches])
    assert paths[0] == paths[1]
