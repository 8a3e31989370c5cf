"""Tests of the store: every answered action is saved."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa

import gridproof as gp
from gridproof.core.text.level_lookup import builtin_pack
from gridproof.games import null, shiftit
from gridproof.store import Store
from gridproof.store.changes import _insert_wins


def levels() -> gp.Pack:
    return builtin_pack(gp.game("null"), "first")


def test_session_is_resumed_as_it_was_left(url: str) -> None:
    session = gp.Session(levels(), seed=7, store=Store(url))
    session.select(1)
    for action in ("hop", "right", "left", "hop"):
        session.act(action)
    session.undo(2)
    [line] = Store(url).saved()
    assert (line.game, line.title) == ("null", levels()[1].title)
    again = Store(url).resume(line.id)
    assert again.position == session.position
    assert again.current == 1
    assert again.history == session.history
    assert again.actions_undone == 2
    again.redo(2)
    session_redone = gp.Session(levels(), seed=7)
    session_redone.select(1)
    for action in ("hop", "right", "left", "hop"):
        session_redone.act(action)
    assert again.position == session_redone.position


@pytest.mark.clause("T4")
def test_high_score_belongs_to_level_that_was_left(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game may keep scores and go on to the next level: the points are those of the level just won."""
    policy = dataclasses.replace(
        null.GAME.policy, keeps_score=True, next_level_after_win=True, score_key=lambda level: level.title
    )
    scoring = dataclasses.replace(null.GAME, policy=policy)
    monkeypatch.setattr(null, "GAME", scoring)
    monkeypatch.setattr("gridproof.core.session._HIGH_SCORES", {})
    store = Store(url)
    session = gp.Session(levels(), store=store, score=50)
    session.act("right")
    assert session.current == 1
    first, second = (f"null {level.title}" for level in levels()[:2])
    assert store.high_score(first) == 50
    assert store.high_score(second) == 0


@pytest.mark.clause("T12")
def test_initial_score_is_resumed(url: str) -> None:
    session = gp.Session(gp.read("2048 2x2 target=64\n2 2\n2 2\n"), store=Store(url), score=100)
    session.act("left")
    again = Store(url).resume(Store(url).saved()[0].id)
    assert again.score == session.score == 108
    again.undo()
    assert again.score == 100
    assert Store(url).resume(Store(url).saved()[0].id).score == 100
    again.new_game()
    assert Store(url).resume(Store(url).saved()[0].id).score == 0


@pytest.mark.clause("T4", "T12")
def test_score_is_refused_when_too_large_for_store(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.core.session._HIGH_SCORES", {})
    boards = gp.read("2048 2x2 target=64\n2 2\n2 2\n")
    store = Store(url)
    session = gp.Session(boards, store=store, score=10**30)
    with pytest.raises(gp.GridproofError, match=r"the store .*: .*too large"):
        session.act("left")
    assert (session.actions_done, store.saved()) == (0, ())
    most = gp.Session(boards, store=store, score=2**63 - 5)  # it can be brought, but 8 more cannot be kept
    with pytest.raises(gp.GridproofError, match=r"the store .*: .*too large"):
        most.act("left")
    assert store.high_score(most.score_key) == 0


@pytest.mark.clause("T4")
def test_high_scores_are_written_only_when_they_rise(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.core.session._HIGH_SCORES", {})
    small, large = gp.read("2048 2x2 target=64\n2 2\n2 2\n"), gp.read("2048 3x3\n2 2 0\n2 2 0\n0 0 0\n")
    store = Store(url)
    session = gp.Session([*small, *large], store=store)
    written: list[object] = []

    @sa.event.listens_for(store._engine, "before_cursor_execute")
    def executed(_connection: object, _cursor: object, statement: str, values: object, *_: object) -> None:
        if statement.startswith(("INSERT INTO scores", "UPDATE scores")):
            written.append(values)

    session.act("left")
    first = session.score_key
    assert store.high_score(first) == 8
    session.select(1)
    written.clear()
    session.undo(0)
    assert written == []
    session.act("left")
    assert store.high_score(session.score_key) == 8
    assert written
    assert not any(first in str(values) for values in written)
    written.clear()
    session.undo()
    session.redo()
    assert written == []
    assert store.high_score(session.score_key) == 8


def test_store_returns_best_counts_and_finished_traces(url: str) -> None:
    store = Store(url)
    session = gp.Session(levels(), store=store)
    session.act("left")
    session.act("right")
    session.act("right")
    assert store.best(levels()[0])["actions"].value == 3
    other = gp.Session(levels(), store=Store(url))
    other.act("right")
    best = store.best(levels()[0])["actions"]
    assert best.value == 1
    assert best.trace.replay().won
    assert len(store.traces(levels()[0])) == 2


def test_win_with_hints_counts_as_won_but_not_as_best(url: str) -> None:
    store, (first, second) = Store(url), levels()[:2]
    session = gp.Session(first, store=store)
    session.note_help()
    session.act("right")
    assert (store.best(first), store.won([first, second, first])) == ({}, [True, False, True])
    again = gp.Session(first, store=store)
    again.act("right")  # the same trace without hints
    assert store.best(first)["actions"].value == 1
    assert len(store.traces(first)) == 1
    session.new_game()  # of the same level, whose solution is known
    assert session.is_helped()


RACE = "robots 3x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na A .\nb B .\n"


def test_hints_and_programs_are_resumed_with_their_session(url: str) -> None:
    store = Store(url)
    session = gp.Session(gp.read(f"{RACE}\n{RACE}"), store=store)
    session.note_help()
    name = str(store.id_of(session))
    assert Store(url).resume(name).is_helped()
    session.act("b:walk(1,0)", {"b": "planner"})
    session.select(1)
    session.act("a:walk(1,0)", programs := {"a": "random", "b": "planner"})
    again = Store(url).resume(name)
    assert (again.is_helped(0), again.is_helped(1)) == (True, False)
    assert (again.is_won_by_programs(0), again.is_won_by_programs(1)) == (True, True)
    assert (again.programs, again.is_race, again.completed) == (programs, True, ())


def test_win_of_a_program_is_no_win_of_the_level(url: str) -> None:
    store, (level,) = Store(url), gp.read(RACE)
    session = gp.Session(level, store=store)
    session.act("b:walk(1,0)", {"b": "planner"})
    assert (store.best(level), store.won([level])) == ({}, [False])
    assert not Store(url).saved()[0].won
    session.restart()
    session.act("a:walk(1,0)", {"b": "planner"})
    assert (store.best(level)["actions"].value, store.won([level])) == (1, [True])


def test_best_trace_may_exceed_the_text_limit(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (level,) = gp.read("#####\n#@$.#\n#####\n")
    store = Store(url)
    gp.Session([level], store=store).act("right")
    monkeypatch.setattr("gridproof.core.text.files.LARGEST", 50)
    assert store.best(level)["actions"].trace.replay().won
    assert len(store.traces(level)) == 1


def test_two_players_of_one_session_do_not_overwrite_each_other(url: str) -> None:
    session = gp.Session(levels()[1], store=Store(url))
    session.act("right")
    other = Store(url).resume(Store(url).saved()[0].id)
    other.act("right")
    with pytest.raises(gp.GridproofError, match="was changed elsewhere"):
        session.act("left")
    assert Store(url).resume(Store(url).saved()[0].id).position == other.position


def test_session_from_another_store_is_saved_completely(url: str) -> None:
    played = gp.Session(gp.read("######\n#@$.##\n######\n\n########\n#@ $  .#\n########"))
    for action in ("right", "right", "right", "right"):
        played.act(action)
    plays = {place: kept for place in range(2) if (kept := played.to_data(place))}
    store = Store(url)
    session = gp.Session.resume(played.levels, 0, played.current, plays, store=store)
    session.undo()
    again = store.resume(str(store.id_of(session)))
    assert again.history == session.history
    assert again.actions_undone == 1
    assert again.trace(0) == played.trace(0)
    assert again.completed == (0,)


def test_equal_levels_share_best_counts_whatever_their_titles(url: str) -> None:
    rows = "######\n#@$ .#\n######\n"
    plain, told = gp.read(rows)[0], gp.read(f"; A level\n{rows}Author: me\nDate: now\n; hard")[0]
    assert plain == told
    store = Store(url)
    session = gp.Session(told, store=store)
    session.act("right")
    session.act("right")
    assert store.best(plain)["pushes"].value == 2


def test_level_is_saved_when_its_own_format_cannot_write_it(url: str) -> None:
    colours = enumerate(("red", "blue", "red"), 1)
    level = shiftit.Level([shiftit.Tile(f"t{x}", x, 1, colour) for x, colour in colours])
    store = Store(url)
    session = gp.Session(level, store=store)
    session.act("RM(1,left)")
    assert store.resume(str(store.latest([level]))).position == session.position


def test_session_from_mid_game_is_resumed(url: str) -> None:
    start = gp.position("robots 4x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na> . . A\nb . B .\n")
    store = Store(url)
    session = gp.Session(start.level, store=store)
    session.act(start.actions()[0])
    assert store.resume(str(store.id_of(session))).position == session.position


def record_writes(store: Store) -> list[tuple[str, int]]:
    """Collect the written tables, each with the number of rows in a statement."""
    told: list[tuple[str, int]] = []

    @sa.event.listens_for(store._engine, "before_cursor_execute")
    def executed(_c: object, _d: object, statement: str, values: object, _x: object, many: bool) -> None:
        if statement.startswith(("INSERT", "UPDATE", "DELETE")):
            told.append((statement.partition("SET")[0].partition("(")[0], len(values) if many else 1))  # type: ignore[arg-type]  # several rows have a length

    return told


def test_size_of_save_does_not_grow_with_history(url: str) -> None:
    store = Store(url)
    session = gp.Session(gp.read("@....o", "null"), store=store)
    session.act("right")
    told = record_writes(store)
    written = []
    for _ in range(2):
        for call in (
            lambda: session.act("left"),
            session.undo,
            session.restart,
            lambda: session.act("right"),
        ):
            told.clear()
            call()
            written.append([*told])
        for action in ("right", "left") * 10:
            session.act(action)
    assert written[:4] == written[4:]
    assert all(rows == 1 for changes in written for _, rows in changes)
    assert max(map(len, written)) == 3


def test_replaced_steps_are_deleted(url: str) -> None:
    store = Store(url)
    session = gp.Session(gp.read("...@..o", "null"), store=store)
    for action in ("left", "left", "right"):
        session.act(action)
    session.restart()
    session.act("right")
    again = store.resume(str(store.id_of(session)))
    assert (again.history, again.actions_undone) == (session.history, 0)
    again.act("left")
    again.undo(2)
    assert Store(url).resume(str(store.id_of(session))).actions_undone == 2


def test_latest_session_does_not_depend_on_the_clock(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class BackwardClock:
        year = 2030

        def now(self, zone: datetime.tzinfo) -> datetime.datetime:
            self.year -= 1
            return datetime.datetime(self.year, 1, 1, tzinfo=zone)

    monkeypatch.setattr("gridproof.store.store.datetime", BackwardClock())
    store = Store(url)
    first, second = (gp.Session(levels(), store=store) for _ in range(2))
    for session in (first, second, first):
        session.act("left" if session.actions_done == 0 else "right")
        assert store.latest() == store.saved()[0].id == store.id_of(session)


def test_reading_does_not_wait_for_writers(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    url, level = f"sqlite:///{file}", gp.read("@.o", "null")[0]
    session = gp.Session(level, store=(store := Store(url)))
    for _ in range(2):
        session.act("right")
    writer = sqlite3.connect(file, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    other = Store(url)  # opening one takes no lock either, where its schema is up to date
    name = other.latest()
    assert name == store.id_of(session) == other.saved()[0].id
    assert other.resume(name).completed == (0,)
    assert other.best(level)["actions"].value == 2
    assert len(other.traces(level)) == 1
    assert other.high_score("null") == 0
    writer.execute("ROLLBACK")
    writer.close()


def test_best_counts_of_many_levels_take_one_query(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.store.store._BATCH", 2)
    levels = gp.read("#####\n#@$.#\n#####\n\n######\n#@ $.#\n######\n\n######\n#@$ .#\n######\n")
    with contextlib.closing(Store(f"sqlite:///{tmp_path / 'best.sqlite'}")) as store:
        assert store.best_counts(levels) == [{}, {}, {}]
        gp.Session(levels[0], store=store).act("right")
        session = gp.Session(levels[2], store=store)
        session.act("right")
        session.act("right")
        first, third = ({"actions": n, "moves": n, "pushes": n} for n in (1, 2))
        assert store.best_counts([*levels, levels[0]]) == [first, {}, third, first]
        assert {name: best.value for name, best in store.best(levels[2]).items()} == third
        assert store.best_counts([]) == []


def test_move_does_not_rewrite_levels(url: str) -> None:
    """A pack may have hundreds of thousands of characters."""
    levels = [*gp.read("\n".join(["@..o"] + ["@" + "." * 200 + "o"] * 300), "null")]
    store = Store(url)
    session = gp.Session(levels, store=store)
    session.act("right")
    written = Path(url.removeprefix("sqlite:///") + "-wal")
    before = written.stat().st_size
    session.act("left")
    assert written.stat().st_size - before < 60_000 < len(gp.write(levels))


def test_levels_are_deleted_with_their_last_session(url: str) -> None:
    store = Store(url)
    sessions = [gp.Session(gp.read(text, "null"), store=store) for text in ("@..o", "@..o", "@.o")]
    for session in sessions:
        session.act("right")
    first, second, other = (str(store.id_of(session)) for session in sessions)

    def kept() -> list[str]:
        with contextlib.closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            return [text for (text,) in connection.execute("SELECT text FROM packs ORDER BY text")]

    store.forget(first)
    assert kept() == ["@..o\n", "@.o\n"]
    store.forget(second)
    store.forget("nobody")
    assert kept() == ["@.o\n"]
    assert store.resume(other).position == sessions[2].position


def test_latest_session_is_of_the_given_game(url: str) -> None:
    """A game that was made of a copy of another has the same texts."""
    store, levels = Store(url), gp.read("@..o", "null")
    session = gp.Session(levels, store=store)
    session.act("right")
    assert store.latest(levels) == store.id_of(session)
    with contextlib.closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection, connection:
        connection.execute("UPDATE sessions SET game = 'copied'")
    assert store.latest(levels) is None


def test_resume_says_that_the_game_is_not_installed(url: str) -> None:
    session = gp.Session(levels(), store=Store(url))
    session.act("right")
    database = sa.create_engine(url)
    with database.begin() as connection:
        connection.execute(sa.text("update sessions set game = 'gone'"))
    database.dispose()
    [line] = Store(url).saved()
    with pytest.raises(gp.GridproofError, match=r"^the game gone is not installed$"):
        Store(url).resume(line.id)


def test_win_with_hints_leaves_the_best_of_the_same_win_without(url: str) -> None:
    store, (level, *_) = Store(url), levels()
    session = gp.Session(level)
    session.act("right")
    trace, costs = session.trace(0), session.costs(0)
    for wins in ([(trace, costs), (trace, {})], [(trace, {}), (trace, costs)]):
        with store._engine.begin() as connection:
            rows = _insert_wins(connection, wins)
        assert {row["measure"]: row["value"] for row in rows} == costs
