"""The store: what a `Session` is kept in, and what players have reached so far.

Every change is one transaction, committed before the action is answered: a process killed at any
moment loses no answered action, and two processes on one database lose no update.
"""

from __future__ import annotations

import dataclasses
import hashlib
import uuid
import weakref
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from gridproof.core import reading
from gridproof.core.errors import GridproofError
from gridproof.core.game import Level
from gridproof.core.measure import cost_of, measures
from gridproof.core.pack import Pack
from gridproof.core.progress import SavedPlay
from gridproof.core.session import Session
from gridproof.core.trace import Trace
from gridproof.store.database import default_url, opened, reported
from gridproof.store.schema import bests, plays, scores, sessions, steps, traces

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


def digest(level: Level) -> str:
    """A level's content as 64 hexadecimal digits: equal levels have the same, whatever is said of them."""
    told = [item.name for item in dataclasses.fields(level) if not item.compare]  # type: ignore[arg-type]  # games make levels dataclasses
    values = {name: getattr(level, name) for name in told}
    nothing = {name: type(value)() for name, value in values.items() if isinstance(value, (str, tuple, dict))}
    bare = dataclasses.replace(level, **nothing, certificate=None)  # type: ignore[type-var]
    return hashlib.sha256(f"{level.game.name}\n{bare.text()}".encode()).hexdigest()


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
        self._known: weakref.WeakKeyDictionary[Session, tuple[str, int]]
        self._known = weakref.WeakKeyDictionary()  # sessions of this process: id and revision
        self._high: dict[str, int] = {}  # high scores known to be kept; others may be higher by now

    def close(self) -> None:
        """Close the database."""
        self._engine.dispose()

    # -- what a session asks for

    def high_score(self, key: str) -> int:
        """The best score kept under a key; 0 when there is none."""
        with reported(self.url), self._engine.begin() as connection:
            return connection.scalar(sa.select(scores.c.best).where(scores.c.key == key)) or 0

    def keep(self, session: Session, place: int, won: bool, passed: Collection[int] = ()) -> None:
        """Keep what has changed on the level at a place and at those passed, and what follows when it was won.

        All of it is kept, or nothing.

        Raises
        ------
        GridproofError
            When the session has gone on in another process: nothing of that is overwritten.
        """
        with reported(self.url):
            try:
                entry, risen = self._keep(session, place, won, passed)
            except IntegrityError:  # another process has just inserted the same row: now it is there
                entry, risen = self._keep(session, place, won, passed)
        self._known[session] = entry
        self._high.update(risen)

    # -- sessions

    def saved(self, game: str | None = None) -> tuple[SavedSession, ...]:
        """The sessions kept, the latest first; of one game, or of all."""
        columns = (sessions.c.id, sessions.c.game, sessions.c.title, sessions.c.changed)
        query = sa.select(*columns).order_by(sessions.c.changed.desc())
        if game is not None:
            query = query.where(sessions.c.game == game)
        with reported(self.url), self._engine.begin() as connection:
            return tuple(SavedSession(*row) for row in connection.execute(query))

    def latest(self, levels: Iterable[Level] | None = None) -> str | None:
        """The id of the session that changed last, of these levels or of any; None when there is none."""
        query = sa.select(sessions.c.id).order_by(sessions.c.changed.desc()).limit(1)
        if levels is not None:
            query = query.where(sessions.c.levels == Pack(levels).text())
        with reported(self.url), self._engine.begin() as connection:
            name: str | None = connection.scalar(query)
        return name

    def resume(self, name: str) -> Session:
        """The session kept under an id, as it was left; it goes on being kept.

        Raises
        ------
        GridproofError
            When there is none, or what was kept cannot be done again.
        """
        with reported(self.url), self._engine.begin() as connection:
            row = connection.execute(sa.select(sessions).where(sessions.c.id == name)).one_or_none()
            if row is None:
                raise GridproofError(f"no session {name!r} is kept")
            kept = dict(_plays_of(connection, name))
        levels = reading.read_back(row.levels, row.game)
        session = Session.resume(levels, int(row.seed), row.current, kept, store=self)
        self._known[session] = name, row.revision
        return session

    def forget(self, name: str) -> None:
        """Remove a session; its finished traces and scores stay."""
        with reported(self.url), self._engine.begin() as connection:
            connection.execute(sa.delete(steps).where(steps.c.session == name))
            connection.execute(sa.delete(plays).where(plays.c.session == name))
            connection.execute(sa.delete(sessions).where(sessions.c.id == name))

    def id_of(self, session: Session) -> str | None:
        """The id a session of this process is kept under; None before its first change."""
        entry = self._known.get(session)
        return entry[0] if entry else None

    # -- what has been reached

    def best(self, level: Level) -> Mapping[str, Best]:
        """The best counts of a level by measure, each with the trace that shows it."""
        query = (
            sa.select(bests.c.measure, bests.c.value, traces.c.trace)
            .join(traces, bests.c.trace == traces.c.id)
            .where(bests.c.level == digest(level))
        )
        with reported(self.url), self._engine.begin() as connection:
            rows = connection.execute(query).all()
        return {measure: Best(measure, value, Trace.from_json(text)) for measure, value, text in rows}

    def traces(self, level: Level) -> tuple[Trace, ...]:
        """The traces that have won a level, the oldest first."""
        query = sa.select(traces.c.trace).where(traces.c.level == digest(level)).order_by(traces.c.id)
        with reported(self.url), self._engine.begin() as connection:
            texts = connection.scalars(query).all()
        return tuple(Trace.from_json(text) for text in texts)

    # -- inside

    def _keep(
        self, session: Session, place: int, won: bool, passed: Collection[int]
    ) -> tuple[tuple[str, int], Mapping[str, int]]:
        """The session's id and its new revision, and the high scores that have risen."""
        scored = session.scores() if session.game.policy.keeps_score else {}
        risen = {key: score for key, score in scored.items() if score > self._high.get(key, 0)}
        with self._engine.begin() as connection:
            name, revision = self._entry(connection, session)
            known = session in self._known
            for changed in {place, session.current, *passed} if known else range(len(session.levels)):
                _keep_play(connection, session, name, changed, known)
            for key, score in risen.items():
                _keep_score(connection, key, score)
            if won:
                _keep_trace(connection, session.trace(place))
        return (name, revision), risen

    def _entry(self, connection: sa.Connection, session: Session) -> tuple[str, int]:
        """The session's id and its new revision, which is written."""
        now = datetime.now(UTC)
        entry = self._known.get(session)
        if entry is None:
            name = uuid.uuid4().hex
            row = sa.insert(sessions).values(
                id=name,
                game=session.game.name,
                title=session.levels[0].title,
                levels=Pack(session.levels).text(),
                seed=str(session.seed),
                current=session.current,
                revision=1,
                changed=now,
            )
            connection.execute(row)
            return name, 1
        name, revision = entry
        change = sa.update(sessions).where(sessions.c.id == name, sessions.c.revision == revision)
        values = {"current": session.current, "revision": revision + 1, "changed": now}
        if connection.execute(change.values(values)).rowcount != 1:
            raise GridproofError(f"the session {name} has gone on elsewhere: take it up again")
        return name, revision + 1


def _keep_play(connection: sa.Connection, session: Session, name: str, place: int, known: bool) -> None:
    """Keep the level at a place: all of it or, where the session is known, what one change can change."""
    saved = session.saved(place)
    if saved is None:
        return
    here = (plays.c.session == name) & (plays.c.place == place)
    values: dict[str, object] = {
        "seed": str(saved.seed),
        "done": saved.done,
        "finished": saved.finished,
        "brought": saved.brought,
    }
    if not connection.execute(sa.update(plays).where(here).values(values)).rowcount:
        connection.execute(sa.insert(plays).values(session=name, place=place, **values))
    as_before = max(saved.done - 1, 0) if known else 0
    of_play = (steps.c.session == name) & (steps.c.place == place)
    connection.execute(sa.delete(steps).where(of_play, steps.c.number > as_before))
    rows = [
        {"session": name, "place": place, "number": number, "action": action, "label": label}
        for number, (action, label) in enumerate(saved.steps[as_before:], as_before + 1)
    ]
    if rows:
        connection.execute(sa.insert(steps), rows)


def _plays_of(connection: sa.Connection, name: str) -> Iterator[tuple[int, SavedPlay]]:
    for play in connection.execute(sa.select(plays).where(plays.c.session == name)).all():
        query = sa.select(steps.c.action, steps.c.label).where(
            steps.c.session == name, steps.c.place == play.place
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
