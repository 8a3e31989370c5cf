"""`claims` and `runs`: boards and structures, exit statuses, JSON."""

from __future__ import annotations

import pytest

from .conftest import Run

BOARD = "shiftit 2x2\nb r\nr b\n"
STRUCTURE = """\
structure S : ShiftItVoc {
  Time = { 0..2 } XCo = { 0; 1 } YCo = { 0; 1 } Tile = { a; b; c; d } IsLocked = { }
  Init_GetPos = { a->P(0,1); b->P(1,1); c->P(0,0); d->P(1,0) }
  Init_Colouring_Full = { a->"red"; b->"blue"; c->"blue"; d->"red" }
}
"""


@pytest.mark.clause("S19", "S24")
def test_claims_are_printed_one_by_one(run: Run) -> None:
    answer = run("claims", "shiftit/boards/1", "--horizon", "1")
    assert answer.status == 0
    assert answer.out.startswith("First shift: claim 1, T = 1: some run wins: holds (5 positions, ")
    assert "\n\nwitness, 1 move:\nbr\nrb\nwon false\n1  RM(0,left)\n" in answer.out
    assert answer.out.endswith("; vacuous: in no run a column moves there and back at once\n")
    refuted = run("claims", "-", "--horizon", "0", "--json", input=BOARD)
    assert refuted.status == 1
    lines = refuted.lines
    assert [line["holds"] for line in lines] == [False, True, True, False, False, True]
    assert [line["vacuous"] for line in lines] == [False, True, True, False, False, True]
    assert (lines[0]["claim"], lines[0]["horizon"], lines[0]["trace"]) == (1, 0, None)


@pytest.mark.clause("S16", "S19")
def test_claims_take_horizon_of_a_structure(run: Run) -> None:
    answer = run("runs", "-", "--json", input=STRUCTURE)
    assert answer.status == 0
    assert (answer.json["horizon"], answer.json["count"], answer.json["won"]) == (2, 8, 8)
    bare = STRUCTURE.replace("Time = { 0..2 }", "")
    assert run("runs", "-", input=bare).err == (
        "error: no times are listed; give a horizon with --horizon T\n"
    )
    assert run("runs", "-", "--horizon", "0", input=bare).out.startswith("S, T = 0: 1 run, 0 of them won")


def test_claims_refuse_unanswerable_input(run: Run) -> None:
    other = run("claims", "sokoban/first-steps/1", "--horizon", "1")
    assert other.status == 2
    assert other.err == "error: sokoban has no claims: they are about the runs of a level of shiftit\n"
    limited = run("runs", "shiftit/boards/23", "--horizon", "9", "--states", "400")
    assert (limited.status, limited.out) == (
        3,
        "Harbour, T = 9: no answer: the limit of positions was reached\n",
    )
    assert run("claims", "shiftit/boards/99", "--horizon", "1").status == 2


@pytest.mark.clause("S25")
def test_claims_answer_properties_by_name(run: Run) -> None:
    answer = run("properties", "shiftit/boards/4")
    assert answer.status == 1
    assert (
        "Small change: always-winnable: whatever has been done, the game can be won. This holds at the start. It holds in "
        in answer.out
    )
    lines = run("properties", "-", "--json", input=BOARD).lines
    assert [line["property"] for line in lines][:2] == ["guards", "won-has-ended"]
    assert all(line["holds"] for line in lines)
