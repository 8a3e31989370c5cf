"""Hints and programs of a session: what they win is no best count, and no level of the player's."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.core.sessions import null

import gridproof as gp
from gridproof.core.session import Session

RACES = (
    "robots 3x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na A .\nb B .\n"
    "\nrobots 3x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na . A\nb . B\n"
)
TILES = "2048 2x2 target=8\n2 2\n0 0\n"
PROGRAM = {"b": "planner"}
RACE = {"a": "random", "b": "planner"}


def races() -> Session:
    return Session(gp.read(RACES))


def test_win_of_a_program_does_not_complete_the_level() -> None:
    session = races()
    session.act("b:walk(1,0)", PROGRAM)
    assert (session.position.won, session.completed, session.is_won_by_programs()) == (True, (), True)
    session.undo()
    assert not session.is_won_by_programs()
    session.redo()
    assert (session.completed, session.programs) == ((), PROGRAM)
    session.restart()
    session.act("a:walk(1,0)", PROGRAM)
    assert (session.completed, session.is_won_by_programs()) == ((0,), False)


def test_race_completes_no_level() -> None:
    session = races()
    session.act("a:walk(1,0)", RACE)
    assert (session.position.won, session.completed, session.is_race) == (True, (), True)
    session.undo()
    assert (session.is_race, session.programs) == (False, {})


def test_level_won_by_programs_begins_again_when_it_follows() -> None:
    session = races()
    session.act("b:walk(1,0)", PROGRAM)
    session.go_on()
    assert session.current == 1
    for _ in range(2):
        session.act("a:walk(1,0)")
    assert session.completed == (1,)
    session.go_on()
    assert (session.current, session.actions_done, session.completed) == (0, 0, (1,))


def test_action_without_programs_ends_a_race() -> None:
    session = races()
    session.select(1)
    session.act("b:walk(1,0)", RACE)
    session.act("a:walk(1,0)")
    assert (session.is_race, session.programs) == (False, {})


def test_hints_are_noted_until_a_new_game_of_chance() -> None:
    session = Session(gp.read(TILES))
    session.note_help()
    assert session.is_helped()
    assert session.copy().is_helped()
    session.new_game()
    assert not session.is_helped()


@pytest.mark.parametrize("begin_anew", ["restart", "new_game"])
def test_hints_are_noted_when_a_level_without_chance_begins_anew(begin_anew: str) -> None:
    session = Session(gp.read("######\n#@ $.#\n######\n"))
    session.act("right")
    session.note_help()
    getattr(session, begin_anew)()
    assert (session.is_helped(), session.actions_done) == (True, 0)


@pytest.mark.parametrize("begin_anew", [Session.restart, lambda session: session.select(0)])
def test_hints_are_noted_when_a_won_level_begins_anew(begin_anew: Callable[[Session], None]) -> None:
    session = Session(gp.read("#####\n#@$.#\n#####\n"))
    session.note_help()
    session.act("right")
    begin_anew(session)
    assert (session.is_helped(), session.actions_done) == (True, 0)


def test_restart_after_a_hint_is_a_new_game_without_hints_where_chance_acts() -> None:
    session = Session(gp.read(TILES))
    seed = session.level_seed
    session.act("left")
    session.note_help()
    session.restart()
    assert (session.is_helped(), session.actions_done, session.level_seed) == (False, 0, seed)
    assert session.actions_undone == 0  # moves after a hint would be a win without hints


def test_hint_is_not_noted_when_the_store_fails() -> None:
    class FullStore:
        def high_score(self, key: str) -> int:
            return 0

        def keep(self, *change: object) -> None:
            raise gp.GridproofError("the disk is full")

    session = Session(null("@.o"), store=FullStore())
    with pytest.raises(gp.GridproofError, match="the disk is full"):
        session.note_help()
    with pytest.raises(gp.GridproofError, match="the disk is full"):
        session.act("right", PROGRAM)
    assert (session.is_helped(), session.programs, session.actions_done) == (False, {}, 0)
