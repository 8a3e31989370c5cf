"""Many rows in one statement.

SQLite takes them as one JSON text: it goes through them by itself, while the program's other threads go on.
Given one by one, the threads would wait for each other at every row.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from gridproof.store.schema import sessions

Row = dict[str, object]

LISTED_SINCE = (3, 38)
"""The first version of SQLite that is always built with JSON."""

LEAST, MOST = -(1 << 63), (1 << 63) - 1
"""The numbers that a column holds."""

_ROWS = sa.func.json_each(sa.bindparam("rows", type_=sa.Text)).table_valued("key", "value", name="listed")


def _listed(place: int) -> sa.ColumnElement[Any]:
    """The value at a place of each row of the JSON text."""
    return sa.func.json_extract(_ROWS.c.value, sa.literal_column(f"'$[{place}]'"))


def _text(rows: Iterable[Row]) -> str:
    values = [[*row.values()] for row in rows]
    numbers = [value for row in values for value in row if isinstance(value, int)]
    if numbers and not LEAST <= min(numbers) <= max(numbers) <= MOST:
        raise OverflowError("a number is too large for the database")  # JSON would round it
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def takes_lists(connection: sa.Connection) -> bool:
    """Whether the database takes rows as a JSON text."""
    dialect = connection.dialect
    return dialect.name == "sqlite" and (dialect.server_version_info or ()) >= LISTED_SINCE


# -- rows that are there or new


class Better(NamedTuple):
    """Which rows are written over those that are there: by the new and the old value of a column."""

    column: str
    compare: Callable[[Any, Any], sa.ColumnElement[bool]]


def put(
    connection: sa.Connection, table: sa.Table, rows: Sequence[Row], better: Better | None = None
) -> None:
    """Write rows of the same columns, as new ones or over those that are there; over these only what is better."""
    if not rows:
        return
    if takes_lists(connection):
        connection.exec_driver_sql(_put_list(table, tuple(rows[0]), better), (_text(rows),))
    elif connection.dialect.name == "postgresql":
        connection.execute(_put_each(table, tuple(rows[0]), better), rows)
    else:
        for row in rows:
            _put_one(connection, table, row, better)


@functools.cache
def _put_list(table: sa.Table, names: tuple[str, ...], better: Better | None) -> str:
    """The statement as SQLite takes it, whose one parameter is the rows: SQLAlchemy has nothing to do for each execution."""
    values = sa.select(*map(_listed, range(len(names)))).where(sa.true())  # or ON would belong to a join
    statement = _upsert(sqlite.insert(table).from_select(names, values), names, better)
    return str(statement.compile(dialect=sqlite.dialect()))


@functools.cache
def _put_each(table: sa.Table, names: tuple[str, ...], better: Better | None) -> sa.Executable:
    return _upsert(postgresql.insert(table), names, better)


def _upsert(statement: Any, names: Iterable[str], better: Better | None) -> sa.Insert:
    table: sa.Table = statement.table
    keys = [column.name for column in table.primary_key]
    others = {name: statement.excluded[name] for name in names if name not in keys}
    where = better and better.compare(statement.excluded[better.column], table.c[better.column])
    made: sa.Insert = statement.on_conflict_do_update(index_elements=keys, set_=others, where=where)
    return made


def _put_one(connection: sa.Connection, table: sa.Table, row: Row, better: Better | None) -> None:
    there = [column == row[column.name] for column in table.primary_key]
    worse = [better.compare(row[better.column], table.c[better.column])] if better else []
    if connection.execute(sa.update(table).where(*there, *worse).values(row)).rowcount:
        return
    if not (better and connection.execute(sa.select(table).where(*there)).first()):
        connection.execute(sa.insert(table).values(row))


# -- sessions that have gone on

_LATEST = sa.func.coalesce(sa.func.max(sessions.c.revision), sa.literal_column("0"))
NEXT = sa.select(_LATEST).scalar_subquery() + sa.literal_column("1")
"""A revision after all others: the clock may go back."""


def _going_on(place: Any, revision: sa.ColumnElement[int]) -> sa.Update:
    name, before, mark, current, title = map(place, range(5))
    values = {"mark": mark, "current": current, "title": title}
    there = sa.update(sessions).where(sessions.c.id == name, sessions.c.mark == before)
    return there.values(**values, changed=sa.bindparam("moment"), revision=revision)


COLUMNS = ("name", "before", "after", "now", "heading")
_GO_ON_LISTED = _going_on(_listed, NEXT + _ROWS.c.key)
_GO_ON = _going_on(lambda place: sa.bindparam(COLUMNS[place]), NEXT)


def go_on(connection: sa.Connection, rows: Sequence[Row]) -> int:
    """Note in which state sessions are now: rows of `COLUMNS`, of each the mark before and the mark after.

    Returns
    -------
    int
        How many of them had the mark before.
    """
    if not rows:
        return 0
    moment = datetime.now(UTC)
    if takes_lists(connection):
        return connection.execute(_GO_ON_LISTED, {"rows": _text(rows), "moment": moment}).rowcount
    return connection.execute(_GO_ON, [{**row, "moment": moment} for row in rows]).rowcount
