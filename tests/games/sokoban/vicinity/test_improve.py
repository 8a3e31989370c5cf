"""Search in the vicinity of solutions: what it yields wins, is cheaper each time, and in the end the cheapest."""

from __future__ import annotations

import pytest
from tests.games.sokoban.boards import level, wasteful_solution

import gridproof as gp
from gridproof.core.limit import Limit
from gridproof.core.measure import costs_of, find_measure
from gridproof.core.trace import Trace
from gridproof.games.sokoban.formats.lurd import read_solution
from gridproof.games.sokoban.rules import Action
from gridproof.games.sokoban.vicinity import improve as module
from gridproof.search.improver import ImproveQuestion

MEASURES = ("pushes", "moves", "pushes,moves", "moves,pushes", "actions")


def improvements(
    trace: Trace, measure: str, limit: Limit | None = None, is_win: bool = True
) -> tuple[list[Trace], int]:
    """Return the traces that the improver yields, and how many states it reports."""
    reported = list[int]()
    question = ImproveQuestion(
        trace,
        find_measure(trace.level.game, measure),
        is_win,
        (limit or Limit(states=50_000)).start(),
        reported.append,
    )
    return [better for better in module.improve(question) if better is not None], sum(reported)


def costs(trace: Trace, measure: str) -> tuple[int, ...]:
    """Return the costs of a trace in the order in which they are compared."""
    found = find_measure(trace.level.game, measure)
    return tuple(costs_of(trace, found.parts or (found,)).values())


def check_improvements(trace: Trace, measure: str) -> Trace:
    """Check that each improvement is cheaper than the last and wins; return the best."""
    moves = find_measure(trace.level.game, "moves")
    best = trace
    for better in improvements(trace, measure)[0]:
        assert better.start == trace.start
        assert better.replay().won
        before, now = ((*costs(one, measure), costs_of(one, (moves,))["moves"]) for one in (best, better))
        assert now < before
        best = better
    return best


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("seed", [3, pytest.param(range(60), marks=pytest.mark.long)])
def test_improve_reaches_the_optimum_of_small_levels(measure: str, seed: int | range) -> None:
    for number in [seed] if isinstance(seed, int) else seed:
        trace = wasteful_solution(number)
        best = check_improvements(trace, measure)
        optimum = gp.solve(trace.level, measure.replace("moves,pushes", "moves"))
        assert optimum.optimal
        assert costs(best, measure)[0] == optimum.cost
        if measure == "pushes,moves":
            assert optimum.trace
            assert costs(best, measure) == costs(optimum.trace, measure)


def test_improve_prefers_fewer_moves_where_pushes_are_equal() -> None:
    board = level("########\n#@     #\n# $  . #\n#      #\n########")
    trace = read_solution(board, "rrrrrddllllluRRR")
    best = check_improvements(trace, "pushes")
    assert costs(best, "pushes,moves") == (3, 4)


@pytest.mark.parametrize("measure", MEASURES)
def test_improve_proves_the_optimum_without_bombs(measure: str) -> None:
    bombed = read_solution(level(BOMBED.replace("bombs: 2", "bombs: 3")), "rldR!lrRRRlur!lrrD")
    for trace, is_proved in ((bombed, False), (wasteful_solution(3), True)):
        found = find_measure(trace.level.game, measure)
        question = ImproveQuestion(trace, found, True, Limit(states=50_000).start(), lambda states: None)
        assert [*module.improve(question)]
        assert question.optimal is is_proved


BOMBED = "bombs: 2\n#########\n#@      #\n# $ #   #\n#   # . #\n#   #   #\n#########\n"


@pytest.mark.slow
@pytest.mark.parametrize("measure", MEASURES)
def test_improve_searches_between_bombs(measure: str) -> None:
    board = level(BOMBED)
    trace = read_solution(board, "rldR!lrRRRlur!lrrD")
    assert trace.replay().won
    best = check_improvements(trace, measure)
    assert best.actions.count(Action.BOMB) == trace.actions.count(Action.BOMB)
    assert len(best.steps) == 10


def test_improve_keeps_the_end_of_a_trace_that_does_not_win() -> None:
    board = level("########\n#@     #\n# $  . #\n#      #\n########")
    trace = read_solution(board, "ddrruulldRRurd")
    found, states = improvements(trace, "moves", is_win=False)
    assert states
    assert found
    assert all(better.replay() == trace.replay() for better in found)
    assert len(found[-1].steps) == gp.improve(trace, "moves").cost


def test_improve_leaves_levels_with_too_many_squares_alone() -> None:
    wide = "#" * 102 + "\n" + ("#" + " " * 100 + "#\n") * 45 + "#@$." + " " * 97 + "#\n" + "#" * 102
    trace = read_solution(level(wide), "udR")
    assert improvements(trace, "pushes") == ([], 0)


def test_improve_stops_at_limits() -> None:
    trace = wasteful_solution(3)
    traces, states = improvements(trace, "pushes", Limit(seconds=0))
    assert len(traces) <= 1
    assert states == 0
    assert improvements(trace, "pushes", Limit(states=2))[0]
