"""Changes of sessions as data, and how they are written: one, or many in one transaction."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from gridproof.core.errors import GridproofError
from gridproof.core.measure import cost_of, measures
from gridproof.core.pack import Pack
from gridproof.core.progress import SavedPlay
from gridproof.core.session import Session
from gridproof.core.trace import Trace
from gridproof.store.content import digest
from gridproof.store.schema import bests, plays, scores, sessions, steps, traces

Row = dict[str, object]


@dataclass(slots=True)
class Change:
    """What has changed in a session since it was kept last."""

    name: str
    """The session's id."""
    before: str | None
    """The mark of the change that was kept last; None for a session that is new."""
    mark: str
    """Unique to this change."""
    session: Session
    current: int
    plays: dict[int, Row] = field(default_factory=dict)
    """By place."""
    steps: dict[tuple[int, int], Row] = field(default_factory=dict)
    """By place and number, from 1."""
    scores: dict[str, int] = field(default_factory=dict)
    wins: list[Trace] = field(default_factory=list)

    @property
    def title(self) -> str:
        """That of the level that is played now."""
        return self.session.levels[self.current].title

    def follow(self, later: Change) -> None:
        """Make it this change and the next one of the same session."""
        self.mark, self.current = later.mark, later.current
        self.plays |= later.plays
        self.steps |= later.steps
        self.scores |= later.scores
        self.wins += later.wins


def change_of(
    session: Session,
    names: tuple[str, str | None, str],
    changed: Collection[int],
    risen: Mapping[str, int],
    won: int | None,
) -> Change:
    """What has changed at some places of a session, as it is now.

    Parameters
    ----------
    names : tuple
        The session's id, and the marks of the change before (None: the session is new) and of this one.
    changed : places of levels
        On those of a session that is kept already, no step but the last one has changed.
    risen : mapping
        The high scores that it may have raised.
    won : int, optional
        The place of the level that it has won.
    """
    name, before, mark = names
    change = Change(name, before, mark, session, session.current, scores=dict(risen))
    for place in changed:
        if (play := session.saved(place, last_step=before is not None)) is not None:
            _add_play(change, place, play)
    if won is not None:
        change.wins.append(session.trace(won))
    return change


def _add_play(change: Change, place: int, play: SavedPlay) -> None:
    here: Row = {"session": change.name, "place": place}
    change.plays[place] = here | {
        "seed": str(play.seed),
        "done": play.done,
        "length": play.length,
        "finished": play.finished,
        "brought": play.brought,
    }
    for number, (action, label) in enumerate(play.steps, play.skipped + 1):
        change.steps[place, number] = here | {"number": number, "action": action, "label": label}


def write(connection: sa.Connection, changes: Sequence[Change]) -> None:
    """Write changes of different sessions, in the connection's transaction.

    Raises
    ------
    GridproofError
        When a session has gone on in another process.
    """
    _insert_sessions(connection, [change for change in changes if change.before is None])
    _update_sessions(connection, [change for change in changes if change.before is not None])
    _put(connection, plays, [row for change in changes for row in change.plays.values()])
    _put(connection, steps, [row for change in changes for row in change.steps.values()])
    for key in {key for change in changes for key in change.scores}:
        _keep_score(connection, key, max(change.scores.get(key, 0) for change in changes))
    for trace in (trace for change in changes for trace in change.wins):
        _keep_trace(connection, trace)


# The statements are made once: to make one takes longer than to execute it.
_NEXT = sa.select(sa.func.coalesce(sa.func.max(sessions.c.revision), 0)).scalar_subquery() + 1
"""A revision after all others: the clock may go back."""
_INSERT_SESSION = sa.insert(sessions).values(revision=_NEXT)


def _insert_sessions(connection: sa.Connection, changes: Iterable[Change]) -> None:
    for change in changes:
        session = change.session
        row: Row = {
            "id": change.name,
            "mark": change.mark,
            "game": session.game.name,
            "title": change.title,
            "levels": Pack(session.levels).text(),
            "seed": str(session.seed),
            "current": change.current,
            "changed": datetime.now(UTC),
        }
        connection.execute(_INSERT_SESSION, row)


_UPDATE = (
    sa.update(sessions)
    .where(sessions.c.id == sa.bindparam("name"), sessions.c.mark == sa.bindparam("before"))
    .values(
        mark=sa.bindparam("following"),
        current=sa.bindparam("now"),
        title=sa.bindparam("heading"),
        changed=sa.bindparam("moment"),
        revision=_NEXT,
    )
)


def _update_sessions(connection: sa.Connection, changes: Sequence[Change]) -> None:
    if not changes:
        return
    moment = datetime.now(UTC)
    rows = [
        {
            "name": change.name,
            "before": change.before,
            "following": change.mark,
            "now": change.current,
            "heading": change.title,
            "moment": moment,
        }
        for change in changes
    ]
    if connection.execute(_UPDATE, rows).rowcount != len(rows):
        names = " or ".join(change.name for change in changes)
        raise GridproofError(f"the session {names} has gone on elsewhere: take it up again")


_INSERTS: Mapping[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def _put(connection: sa.Connection, table: sa.Table, rows: Sequence[Row]) -> None:
    """Write rows, over those that are there or as new ones."""
    if not rows:
        return
    if connection.dialect.name in _INSERTS:
        connection.execute(_put_statement(connection.dialect.name, table, tuple(rows[0])), rows)
        return
    for row in rows:
        _put_one(connection, table, row)


@functools.cache
def _put_statement(dialect: str, table: sa.Table, names: tuple[str, ...]) -> sa.Executable:
    keys = [column.name for column in table.primary_key]
    statement = _INSERTS[dialect](table)
    others = {name: statement.excluded[name] for name in names if name not in keys}
    made: sa.Executable = statement.on_conflict_do_update(index_elements=keys, set_=others)
    return made


def _put_one(connection: sa.Connection, table: sa.Table, row: Row) -> None:
    there = [column == row[column.name] for column in table.primary_key]
    if not connection.execute(sa.update(table).where(*there).values(row)).rowcount:
        connection.execute(sa.insert(table).values(row))


_RAISE = (
    sa.update(scores)
    .where(scores.c.key == sa.bindparam("of"), scores.c.best < sa.bindparam("score"))
    .values(best=sa.bindparam("score"))
)
_SCORE = sa.select(scores.c.best).where(scores.c.key == sa.bindparam("of"))


def _keep_score(connection: sa.Connection, key: str, score: int) -> None:
    if connection.execute(_RAISE, {"of": key, "score": score}).rowcount:
        return
    if connection.scalar(_SCORE, {"of": key}) is None:
        connection.execute(sa.insert(scores), {"key": key, "best": score})


_SAME = sa.select(traces.c.id).where(
    traces.c.level == sa.bindparam("of"), traces.c.trace == sa.bindparam("text")
)
_INSERT_TRACE = sa.insert(traces).returning(traces.c.id)


def _keep_trace(connection: sa.Connection, trace: Trace) -> None:
    level, text = digest(trace.level), trace.to_json()
    if connection.scalar(_SAME, {"of": level, "text": text}) is not None:
        return  # a win that was taken back and done again
    row: Row = {"level": level, "finished": datetime.now(UTC), "trace": text}
    number = connection.scalars(_INSERT_TRACE, row).one()
    for measure in measures(trace.level.game).values():
        _keep_best(connection, level, measure.name, cost_of(trace, measure), number)


_HERE = (bests.c.level == sa.bindparam("of")) & (bests.c.measure == sa.bindparam("by"))
_LESSEN = (
    sa.update(bests)
    .where(_HERE, bests.c.value > sa.bindparam("less"))
    .values(value=sa.bindparam("less"), trace=sa.bindparam("shown"))
)
_BEST = sa.select(bests.c.value).where(_HERE)


def _keep_best(connection: sa.Connection, level: str, measure: str, value: int, trace: int) -> None:
    here: Row = {"of": level, "by": measure}
    if connection.execute(_LESSEN, here | {"less": value, "shown": trace}).rowcount:
        return
    if connection.scalar(_BEST, here) is None:
        row: Row = {"level": level, "measure": measure, "value": value, "trace": trace}
        connection.execute(sa.insert(bests), row)
