"""The store: what a `Session` is kept in, and what players have reached so far.

Every change is one transaction, committed before the action is answered: a process killed at any
moment loses no answered action, and two processes on one database lose no update.
"""

from __future__ import annotations

import dataclasses
import itertools
import os
import secrets
import weakref
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from gridproof.core import reading
from gridproof.core.errors import GridproofError
from gridproof.core.measure import cost_of, measure_named
from gridproof.core.pack import Pack
from gridproof.core.position import Level
from gridproof.core.progress import SavedPlay, check_score
from gridproof.core.session import Session
from gridproof.core.trace import Trace
from gridproof.core.viewer import KeptAfterAll
from gridproof.store.content import digest, text_digest
from gridproof.store.database import default_url, opened, reads_from, reported
from gridproof.store.invitations import Invitations
from gridproof.store.ranks import Ranks
from gridproof.store.schema import bests, invitations, packs, plays, scores, sessions, steps, traces
from gridproof.store.writing import Change, change_of, write

_OWN = secrets.token_hex(8)
_NUMBERS = itertools.count()
_AT_ONCE = 500
"""Levels in one query: databases take a limited number of values."""

__all__ = ["Best", "SavedSession", "Store", "default_url", "digest"]


@dataclasses.dataclass(frozen=True, slots=True)
class SavedSession:
    """A line about a session that can be taken up again."""

    id: str
    game: str
    title: str
    """Of the level that was played last."""
    changed: datetime


@dataclasses.dataclass(frozen=True, slots=True)
class Best:
    """The least of a measure that a level has been won with."""

    measure: str
    value: int
    trace: Trace


@dataclasses.dataclass(frozen=True, slots=True)
class Entry:
    """The last change of a session: the session's id, and a mark that no other change has."""

    name: str
    mark: str


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
        self._known: weakref.WeakKeyDictionary[Session, Entry]
        self._known = weakref.WeakKeyDictionary()  # sessions of this process: what is kept of them
        self._doubts: weakref.WeakKeyDictionary[Session, Entry]
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
        change = self._change(session, place, won, passed)
        self._doubts[session] = Entry(change.name, change.mark)
        with reported(self.url):
            try:
                self._write([change])
            except IntegrityError:  # another process has just inserted the same row: now it is there
                self._write([change])
        self._known[session] = self._doubts.pop(session)
        self._high.update(change.scores)

    # -- what many players share

    @property
    def invitations(self) -> Invitations:
        """Other ids of its sessions."""
        return Invitations(self._engine, self.url)

    @property
    def ranks(self) -> Ranks:
        """The scores of many players."""
        return Ranks(self._engine, self.url)

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
            pack = Pack(levels)
            query = query.where(
                sessions.c.levels == text_digest(pack.text()), sessions.c.game == pack.game.name
            )
        with reported(self.url), reads_from(self._engine) as connection:
            name: str | None = connection.scalar(query)
        return name

    def resume(self, name: str) -> Session:
        """The session kept under an id, as it was left; it goes on being kept.

        Raises
        ------
        GridproofError
            When there is none, or what was kept cannot be done again.
        """
        with reported(self.url), reads_from(self._engine) as connection:
            row = connection.execute(sa.select(sessions).where(sessions.c.id == name)).one_or_none()
            if row is None:
                raise GridproofError(f"no session {name!r} is kept")
            text = connection.scalar(sa.select(packs.c.text).where(packs.c.id == row.levels))
            if text is None:
                raise GridproofError(f"the levels of the session {name!r} are not there")
            kept = dict(_plays_of(connection, name))
        with reported(self.url):
            levels = reading.read_back(text, row.game)
            session = Session.resume(levels, int(row.seed), row.current, kept, store=self)
        self._known[session] = Entry(name, row.mark)
        return session

    def mark_of(self, name: str) -> str | None:
        """The mark of the last change of a session; None when none is kept under that id."""
        with reported(self.url), reads_from(self._engine) as connection:
            mark: str | None = connection.scalar(sa.select(sessions.c.mark).where(sessions.c.id == name))
        return mark

    def forget(self, name: str) -> None:
        """Remove a session, and its levels if no other session has them; its finished traces and scores stay."""
        mine = sa.select(sessions.c.levels).where(sessions.c.id == name).scalar_subquery()
        with reported(self.url), self._engine.begin() as connection:
            pack = connection.scalar(sa.select(packs.c.id).where(packs.c.id == mine).with_for_update())
            connection.execute(sa.delete(invitations).where(invitations.c.session == name))
            connection.execute(sa.delete(steps).where(steps.c.session == name))
            connection.execute(sa.delete(plays).where(plays.c.session == name))
            connection.execute(sa.delete(sessions).where(sessions.c.id == name))
            used = sa.select(sessions.c.id).where(sessions.c.levels == pack).exists()
            connection.execute(sa.delete(packs).where(packs.c.id == pack, ~used))

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
        kept = self.resume(doubt.name) if self.mark_of(doubt.name) == doubt.mark else None
        del self._doubts[session]
        if kept is not None:
            self._known[session] = doubt
            raise KeptAfterAll(kept)

    def _change(self, session: Session, place: int, won: bool, passed: Collection[int]) -> Change:
        """What has changed in a session, as it is to be kept."""
        known = self._known.get(session)
        changed = {place, session.current, *passed} if known else range(len(session.levels))
        scored = session.scores(changed) if session.game.policy.keeps_score else {}
        risen = {key: score for key, score in scored.items() if score > self._high.get(key, 0)}
        name, before = (known.name, known.mark) if known else (secrets.token_urlsafe(24), None)
        return change_of(session, (name, before, _new_mark()), changed, risen, place if won else None)

    def _write(self, changes: Sequence[Change]) -> None:
        with self._engine.begin() as connection:
            write(connection, changes)


def _new_mark() -> str:
    """A mark for a change that no other thread or process gives: a count is safe in threads, a generator is not."""
    return f"{_OWN}{os.getpid():x}-{next(_NUMBERS):x}"


def _plays_of(connection: sa.Connection, name: str) -> Iterator[tuple[int, SavedPlay]]:
    for play in connection.execute(sa.select(plays).where(plays.c.session == name)).all():
        query = sa.select(steps.c.action, steps.c.label).where(
            steps.c.session == name, steps.c.place == play.place, steps.c.number <= play.length
        )
        done = tuple((row.action, row.label) for row in connection.execute(query.order_by(steps.c.number)))
        yield play.place, SavedPlay(int(play.seed), done, play.done, play.finished, play.brought)
