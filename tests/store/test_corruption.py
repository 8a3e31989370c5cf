"""Damaged files and forged rows: the store answers or raises a `GridproofError`."""

from __future__ import annotations

import contextlib
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import gridproof as gp
from gridproof.store import Store
from gridproof.store.schema import metadata

LEVELS = gp.levels_at("null/first")
FORGED: tuple[object, ...] = (None, -1, 0, 10**18, 2.5, "x", "", "7", b"\xff", "\x00", "[]", "2026-13-45")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a session, a win, a trace and a score."""
    path = tmp_path_factory.mktemp("store") / "sound.sqlite"
    store = Store(f"sqlite:///{path}")
    session = gp.Session(LEVELS, seed=3, store=store)
    session.act("right")
    session.select(1)
    session.act("hop")
    (board,) = gp.read("2048 2x2\n2 2\n0 0\n")
    gp.Session(board, store=store).act("left")
    store.close()
    return path


def ask(path: Path) -> None:
    """Read everything."""
    answers: list[Callable[[], object]] = []
    with contextlib.suppress(gp.GridproofError):
        store = Store(f"sqlite:///{path}")
        answers += [store.saved, store.latest, lambda: store.latest(LEVELS), lambda: store.high_score("x")]
        answers += [lambda: store.best(LEVELS[0]), lambda: store.traces(LEVELS[0])]
        answers += [lambda name=name: store.resume(name).trace().replay() for name in names(path)]  # type: ignore[misc]  # mypy infers no type of a lambda with defaults
        answers += [lambda: gp.Session(gp.read("2048 2x2\n2 2\n0 0\n"), store=store).high_score]
    for answer in answers:
        with contextlib.suppress(gp.GridproofError):
            answer()
    with contextlib.suppress(NameError):
        store.close()


def names(path: Path) -> list[str]:
    with contextlib.closing(sqlite3.connect(path)) as database, contextlib.suppress(sqlite3.Error):
        return [name for (name,) in database.execute("SELECT id FROM sessions")]
    return []


def columns() -> Iterator[tuple[str, str]]:
    yield "alembic_version", "version_num"
    for table in metadata.sorted_tables:
        for column in table.columns:
            yield table.name, column.name


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, pytest.param(10, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("table", "column"), list(columns()))
def test_store_refuses_forged_rows(sound: Path, tmp_path: Path, table: str, column: str, count: int) -> None:
    for number, value in enumerate(random.Random(f"{table}.{column}").sample(FORGED, count)):
        path = tmp_path / f"{number}.sqlite"
        shutil.copy(sound, path)
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA ignore_check_constraints = ON")
            with contextlib.suppress(sqlite3.IntegrityError):
                database.execute(f"UPDATE {table} SET {column} = ?", (value,))  # names of ours
            database.commit()
        ask(path)


@pytest.mark.slow
def test_store_refuses_damaged_files(sound: Path, tmp_path: Path) -> None:
    data = sound.read_bytes()
    chance = random.Random(6)
    for number in range(25):
        path = tmp_path / f"{number}.sqlite"
        broken = bytearray(data)
        for _ in range(chance.choice((1, 30, 3000))):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        path.write_bytes(broken[: chance.choice((len(broken), chance.randrange(len(broken))))])
        ask(path)


def test_best_count_is_refused_when_its_trace_differs(sound: Path, tmp_path: Path) -> None:
    path = tmp_path / "forged.sqlite"
    shutil.copy(sound, path)
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE bests SET value = 0")
        database.commit()
    with pytest.raises(gp.GridproofError, match="0 is given as the best of actions"):
        Store(f"sqlite:///{path}").best(LEVELS[0])


def test_labels_are_refused_when_seed_draws_others(sound: Path, tmp_path: Path) -> None:
    path = tmp_path / "forged.sqlite"
    shutil.copy(sound, path)
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute(
            "UPDATE steps SET label = CASE label WHEN 'by 1' THEN 'by 2' ELSE 'by 1' END WHERE action = 'hop'"
        )
        database.commit()
    store = Store(f"sqlite:///{path}")
    (line,) = (line for line in store.saved() if line.game == "null")
    with pytest.raises(gp.GridproofError, match=r"the seed [0-9]+ draws 'by [12]', not 'by [12]'"):
        store.resume(line.id)


def test_invalid_title_raises_store_error(tmp_path: Path) -> None:
    level = gp.games.null.Level(3, 1, 2, title="half \ud800")
    store = Store(f"sqlite:///{tmp_path / 'store.sqlite'}")
    with pytest.raises(gp.GridproofError, match="surrogates not allowed"):
        gp.Session(level, store=store).act("right")
    assert store.best(level) == {}


def test_error_names_session_with_missing_levels(url: str) -> None:
    store = Store(url)
    session = gp.Session(gp.read("@..o", "null"), store=store)
    session.act("right")
    with contextlib.closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as database:
        database.execute("DELETE FROM packs")
        database.commit()
    name = str(store.id_of(session))
    with pytest.raises(gp.GridproofError, match=f"the levels of the session '{name}' are missing"):
        store.resume(name)
