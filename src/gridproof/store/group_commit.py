"""A store for many sessions at once: changes are written in groups, one transaction for all that wait."""

from __future__ import annotations

import contextlib
import threading
import time
import weakref
from collections.abc import Collection, Mapping
from concurrent.futures import Future

from gridproof.core.errors import GridproofError
from gridproof.core.session import Session
from gridproof.store.database import StoreError, reported
from gridproof.store.store import Entry, Store
from gridproof.store.writing import Change

Failures = Mapping[str, GridproofError]
"""The sessions of a group that could not be kept, by id."""


APART, APART_EACH, APART_MOST = 0.01, 0.0006, 0.04
"""Seconds from the beginning of one group to the next: a transaction takes as long for one change as for ten.
So many more for each change in it, up to the most: the more there is to do, the fewer transactions do it."""
FRESH = 60.0
"""Seconds after which a high score is read again: other processes raise it, too."""


class Group:
    """Changes that are written together."""

    def __init__(self) -> None:
        self.changes: dict[str, Change] = {}
        """By the session's id: several of one session are one."""
        self.kept: Future[Failures] = Future()
        """Done when they are kept, all but the failures."""
        self.written = False
        """Whether it is done, or will be in a moment: to ask it itself takes a lock."""


def seconds_apart(changes: int) -> float:
    """How long after the beginning of a group with so many changes the next one begins."""
    return min(APART + APART_EACH * changes, APART_MOST)


class GroupedStore(Store):
    """A store that keeps changes soon, and says when: `keep` returns at once.

    What is answered before `kept` is done may be lost. A session that could not be kept is refused from then
    on: it is to be taken up again. Sessions are used by any threads, each by one at a time.

    Parameters
    ----------
    url : str, optional
        As of `Store`.
    turn : context manager, optional
        Is entered for each group: a lock, where several processes write the same file of SQLite, whose own is asked
        for again and again, in ever longer intervals.
    """

    def __init__(
        self, url: str | None = None, turn: contextlib.AbstractContextManager[object] | None = None
    ) -> None:
        super().__init__(url)
        one_writes = self._engine.dialect.name == "sqlite"  # others let many write at once
        self._turn = turn if turn and one_writes else contextlib.nullcontext()
        self._lock = threading.Lock()
        self._some = threading.Condition(self._lock)
        self._group = Group()
        self._writing: Group | None = None
        self._last: weakref.WeakKeyDictionary[Session, Group] = weakref.WeakKeyDictionary()
        self._lost: weakref.WeakSet[Session] = weakref.WeakSet()
        self._closed = False
        self._stale: dict[str, float] = {}
        """When high scores that were read are to be read again."""
        self._writer = threading.Thread(target=self._run, name="store", daemon=True)
        self._writer.start()

    def close(self) -> None:
        """Write what waits, and close the database."""
        with self._some:
            self._closed = True
            self._some.notify()
        self._writer.join()
        super().close()

    def high_score(self, key: str) -> int:
        """The best score kept under a key, as this process has raised it, or read it in the last minute."""
        now = time.monotonic()
        if key not in self._high or now > self._stale.get(key, 0.0):
            self._stale[key] = now + FRESH
            with contextlib.suppress(StoreError) if key in self._high else contextlib.nullcontext():
                self._high[key] = max(super().high_score(key), self._high.get(key, 0))
        return self._high[key]

    def keep(self, session: Session, place: int, won: bool, passed: Collection[int] = ()) -> None:
        """Note what has changed, to be kept with the next group.

        Raises
        ------
        GridproofError
            When a change before could not be kept.
        """
        if session in self._lost:
            raise GridproofError("what was done before could not be kept: take the game up again")
        change = self._change(session, place, won, passed)
        self._known[session] = Entry(change.name, change.mark)
        self._high.update(change.scores)
        with self._some:
            group = self._last[session] = self._group
            if not group.changes:
                self._some.notify()
            if change.name in group.changes:
                group.changes[change.name].follow(change)
            else:
                group.changes[change.name] = change

    def kept(self, session: Session) -> Future[Failures] | None:
        """When all that was done in a session is kept, or could not be; None: it is."""
        group = self._last.get(session)
        if group is None or (group.written and session not in self._lost):
            return None
        return group.kept

    def is_lost(self, session: Session) -> bool:
        """Whether something done in a session could not be kept."""
        return session in self._lost

    # -- the writer's thread

    def _run(self) -> None:
        while (group := self._next()) is not None:
            begun, apart = time.monotonic(), seconds_apart(len(group.changes))
            failures = self._write_all(group)
            for name in failures:
                self._lost.add(group.changes[name].session)
            group.changes = {}  # they hold the sessions, which hold the group in `_last`: none would ever go
            group.written = True
            group.kept.set_result(failures)
            self._rest(begun + apart - time.monotonic())

    def _rest(self, seconds: float) -> None:
        """Let more changes come before the next group is written."""
        if seconds > 0:
            time.sleep(seconds)

    def _next(self) -> Group | None:
        """The group that waits, as soon as something is in it; None at the end."""
        with self._some:
            while not self._group.changes:
                if self._closed:
                    return None
                self._some.wait()
            group, self._group = self._group, Group()
            return group

    def _write_all(self, group: Group) -> Failures:
        changes = [*group.changes.values()]
        with contextlib.suppress(Exception):  # which of them failed, and why, is seen below
            with self._turn:
                self._write(changes)
            return {}
        failures = {}
        for change in changes:
            try:
                with reported(self.url):
                    self._write_after_all(change)
            except GridproofError as error:
                failures[change.name] = error
        return failures

    def _write_after_all(self, change: Change) -> None:
        """Write one change, if it is not kept already: the answer to a commit may have been lost."""
        if self.mark_of(change.name) != change.mark:
            self._write([change])
