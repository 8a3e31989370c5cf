"""S7, S15, S16: the runs up to a horizon."""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.shiftit.boards import level, runs, unwinnable_board

import gridproof as gp
from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.games.shiftit import Level
from gridproof.games.shiftit.rules import Move
from gridproof.games.shiftit.runs import Run, all_runs, random_run, run_of


@functools.cache
def winnable() -> Level:
    return level("b r\nr b")


LEFT = Move("RM", 0, "left")


@pytest.mark.clause("S7", "S16")
def test_run_makes_a_move_at_every_time_but_the_last() -> None:
    run = Run(unwinnable_board(2, 2), 2, [LEFT, LEFT])
    assert [run.move_at(time) for time in range(3)] == [LEFT, LEFT, None]
    assert run.position(0) == run.position(2) != run.position(1)
    assert [run.has_ended(time) for time in range(3)] == [False, False, False]


@pytest.mark.clause("S15", "S16")
def test_run_has_no_moves_after_the_end() -> None:
    run = Run(winnable(), 10**9, [LEFT])
    assert run.move_at(1) is None
    assert run.position(1) == run.position(10**9)
    assert [run.is_won(time) for time in (0, 1, 10**9)] == [False, True, True]
    stuck = Run(level("r* g\nb r*"), 3)
    assert [(stuck.has_ended(time), stuck.is_won(time)) for time in range(4)] == [(True, False)] * 4


@pytest.mark.clause("S7")
def test_run_must_not_stop_early() -> None:
    with pytest.raises(GridproofError, match=r"time 1: a move must be made, the game has not ended \(S7\)"):
        Run(unwinnable_board(2, 2), 3, [LEFT])


@pytest.mark.clause("S6", "S15", "S16")
@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ([LEFT, LEFT], "RM(0,left): time 1: the game has ended"),
        ([LEFT, LEFT, LEFT], "RM(0,left): time 2: no move is made at the last time (S16)"),
        ([Move("RM", 5, "left")], "RM(5,left): time 0: this board has no such move"),
        ([Move("RM", 0, "up")], "RM(0,up): time 0: this board has no such move"),
    ],
)
def test_run_refuses_moves_that_are_invalid_at_their_time(moves: list[Move], reason: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        Run(winnable(), 2, moves)
    assert str(refused.value) == reason


@pytest.mark.parametrize("horizon", [-1, 1.5, True, None])
@pytest.mark.parametrize("make", [Run, random_run, lambda board, horizon: list(all_runs(board, horizon))])
def test_horizon_is_a_whole_number(make: Callable[..., object], horizon: object) -> None:
    with pytest.raises(GridproofError, match="a horizon is a whole number of at least 0"):
        make(winnable(), horizon)


@pytest.mark.clause("S16")
def test_all_runs_are_all_ways_to_play() -> None:
    board = unwinnable_board(2, 2)
    assert [len(list(all_runs(board, horizon))) for horizon in range(4)] == [1, 8, 64, 512]
    assert len(set(all_runs(board, 2))) == 64
    won = [run for run in all_runs(winnable(), 3) if run.is_won(3)]
    assert len(won) == len(list(all_runs(winnable(), 3))) == 8  # every first move wins
    assert [str(run.moves[0]) for run in won][:2] == ["RM(0,left)", "RM(0,right)"]


@pytest.mark.slow
@given(runs())
def test_run_round_trips_through_a_trace(run: Run) -> None:
    trace = run.trace()
    assert trace.replay() == run.position(run.horizon)
    assert run_of(trace, run.horizon) == run
    assert run_of(trace) == Run(run.level, len(run.moves), run.moves)


def test_run_of_refuses_traces_that_do_not_begin_at_a_start() -> None:
    position = unwinnable_board(2, 2).start()
    (outcome,) = position.outcomes(LEFT)
    for start in (outcome.position, gp.read(".@o", "null")[0].start()):
        with pytest.raises(GridproofError, match="a run begins at the start of a level of Shift It"):
            run_of(gp.Trace(start))


@given(st.integers(0, 2**64 - 1))
def test_random_run_depends_on_its_seed_alone(seed: int) -> None:
    board = unwinnable_board(3, 2)
    run = random_run(board, 4, seed)
    assert run == random_run(board, 4, seed)
    assert len(run.moves) == 4
    assert random_run(winnable(), 4, seed).moves == random_run(winnable(), 1, seed).moves
