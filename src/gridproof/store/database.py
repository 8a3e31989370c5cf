"""Database: its address, safe settings, and migration of the schema."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa
import sqlalchemy.event
from sqlalchemy.exc import ArgumentError, OperationalError, SQLAlchemyError

from gridproof.core.errors import GridproofError

VARIABLE = "GRIDPROOF_STORE"
VERSION = "0009"
"""Version of the schema: the newest module in `migrations/versions`."""

READS = "gridproof_reads"
"""Execution option of a transaction without a write lock."""

OLDEST = "0007"
"""Version of the oldest schema that can be migrated: that of the first release."""

_MIGRATION_LOCK = int.from_bytes(b"gridproof"[:8], "big")
"""Number of PostgreSQL's advisory lock for a migration."""

_PATIENCE = 30  # seconds that a change waits for other processes
_BUSY_TIMEOUT = 0.1  # seconds that SQLite waits by itself; Ctrl-C has no effect meanwhile


class StoreError(GridproofError):
    """The store cannot be read or written, as with a full disk, a lasting lock or a damaged file."""


def default_url() -> str:
    """Return the variable GRIDPROOF_STORE, else the URL of an SQLite file in the user's data folder."""
    if url := os.environ.get(VARIABLE):
        return url
    return f"sqlite:///{_own_file()}"


def _own_file() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_dir("gridproof")) / "gridproof.sqlite"


def open_engine(url: str) -> sa.Engine:
    """Open an engine on the database, and migrate the schema.

    GridproofError if the database cannot be opened, or a newer gridproof has written it.
    """
    with report_errors(url):
        address = _parse_url(url)
        if address.database == str(_own_file()):  # a mistyped URL creates no folder
            _own_file().parent.mkdir(parents=True, exist_ok=True)
        is_server = address.get_backend_name() != "sqlite"  # a server may have been restarted
        engine = _create_engine(address, is_server)
        if engine.dialect.name == "sqlite":
            _set_up_sqlite(engine)
        try:
            _migrate(engine, url)
        except BaseException as error:
            engine.dispose()
            if is_server and isinstance(error, OperationalError):
                reason = str(error.orig).partition("\n")[0].rpartition(": ")[2].strip()
                refusal = f"its server refuses or does not answer ({reason}); start it, or correct the URL"
                raise StoreError(f"the store {_hide_password(url)}: {refusal}") from error
            raise
    return engine


def _create_engine(address: sa.URL, is_server: bool) -> sa.Engine:
    try:
        return sa.create_engine(address, pool_pre_ping=is_server)
    except ImportError as error:
        raise StoreError("PostgreSQL needs a driver: pip install 'gridproof[postgresql]'") from error


def _parse_url(url: str) -> sa.URL:
    try:
        address = sa.make_url(url)
    except ArgumentError as error:
        example = f"sqlite:///{Path(url).absolute()}"
        raise StoreError(f"the store {url!r} is not a URL; for a file write {example}") from error
    if address.drivername in ("postgres", "postgresql"):
        return address.set(drivername="postgresql+psycopg")
    if address.get_backend_name() not in ("sqlite", "postgresql"):
        known = "write sqlite:///FILE or postgresql://USER:PASSWORD@HOST/DATABASE"
        raise StoreError(f"the store {_hide_password(url)} is neither SQLite nor PostgreSQL; {known}")
    return address


@contextlib.contextmanager
def report_errors(url: str) -> Iterator[None]:
    """Turn errors of the database, and of damaged or forged content, into a StoreError of one line."""
    try:
        yield
    except GridproofError:
        raise
    except Exception as error:
        reason = str(getattr(error, "orig", None) or error).partition("\n")[0] or type(error).__name__
        raise StoreError(f"the store {_hide_password(url)}: {reason}") from error


def _hide_password(url: str) -> str:
    try:
        return sa.make_url(url).render_as_string(hide_password=True)
    except SQLAlchemyError:
        return repr(url)


def _set_up_sqlite(engine: sa.Engine) -> None:
    @sa.event.listens_for(engine, "connect")
    def on_connect(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # the driver must not begin transactions by itself
        connection.execute(f"PRAGMA busy_timeout = {round(_BUSY_TIMEOUT * 1000)}")
        _retry_while_locked(lambda: connection.execute("PRAGMA journal_mode = WAL"))
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")

    @sa.event.listens_for(engine, "begin")
    def on_begin(connection: sa.Connection) -> None:
        # Take the write lock at once: two processes that read first and then write would lose an update.
        reads = connection.get_execution_options().get(READS)
        _retry_while_locked(lambda: connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE"))


def _retry_while_locked(execute: Callable[[], object]) -> None:
    """Retry while other processes hold a lock; SQLite itself does not wait to switch to a write-ahead log."""
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            execute()
            return
        except Exception as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.02)


def read_transaction(engine: sa.Engine) -> contextlib.AbstractContextManager[sa.Connection]:
    """Begin a transaction that only reads, and does not wait for writers."""
    return engine.execution_options(**{READS: True}).begin()


def _migrate(engine: sa.Engine, url: str) -> None:
    with read_transaction(engine) as connection:
        if _version(connection) == VERSION:
            return
    with engine.begin() as connection:
        _lock_schema(connection)
        version = _version(connection)
        if version == VERSION:
            return
        if version is not None and not OLDEST <= version < VERSION:
            raise GridproofError(
                f"the store {_hide_password(url)} is of schema {version}, {_refusal(version)}"
            )
        upgrade(connection, VERSION)


def _refusal(version: str) -> str:
    if version > VERSION:
        return f"newer than {VERSION} of this gridproof; update gridproof"
    return "from before the first release; move it away, and gridproof begins a new one"


def _lock_schema(connection: sa.Connection) -> None:
    """Wait until no other process migrates the schema; SQLite locks by itself."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_MIGRATION_LOCK)))


def _version(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    version: str | None = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
    return version


def upgrade(connection: sa.Connection, version: str) -> None:
    """Migrate the schema to a version, step by step, in the connection's transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    folder = str(Path(__file__).parent / "migrations")
    config.set_main_option("script_location", folder.replace("%", "%%"))  # it is interpolated
    config.attributes["connection"] = connection
    command.upgrade(config, version)
