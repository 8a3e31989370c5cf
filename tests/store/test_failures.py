"""A store that cannot be opened, a full disk, a commit without an answer, a lock that another holds."""

from __future__ import annotations

import signal
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

import gridproof as gp
from gridproof.store import Store, database


@pytest.mark.parametrize("broken", ["nonsense", "nosuch://x", "sqlite:////proc/nowhere/store.sqlite"])
def test_store_error_names_address_that_cannot_be_opened(broken: str) -> None:
    with pytest.raises(gp.GridproofError, match="the store"):
        Store(broken)


def test_store_error_names_url_of_a_file_that_was_given_as_a_path(tmp_path: Path) -> None:
    with pytest.raises(gp.GridproofError, match=f"for a file write sqlite:///{tmp_path}/store$"):
        Store(f"{tmp_path}/store")


def test_store_error_says_which_databases_are_possible() -> None:
    with pytest.raises(
        gp.GridproofError, match=r"mysql://me:\*\*\*@host/games is neither SQLite nor .*; write"
    ):
        Store("mysql://me:secret@host/games")


def test_store_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(gp.GridproofError, match=r"pip install 'gridproof\[postgresql\]'"):
        Store("postgresql://localhost:1/games")


def test_failed_save_leaves_no_gap_in_saved_actions(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(url)
    session = gp.Session(gp.read("#########\n#@   $ .#\n#########"), store=store)
    session.act("right")
    with monkeypatch.context() as broken:
        broken.setattr("gridproof.store.changes.upsert", _disk_full)
        with pytest.raises(gp.GridproofError, match="disk is full"):
            session.act("right")
    assert session.actions_done == 1
    session.act("right")
    session.act("right")
    again = store.resume(str(store.id_of(session)))
    assert again.history == session.history


def _disk_full(*_: object) -> None:
    raise sa.exc.OperationalError("INSERT", {}, Exception("database or disk is full"))


def test_folders_are_created_for_default_file_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(database.VARIABLE, raising=False)
    monkeypatch.setattr("platformdirs.user_data_dir", lambda name: str(tmp_path / "home" / name))
    assert Store().saved() == ()
    assert (tmp_path / "home" / "gridproof" / "gridproof.sqlite").is_file()
    with pytest.raises(gp.GridproofError, match=r"mistyped/store.sqlite: unable to open database file"):
        Store(f"sqlite:///{tmp_path}/mistyped/store.sqlite")
    assert not (tmp_path / "mistyped").exists()


@pytest.mark.parametrize("first", [True, False])
def test_unanswered_commit_is_verified(url: str, monkeypatch: pytest.MonkeyPatch, first: bool) -> None:
    store = Store(url)
    session = gp.Session(gp.read("@..o", "null"), store=store)
    if not first:
        session.act("right")
    commit = store._engine.dialect.do_commit

    def unanswered(connection: Any) -> None:
        commit(connection)
        raise sqlite3.OperationalError("server closed the connection unexpectedly")

    with monkeypatch.context() as restarting:
        restarting.setattr(store._engine.dialect, "do_commit", unanswered)
        with pytest.raises(gp.GridproofError, match="closed the connection"):
            session.act("right")
    assert session.actions_done == 1 - first
    with pytest.raises(gp.GridproofError, match="saved after all"):
        session.act("right")
    assert session.actions_done == 2 - first
    session.undo()
    assert store.resume(str(store.id_of(session))).history == session.history
    assert len(store.saved()) == 1


def test_failed_commit_is_verified_and_retried(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(url)
    session = gp.Session(gp.read("@..o", "null"), store=store)

    def refused(connection: Any) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    for _ in range(2):  # before the session is known, and after
        with monkeypatch.context() as broken:
            broken.setattr(store._engine.dialect, "do_commit", refused)
            with pytest.raises(gp.GridproofError, match="disk I/O error"):
                session.act("right")
        session.act("right")
        assert store.resume(str(store.id_of(session))).history == session.history
        session.undo()


def test_ctrl_c_works_while_store_is_locked(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite itself waits for a tenth of a second; between, Python waits, who hears the signal."""
    store = Store(url)
    session = gp.Session(gp.read("@..o", "null"), store=store)
    session.act("right")
    with store._engine.connect() as connection:
        assert connection.scalar(sa.text("PRAGMA busy_timeout")) == 100

    def interrupted(seconds: float) -> None:
        signal.raise_signal(signal.SIGINT)

    other = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with monkeypatch.context() as waiting:
        waiting.setattr("gridproof.store.database.time.sleep", interrupted)
        with pytest.raises(KeyboardInterrupt):
            session.act("right")
    assert session.actions_done == 1
    other.execute("ROLLBACK")
    other.close()
    session.act("right")
    assert store.resume(str(store.id_of(session))).history == session.history
