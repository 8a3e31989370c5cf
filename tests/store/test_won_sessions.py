"""Tests of won games among the saved ones."""

from __future__ import annotations

import gridproof as gp
from gridproof.store import Store
from gridproof.table.game_store import unfinished_games


def _titles(store: Store) -> list[tuple[str, bool]]:
    return [(one.title, one.won) for one in store.saved()]


def test_saved_games_tell_whether_they_are_won() -> None:
    store = Store("sqlite://")
    first, walk = gp.levels_at("null/first/1"), gp.levels_at("null/first/2")
    session = gp.Session(first, 1, store)
    gp.Session(walk, 1, store).act("right")
    session.act("right")
    assert session.position.won
    assert _titles(store) == [(first[0].title, True), (walk[0].title, False)]
    assert [one.title for one in unfinished_games(store)] == [walk[0].title]
    session.undo()
    assert _titles(store)[0] == (first[0].title, False)
    session.redo()
    assert _titles(store)[0] == (first[0].title, True)
    session.restart()
    assert _titles(store)[0] == (first[0].title, False)


def test_unfinished_games_leaves_out_sessions_without_a_move() -> None:
    store = Store("sqlite://")
    walk = gp.levels_at("null/first/2")
    session = gp.Session(walk, 1, store)
    session.restart()
    assert [one.played for one in store.saved()] == [False]
    assert [*unfinished_games(store)] == []
    session.act("right")
    assert [*unfinished_games(store)] == [*store.saved()]
    session.undo()
    assert [one.played for one in store.saved()] == [True]


def test_unfinished_games_keeps_won_games_that_can_continue() -> None:
    store = Store("sqlite://")
    level = gp.read("2048 2x2 target=8\n4 4\n0 0\n")
    session = gp.Session(level, 1, store)
    session.act("left")
    assert session.position.won
    assert [(one.game, one.won) for one in unfinished_games(store)] == [("twenty48", True)]


def test_unfinished_games_leave_out_a_game_without_any_action_left() -> None:
    store = Store("sqlite://")
    session = gp.Session(gp.read("2048 2x2 target=16\n4 4\n2 4\n"), 1, store)
    session.act("left")
    assert not session.position.actions()
    assert not session.position.won
    assert [*unfinished_games(store)] == []
    session.undo()
    assert [*unfinished_games(store)] == [*store.saved()]


def test_unfinished_games_leave_out_a_race_that_programs_have_won() -> None:
    store = Store("sqlite://")
    text = "robots 4x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na . . A\nb . B .\n"
    session = gp.Session(gp.read(text), 1, store)
    session.act("a:walk(1,0)", {"b": "planner"})
    assert [*unfinished_games(store)] == [*store.saved()]
    session.act("b:walk(2,0)", {"b": "planner"})
    assert session.position.won
    assert [*unfinished_games(store)] == []
    assert [(one.won, one.has_programs) for one in store.saved()] == [(False, True)]
    session.undo()
    assert [*unfinished_games(store)] == [*store.saved()]
