"""Searches that stop within an expansion, to look at the clock, and go on: they find what others find."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from tests.games.sokoban.boards import winnable
from tests.measurement import Clock
from tests.packs import titled

import gridproof as gp
from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.solver import board, pull_search
from gridproof.games.sokoban.solver import search as forwards
from gridproof.games.sokoban.solver.expand import ENTRIES, PARTLY, STATES, offer
from gridproof.search import solve as solving

KINDS = [(False, True), (False, False), (True, False)]


def run_search(level: Any, by_moves: bool, plain: bool, work: int) -> tuple[Any, int]:
    """Everything that a search finds, in its order, and how often it stops on the way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(forwards, "_WORK", work)
        search = forwards.PushSearch(board.Board(level.start()), by_moves, plain)
        stops = sum(1 for _ in search.run())
    states = search.words[: search.forward_states].tolist(), search.figures[: search.forward_states].tolist()
    return (states, search.goal, search.is_exhausted, search.path() if search.goal else None), stops


@pytest.mark.parametrize(("by_moves", "plain"), KINDS)
@pytest.mark.parametrize("work", [1, 200])
def test_search_in_parts_finds_the_same_states(by_moves: bool, plain: bool, work: int) -> None:
    stops = 0
    for level in [*map(winnable, range(5000, 5008)), titled("sokoban/bombs", "Niche")]:
        whole, few = run_search(level, by_moves, plain, 1 << 40)
        parts, many = run_search(level, by_moves, plain, work)
        assert parts == whole
        stops += many - few
    assert stops > 30


def test_search_is_not_exhausted_within_an_expansion(monkeypatch: pytest.MonkeyPatch) -> None:
    """The start is the only state then, and nothing else is open."""
    monkeypatch.setattr(forwards, "_WORK", 1)
    level = gp.read("#######\n#@    #\n# $ . #\n#     #\n#######\n")[0]
    search = forwards.PushSearch(board.Board(level.start()), by_moves=False)  # type: ignore[arg-type]  # Sokoban's
    run = search.run()
    next(run)
    assert search.forward_states == 1
    assert not search.is_exhausted
    assert [*run]
    assert search.goal is not None


def wide(boxes: int, side: int) -> Level:
    """A room with a box on every second square of it, and as many depots between them."""
    lines = range(3, side - 3, 2)
    starts = [(x, y) for x in lines for y in lines][:boxes]
    edge = {(x, y) for x in range(side) for y in range(side) if {x, y} & {0, side - 1}}
    return Level((1, 1), 0, starts, [(x + 1, y) for x, y in starts], edge, (side, side))


@pytest.mark.slow  # not in plain Python
def test_clock_is_checked_within_an_expansion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forwards, "_WORK", work := 1 << 20)
    around = board.Board(wide(300, 50).start())
    search = forwards.PushSearch(around, by_moves=False)
    offered = [1, *(int(search._counters[ENTRIES]) for _ in itertools.islice(search.run(), 2))]
    for before, after in itertools.pairwise(offered):
        assert 0 < after - before <= work // len(around.cells)
    assert search._counters[PARTLY] == 0  # the start


@pytest.mark.slow
def test_limit_of_seconds_ends_a_search_of_hundreds_of_boxes(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    """The clock goes on at each look, however quick the machine is, and few states are found between two."""
    monkeypatch.setattr(solving, "_BY_RULES", 1)
    clock.each_look = 0.1
    solution = gp.solve(wide(300, 60), "pushes", limit=gp.Limit(seconds=1))
    assert (solution.found, solution.stopped_by) == (None, "seconds")
    assert solution.seconds < 1.5
    assert 1000 < solution.states < 30_000


def test_search_checks_the_clock_after_the_bound_of_the_start(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    def slowly(*arguments: Any) -> None:
        before = arguments[3][STATES]
        offer(*arguments)
        clock.now += 10 if arguments[3][STATES] > before else 1000  # nothing is kept: it is only loaded

    monkeypatch.setattr(forwards, "offer", slowly)
    monkeypatch.setattr(solving, "_BY_RULES", 1)
    (level,) = gp.read("######\n#@$ .#\n######\n")
    assert gp.solve(level, "pushes").seconds == 20  # for fewest pushes, and for fewer moves with as many


def test_pulls_in_parts_find_the_same_states(monkeypatch: pytest.MonkeyPatch) -> None:
    around = board.Board(winnable(11).start())
    whole = pull_search.PullSearch(around, 1 << 10)
    monkeypatch.setattr(pull_search, "_WORK", 1)
    monkeypatch.setattr(pull_search, "_FIRST", 1 << 10)
    parts = pull_search.PullSearch(around, 0)
    depths = [int(parts.tables[3][0]) for _ in parts.extend(1 << 10, 1 << 20)]
    assert len(depths) > 100
    assert depths == sorted(depths)
    assert depths[-1] <= whole.tables[3][0]
    assert parts.states == whole.states > 100
    for one, other in zip(parts.tables, whole.tables, strict=True):
        assert (one == other).all()


def test_tables_of_stages_are_built_on_demand() -> None:
    around = board.Board(titled("sokoban/bombs", "Niche").start())
    first, *others = around.stages_after(0)
    assert (around.table_count, around.places[0], around.places[first]) == (1, 0, board.NOWHERE)
    assert around.stage_count == 2 + len(others) > 3
    assert len([*around.build_tables(first)]) == 2  # so often one can look at the clock
    assert (around.table_count, around.places[first]) == (2, 1)
    assert not [*around.build_tables(first)]
    assert around.table_count == 2
