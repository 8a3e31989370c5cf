"""The store in another database: PostgreSQL, where its programs are installed (`make postgresql`)."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from tests.postgresql import INITDB, Control, open_folder, running, url_in

import gridproof as gp
from gridproof.store import GroupedStore, Store, database, digest
from gridproof.store.changes import write
from gridproof.store.invitations import Invitation

pytest.importorskip("psycopg", reason="no driver for PostgreSQL: pip install gridproof[postgresql]")
pytestmark = pytest.mark.skipif(INITDB is None, reason="PostgreSQL is not installed: make postgresql")

WINNER = """
import sys
import gridproof as gp
from gridproof.store import Store
store = Store(sys.argv[1])
for detours in range(int(sys.argv[2]), 12, 2):
    session = gp.Session(gp.read(".@...o", "null"), store=store)
    for action in ["left", "right"] * detours + ["right"] * 4:
        session.act(action)
"""


@pytest.fixture(autouse=True)
def _closed(close_stores: None) -> None:
    """Close the stores of all tests here."""


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with open_folder() as found:
        yield found


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Control]:
    with running(folder) as control:
        yield control


@pytest.fixture(scope="module")
def url(folder: Path, server: Control) -> str:
    return url_in(folder)


def new_database(url: str, name: str) -> str:
    """The address of another database of the same server, which is empty."""
    server = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with server.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    return url.replace("/postgres?", f"/{name}?")


def wait_until_one_waits(connection: sa.Connection) -> None:
    """Wait until another connection waits for a lock that this one has."""
    for _ in range(600):
        if connection.scalar(sa.text("SELECT count(*) FROM pg_locks WHERE NOT granted")):
            return
        time.sleep(0.1)
    pytest.fail("nobody waits")


def test_store_error_says_to_start_a_server_that_does_not_answer() -> None:
    with pytest.raises(gp.GridproofError, match=r"does not answer \(Connection refused\); start it"):
        Store("postgres://127.0.0.1:1/games")


@pytest.mark.slow
def test_postgresql_saves_sessions_scores_and_traces(url: str) -> None:
    store = Store(url)
    session = gp.Session(gp.levels_at("null/first"), seed=7, store=store)
    session.act("right")
    session.select(1)
    session.act("hop", programs := {"a": "random"})
    session.note_help()
    again = Store(url).resume(str(Store(url).latest()))
    assert (again.programs, again.is_helped(), again.is_helped(0)) == (programs, True, False)
    session.undo()
    again = Store(url).resume(str(Store(url).latest()))
    assert (again.position, again.current, again.actions_undone) == (session.position, 1, 1)
    assert store.best(gp.levels_at("null/first/1")[0])["actions"].value == 1
    level = gp.read("2048 2x2\n2 2\n0 0\n")[0]
    gp.Session(level, store=store).act("left")
    assert Store(url).high_score("twenty48 2x2 spec") == 4


@pytest.mark.slow
def test_postgresql_keeps_changes_of_two_processes(url: str) -> None:
    players = [subprocess.Popen([sys.executable, "-c", WINNER, url, str(first)]) for first in (0, 1)]
    assert [player.wait(timeout=600) for player in players] == [0, 0]
    level = gp.read(".@...o", "null")[0]
    assert len(Store(url).traces(level)) == 12
    assert Store(url).best(level)["actions"].value == 4


@pytest.mark.slow
def test_commit_is_verified_when_postgresql_restarts(url: str, server: Control) -> None:
    store = Store(url)
    session = gp.Session(gp.read("@....o", "null"), store=store)
    session.act("right")
    server("restart")
    session.act("right")  # nothing was under way: a new connection does
    dialect, commit = store._engine.dialect, store._engine.dialect.do_commit

    def unanswered(connection: Any) -> None:
        commit(connection)
        server("restart")
        connection.execute("SELECT 1")

    with pytest.MonkeyPatch.context() as restarting:
        restarting.setattr(dialect, "do_commit", unanswered)
        with pytest.raises(gp.GridproofError, match="the store"):
            session.act("right")
    assert session.actions_done == 2
    with pytest.raises(gp.GridproofError, match="saved after all"):
        session.act("left")
    assert session.actions_done == 3
    session.act("left")
    assert Store(url).resume(str(store.id_of(session))).history == session.history


@pytest.mark.slow
def test_ctrl_c_works_while_row_is_locked(url: str) -> None:
    store, other = Store(url), Store(url)
    session = gp.Session(gp.read("@....o", "null"), store=store)
    session.act("right")
    with other._engine.begin() as connection:
        connection.execute(sa.text("SELECT * FROM sessions FOR UPDATE"))
        timer = threading.Timer(0.5, signal.raise_signal, (signal.SIGINT,))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            session.act("right")
        timer.join()
    session.act("right")
    assert Store(url).resume(str(store.id_of(session))).history == session.history


@pytest.mark.slow
def test_grouped_store_saves_to_postgresql(url: str) -> None:
    store = GroupedStore(url)
    sessions = [gp.Session(gp.read(".@...o", "null"), store=store) for _ in range(30)]
    for session in sessions:
        for action in ("left", "right", "right"):
            session.act(action)
    kept = store.pending_save(sessions[-1])
    assert kept is None or not kept.result(60)
    again = Store(url)
    assert [again.resume(str(store.id_of(one))).actions_done for one in sessions] == [3] * 30
    name = str(store.id_of(sessions[0]))
    guest = store.invitations.add(Invitation(name, None, plays=False))
    assert store.invitations.get(guest) == Invitation(name, None, plays=False)
    level = gp.read("2048 2x2\n2 2\n0 0\n")[0]
    board = gp.Session(level, store=store)
    board.act("left")
    assert store.leaderboard.add(board.trace(), "Ada") == {"score": 1}
    assert store.leaderboard.add(board.trace(), "Bob") == {"score": 1}
    (first, second) = store.leaderboard.best(digest(level))["score"]
    assert (first.player, second.player, first.value) == ("Ada", "Bob", 4)
    again.forget(name)
    assert store.invitations.get(guest) is None
    sessions[0].act("right")
    gone = store.pending_save(sessions[0])
    assert gone is None or [*gone.result(60)] == [name]
    assert store.has_failed(sessions[0])
    store.close()


@pytest.mark.slow
def test_schema_is_migrated_by_one_process_while_others_wait(url: str) -> None:
    fresh = new_database(url, "fresh")
    engine = sa.create_engine(fresh, poolclass=sa.NullPool)
    with ThreadPoolExecutor(1) as another:
        with engine.begin() as connection:
            database._lock_schema(connection)
            database.upgrade(connection, database.VERSION)
            store = another.submit(Store, fresh)
            wait_until_one_waits(connection)
        assert store.result(60).saved() == ()


@pytest.mark.slow
def test_levels_are_not_deleted_while_a_session_is_written(url: str) -> None:
    store, other = Store(url), Store(url)
    first = gp.Session(gp.read("@.....o", "null"), store=store)
    first.act("right")
    change = store._change(gp.Session(gp.read("@.....o", "null")), 0, False, ())
    name = str(store.id_of(first))
    forgetting = threading.Thread(target=other.forget, args=(name,))
    with store._engine.begin() as connection:
        write(connection, [change])
        forgetting.start()
        wait_until_one_waits(connection)
    forgetting.join()
    assert store.mark_of(name) is None
    assert store.resume(change.name).position == gp.read("@.....o", "null")[0].start()
