"""Opening a database: where it is, safe settings, and the schema brought up to date."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa
import sqlalchemy.event
from sqlalchemy.exc import SQLAlchemyError

from gridproof.core.errors import GridproofError

VARIABLE = "GRIDPROOF_STORE"
VERSION = "0007"
"""The schema's version: the newest module in `migrations/versions`."""

READS = "gridproof_reads"
"""The execution option of a transaction that takes no write lock."""

_MIGRATING = int.from_bytes(b"gridproof"[:8], "big")
"""The number of the lock that PostgreSQL gives to one process at a time."""

_PATIENCE = 30  # seconds that a change waits for another process's
_NAP = 0.1  # seconds that SQLite waits by itself: meanwhile Python cannot hear Ctrl-C


class StoreError(GridproofError):
    """The store cannot be read or written: a full disk, a lock that stays, a damaged file."""


def default_url() -> str:
    """Where the store is: the variable GRIDPROOF_STORE, else a SQLite file in the user's data folder."""
    if url := os.environ.get(VARIABLE):
        return url
    return f"sqlite:///{_own_file()}"


def _own_file() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_dir("gridproof")) / "gridproof.sqlite"


def opened(url: str) -> sa.Engine:
    """An engine on the database, with the schema up to date.

    Raises
    ------
    GridproofError
        When the URL is invalid, the database cannot be opened, or a newer gridproof has written it.
    """
    with reported(url):
        address = sa.make_url(url)
        if address.database == str(_own_file()):  # for no other: a mistyped URL leaves no folder behind
            _own_file().parent.mkdir(parents=True, exist_ok=True)
        is_server = address.get_backend_name() != "sqlite"  # it may have been restarted
        engine = sa.create_engine(address, pool_pre_ping=is_server)
        if engine.dialect.name == "sqlite":
            _set_up_sqlite(engine)
        _migrate(engine, url)
    return engine


@contextlib.contextmanager
def reported(url: str) -> Iterator[None]:
    """Turn errors of the database, and of damaged or forged content, into a StoreError of one line."""
    try:
        yield
    except GridproofError:
        raise
    except Exception as error:
        reason = str(getattr(error, "orig", None) or error).partition("\n")[0] or type(error).__name__
        raise StoreError(f"the store {_shown(url)}: {reason}") from error


def _shown(url: str) -> str:
    try:
        return sa.make_url(url).render_as_string(hide_password=True)
    except SQLAlchemyError:
        return repr(url)


def _set_up_sqlite(engine: sa.Engine) -> None:
    @sa.event.listens_for(engine, "connect")
    def connected(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # the driver must not begin transactions by itself
        connection.execute(f"PRAGMA busy_timeout = {round(_NAP * 1000)}")
        _patiently(lambda: connection.execute("PRAGMA journal_mode = WAL"))
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")

    @sa.event.listens_for(engine, "begin")
    def begun(connection: sa.Connection) -> None:
        # The write lock at once: two processes that both read first and then write would lose an update.
        reads = connection.get_execution_options().get(READS)
        _patiently(lambda: connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE"))


def _patiently(execute: Callable[[], object]) -> None:
    """Retry what is refused because of other processes' locks. SQLite itself does not wait to switch to a write-ahead log."""
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            execute()
            return
        except Exception as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.02)


def reads_from(engine: sa.Engine) -> contextlib.AbstractContextManager[sa.Connection]:
    """A transaction that only reads: another process that writes does not keep it waiting."""
    return engine.execution_options(**{READS: True}).begin()


def _migrate(engine: sa.Engine, url: str) -> None:
    with reads_from(engine) as connection:
        if _version(connection) == VERSION:
            return
    with engine.begin() as connection:
        _one_at_a_time(connection)
        present = _version(connection)
        if present == VERSION:
            return
        if present is not None and present > VERSION:
            raise GridproofError(
                f"the store {_shown(url)} is of schema {present}, newer than this gridproof's {VERSION}: update gridproof"
            )
        upgrade(connection, VERSION)


def _one_at_a_time(connection: sa.Connection) -> None:
    """Wait until no other process brings the schema up to date. In SQLite a change waits for others by itself."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_MIGRATING)))


def _version(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    version: str | None = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
    return version


def upgrade(connection: sa.Connection, version: str) -> None:
    """Bring the schema to a version, step by step, in the connection's transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    folder = str(Path(__file__).parent / "migrations")
    config.set_main_option("script_location", folder.replace("%", "%%"))  # it is interpolated
    config.attributes["connection"] = connection
    command.upgrade(config, version)
