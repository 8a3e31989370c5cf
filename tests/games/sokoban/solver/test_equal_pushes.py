"""The fewest moves among the fewest pushes, and the other way round: against a search by the rules alone."""

from __future__ import annotations

import heapq
import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.sokoban.boards import position
from tests.games.sokoban.solver.test_solver import small_levels
from tests.measurement import examples

import gridproof as gp
from gridproof.core.measure import costs_of, measures
from gridproof.games.sokoban.rules import Action, Level, Pushed
from gridproof.games.sokoban.solver import solve as own

ORDERS = ("pushes,moves", "moves,pushes")


def fewest(start: gp.Position[Any], order: str) -> tuple[int, int] | None:
    """Dijkstra's search over pairs of costs, by the rules."""
    ticket = itertools.count()
    heap = [((0, 0), next(ticket), start)]
    best = {start: (0, 0)}
    while heap:
        cost, _, here = heapq.heappop(heap)
        if here.won:
            return cost
        if cost > best[here]:
            continue
        for action in here.actions():
            (outcome,) = here.outcomes(action)
            pushed = int(any(isinstance(event, Pushed) for event in outcome.events))
            costs = (pushed, int(action is not Action.BOMB))
            first, second = costs if order == "pushes,moves" else costs[::-1]
            total = cost[0] + first, cost[1] + second
            if total < best.get(outcome.position, (total[0] + 1, 0)):
                best[outcome.position] = total
                heapq.heappush(heap, (total, next(ticket), outcome.position))
    return None


def costs(solution: gp.Solution, order: str) -> tuple[int, ...] | None:
    """Return the costs of a solution by both measures."""
    if solution.trace is None:
        return None
    known = measures(solution.trace.level.game)
    costs = costs_of(solution.trace, [known[name] for name in order.split(",")])
    assert solution.cost == next(iter(costs.values()))
    return tuple(costs.values())


@given(small_levels(), st.sampled_from(ORDERS))
@examples(40)
def test_solve_in_both_orders_is_as_brute_force(level: Level, order: str) -> None:
    true = fewest(level.start(), order)
    solution = gp.solve(level, order)
    assert (solution.found, solution.optimal, costs(solution, order)) == (true is not None, True, true)


@pytest.mark.slow
@given(st.integers(1, 2).flatmap(small_levels), st.sampled_from(ORDERS))
@examples(20)
def test_solve_in_both_orders_is_as_brute_force_with_bombs(level: Level, order: str) -> None:
    true = fewest(level.start(), order)
    solution = gp.solve(level, order)
    assert (solution.found, solution.optimal, costs(solution, order)) == (true is not None, True, true)


@pytest.mark.slow
@given(st.integers(0, 1).flatmap(small_levels))
@examples(60)
def test_own_solver_of_equal_pushes_is_as_brute_force(level: Level) -> None:
    true = fewest(level.start(), "pushes,moves")
    solution = gp.solve(level, "pushes,moves", solver="fewest-pushes-then-moves")
    assert (solution.found, costs(solution, "pushes,moves")) == (true is not None, true)
    assert solution.optimal


ROUND = """
#########
#@  #   #
# $ $   #
#   # . #
#  .    #
#########
"""


@pytest.mark.slow
@pytest.mark.parametrize("solver", [None, "rules", "fewest-pushes"])
def test_solve_by_pushes_takes_the_fewest_moves_of_small_levels(solver: str | None) -> None:
    start = position(ROUND)
    solution = gp.solve(start, "pushes", solver=solver)
    assert costs(solution, "pushes,moves") == fewest(start, "pushes,moves")


def test_improve_takes_the_fewest_moves_of_equal_pushes() -> None:
    """The trace has the fewest pushes and a detour."""
    start = position(ROUND)
    best = gp.solve(start, "pushes,moves").trace
    assert best is not None
    for minimise in ("pushes", "pushes,moves"):
        given = gp.Trace(start, (*map(gp.Step, (Action.RIGHT, Action.LEFT)), *best.steps))
        answer = gp.improve(given, minimise)
        assert (answer.optimal, costs(answer, "pushes,moves")) == (True, fewest(start, "pushes,moves"))


def test_own_solver_says_so_when_moves_cannot_be_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers that are too small leave the fewest pushes, and prove nothing about the moves."""
    start = position(ROUND)
    least = fewest(start, "pushes,moves")
    assert least is not None
    monkeypatch.setattr(own, "_LARGEST_COST", 1)
    solution = gp.solve(start, "pushes,moves", solver="fewest-pushes-then-moves")
    assert (solution.cost, solution.optimal) == (least[0], False)


def test_limit_leaves_the_fewest_pushes(monkeypatch: pytest.MonkeyPatch) -> None:
    start = position(ROUND)
    fewer = gp.solve(start, "pushes", solver="fewest-pushes")
    monkeypatch.setattr(own, "_fewest_moves_of", lambda *about: None)
    solution = gp.solve(start, "pushes,moves", solver="fewest-pushes-then-moves")
    assert (solution.found, solution.cost, solution.optimal) == (True, fewer.cost, False)


@pytest.mark.parametrize("wrong", ["pushes,", "pushes,pushes", "pushes,moves,actions", ",", "moves,steps"])
def test_measures_that_are_no_pair_are_refused(wrong: str) -> None:
    with pytest.raises(gp.GridproofError, match="cannot minimise"):
        gp.solve(position(ROUND), wrong)
