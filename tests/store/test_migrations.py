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
from gridproof.store.schema import metadata


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The address of a store that there is not yet."""
    return f"sqlite:///{tmp_path / 'store.sqlite'}"


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        ("9999", "newer than 0008 of this gridproof; update gridproof"),
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
        "0008",
        "1e08d8aaa9a57b35c68ab3a78dcbaa10f68193c03d806f1916782748094b35a6",
    )


@pytest.mark.slow
def test_store_of_first_release_is_migrated(url: str) -> None:
    with sa.create_engine(url).begin() as connection:
        database.upgrade(connection, "0007")
    store = Store(url)
    assert store.puzzles.count() == 0


def test_migrations_work_in_folder_of_any_name(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "100%(here)s"
    shutil.copytree(Path(database.__file__).parent / "migrations", folder / "migrations")
    monkeypatch.setattr(database, "__file__", str(folder / "database.py"))
    assert Store(url).saved() == ()
