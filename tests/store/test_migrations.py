"""Stores of older schemas are brought up to date, newer ones refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import sqlalchemy as sa

import gridproof as gp
from gridproof.store import Store, database


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The address of a store that there is not yet."""
    return f"sqlite:///{tmp_path / 'store.sqlite'}"


def test_a_store_of_the_first_schema_is_brought_up_to_date(url: str) -> None:
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        database.upgrade(connection, "0001")
        connection.execute(sa.text("INSERT INTO scores VALUES ('twenty48 4x4 spec', 4096)"))
    assert not sa.inspect(engine).has_table("bests")
    store = Store(url)
    assert sa.inspect(engine).has_table("bests")
    assert store.high_score("twenty48 4x4 spec") == 4096


def test_a_newer_store_is_refused(url: str) -> None:
    Store(url).close()
    with sa.create_engine(url).begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(gp.GridproofError, match="newer than this gridproof's"):
        Store(url)


def test_the_tables_are_those_of_the_newest_schema(url: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from gridproof.store.schema import metadata

    Store(url).close()
    with sa.create_engine(url).connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_the_package_may_lie_in_a_folder_of_any_name(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "100%(here)s"
    shutil.copytree(Path(database.__file__).parent / "migrations", folder / "migrations")
    monkeypatch.setattr(database, "__file__", str(folder / "database.py"))
    assert Store(url).saved() == ()


def test_sessions_of_the_third_schema_are_taken_up_in_their_order(url: str) -> None:
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        database.upgrade(connection, "0003")
        for name, revision, day in (("early", 7, 1), ("late", 1, 2)):
            connection.execute(
                sa.text(
                    "INSERT INTO sessions VALUES (:name, 'null', '', '@..o', '0', 0, :revision, :changed)"
                ),
                {"name": name, "revision": revision, "changed": f"2026-01-0{day} 00:00:00.000000"},
            )
            connection.execute(sa.text(f"INSERT INTO plays VALUES ('{name}', 0, '0', 1, 0, 0)"))
            connection.execute(sa.text(f"INSERT INTO steps VALUES ('{name}', 0, 1, 'right', '')"))
            connection.execute(sa.text(f"INSERT INTO steps VALUES ('{name}', 0, 2, 'left', '')"))
    store = Store(url)
    assert [line.id for line in store.saved()] == ["late", "early"]
    session = store.resume("early")
    assert (session.actions_done, session.actions_undone) == (1, 1)
    session.redo()
    assert store.latest() == "early"


def work_of_the_fourth_schema(url: str, sessions: int) -> int:
    """How many hundreds of SQLite's instructions bring so many sessions of the third schema up to date."""
    engine = sa.create_engine(url)
    done = 0

    def count() -> None:
        nonlocal done
        done += 1

    with engine.begin() as connection:
        database.upgrade(connection, "0003")
        rows = [
            {"name": f"{number:04}", "changed": f"2026-01-{number % 28 + 1:02} 00:00:00.000000"}
            for number in range(sessions)
        ]
        connection.execute(
            sa.text("INSERT INTO sessions VALUES (:name, 'null', '', '@..o', '0', 0, 1, :changed)"), rows
        )
        connection.connection.driver_connection.set_progress_handler(count, 100)  # type: ignore[union-attr]  # there is one
        database.upgrade(connection, "0004")
        ordered = connection.scalars(sa.text("SELECT id FROM sessions ORDER BY revision")).all()
    assert ordered == [row["name"] for row in sorted(rows, key=lambda row: (row["changed"], row["name"]))]
    return done


def test_the_order_of_all_sessions_is_found_in_one_pass(tmp_path: Path) -> None:
    """Under the write lock: counted for each session anew, four times as many would take 16 times the work."""
    few, some, many = (
        work_of_the_fourth_schema(f"sqlite:///{tmp_path}/{sessions}.sqlite", sessions)
        for sessions in (50, 200, 800)
    )
    assert many - some < 8 * (some - few)


def test_sessions_of_the_sixth_schema_find_their_levels(url: str) -> None:
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        database.upgrade(connection, "0006")
        for name, levels in (("one", "@..o\n"), ("two", "@.o\n"), ("three", "@..o\n")):
            connection.execute(
                sa.text(
                    "INSERT INTO sessions VALUES "
                    f"('{name}', 'null', '', :levels, '0', 0, 1, '2026-01-01 00:00:00.000000', '{name}')"
                ),
                {"levels": levels},
            )
            connection.execute(sa.text(f"INSERT INTO plays VALUES ('{name}', 0, '0', 0, 0, 0, 0)"))
    store = Store(url)
    for name, text in (("one", "@..o\n"), ("two", "@.o\n"), ("three", "@..o\n")):
        assert [level.text() for level in store.resume(name).levels] == [text]
    with engine.begin() as connection:
        assert connection.scalar(sa.text("SELECT count(*) FROM packs")) == 2
