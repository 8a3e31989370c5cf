"""A new store has all tables; stores of other schemas are refused."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.schema import CreateIndex, CreateTable

import gridproof as gp
from gridproof.store import Store, database
from gridproof.store.level_digest import text_digest
from gridproof.store.schema import metadata

NULL = gp.Pack(gp.read("@.o", "null")).text()
OLD_PACK = "INSERT INTO packs (id, text) VALUES (:id, :text)"
OLD_SESSION = (
    "INSERT INTO sessions (id, game, title, levels, seed, current, revision, changed)"
    " VALUES ('old', 'null', '', :levels, '7', 0, 1, '2026-01-31 12:00:00')"
)
OLD_PLAY = (
    "INSERT INTO plays (session, place, seed, done, finished, length) VALUES ('old', 0, '7', 1, FALSE, 1)"
)
OLD_STEP = "INSERT INTO steps (session, place, number, action, label) VALUES ('old', 0, 1, 'right', '')"


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The address of a store that there is not yet."""
    return f"sqlite:///{tmp_path / 'store.sqlite'}"


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        ("9999", "newer than 0009 of this gridproof; update gridproof"),
        ("0003", "from before the first release; move it away, and gridproof begins a new one"),
    ],
)
def test_store_of_another_schema_is_refused(url: str, version: str, reason: str) -> None:
    Store(url).close()
    with sa.create_engine(url, poolclass=sa.NullPool).begin() as connection:
        connection.execute(sa.text(f"UPDATE alembic_version SET version_num = '{version}'"))
    with pytest.raises(gp.GridproofError, match=f"is of schema {version}, {reason}$"):
        Store(url)


def test_migrations_create_current_schema(url: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    Store(url).close()
    with sa.create_engine(url, poolclass=sa.NullPool).connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_schema_changes_only_with_its_version() -> None:
    tables = "".join(str(CreateTable(table)) for table in metadata.sorted_tables)
    indexes = sorted(str(CreateIndex(index)) for table in metadata.sorted_tables for index in table.indexes)
    found = hashlib.sha256("\n".join((tables, *indexes)).encode()).hexdigest()
    assert (database.VERSION, found) == (
        "0009",
        "2f0e44ee7f7684a0920e0e5d08ac843ff41ac8408ae3e243f948c39849fbacef",
    )


@pytest.mark.slow
def test_store_of_first_release_is_migrated(url: str) -> None:
    with sa.create_engine(url).begin() as connection:
        database.upgrade(connection, "0007")
        connection.execute(sa.text(OLD_PACK), {"id": text_digest(NULL), "text": NULL})
        connection.execute(sa.text(OLD_SESSION), {"levels": text_digest(NULL)})
        connection.execute(sa.text(OLD_PLAY))
        connection.execute(sa.text(OLD_STEP))
    store = Store(url)
    assert store.puzzles.count() == 0
    session = store.resume("old")
    assert (session.actions_done, session.is_helped(), session.programs) == (1, False, {})
    session.note_help()
    assert Store(url).resume("old").is_helped()


def test_migrations_work_in_folder_of_any_name(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "100%(here)s"
    shutil.copytree(Path(database.__file__).parent / "migrations", folder / "migrations")
    monkeypatch.setattr(database, "__file__", str(folder / "database.py"))
    assert Store(url).saved() == ()
