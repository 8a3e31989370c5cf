"""Tests of the store for many sessions: changes are saved in groups."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import sqlalchemy as sa

import gridproof as gp
from gridproof.store import GroupedStore, Store
from gridproof.store import changes as writing
from gridproof.store.changes import Change, build_change, write
from gridproof.store.group_commit import group_interval
from gridproof.store.rows import Row, upsert
from gridproof.store.store import _new_mark

ROOM = "@......o"


class Held(GroupedStore):
    """A store whose writer waits until it is let go, and that tells what is written together."""

    def __init__(self, url: str) -> None:
        self.begun, self.free = threading.Event(), threading.Event()
        self.written: list[list[str]] = []
        super().__init__(url)

    def _write(self, changes: Sequence[Change]) -> None:
        self.begun.set()
        self.free.wait(30)
        self.written.append([change.name for change in changes])
        super()._write(changes)


class Resting(Held):
    """A store that rests between two groups until it is woken."""

    def __init__(self, url: str) -> None:
        self.rests, self.woken = threading.Event(), threading.Event()
        super().__init__(url)
        self.free.set()

    def _sleep(self, seconds: float) -> None:
        self.rests.set()
        self.woken.wait(30)


def test_changes_during_a_pause_are_one_group(url: str) -> None:
    store = Resting(url)
    first, second, third = (gp.Session(gp.read(ROOM, "null"), seed, store) for seed in range(3))
    first.act("right")
    assert store.rests.wait(30)
    for session in (second, third, second):
        session.act("right")
    store.woken.set()
    store.close()
    assert [len(names) for names in store.written] == [1, 2]
    assert Store(url).resume(str(store.id_of(second))).actions_done == 2


def test_groups_grow_with_load() -> None:
    assert group_interval(1) < group_interval(20) < group_interval(50) == group_interval(5000)


@pytest.mark.usefixtures("only_new_garbage")
def test_saved_session_can_be_garbage_collected(url: str) -> None:
    store = GroupedStore(url)
    session = gp.Session(gp.read(ROOM, "null"), store=store)
    session.act("right")
    assert waited(store, session) == {}
    gone = weakref.ref(session)
    del session
    gc.collect()
    assert gone() is None
    store.close()


@pytest.fixture
def store(url: str) -> Iterator[Held]:
    open_engine = Held(url)
    yield open_engine
    open_engine.free.set()
    open_engine.close()


def begun(store: Held, number: int = 1) -> list[gp.Session]:
    sessions = [gp.Session(gp.read(ROOM, "null"), store=store) for _ in range(number)]
    for session in sessions:
        session.act("right")
    return sessions


def waited(store: GroupedStore, session: gp.Session) -> dict[str, Any]:
    kept = store.pending_save(session)
    return dict(kept.result(30)) if kept else {}


def test_waiting_changes_are_written_in_one_transaction(store: Held) -> None:
    (first,) = begun(store)
    store.begun.wait(30)
    others = begun(store, 20)
    for session in others:
        session.act("right")
    store.free.set()
    assert waited(store, others[-1]) == {}
    assert [len(group) for group in store.written][-1] == 20
    assert len(store.written) == 2
    again = Store(store.url)
    assert [again.resume(str(store.id_of(one))).actions_done for one in (first, *others)] == [1] + [2] * 20


def test_group_saves_undone_replaced_and_new_games(store: Held) -> None:
    (session,) = begun(store)
    session.act("right")
    session.undo(2)
    session.act("hop")
    session.new_game()
    session.act("right")
    session.undo()
    store.free.set()
    waited(store, session)
    again = Store(store.url).resume(str(store.id_of(session)))
    assert (again.history, again.actions_undone) == (session.history, 1)
    assert again.trace() == session.trace()


def test_win_is_saved_with_its_trace(store: Held) -> None:
    session = gp.Session(gp.read("@.o", "null"), store=store)
    session.act("right")
    session.act("right")
    store.free.set()
    waited(store, session)
    assert store.best(session.levels[0])["actions"].value == 2


def test_conflicting_session_is_refused_and_others_are_saved(store: Held) -> None:
    store.free.set()
    one, other = begun(store, 2)
    waited(store, other)
    elsewhere = Store(store.url).resume(str(store.id_of(one)))
    elsewhere.act("right")
    store.free.clear()
    one.undo()
    other.act("right")
    store.free.set()
    failures = waited(store, other)
    assert [*failures] == [store.id_of(one)]
    assert "changed elsewhere" in str(failures[str(store.id_of(one))])
    assert Store(store.url).resume(str(store.id_of(other))).actions_done == 2
    assert Store(store.url).resume(str(store.id_of(one))).actions_done == 2
    assert store.has_failed(one)
    with pytest.raises(gp.GridproofError, match="open the game again"):
        one.redo()
    assert one.actions_done == 0


def test_save_succeeds_when_answer_of_commit_was_lost(store: Held) -> None:
    store.free.set()
    (session,) = begun(store)
    waited(store, session)
    commit = store._engine.dialect.do_commit

    def unanswered(connection: Any) -> None:
        commit(connection)
        monkeypatch.undo()
        raise sa.exc.OperationalError("COMMIT", {}, ValueError("the server has gone"))

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(store._engine.dialect, "do_commit", unanswered)
        session.act("right")
        assert waited(store, session) == {}
    session.act("right")
    assert waited(store, session) == {}
    assert Store(store.url).resume(str(store.id_of(session))).actions_done == 3


def test_close_writes_waiting_changes(url: str) -> None:
    store = GroupedStore(url)
    session = gp.Session(gp.read(ROOM, "null"), store=store)
    session.act("right")
    store.close()
    assert Store(url).resume(str(store.id_of(session))).actions_done == 1


def test_high_scores_are_read_once(store: Held) -> None:
    store.free.set()
    session = gp.Session(gp.read("2048 2x2\n2 2\n0 0\n"), store=store)
    key = session.score_key
    assert store.high_score(key) == 0
    session.act("left")
    assert store.high_score(key) == 4
    waited(store, session)
    assert Store(store.url).high_score(key) == 4


def statements(store: Held, sessions: int) -> int:
    """Count the statements that write a group of sessions, each with an action."""
    played = [gp.Session(gp.read(ROOM, "null"), seed, store) for seed in range(sessions)]
    for session in played:
        session.act("right")
        waited(store, session)
    count = 0

    def executed(*told: Any) -> None:
        nonlocal count
        *_, rows, _, row_by_row = told
        count += len(rows) if row_by_row else 1

    sa.event.listen(store._engine, "before_cursor_execute", executed)
    with store._engine.begin() as connection:
        for session in played:
            session._store = None
            session.act("right")
        write(connection, [store._change(session, 0, False, ()) for session in played])
    sa.event.remove(store._engine, "before_cursor_execute", executed)
    return count


def test_number_of_statements_does_not_grow_with_group(store: Held) -> None:
    store.free.set()
    assert statements(store, 2) == statements(store, 12)


def test_databases_without_upserts_are_written_row_by_row(
    store: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gridproof.store.rows.JSON_ROWS_SINCE", (99,))
    store.free.set()
    (session,) = begun(store)
    session.undo()
    session.act("hop")
    waited(store, session)
    assert Store(store.url).resume(str(store.id_of(session))).trace() == session.trace()


def test_marks_are_unique_across_threads() -> None:
    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            marks = [*threads.map(lambda _: [_new_mark() for _ in range(2000)], range(4))]
    finally:
        sys.setswitchinterval(switch)
    assert len({mark for own in marks for mark in own}) == 8000


def test_failed_save_is_reported_to_late_callers(store: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise sa.exc.OperationalError("INSERT", {}, Exception("disk is full"))

    monkeypatch.setattr("gridproof.store.changes.upsert", full)
    store.free.set()
    (session,) = begun(store)
    store._last[session].pending_save.result(30)
    assert "disk is full" in str(waited(store, session)[str(store.id_of(session))])


def test_shared_rows_are_written_in_a_fixed_order(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else two processes could each wait for a row that the other has written."""
    written: dict[str, list[object]] = {"packs": [], "bests": []}

    def noted(connection: Any, table: sa.Table, rows: Sequence[Row], *better: Any) -> None:
        keys = [column.name for column in table.primary_key]
        written.setdefault(table.name, []).extend([row[key] for key in keys] for row in rows)
        upsert(connection, table, rows, *better)

    monkeypatch.setattr(writing, "upsert", noted)
    store, changes = Store(url), []
    for text in ("@o", "@.o", "@..o", "@...o", "@....o", "@.....o"):
        session = gp.Session(gp.read(text, "null"))
        for _ in text[1:]:
            session.act("right")
        changes.append(build_change(session, (text, None, _new_mark()), [0], {}, won=0))
    store._write(changes)
    for rows in (written["packs"], written["bests"]):
        assert len(rows) == 6
        assert rows == sorted(rows, key=str)
