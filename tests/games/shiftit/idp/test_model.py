"""S18: is a structure a model, and which clause does it break first?"""

from __future__ import annotations

import functools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.shiftit.boards import level, runs, structure_of_run, unwinnable_board

from gridproof.core.limit import Limit
from gridproof.games.shiftit.elements import Call
from gridproof.games.shiftit.idp.conversion import board_tables, horizon_of, structure_of
from gridproof.games.shiftit.idp.format import read_structures
from gridproof.games.shiftit.idp.model import TIMED, check_model
from gridproof.games.shiftit.idp.structure import Structure
from gridproof.games.shiftit.idp.vocabulary import Table
from gridproof.games.shiftit.rules import Level, Move
from gridproof.games.shiftit.runs import Run, all_runs

pytestmark = pytest.mark.clause("S18")


@functools.cache
def sample_board() -> Level:
    return level("xrrr xggg xbbb*\nxyyy xooo xppp\nnames: a b c d e f")


@functools.cache
def sample_run() -> Run:
    return Run(sample_board(), 3, [Move("RM", 0, "left"), Move("CM", 1, "up"), Move("RM", 0, "right")])


@functools.cache
def winning_run() -> Run:
    return Run(level("b r\nr b\nnames: a b c d"), 2, [Move("RM", 0, "left")])


@pytest.mark.slow
@given(runs(most=2, horizon=3))
def test_runs_are_models(run: Run) -> None:
    verdict = check_model(structure_of_run(run))
    assert (verdict.holds, verdict.violation, verdict.run) == (True, None, run)


@pytest.mark.slow
@given(runs(most=2, horizon=3), st.data())
def test_partial_structure_is_completed(run: Run, data: st.DataObject) -> None:
    whole = structure_of_run(run)
    optional = [
        name for name in whole.tables if name in (*TIMED, "Co", "Start", "Next", "Colouring", "Ref", "Colour")
    ]
    dropped = data.draw(st.sets(st.sampled_from(optional)))
    verdict = check_model(
        Structure({name: table for name, table in whole.tables.items() if name not in dropped})
    )
    assert verdict.holds
    assert verdict.run is not None
    if "MoveAt" not in dropped:
        assert verdict.run == run
    elif "GetPos" not in dropped:
        assert [verdict.run.position(time) for time in range(4)] == [run.position(time) for time in range(4)]


def violation_of(run: Run, **changes: str) -> str:
    """Return the violation of a run's structure with these tables changed."""
    text = structure_of_run(run).text()
    (whole,) = read_structures(text)
    body = " ".join(f"{name.replace('_in_part', '<ct>')} = {value}" for name, value in changes.items())
    (part,) = read_structures(f"structure S : ShiftItVoc {{ {body} }}")
    verdict = check_model(Structure({**whole.tables, **part.tables}))
    assert verdict.holds is False
    assert verdict.run is None
    return str(verdict.violation)


def violation_without(run: Run, *names: str, **changes: str) -> str:
    """Return the violation of a run's structure without some symbols, and with tables changed."""
    tables = {name: table for name, table in structure_of_run(run).tables.items() if name not in names}
    body = " ".join(
        f"{name.replace('_in_part', '<ct>').replace('_not', '<cf>')} = {value}"
        for name, value in changes.items()
    )
    (part,) = read_structures(f"structure S : ShiftItVoc {{ {body} }}")
    return str(check_model(Structure({**tables, **part.tables})).violation)


MOVES = "0->RM(0,left); 1->CM(1,up)"


@pytest.mark.parametrize(
    ("changes", "violation"),
    [
        # the board
        ({"Init_GetPos": "{ a->P(0,0); b->P(1,1); c->P(2,1); d->P(0,0); e->P(1,0); f->P(2,0) }"},
         "S1, P(0,1): no tile lies on P(0,1)"),
        ({"Init_Colouring": "{ }"}, "S3, S(a,up): neither the side nor its tile is given a colour"),
        ({"Start": "1"}, "S16, Start: 1 is given, 0 is right"),
        ({"Next": "{ 0->1; 1->3; 2->3 }"}, "S16 at time 1, Next: 3 is given, 2 is right"),
        ({"Next": "{ 0->1; 1->2 }"}, "S16 at time 2, Next: 3 is right, and is excluded"),
        ({"Next": "{ 0->1; 1->2; 2->3; 3->0 }"}, "S16 at time 3, Next: 0 is given, undefined is right"),
        ({"Ref": '{ "red"->S(a,left) }'}, "S11, S(c,right): Ref(blue): S(c,right) is right, and is excluded"),
        # moves
        ({"MoveAt": "{ 0->RM(0,up) }"}, "S6 at time 0, MoveAt: RM(0,up) is no move: RM goes left or right, CM up or down"),
        ({"MoveAt": "{ 0->RM(0,left); 1->RM(1,left) }"}, "S6 at time 1, c: the tile is locked, RM(1,left) cannot be made"),
        ({"MoveAt": f"{{ {MOVES} }}"}, "S7 at time 2, MoveAt: the game has not ended, so one valid move must be made"),
        ({"MoveAt": f"{{ {MOVES}; 2->RM(0,right); 3->RM(0,right) }}"}, "S16 at time 3, MoveAt: RM(0,right) is given for the last time"),
        ({"MoveAt": f"{{ {MOVES}; 2->RM(0,left) }}"}, "S17 at time 2, b: C_GetPos: P(2,0) is given, P(0,0) is right"),
        # reached, won, ended
        ({"Reach": "{ }"}, "S12 at time 0, S(a,right): the side is connected with Ref(red)"),
        ({"Won": "{ 2..3 }"}, "S13 at time 2, S(a,up): Won is false here"),
        ({"GameEnded": "{ 3 }"}, "S14 at time 3, S(a,up): GameEnded is false here"),
        ({"Won": "{ 3 }", "GameEnded": "{ 2 }"}, "S14 at time 2, S(a,up): GameEnded is false here"),
        ({"Won": "{ 3 }", "GameEnded": "{ 3 }"}, "S13 at time 3, S(a,up): Won is false here"),
        ({"Won": "{ 0 }", "MoveAt": "{ }"}, "S7 at time 0, MoveAt: the game has not ended, so one valid move must be made"),
        # causes
        ({"C_GetPos": "{ }"}, "S17 at time 0, d: C_GetPos: P(2,0) is right, and is excluded"),
        ({"CN_GetPos": "{ }"}, "S17 at time 0, d: CN_GetPos: P(0,0) is right, and is excluded"),
    ],
)  # fmt: skip
def test_first_violation_is_named_with_time_and_place(changes: dict[str, str], violation: str) -> None:
    assert violation_of(sample_run(), **changes) == violation


@pytest.mark.parametrize(
    ("symbol", "row", "violation"),
    [
        ("Colouring", 'S(b,left)->"red"', "S3, S(b,left): Colouring: red is given, green is right"),
        ("Ref", '"red"->S(a,left)', "S11, S(a,left): Ref(red): S(a,left) is given, S(a,right) is right"),
        ("GetPos", "0,b->P(0,0)", "S1 at time 0, b: GetPos: P(0,0) is given, P(1,1) is right"),
        ("GetPos", "1,a->P(0,0)", "S5 at time 1, a: GetPos: P(0,0) is given, P(0,1) is right"),
        ("GetPos", "1,c->P(2,0)", "S6 at time 1, c: GetPos: P(2,0) is given, P(2,1) is right"),
        ("Reach", '1,S(a,up),"x"', "S12 at time 1, S(a,up): the side is not connected with Ref(x)"),
        ("Reach", '1,S(a,left),"x"', "S12 at time 1, S(a,left): the side is not connected with Ref(x)"),
        ("Won", "1", "S13 at time 1, S(a,up): Won is false here"),
        ("C_GetPos", "1,a->P(0,0)", "S17 at time 1, a: C_GetPos: P(0,0) is given, undefined is right"),
        ("CN_GetPos", "1,b->P(0,0)", "S17 at time 1, b: CN_GetPos: P(0,0) is given, P(1,1) is right"),
    ],
)  # fmt: skip
def test_wrong_row_is_found(symbol: str, row: str, violation: str) -> None:
    assert violation_without(sample_run(), symbol, **{f"{symbol}_in_part": f"{{ {row} }}"}) == violation


@pytest.mark.parametrize(
    ("changes", "violation"),
    [
        ({"MoveAt": "{ 0->RM(0,left); 1->RM(0,left) }"}, "S15 at time 1, MoveAt: the game has ended, RM(0,left) cannot be made"),
        ({"Won": "{ 2 }"}, "S13 at time 1: Won is true here"),
        ({"GameEnded": "{ 2 }"}, "S14 at time 1: GameEnded is true here"),
    ],
)  # fmt: skip
def test_violations_after_the_end_are_found(changes: dict[str, str], violation: str) -> None:
    assert violation_of(winning_run(), **changes) == violation


def test_missing_time_is_a_violation() -> None:
    assert violation_without(sample_run(), "Start", "Next", *TIMED, Time="{ 0; 1; 3 }") == (
        "S16: Time is {0..T} for some T, not {0, 1, 3}"
    )


def test_tile_that_moves_after_the_end_is_a_violation() -> None:
    assert violation_without(winning_run(), "GetPos", GetPos_in_part="{ 2,a->P(0,0) }") == (
        "S15 at time 2, a: GetPos: P(0,0) is given, P(0,1) is right"
    )


def test_excluded_facts_are_checked_like_given_facts() -> None:
    assert violation_without(sample_run(), "GetPos", GetPos_not="{ 2,f->P(1,1) }") == (
        "S5 at time 2, f: GetPos: P(1,1) is right, and is excluded"
    )
    assert violation_without(
        winning_run(), "MoveAt", "GetPos", "Reach", "C_GetPos", "CN_GetPos", Won="{ 2 }"
    ) == ("S13 at time 1: in one of the 4 ways to complete the times before: Won is true here")


def test_exclusion_of_every_valid_move_is_a_violation() -> None:
    excluded = "; ".join(f"0->{move}" for move in sample_board().valid_moves)
    violation = "S7 at time 0, MoveAt: the game has not ended, so one valid move must be made"
    assert violation_without(sample_run(), *TIMED, MoveAt_not=f"{{ {excluded} }}") == violation
    assert (
        violation_without(sample_run(), *TIMED, MoveAt_not="{ " + excluded.partition("; ")[2] + " }")
        == "None"
    )


def test_earlier_times_come_first_and_then_lower_clauses() -> None:
    assert violation_of(sample_run(), Won="{ 2 }", Reach="{ }").startswith("S12 at time 0")
    assert violation_of(sample_run(), Won="{ 1 }", C_GetPos="{ }").startswith("S17 at time 0")
    assert violation_of(sample_run(), Won="{ 0 }", C_GetPos="{ }", GameEnded="{ 0 }").startswith(
        "S13 at time 0"
    )
    assert violation_of(sample_run(), Won="{ 0 }", Start="1").startswith("S16, Start")


# -- completing


@pytest.mark.parametrize("horizon", [0, 1, 4])
def test_board_alone_is_completed_to_any_horizon(horizon: int) -> None:
    verdict = check_model(structure_of(sample_board(), horizon))
    assert verdict.run is not None
    assert len(verdict.run.moves) == horizon


def test_far_position_is_reached_by_search() -> None:
    wanted = Run(
        sample_board(),
        4,
        [Move("RM", 0, "left"), Move("CM", 1, "up"), Move("CM", 0, "down"), Move("RM", 0, "right")],
    )
    whole = structure_of_run(wanted)
    last = frozenset(row for row in whole.tables["GetPos"].certain if row[0] == 4)
    verdict = check_model(
        Structure(board_tables(sample_board(), 4) | {"GetPos": Table({"ct": last}, function=True)})
    )
    assert verdict.holds
    assert verdict.run is not None
    assert verdict.run.position(4) == wanted.position(4)


@pytest.mark.slow
def test_limit_leaves_model_undecided() -> None:
    board = unwinnable_board(3, 3)
    never = Table({"": frozenset()}, function=False)
    verdict = check_model(Structure(board_tables(board, 9) | {"Won": never}), Limit(states=5000))
    assert (verdict.holds, verdict.violation, verdict.run) == (None, None, None)
    assert check_model(Structure(board_tables(sample_board(), 2) | {"Won": never}), Limit(states=5000)).holds
    narrow = Structure(board_tables(unwinnable_board(2, 1), 600) | {"Won": never})  # two positions a time
    assert check_model(narrow, Limit(states=1000)).holds is None
    assert check_model(narrow, Limit(states=2000)).holds


def is_consistent(given_structure: Structure, run: Run) -> bool:
    """Return whether a run contradicts no row of a structure."""
    whole = structure_of_run(run)
    for name in TIMED:
        table, right = given_structure.tables.get(name), whole.tables[name].certain
        if table and (not table.certain <= right or any(table.holds(row) is False for row in right)):
            return False
    return True


@st.composite
def partial_structures(draw: st.DrawFn) -> tuple[Level, Structure]:
    """Structures with parts of one run's facts, and sometimes a fact of another run."""
    run = draw(runs(most=2, horizon=2))
    others = list(all_runs(run.level, run.horizon))
    tables: dict[str, Table] = {}
    for name in draw(st.sets(st.sampled_from(TIMED), min_size=1)):
        source = draw(st.sampled_from([run, draw(st.sampled_from(others))]))
        table = structure_of_run(source).tables[name]
        rows = sorted(table.certain, key=str)
        some = frozenset(draw(st.lists(st.sampled_from(rows), max_size=3))) if rows else frozenset()
        truth = draw(st.sampled_from(["", "ct", "cf"]))
        tables[name] = Table({truth: table.certain if not truth else some}, table.function)
    return run.level, Structure(board_tables(run.level, run.horizon) | tables)


@pytest.mark.slow
@given(partial_structures())
def test_completion_agrees_with_all_runs(case: tuple[Level, Structure]) -> None:
    board, given_structure = case
    fitting = [
        run for run in all_runs(board, horizon_of(given_structure)) if is_consistent(given_structure, run)
    ]
    verdict = check_model(given_structure)
    assert verdict.holds == bool(fitting)
    if fitting:
        assert verdict.run in fitting
    else:
        assert verdict.violation is not None


def test_move_in_wrong_direction_is_a_violation() -> None:
    tables = board_tables(sample_board(), 1) | {
        "MoveAt": Table({"ct": frozenset({(0, Call("CM", (0, Call("left"))))})}, True)
    }
    assert str(check_model(Structure(tables)).violation).startswith(
        "S6 at time 0, MoveAt: CM(0,left) is no move"
    )
