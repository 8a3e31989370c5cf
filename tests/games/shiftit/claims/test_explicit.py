"""S19 to S24 by the positions that runs come to: held against all runs, listed one by one."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.shiftit.boards import LETTERS, level, levels, naive_connection, unwinnable_board
from tests.measurement import examples

import gridproof as gp
from gridproof.games.shiftit import Level
from gridproof.games.shiftit.claims import kernel_reachability
from gridproof.games.shiftit.claims.commands import read_boards
from gridproof.games.shiftit.claims.reachability import Reachability, RulesReachability
from gridproof.games.shiftit.claims.verdict import ClaimVerdict
from gridproof.games.shiftit.propositions import near
from gridproof.games.shiftit.runs import Run, all_runs

CHECKER = "b r\nr b"


def claims(board: Level, horizon: int, **how: object) -> list[ClaimVerdict]:
    return cast("list[ClaimVerdict]", gp.claims(board, horizon, **how))  # type: ignore[arg-type]


def has_no_split(run: Run, end: int) -> bool:
    """Return whether a run splits no region up to a time, by S22 word for word."""
    connected = [naive_connection(run.position(time)) for time in range(end + 1)]
    return all(
        one <= other[side] for before, other in itertools.pairwise(connected) for side, one in before.items()
    )


def count_reachable_sides(run: Run, time: int) -> Counter[str | None]:
    """Count the reachable sides of each colour."""
    sides = zip(run.level.tiles, run.position(time).reachable_sides(), strict=True)
    return Counter(
        colour for tile, flags in sides for colour, flag in zip(tile.colours, flags, strict=True) if flag
    )


def naive_claims(board: Level, horizon: int) -> list[bool]:
    """Return the answers to the claims, by S19 to S24 word for word."""
    runs = list(all_runs(board, horizon))
    wins = [(run, time) for run in runs for time in range(horizon + 1) if run.is_won(time)]
    reached = {(run, time): count_reachable_sides(run, time) for run in runs for time in range(horizon + 1)}
    ended = [
        (run, time)
        for run in runs
        if not run.has_ended(0)
        for time in range(1, horizon + 1)
        if run.has_ended(time)
    ]
    opposite = {"up": "down", "down": "up"}
    return [
        bool(wins),
        all(run.is_won(time) for run, time in ended),
        all(
            reached[win][colour] >= other[colour]
            for win in wins
            for other in reached.values()
            for colour in other
        ),
        any(has_no_split(run, time) for run, time in wins),
        any(near(run.position(time)) for run, time in wins),
        all(
            run.position(time) == run.position(time + 2)
            for run in runs
            for time, (one, other) in enumerate(itertools.pairwise(run.moves))
            if one.kind == other.kind == "CM"
            and one.line == other.line
            and opposite[one.direction] == other.direction
        ),
    ]


@pytest.mark.clause("S19", "S20", "S21", "S22", "S23", "S24")
@examples(25)
@given(levels(LETTERS, 2), st.integers(0, 2))
def test_claims_agree_with_all_runs(board: Level, horizon: int) -> None:
    assert [verdict.holds for verdict in claims(board, horizon)] == naive_claims(board, horizon)


@pytest.mark.clause("S19", "S23")
def test_trace_of_a_claim_is_the_shortest() -> None:
    (board,) = gp.levels_at("shiftit/boards/4")
    short, long = claims(cast("Level", board), 2), claims(cast("Level", board), 3)
    assert (short[0].holds, short[0].trace, long[0].holds) == (False, None, True)
    assert long[0].trace is not None
    assert long[0].trace.replay().status is gp.Status.WON
    assert len(long[0].trace.steps) == 3
    assert long[0].shows == "witness"
    assert "claim 1, T = 3: some run wins: holds (" in str(long[0])
    assert "\nwitness, 3 moves:\n" in str(long[0])


@pytest.mark.clause("S20", "S21", "S24")
def test_universal_claims_name_vacuity() -> None:
    lost = claims(unwinnable_board(2, 2), 1)
    assert [verdict.vacuous for verdict in lost] == [False, True, True, False, False, True]
    assert lost[1].remarks == ("vacuous: no run that has not ended at the start ends",)
    won = claims(level(CHECKER), 1)
    assert [verdict.vacuous for verdict in won] == [False] * 5 + [True]
    assert won[1].shows == "example"
    assert won[1].trace is not None
    assert won[1].trace.replay().status is gp.Status.WON
    at_once = claims(level("b r"), 5)
    assert [(verdict.holds, verdict.vacuous) for verdict in at_once[1:3]] == [(True, True), (True, False)]
    assert {verdict.trace_text for verdict in at_once if verdict.trace is None} == {""}


@pytest.mark.clause("S24")
def test_claim_6_shows_a_column_and_its_opposite() -> None:
    verdict = claims(unwinnable_board(2, 2), 2)[5]
    assert verdict.trace is not None
    assert [str(action) for action in verdict.trace.actions] == ["CM(0,up)", "CM(0,down)"]
    assert verdict.trace.replay() == unwinnable_board(2, 2).start()


@pytest.mark.clause("S22")
def test_win_without_a_split_can_need_more_moves() -> None:
    found = None
    for board in gp.levels_at("shiftit/boards"):
        if len(cast("Level", board).tiles) == 4 and int(board.keys["Moves"]) <= 3:
            verdict = claims(cast("Level", board), 8)[3]
            if verdict.holds:
                assert verdict.trace is not None
                found = Run(cast("Level", board), len(verdict.trace.steps), verdict.trace.actions)  # type: ignore[arg-type]
                assert has_no_split(found, found.horizon)
    assert found is not None


def summary(found: Reachability) -> tuple[object, ...]:
    kept = found.find_win_without_split(gp.Limit().start())
    rows = [
        sorted(found.position(int(target)).tiles for target in row if target >= 0) for row in found.targets
    ]
    places = [found.position(number).tiles for number in range(found.count)]
    by_place = dict(zip(places, rows, strict=False))
    return (
        found.ends,
        sorted(places),
        sorted(found.position(number).tiles for number in found.wins),
        sorted(by_place.items()),
        kept and len(kept),
        found.complete,
    )


@pytest.mark.slow
@pytest.mark.clause("S19", "S22")
@pytest.mark.parametrize(
    "text", [CHECKER, "b r\nr* b", "b* r\nr b*", "rrgb r bbgr\ng b rrrg", "oppb y goog\nggbb o yppp\nb  r b"]
)
def test_kernel_agrees_with_the_rules(text: str) -> None:
    board = level(text)
    for horizon in (0, 1, 3):
        meter = gp.Limit().start()
        by_kernel = kernel_reachability.explore(board, horizon, meter)
        assert by_kernel is not None
        assert summary(by_kernel) == summary(RulesReachability(board, horizon, meter))


@pytest.mark.clause("S16")
@examples(25)
@given(levels(LETTERS, 2), st.integers(0, 3))
def test_run_counts_agree_with_the_list(board: Level, horizon: int) -> None:
    runs = gp.runs(board, horizon)
    listed = list(runs)
    assert (runs.count, runs.won) == (len(listed), sum(run.is_won(horizon) for run in listed))


@pytest.mark.clause("S16")
def test_numbers_of_any_size_are_exact() -> None:
    board = unwinnable_board(2, 2)
    assert (gp.runs(board, 300).count, gp.runs(board, 300).won) == (8**300, 0)
    assert str(gp.runs(board, 300)) == "about 10^270 runs, 0 of them won"
    (three,) = gp.levels_at("shiftit/boards/2")
    few, many = gp.runs(three, 20), gp.runs(three, 21)  # 60 bits are enough for the one, not for the other
    assert few.count is not None
    assert few.won is not None
    assert many.count is not None
    assert many.count - (few.won) == 8 * (few.count - few.won)


@pytest.mark.clause("S19")
def test_any_horizon_is_answered_or_refused() -> None:
    board = unwinnable_board(2, 2)
    far = claims(board, 10**30)
    assert [verdict.holds for verdict in far] == [False, True, True, False, False, True]
    assert far[0].states == 24
    with pytest.raises(gp.GridproofError, match="runs are counted up to a horizon of 100,000, not 1000000"):
        gp.runs(board, 10**6)
    for ask in (gp.claims, gp.runs):
        with pytest.raises(gp.GridproofError, match="a horizon is a whole number of at least 0, not -1"):
            ask(board, -1)
        with pytest.raises(gp.GridproofError, match="no engine 'spin'; choose from explicit, clingo"):
            ask(board, 1, engine="spin")
        with pytest.raises(gp.GridproofError, match="sokoban has no claims"):
            ask(gp.levels_at("sokoban/first-steps/1")[0], 1)


@pytest.mark.clause("S19", "S20", "S22", "S23")
def test_board_without_any_win_is_refuted_quickly() -> None:
    verdicts = claims(unwinnable_board(3, 3), 40)
    assert [verdict.holds for verdict in verdicts] == [False, True, True, False, False, True]
    assert [verdict.vacuous for verdict in verdicts] == [False, True, True, False, False, False]
    assert verdicts[0].remarks == ("no placement of the tiles is a win, whatever moves lead to it",)
    assert verdicts[0].states < 1000


@pytest.mark.clause("S19")
def test_limit_leaves_claims_and_runs_unanswered() -> None:
    (board,) = gp.levels_at("shiftit/boards/23")
    verdicts = gp.claims(board, 9, limit=gp.Limit(states=1000))
    assert [verdict.holds for verdict in verdicts] == [None, None, None, None, None, True]
    assert verdicts[0].stopped_by == "states"
    runs = gp.runs(board, 9, limit=gp.Limit(states=1000))
    assert (runs.count, runs.won, runs.stopped_by) == (None, None, "states")
    assert str(runs) == "no answer: the limit of positions was reached"


def test_boards_without_a_title_are_named_by_their_numbers() -> None:
    text = "shiftit 2x1\ntitle: One\nb r\n\nshiftit 1x2\nb\nr\n"
    assert [(name, last) for name, _, last in read_boards(text, None)] == [("One", None), ("level 2", None)]
