"""R20: belts that start again."""

from __future__ import annotations

import pytest
from tests.games.robots.boards import after, board, only, rows_of

from gridproof.games.robots import Carried, Response, Walked

FAILED, SUCCESS, WIN = Response.FAILED, Response.SUCCESS, Response.WIN


@pytest.mark.clause("R20")
def test_blocked_robot_wins_when_carried_home() -> None:
    position = board("a=A0 b=B90", "a> b> A", ". . .", ". . B")
    outcome = only(position, "b:walk(1,0)")
    assert outcome.events == (Walked("b", (1, 1), False, SUCCESS), Carried("a", (0, 0), (2, 0), WIN))
    assert outcome.position.won
    assert outcome.position.winners == ("a",)


@pytest.mark.clause("R20")
def test_carrying_continues_after_a_win() -> None:
    rows = ("a> . b> B .", ". A . . .", "c> . . . .", ". . . C .")
    position = board("a=A0 b=B0 c=A0", *rows)
    outcome = only(position, "b:walk(1,0)")
    assert outcome.events == (
        Walked("b", (3, 0), False, WIN),
        Carried("a", (0, 0), (1, 0), SUCCESS),
        Carried("c", (0, 2), (1, 2), SUCCESS),
    )
    both = board("a=A0 b=B0", "a> b> A", ". v .", ". B .")
    outcome = only(after(both, "b:rotate(90)"), "b:walk(1,0)")
    assert outcome.events == (Walked("b", (1, 2), True, WIN), Carried("a", (0, 0), (2, 0), WIN))
    assert outcome.position.winners == ("a", "b")


@pytest.mark.clause("R20")
def test_robots_are_carried_in_their_order_in_the_level() -> None:
    rows = ("c> b d<", ". . .", "a . .", ". A B", "C D .")
    for order, first in (("a=A0 b=B90 c=A0 d=A0", "c"), ("d=A0 c=A0 a=A0 b=B90", "d")):
        outcome = only(board(order, *rows), "b:walk(2,0)")
        (carried,) = outcome.events[1:]
        assert isinstance(carried, Carried)
        assert (carried.robot, carried.to) == (first, (1, 0))


@pytest.mark.clause("R20")
def test_passes_are_repeated_until_one_carries_none() -> None:
    rows = ("c> a> > b .", ". . . . .", ". A B C .")
    outcome = only(board("c=A0 a=A0 b=B90", *rows), "b:walk(1,0)")
    # in the first pass a still stands before c
    assert outcome.events[1:] == (
        Carried("a", (1, 0), (3, 0), SUCCESS),
        Carried("c", (0, 0), (2, 0), SUCCESS),
    )
    assert rows_of(outcome.position)[0] == "> > c> a ."


@pytest.mark.clause("R20")
def test_robot_is_carried_at_most_once_a_pass() -> None:
    rows = ("c> > a> b .", ". . . . .", ". A B C .")
    outcome = only(board("c=A0 a=A0 b=B90", *rows), "b:walk(1,0)")
    assert outcome.events[1:] == (
        Carried("c", (0, 0), (1, 0), SUCCESS),
        Carried("a", (2, 0), (3, 0), SUCCESS),
        Carried("c", (1, 0), (2, 0), SUCCESS),
    )


@pytest.mark.clause("R20", "R8")
def test_carry_is_omitted_when_it_breaks_r8() -> None:
    position = board("a=A0 b=B90 c=A0", "a> b> C", ". . .", "A B c")
    outcome = only(position, "b:walk(1,0)")
    assert outcome.events == (Walked("b", (1, 1), False, SUCCESS),)
    assert outcome.position.cell("a") == (0, 0)


@pytest.mark.clause("R20")
def test_carried_robot_keeps_its_rotation() -> None:
    position = board("b=B180 a=A90", "> bv .", ". . .", "a A B")
    assert after(position, "a:walk(0,-1)").rotation("b") == 180
