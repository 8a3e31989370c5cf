"""Tests of statements for databases, without a connection."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from gridproof.store.rows import upsert

TABLE = sa.Table(
    "things", sa.MetaData(), sa.Column("id", sa.Text, primary_key=True), sa.Column("size", sa.Integer)
)


def test_upsert_is_one_statement_for_all_rows_in_postgresql() -> None:
    given: list[tuple[Any, ...]] = []
    engine = sa.create_mock_engine("postgresql://", lambda *parts: given.append(parts))
    rows: list[dict[str, object]] = [{"id": "a", "size": 1}, {"id": "b", "size": 2}]
    connection: Any = engine.connect()
    upsert(connection, TABLE, rows[:1])
    upsert(connection, TABLE, rows)
    statements, parameters = zip(*given, strict=True)
    assert parameters == (rows[:1], rows)
    for statement in statements:
        text = str(statement.compile(dialect=engine.dialect))
        assert text.startswith("INSERT INTO things (id, size) VALUES")
        assert text.endswith("ON CONFLICT (id) DO UPDATE SET size = excluded.size")
