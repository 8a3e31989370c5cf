"""The phases of a packing, and the search that follows them, against exhaustive search on small boards."""

from __future__ import annotations

import numpy as np
import pytest
from tests.games.sokoban.boards import winnable

import gridproof as gp
from gridproof.games.sokoban.feature_search import phase_search
from gridproof.games.sokoban.feature_search.packing_phases import PackingPhases, PhasePlanner
from gridproof.games.sokoban.feature_search.phase_search import PhaseSearch
from gridproof.games.sokoban.feature_search.phase_tree import (
    BONUS,
    PUSHED,
    PUSHES,
    phase_without,
    prefer_rare_boxes,
    worth_of,
)
from gridproof.games.sokoban.feature_search.searches import OTHERS, Searches
from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.solver.board import FAR, Board

DEEP = "########\n#   ...#\n# $ ####\n# $ #\n#@$ #\n#   #\n#####\n"
"""Three depots one behind the other."""


def board_of(text: str) -> Board:
    level = gp.read(text, "sokoban")[0]
    assert isinstance(level, Level)
    return Board(level.start())


def phases_of(board: Board) -> PackingPhases | None:
    planner = PhasePlanner(board)
    for _ in planner.run():
        pass
    return planner.phases() if planner.has_found else None


def test_depots_are_filled_before_those_in_front_of_them() -> None:
    board = board_of("#########\n#  .  . #\n#@ $ $  #\n#       #\n#########\n")
    found = phases_of(board)
    assert found is not None
    assert sorted(found.squares.tolist()) == board.goals.tolist()
    deep = board_of(DEEP)
    found = phases_of(deep)
    assert found is not None
    order = [deep.cells[square][0] for square in found.squares.tolist()]
    assert order == sorted(order)  # the game begins with the last phase
    assert found.numbers.tolist() == [1, 2, 3]


def test_targets_have_a_phase_each() -> None:
    """Every depot has one phase, and each parked box goes on in an earlier one of the plan."""
    count = 0
    for level in map(winnable, range(6000, 6020)):
        board = Board(level.start())
        found = phases_of(board)
        if found is None:
            continue
        count += 1
        depots = found.squares[found.until == 0].tolist()
        assert sorted(depots) == board.goals.tolist()
        assert (found.until < found.numbers).all()
        assert np.array_equal(np.sort(found.numbers), found.numbers)
        assert not found.distances[np.arange(len(found.squares)), found.squares].any()
        for phase in range(1, len(found.begins) - 1):
            assert set(found.numbers[found.begins[phase] : found.begins[phase + 1]]) == {phase}
    assert count > 5


def test_planner_pauses_after_enough_work_and_goes_on_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.games.sokoban.feature_search.searches._LITTLE_WORK", 0)
    searches = Searches(board_of(DEEP))
    for _ in searches.build():
        pass
    assert not searches.by_phases
    for _ in searches.find_phases():
        pass
    assert len(searches.by_phases) == 1


def example() -> PackingPhases:
    """Square 5 is filled first, then a box is parked on 7 until phase 1, then 6 is filled, and 8 in the last phase."""
    return PackingPhases(
        np.array([8, 6, 7, 5], np.int16),
        np.array([1, 2, 3, 4], np.int32),
        np.array([0, 0, 1, 0], np.int32),
        np.array([0, 0, 1, 2, 3, 4], np.int32),
        np.array([[abs(8 - s) for s in range(10)], [abs(6 - s) for s in range(10)],
                  [abs(7 - s) for s in range(10)], [FAR] * 10], np.int16),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("phase", "origin", "after"),
    [
        (2, 5, 4),  # a depot that was filled
        (2, 9, 2),  # no target
        (2, 8, 2),  # to be filled later
        (3, 7, 3),  # the present phase
        (2, 7, 2),  # a parked box, near the end
        (1, 7, 1),  # a parked box that may go on
    ],
)
def test_phase_goes_back_when_a_box_leaves_its_target(phase: int, origin: int, after: int) -> None:
    assert phase_without(example(), np.int64(phase), np.int64(origin)) == after


def test_parked_box_that_leaves_too_early_takes_the_game_back() -> None:
    phases = example()._replace(
        numbers=np.array([1, 4, 5, 6], np.int32), begins=np.array([0, 0, 1, 1, 1, 2, 3, 4], np.int32)
    )
    assert phase_without(phases, np.int64(4), np.int64(7)) == 5
    assert phase_without(phases, np.int64(1), np.int64(7)) == 1


@pytest.mark.slow
@pytest.mark.plain
def test_worth_grows_with_filled_targets_and_nearer_boxes() -> None:
    phases, occupied = example(), np.zeros(10, np.uint8)

    def worth(phase: int, origin: int, target: int, boxes: list[int]) -> tuple[int, int, bool]:
        occupied[:] = 0
        occupied[boxes] = 1
        found = worth_of(phases, occupied, np.int64(phase), np.int64(origin), np.int64(target))
        return int(found[0]), int(found[1]), bool(found[2])

    assert worth(4, 3, 4, [4]) == (4, -8, False)  # out of reach
    assert worth(3, 1, 2, [2, 5]) == (3, 32 + 2 - 2 * 6, True)
    assert worth(3, 2, 1, [1, 5]) == (3, 32 - 2 * 7, False)
    assert worth(3, 6, 7, [7, 5]) == (2, 64 - 8, True)  # filled: the next phase
    assert worth(1, 9, 8, [8, 6, 5]) == (0, 128, True)


@pytest.mark.slow
@pytest.mark.plain
def test_search_by_phases_grows_and_pauses_without_another_result(monkeypatch: pytest.MonkeyPatch) -> None:
    board, paths = Board(winnable(6001).start()), []
    found = phases_of(board)
    assert found is not None
    for first, work in ((1 << 12, 1 << 22), (1, 1)):
        monkeypatch.setattr(phase_search, "_FIRST", first)
        monkeypatch.setattr(phase_search, "_WORK", work)
        searches = Searches(board)
        for _ in searches.build():
            pass
        search = PhaseSearch(board, searches.forwards[0].field, found, OTHERS[0])
        assert [*search.run()]
        paths.append(search.path())
    assert paths[0] == paths[1]


def test_search_by_phases_ends_at_its_limit_of_nodes() -> None:
    board = Board(winnable(6001).start())
    searches = Searches(board)
    for _ in searches.build():
        pass
    (search,) = searches.by_phases
    search.most = 2
    assert [*search.run()] == [2]
    assert search.has_overflow
    assert search.goal is None


@pytest.mark.slow
@pytest.mark.plain
def test_boxes_that_were_hardly_pushed_are_preferred_without_progress() -> None:
    searches = Searches(Board(winnable(6001).start()))
    for _ in searches.build():
        pass
    (search,) = searches.by_phases
    tables = search._tables
    count = tables.boxes.shape[1]
    tables.boxes[PUSHED] = 9_000
    tables.boxes[PUSHED, 0] = 10
    tables.counters[PUSHES] = 10 + 9_000 * (count - 1)
    prefer_rare_boxes(tables)
    rare = tables.boxes[BONUS].tolist()
    assert rare[0] > 0
    assert not any(rare[2:])
    assert not tables.boxes[PUSHED].any()
    prefer_rare_boxes(tables)  # soon after progress
    assert not tables.boxes[BONUS].any()
