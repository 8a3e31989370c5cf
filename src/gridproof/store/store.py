"""The store: what a `Session` is kept in, and what players have reached so far.

Every change is one transaction, committed before the action is answered: a process killed at any
moment loses no answered action, and two processes on one database lose no update.
"""

from __future__ import annotations

import dataclasses
import hashlib
import secrets
import uuid
import weakref
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from gridproof.core import reading
from gridproof.core.errors import GridproofError
from gridproof.core.measure import cost_of, measure_named, measures
from gridproof.core.pack import Pack
from gridproof.core.position import Level
from gridproof.core.progress import SavedPlay, check_score
from gridproof.core.session import Session
from gridproof.core.trace import Trace
from gridproof.core.viewer import Keeper, KeptAfterAll
from gridproof.store.database import default_url, opened, reads_from, reported
from gridproof.store.schema import bests, plays, scores, sessions, steps, traces

_AT_ONCE = 500
"""Levels in one query: databases take a limited number of values."""

__all__ = ["Best", "SavedSession", "Store", "default_url", "digest"]


@dataclasses.dataclass(frozen=True, slots=True)
class SavedSession:
    """A line about a session that can be taken up again."""

    id: str
    game: str
    title: str
    changed: datetime


@dataclasses.dataclass(frozen=True, slots=True)
class Best:
    """The least of a measure that a level has been won with."""

    measure: str
    value: int
    trace: Trace


@dataclasses.dataclass(frozen=True, slots=True)
class _Entry:
    """The last change of a session: the session's id, and a mark that no other change has."""

    name: str
    mark: str


def digest(level: Level) -> str:
    """A hash of a level's content, 64 hexadecimal digits; title, author, keys and certificate do not count."""
    told = [item.name for item in dataclasses.fields(level) if not item.compare]
    values = {name: getattr(level, name) for name in told}
    nothing: dict[str, Any] = {
        name: {} if isinstance(value, Mapping) else type(value)()
        for name, value in values.items()
        if isinstance(value, (str, tuple, Mapping))
    }
    bare = dataclasses.replace(level, **nothing, certificate=None)
    return hashlib.sha256(f"{level.game.name}\n{bare.text()}".encode(errors="surrogatepass")).hexdigest()


def _best(level: Level, measure: str, value: int, text: str) -> Best:
    """A best count, after a check that its trace has it.

    Raises
    ------
    GridproofError
        When it does not.
    """
    trace = Trace.from_json(text)
    if trace.level != level or cost_of(trace, measure_named(level.game, measure)) != value:
        raise GridproofError(f"{value!r} is said to be the best of {measure}, which its trace does not show")
    return Best(measure, value, trace)


class Store:
    """A database of sessions, scores and traces; `Session(levels, store=store)` keeps itself in it.

    Parameters
    ----------
    url : str, optional
        An SQLAlchemy URL; by default as `default_url` says.

    Raises
    ------
    GridproofError
        When it cannot be opened. All methods raise it when the database fails.
    """

    def __init__(self, url: str | None = None) -> None:
        self.url = url or default_url()
        self._engine = opened(self.url)
        self._known: weakref.WeakKeyDictionary[Session, _Entry]
        self._known = weakref.WeakKeyDictionary()  # sessions of this process: what is kept of them
        self._doubts: weakref.WeakKeyDictionary[Session, _Entry]
        self._doubts = (
            weakref.WeakKeyDictionary()
        )  # what may have been kept, for nothing answered that it was
        self._high: dict[str, int] = {}  # high scores known to be kept; others may be higher by now

    def close(self) -> None:
        """Close the database."""
        self._engine.dispose()

    # -- what a session asks for

    def high_score(self, key: str) -> int:
        """The best score kept under a key; 0 when there is none."""
        with reported(self.url), reads_from(self._engine) as connection:
            best: int = connection.scalar(sa.select(scores.c.best).where(scores.c.key == key)) or 0
        return check_score(best)

    def keep(self, session: Session, place: int, won: bool, passed: Collection[int] = ()) -> None:
        """Keep what has changed on the level at a place and at those passed, and what follows when it was won.

        All of it is kept, or nothing.

        Raises
        ------
        GridproofError
            When the session has gone on in another process: nothing of that is overwritten. KeptAfterAll, when
            the change before was kept, though nothing answered that it was.
        """
        if session in self._doubts:
            self._ask(session)
        entry = self._known.get(session)
        changed = {place, session.current, *passed} if entry else range(len(session.levels))
        following = _Entry(entry.name if entry else secrets.token_urlsafe(24), uuid.uuid4().hex)
        self._doubts[session] = following
        with reported(self.url):
            try:
                risen = self._keep(session, following, changed, place if won else None)
            except IntegrityError:  # another process has just inserted the same row: now it is there
                risen = self._keep(session, following, changed, place if won else None)
        self._known[session] = self._doubts.pop(session)
        self._high.update(risen)

    # -- sessions

    def saved(self, game: str | None = None) -> tuple[SavedSession, ...]:
        """The sessions kept, the latest first; of one game, or of all."""
        columns = (sessions.c.id, sessions.c.game, sessions.c.title, sessions.c.changed)
        query = sa.select(*columns).order_by(sessions.c.revision.desc())
        if game is not None:
            query = query.where(sessions.c.game == game)
        with reported(self.url), reads_from(self._engine) as connection:
            return tuple(SavedSession(*row) for row in connection.execute(query))

    def latest(self, levels: Iterable[Level] | None = None) -> str | None:
        """The id of the session that changed last, of these levels or of any; None when there is none."""
        query = sa.select(sessions.c.id).order_by(sessions.c.revision.desc()).limit(1)
        if levels is not None:
            query = query.where(sessions.c.levels == Pack(levels).text())
        with reported(self.url), reads_from(self._engine) as connection:
            name: str | None = connection.scalar(query)
        return name

    def resume(self, name: str, keeper: Keeper | None = None) -> Session:
        """The session kept under an id, as it was left; it goes on being kept, by this store or another keeper.

        Raises
        ------
        GridproofError
            When there is none, or what was kept cannot be done again.
        """
        with reported(self.url), reads_from(self._engine) as connection:
            row = connection.execute(sa.select(sessions).where(sessions.c.id == name)).one_or_none()
            if row is None:
                raise GridproofError(f"no session {name!r} is kept")
            kept = dict(_plays_of(connection, name))
        with reported(self.url):
            levels = reading.read_back(row.levels, row.game)
            session = Session.resume(levels, int(row.seed), row.current, kept, store=keeper or self)
        self._known[session] = _Entry(name, row.mark)
        return session

    def has(self, name: str) -> bool:
        """Whether a session is kept under an id."""
        with reported(self.url), reads_from(self._engine) as connection:
            return connection.scalar(sa.select(sessions.c.id).where(sessions.c.id == name)) is not None

    def forget(self, name: str) -> None:
        """Remove a session; its finished traces and scores stay."""
        with reported(self.url), self._engine.begin() as connection:
            connection.execute(sa.delete(steps).where(steps.c.session == name))
            connection.execute(sa.delete(plays).where(plays.c.session == name))
            connection.execute(sa.delete(sessions).where(sessions.c.id == name))

    def id_of(self, session: Session) -> str | None:
        """The id a session of this process is kept under; None before its first change."""
        entry = self._known.get(session)
        return entry.name if entry else None

    # -- what has been reached

    def best(self, level: Level) -> Mapping[str, Best]:
        """The best counts of a level by measure, each with the trace that shows it."""
        query = (
            sa.select(bests.c.measure, bests.c.value, traces.c.trace)
            .join(traces, bests.c.trace == traces.c.id)
            .where(bests.c.level == digest(level))
        )
        with reported(self.url), reads_from(self._engine) as connection:
            rows = connection.execute(query).all()
            return {measure: _best(level, measure, value, text) for measure, value, text in rows}

    def best_counts(self, levels: Sequence[Level]) -> list[dict[str, int]]:
        """The best counts of many levels, in their order, by measure; as numbers alone: `best` has the traces."""
        found: dict[str, dict[str, int]] = {digest(level): {} for level in levels}
        names = list(found)
        with reported(self.url), reads_from(self._engine) as connection:
            for first in range(0, len(names), _AT_ONCE):
                part = bests.c.level.in_(names[first : first + _AT_ONCE])
                query = sa.select(bests.c.level, bests.c.measure, bests.c.value).where(part)
                for level, measure, value in connection.execute(query):
                    found[level][measure] = check_score(value)
        return [found[digest(level)] for level in levels]

    def traces(self, level: Level) -> tuple[Trace, ...]:
        """The traces that have won a level, the oldest first."""
        query = sa.select(traces.c.trace).where(traces.c.level == digest(level)).order_by(traces.c.id)
        with reported(self.url), reads_from(self._engine) as connection:
            texts = connection.scalars(query).all()
            return tuple(Trace.from_json(text) for text in texts)

    # -- inside

    def _ask(self, session: Session) -> None:
        """Find out whether the last change was kept after all; raises KeptAfterAll when it was."""
        doubt = self._doubts[session]
        query = sa.select(sessions.c.mark).where(sessions.c.id == doubt.name)
        with reported(self.url), reads_from(self._engine) as connection:
            mark = connection.scalar(query)
        kept = self.resume(doubt.name) if mark == doubt.mark else None
        del self._doubts[session]
        if kept is not None:
            self._known[session] = doubt
            raise KeptAfterAll(kept)

    def _keep(
        self, session: Session, following: _Entry, changed: Collection[int], won: int | None
    ) -> Mapping[str, int]:
        """Keep what has changed at some places, and the win at one: the high scores that have risen."""
        scored = session.scores(changed) if session.game.policy.keeps_score else {}
        risen = {key: score for key, score in scored.items() if score > self._high.get(key, 0)}
        known = self._known.get(session)
        with self._engine.begin() as connection:
            if known is None:
                _insert_session(connection, session, following)
            else:
                _update_session(connection, session, known, following)
            for place in changed:
                if (play := session.saved(place, last_step=known is not None)) is not None:
                    _keep_play(connection, following.name, place, play)
            for key, score in risen.items():
                _keep_score(connection, key, score)
            if won is not None:
                _keep_trace(connection, session.trace(won))
        return risen


def _changed_now() -> dict[str, object]:
    """The clock's time, and a revision after all others: the clock may go back."""
    last = sa.select(sa.func.coalesce(sa.func.max(sessions.c.revision), 0)).scalar_subquery()
    return {"changed": datetime.now(UTC), "revision": last + 1}


def _insert_session(connection: sa.Connection, session: Session, entry: _Entry) -> None:
    row = sa.insert(sessions).values(
        id=entry.name,
        mark=entry.mark,
        game=session.game.name,
        title=session.levels[0].title,
        levels=Pack(session.levels).text(),
        seed=str(session.seed),
        current=session.current,
        **_changed_now(),
    )
    connection.execute(row)


def _update_session(connection: sa.Connection, session: Session, known: _Entry, following: _Entry) -> None:
    change = (
        sa.update(sessions)
        .where(sessions.c.id == known.name, sessions.c.mark == known.mark)
        .values(mark=following.mark, current=session.current, **_changed_now())
    )
    if connection.execute(change).rowcount != 1:
        raise GridproofError(f"the session {known.name} has gone on elsewhere: take it up again")


def _keep_play(connection: sa.Connection, name: str, place: int, play: SavedPlay) -> None:
    """Keep the level at a place, and those of its steps that are given: the others are kept already."""
    values: dict[str, object] = {
        "seed": str(play.seed),
        "done": play.done,
        "length": play.length,
        "finished": play.finished,
        "brought": play.brought,
    }
    here: dict[str, object] = {"session": name, "place": place}
    _put(connection, plays, here, values)
    rows = [
        here | {"number": number, "action": action, "label": label}
        for number, (action, label) in enumerate(play.steps, play.skipped + 1)
    ]
    if len(rows) == 1:
        _put(connection, steps, here | {"number": play.length}, rows[0])
    elif rows:  # of a session that is new here
        connection.execute(sa.insert(steps), rows)


def _put(
    connection: sa.Connection, table: sa.Table, here: dict[str, object], values: dict[str, object]
) -> None:
    """Write a row, over the one that is there or as a new one."""
    there = [table.c[name] == value for name, value in here.items()]
    if not connection.execute(sa.update(table).where(*there).values(values)).rowcount:
        connection.execute(sa.insert(table).values({**here, **values}))


def _plays_of(connection: sa.Connection, name: str) -> Iterator[tuple[int, SavedPlay]]:
    for play in connection.execute(sa.select(plays).where(plays.c.session == name)).all():
        query = sa.select(steps.c.action, steps.c.label).where(
            steps.c.session == name, steps.c.place == play.place, steps.c.number <= play.length
        )
        done = tuple((row.action, row.label) for row in connection.execute(query.order_by(steps.c.number)))
        yield play.place, SavedPlay(int(play.seed), done, play.done, play.finished, play.brought)


def _keep_score(connection: sa.Connection, key: str, score: int) -> None:
    higher = sa.update(scores).where(scores.c.key == key, scores.c.best < score).values(best=score)
    if connection.execute(higher).rowcount:
        return
    if connection.scalar(sa.select(scores.c.best).where(scores.c.key == key)) is None:
        connection.execute(sa.insert(scores).values(key=key, best=score))


def _keep_trace(connection: sa.Connection, trace: Trace) -> None:
    level, text = digest(trace.level), trace.to_json()
    same = sa.select(traces.c.id).where(traces.c.level == level, traces.c.trace == text)
    if connection.scalar(same) is not None:
        return  # a win that was taken back and done again
    row = sa.insert(traces).values(level=level, finished=datetime.now(UTC), trace=text).returning(traces.c.id)
    number = connection.scalars(row).one()
    for measure in measures(trace.level.game).values():
        _keep_best(connection, level, measure.name, cost_of(trace, measure), number)


def _keep_best(connection: sa.Connection, level: str, measure: str, value: int, trace: int) -> None:
    here = (bests.c.level == level) & (bests.c.measure == measure)
    less = sa.update(bests).where(here, bests.c.value > value).values(value=value, trace=trace)
    if connection.execute(less).rowcount:
        return
    if connection.scalar(sa.select(bests.c.value).where(here)) is None:
        connection.execute(sa.insert(bests).values(level=level, measure=measure, value=value, trace=trace))
