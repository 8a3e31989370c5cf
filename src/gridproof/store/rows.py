"""Statements that write many rows at once.

SQLite gets the rows as one JSON text, and reads them without Python's lock. One by one, the threads would wait for each
other at every row.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from gridproof.store.schema import sessions

Row = dict[str, object]

JSON_ROWS_SINCE = (3, 38)
"""First version of SQLite that always has JSON."""

LEAST, MOST = -(1 << 63), (1 << 63) - 1
"""Range of integers in a column."""

_ROWS = sa.func.json_each(sa.bindparam("rows", type_=sa.Text)).table_valued("key", "value", name="listed")


def _json_column(place: int) -> sa.ColumnElement[Any]:
    """Return the column at a place of the JSON rows."""
    return sa.func.json_extract(_ROWS.c.value, sa.literal_column(f"'$[{place}]'"))


def _to_json(rows: Iterable[Row]) -> str:
    values = [[*row.values()] for row in rows]
    numbers = [value for row in values for value in row if isinstance(value, int)]
    if numbers and not LEAST <= min(numbers) <= max(numbers) <= MOST:
        raise OverflowError("a number is too large for the database")  # JSON rounds it
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def supports_json_rows(connection: sa.Connection) -> bool:
    """Return whether the database reads rows from a JSON text."""
    dialect = connection.dialect
    return dialect.name == "sqlite" and (dialect.server_version_info or ()) >= JSON_ROWS_SINCE


# -- upsert

_INSERT: Mapping[str, Callable[[sa.Table], Any]] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


class OverwriteRule(NamedTuple):
    """Rule for overwriting a row: compare the new and the old value of a column."""

    column: str
    compare: Callable[[Any, Any], sa.ColumnElement[bool]]


def upsert(
    connection: sa.Connection, table: sa.Table, rows: Sequence[Row], rule: OverwriteRule | None = None
) -> None:
    """Insert rows with the same columns, or update existing ones if the rule allows it."""
    if not rows:
        return
    if supports_json_rows(connection):
        connection.exec_driver_sql(_upsert_json(table, tuple(rows[0]), rule), (_to_json(rows),))
    else:
        connection.execute(_upsert_each(connection.dialect.name, table, tuple(rows[0]), rule), rows)


@functools.cache
def _upsert_json(table: sa.Table, names: tuple[str, ...], rule: OverwriteRule | None) -> str:
    """Return SQLite's statement as text, with the rows as its only parameter, to skip SQLAlchemy at each execution."""
    columns = sa.select(*map(_json_column, range(len(names))))
    values = columns.where(sa.true())  # else ON would belong to a join
    statement = _upsert_statement(sqlite.insert(table).from_select(names, values), names, rule)
    return str(statement.compile(dialect=sqlite.dialect()))


@functools.cache
def _upsert_each(
    dialect: str, table: sa.Table, names: tuple[str, ...], rule: OverwriteRule | None
) -> sa.Executable:
    return _upsert_statement(_INSERT[dialect](table), names, rule)


def _upsert_statement(statement: Any, names: Iterable[str], rule: OverwriteRule | None) -> sa.Insert:
    table: sa.Table = statement.table
    keys = [column.name for column in table.primary_key]
    others = {name: statement.excluded[name] for name in names if name not in keys}
    where = rule and rule.compare(statement.excluded[rule.column], table.c[rule.column])
    insert: sa.Insert = statement.on_conflict_do_update(index_elements=keys, set_=others, where=where)
    return insert


# -- sessions

_LATEST = sa.func.coalesce(sa.func.max(sessions.c.revision), sa.literal_column("0"))
NEXT = sa.select(_LATEST).scalar_subquery() + sa.literal_column("1")
"""The next revision; the clock may go back."""


def _session_update(place: Any, revision: sa.ColumnElement[int]) -> sa.Update:
    name, before, mark, current, title = map(place, range(5))
    values = {"mark": mark, "current": current, "title": title}
    same = sa.update(sessions).where(sessions.c.id == name, sessions.c.mark == before)
    return same.values(**values, changed=sa.bindparam("moment"), revision=revision)


COLUMNS = ("name", "before", "after", "now", "heading")
_UPDATE_JSON = _session_update(_json_column, NEXT + _ROWS.c.key)
_UPDATE = _session_update(lambda place: sa.bindparam(COLUMNS[place]), NEXT)


def update_sessions(connection: sa.Connection, rows: Sequence[Row]) -> int:
    """Update sessions by rows of `COLUMNS`; return the number of those that had the mark before."""
    if not rows:
        return 0
    moment = datetime.now(UTC)
    if supports_json_rows(connection):
        return connection.execute(_UPDATE_JSON, {"rows": _to_json(rows), "moment": moment}).rowcount
    return connection.execute(_UPDATE, [{**row, "moment": moment} for row in rows]).rowcount
