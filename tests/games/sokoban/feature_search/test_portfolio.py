"""Any solution: the portfolio of searches."""

from __future__ import annotations

import threading

import pytest
from tests.games.sokoban.boards import level, winnable
from tests.packs import titled

import gridproof as gp
from gridproof.core.memory import memory_in_use
from gridproof.core.text.level_lookup import builtin_pack
from gridproof.games.sokoban.feature_search import portfolio, searches, tree_search
from gridproof.games.sokoban.rules import Level

BLOCKED = """
##############
#   $$     ..#
#            #
#      $     #
#  $  $  $ $ #
#            #
# .....#     #
#   @  #     #
##############
"""
"""Two boxes hold each other at the wall for ever, and the other five have very many arrangements."""


@pytest.fixture
def trees_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search by single pushes find next to nothing before the others begin, and in its turns."""
    monkeypatch.setattr(portfolio, "_QUICK", 1)
    monkeypatch.setattr("gridproof.games.sokoban.solver.search._CHUNK", 1)


def solve(found: gp.Level, **limit: object) -> gp.Solution:
    solution = gp.solve(found, None, solver="greedy-pushes", limit=gp.Limit(**limit))  # type: ignore[arg-type]  # as given
    if solution.trace is not None:
        assert solution.trace.replay().won
    return solution


@pytest.mark.slow
@pytest.mark.usefixtures("trees_at_once")
def test_portfolio_finds_the_same_solution_twice() -> None:
    first, second = (solve(gp.level("sokoban/drawn-lots/17")) for _ in range(2))
    assert first.found
    assert first.trace == second.trace
    assert first.states == second.states


@pytest.mark.slow
@pytest.mark.usefixtures("trees_at_once")
def test_portfolio_wins_small_levels_by_trees() -> None:
    assert all(solve(winnable(seed)).found for seed in range(100, 120))


@pytest.mark.slow
def test_portfolio_keeps_limits() -> None:
    blocked = level(BLOCKED)
    few = solve(blocked, states=100)
    assert (few.found, few.stopped_by) == (None, "states")
    assert few.states <= 101
    some = solve(blocked, states=20_000)
    assert some.states <= 20_001
    stop = threading.Event()
    stop.set()
    assert solve(blocked, stop=stop).stopped_by == "stop"
    assert solve(blocked, seconds=0).stopped_by == "seconds"
    short = solve(blocked, seconds=1)
    assert (short.found, short.stopped_by) == (None, "seconds")
    assert short.seconds < 2


@pytest.mark.slow
def test_portfolio_ends_when_memory_is_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    held = memory_in_use()
    solution = solve(level(BLOCKED), memory=held // 2)
    assert (solution.found, solution.stopped_by) == (None, "memory")

    def refuse(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(portfolio, "_QUICK", 1)
    monkeypatch.setattr(tree_search, "enlarge", refuse)
    monkeypatch.setattr(tree_search, "_FIRST", 2)
    assert solve(level(BLOCKED)).stopped_by == "memory"


@pytest.mark.slow
@pytest.mark.usefixtures("trees_at_once")
def test_portfolio_asks_for_memory_of_deadlocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searches.Searches, "deadlock_bytes", 1 << 50)
    assert solve(level(BLOCKED)).stopped_by == "memory"


def test_portfolio_refutes_by_exhaustion() -> None:
    impossible = "########\n#@ $  .#\n#  $  .#\n#  $#  #\n#. #   #\n########\n"
    assert solve(level(impossible.replace("#@ $  .#", "#$   @.#"))).found is False


@pytest.mark.usefixtures("trees_at_once")
def test_portfolio_wins_without_bombs_when_none_is_needed() -> None:
    solution = solve(
        level(gp.level("sokoban/drawn-lots/17").start().text().replace("Bombs: 0", "") + "Bombs: 2\n"),
        states=1_000_000,
    )
    assert solution.trace is not None
    assert "bomb" not in map(str, solution.trace.actions)


@pytest.mark.slow
def test_portfolio_wins_with_bombs_when_they_are_needed() -> None:
    needing = titled("sokoban/bombs", "Niche")
    assert solve(needing).found
    for one in builtin_pack(gp.game("sokoban"), "bombs"):
        assert isinstance(one, Level)
        assert solve(one).found
