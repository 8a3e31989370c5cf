"""Store of sessions, best counts and high scores in a database.

Every change is one transaction, committed before the action is answered: a process killed at any
moment loses no answered action, and two processes on one database lose no update.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
import secrets
import weakref
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from gridproof.core.errors import GridproofError
from gridproof.core.immutable import FrozenDict
from gridproof.core.measure import cost_of, find_measure
from gridproof.core.play_record import SavedPlay, check_score
from gridproof.core.position import Level
from gridproof.core.registry import is_game
from gridproof.core.session import AlreadySaved, Session
from gridproof.core.text import recognition
from gridproof.core.text.pack import Pack
from gridproof.core.trace import Trace
from gridproof.store.changes import Change, build_change, write
from gridproof.store.database import default_url, open_engine, read_transaction, report_errors
from gridproof.store.invitations import Invitations
from gridproof.store.leaderboard import Leaderboard
from gridproof.store.level_digest import digest, text_digest
from gridproof.store.puzzles import StoredPuzzles
from gridproof.store.schema import bests, invitations, packs, plays, scores, sessions, steps, traces

_PROCESS_MARK = secrets.token_hex(8)
_NUMBERS = itertools.count()
_BATCH = 500
"""Levels in one query: databases take a limited number of values."""

__all__ = ["Best", "SavedSession", "Store", "default_url", "digest"]


@dataclasses.dataclass(frozen=True, slots=True)
class SavedSession:
    """Summary of a saved session."""

    id: str
    game: str
    title: str
    """Title of the current level."""
    changed: datetime
    won: bool
    """True if that level is won, without an undo or a restart since."""
    played: bool
    """True if a level of it has actions, done or undone."""
    has_programs: bool
    """True if programs have played in that level; one that they win does not count as won."""


@dataclasses.dataclass(frozen=True, slots=True)
class Best:
    """Best count of a level by a measure, with its trace."""

    measure: str
    value: int
    trace: Trace


class Entry(NamedTuple):
    """Last saved change of a session: the session's id, and the change's unique mark."""

    name: str
    mark: str


def _best(level: Level, measure: str, value: int, text: str) -> Best:
    """Return a best count; GridproofError if its trace does not show it."""
    trace = Trace.from_json(text)
    if trace.level != level or cost_of(trace, find_measure(level.game, measure)) != value:
        raise GridproofError(f"{value!r} is given as the best of {measure}, but its trace does not show it")
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
        If it cannot be opened. All methods raise it if the database fails.
    """

    def __init__(self, url: str | None = None) -> None:
        self.url = url or default_url()
        self._engine = open_engine(self.url)
        self._entries: weakref.WeakKeyDictionary[Session, Entry]
        self._entries = weakref.WeakKeyDictionary()  # last saved changes of this process's sessions
        self._doubts: weakref.WeakKeyDictionary[Session, Entry]
        self._doubts = weakref.WeakKeyDictionary()  # changes whose commit was not answered
        self._high: dict[str, int] = {}  # saved high scores; other processes may have raised them

    def close(self) -> None:
        """Close the database."""
        self._engine.dispose()

    # -- sessions

    def high_score(self, key: str) -> int:
        """Return the high score of a key; 0 if there is none."""
        with report_errors(self.url), read_transaction(self._engine) as connection:
            best: int = connection.scalar(sa.select(scores.c.best).where(scores.c.key == key)) or 0
        return check_score(best)

    def keep(self, session: Session, place: int, won: bool, passed: Collection[int] = ()) -> None:
        """Save the changes on a level and on passed ones, and a win, in one transaction.

        Raises
        ------
        GridproofError
            If the session was changed in another process; nothing is overwritten. AlreadySaved, if the change before
            was saved although its commit was not answered.
        """
        if session in self._doubts:
            self._resolve_doubt(session)
        change = self._change(session, place, won, passed)
        self._doubts[session] = Entry(change.name, change.mark)
        with report_errors(self.url):
            try:
                self._write([change])
            except IntegrityError:  # another process has just inserted the same row: now it is there
                self._write([change])
        self._entries[session] = self._doubts.pop(session)
        self._high.update(change.scores)

    # -- data of many players

    @property
    def invitations(self) -> Invitations:
        """Return the invitations to its sessions."""
        return Invitations(self._engine, self.url)

    @property
    def leaderboard(self) -> Leaderboard:
        """Return the ranked scores of many players."""
        return Leaderboard(self._engine, self.url)

    @property
    def puzzles(self) -> StoredPuzzles:
        """Return the puzzles that were made ahead."""
        return StoredPuzzles(self._engine, self.url)

    # -- sessions

    def saved(self, game: str | None = None) -> tuple[SavedSession, ...]:
        """Return the saved sessions of one game or of all, the latest first."""
        here = (plays.c.session == sessions.c.id) & (plays.c.place == sessions.c.current)
        won = sa.func.coalesce(
            plays.c.finished & (plays.c.done > 0) & (plays.c.done == plays.c.length), False
        )
        moves = plays.alias()
        played = sa.exists().where(
            moves.c.session == sessions.c.id, (moves.c.done > 0) | (moves.c.length > 0)
        )
        programs = sa.func.coalesce(plays.c.programs != "{}", False)
        about = (sessions.c.id, sessions.c.game, sessions.c.title, sessions.c.changed)
        query = (
            sa.select(*about, won, played, programs)
            .outerjoin(plays, here)
            .order_by(sessions.c.revision.desc())
        )
        if game is not None:
            query = query.where(sessions.c.game == game)
        with report_errors(self.url), read_transaction(self._engine) as connection:
            return tuple(SavedSession(*row) for row in connection.execute(query))

    def latest(self, levels: Iterable[Level] | None = None) -> str | None:
        """Return the id of the latest session, of these levels or of any; None if there is none."""
        query = sa.select(sessions.c.id).order_by(sessions.c.revision.desc()).limit(1)
        if levels is not None:
            pack = Pack(levels)
            query = query.where(
                sessions.c.levels == text_digest(pack.text()), sessions.c.game == pack.game.name
            )
        with report_errors(self.url), read_transaction(self._engine) as connection:
            name: str | None = connection.scalar(query)
        return name

    def resume(self, name: str) -> Session:
        """Resume the session with an id; further changes are saved. GridproofError if that fails."""
        with report_errors(self.url), read_transaction(self._engine) as connection:
            row = connection.execute(sa.select(sessions).where(sessions.c.id == name)).one_or_none()
            if row is None:
                raise GridproofError(f"no saved session {name!r}")
            if not is_game(row.game):
                raise GridproofError(f"the game {row.game} is not installed")
            text = connection.scalar(sa.select(packs.c.text).where(packs.c.id == row.levels))
            if text is None:
                raise GridproofError(f"the levels of the session {name!r} are missing")
            plays = dict(_plays_of(connection, name))
        with report_errors(self.url):
            levels = recognition.read_back(text, row.game)
            session = Session.resume(levels, int(row.seed), row.current, plays, store=self)
        self._entries[session] = Entry(name, row.mark)
        return session

    def mark_of(self, name: str) -> str | None:
        """Return the mark of a session's last change; None if there is no such session."""
        return self._marks_of([name]).get(name)

    def find_stale(self, held: Iterable[Session]) -> list[Session]:
        """Return those of this process's sessions that another process has changed or deleted since."""
        entries = {one: entry for one in held if (entry := self._saved_entry(one))}
        marks = self._marks_of([entry.name for entry in entries.values()])
        return [
            one
            for one, entry in entries.items()
            if marks.get(entry.name) != entry.mark and self._entries.get(one) is entry
        ]

    def forget(self, name: str) -> None:
        """Delete a session, and its levels if no other session has them; its finished traces and scores stay."""
        own_levels = sa.select(sessions.c.levels).where(sessions.c.id == name).scalar_subquery()
        with report_errors(self.url), self._engine.begin() as connection:
            pack = connection.scalar(sa.select(packs.c.id).where(packs.c.id == own_levels).with_for_update())
            connection.execute(sa.delete(invitations).where(invitations.c.session == name))
            connection.execute(sa.delete(steps).where(steps.c.session == name))
            connection.execute(sa.delete(plays).where(plays.c.session == name))
            connection.execute(sa.delete(sessions).where(sessions.c.id == name))
            used = sa.select(sessions.c.id).where(sessions.c.levels == pack).exists()
            connection.execute(sa.delete(packs).where(packs.c.id == pack, ~used))

    def id_of(self, session: Session) -> str | None:
        """Return the id of a session of this process; None before its first change."""
        entry = self._entries.get(session)
        return entry.name if entry else None

    # -- results

    def best(self, level: Level) -> Mapping[str, Best]:
        """Return the best counts of a level by measure, each with its trace."""
        query = (
            sa.select(bests.c.measure, bests.c.value, traces.c.trace)
            .join(traces, bests.c.trace == traces.c.id)
            .where(bests.c.level == digest(level))
        )
        with report_errors(self.url), read_transaction(self._engine) as connection:
            rows = connection.execute(query).all()
            return {measure: _best(level, measure, value, text) for measure, value, text in rows}

    def best_counts(self, levels: Sequence[Level]) -> list[dict[str, int]]:
        """Return the best counts of many levels by measure, in order, as numbers alone."""
        found: dict[str, dict[str, int]] = {digest(level): {} for level in levels}
        names = list(found)
        with report_errors(self.url), read_transaction(self._engine) as connection:
            for first in range(0, len(names), _BATCH):
                part = bests.c.level.in_(names[first : first + _BATCH])
                query = sa.select(bests.c.level, bests.c.measure, bests.c.value).where(part)
                for level, measure, value in connection.execute(query):
                    found[level][measure] = check_score(value)
        return [found[digest(level)] for level in levels]

    def won(self, levels: Sequence[Level]) -> list[bool]:
        """Return whether each of many levels was won, also with hints, in order."""
        names = [digest(level) for level in levels]
        distinct, found = [*dict.fromkeys(names)], set[str]()
        with report_errors(self.url), read_transaction(self._engine) as connection:
            for first in range(0, len(distinct), _BATCH):
                part = traces.c.level.in_(distinct[first : first + _BATCH])
                found |= {*connection.scalars(sa.select(traces.c.level).where(part).distinct())}
        return [name in found for name in names]

    def traces(self, level: Level) -> tuple[Trace, ...]:
        """Return the winning traces of a level, the oldest first."""
        query = sa.select(traces.c.trace).where(traces.c.level == digest(level)).order_by(traces.c.id)
        with report_errors(self.url), read_transaction(self._engine) as connection:
            texts = connection.scalars(query).all()
            return tuple(Trace.from_json(text) for text in texts)

    # -- inside

    def _saved_entry(self, session: Session) -> Entry | None:
        """Return the last change of a session if it is saved for certain."""
        return None if session in self._doubts else self._entries.get(session)

    def _marks_of(self, names: Sequence[str]) -> dict[str, str]:
        """Return the marks of the last changes of sessions, by their ids."""
        found: dict[str, str] = {}
        with report_errors(self.url), read_transaction(self._engine) as connection:
            for first in range(0, len(names), _BATCH):
                part = sessions.c.id.in_(names[first : first + _BATCH])
                rows = connection.execute(sa.select(sessions.c.id, sessions.c.mark).where(part))
                found.update((row.id, row.mark) for row in rows)
        return found

    def _resolve_doubt(self, session: Session) -> None:
        """Raise AlreadySaved if the last change was saved although its commit was not answered."""
        doubt = self._doubts[session]
        saved = self.resume(doubt.name) if self.mark_of(doubt.name) == doubt.mark else None
        del self._doubts[session]
        if saved is not None:
            self._entries[session] = doubt
            raise AlreadySaved(saved)

    def _change(self, session: Session, place: int, won: bool, passed: Collection[int]) -> Change:
        """Build the change of a session since its last save."""
        entry = self._entries.get(session)
        changed = {place, session.current, *passed} if entry else range(len(session.levels))
        reached = session.scores(changed) if session.game.policy.keeps_score else {}
        high_scores = {key: score for key, score in reached.items() if score > self._high.get(key, 0)}
        name, before = (entry.name, entry.mark) if entry else (secrets.token_urlsafe(24), None)
        return build_change(
            session, (name, before, _new_mark()), changed, high_scores, place if won else None
        )

    def _write(self, changes: Sequence[Change]) -> None:
        with self._engine.begin() as connection:
            write(connection, changes)


def _new_mark() -> str:
    """Return a unique mark for a change; `itertools.count` is safe in threads, a generator is not."""
    return f"{_PROCESS_MARK}{os.getpid():x}-{next(_NUMBERS):x}"


def _plays_of(connection: sa.Connection, name: str) -> Iterator[tuple[int, SavedPlay]]:
    for play in connection.execute(sa.select(plays).where(plays.c.session == name)).all():
        query = sa.select(steps.c.action, steps.c.label).where(
            steps.c.session == name, steps.c.place == play.place, steps.c.number <= play.length
        )
        done = tuple((row.action, row.label) for row in connection.execute(query.order_by(steps.c.number)))
        saved = SavedPlay(int(play.seed), done, play.done, play.finished, play.brought)
        programs = FrozenDict(json.loads(play.programs))
        yield play.place, saved._replace(helped=play.helped, programs=programs)
