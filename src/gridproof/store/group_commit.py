"""Group commit: a store for many sessions, with one transaction for all waiting changes."""

from __future__ import annotations

import contextlib
import threading
import time
import weakref
from collections.abc import Collection, Mapping
from concurrent.futures import Future

from gridproof.core.errors import GridproofError
from gridproof.core.session import Session
from gridproof.store.changes import Change
from gridproof.store.database import StoreError, report_errors
from gridproof.store.store import Entry, Store

Failures = Mapping[str, GridproofError]
"""Session id -> error, for the failed sessions of a group."""


INTERVAL, INTERVAL_EACH, INTERVAL_MOST = 0.01, 0.0006, 0.04
"""Seconds between the starts of two groups, more for each change, and the maximum: a transaction of ten changes takes
as long as one of a single change."""
FRESH = 60.0
"""Seconds after which a high score is read again, because other processes raise it, too."""


class Group:
    """Changes that are written together."""

    def __init__(self) -> None:
        self.changes: dict[str, Change] = {}
        """Session id -> merged changes."""
        self.pending_save: Future[Failures] = Future()
        """Future that is done when the group is written; its result is the failures."""
        self.written = False
        """True if the future is done, or will be in a moment; asking the future needs a lock."""


def group_interval(changes: int) -> float:
    """Return the seconds from the start of a group to the next one."""
    return min(INTERVAL + INTERVAL_EACH * changes, INTERVAL_MOST)


class GroupedStore(Store):
    """A store whose `keep` returns at once; `pending_save` tells when the change is written.

    An answer before that may be lost. A session that could not be saved is refused from then on, and must be resumed.
    Any thread may use a session, one at a time.

    Parameters
    ----------
    url : str, optional
        As of `Store`.
    write_lock : context manager, optional
        Entered for each group: a lock for several processes on one SQLite file, since SQLite's own lock is polled
        in ever longer intervals.
    """

    def __init__(
        self, url: str | None = None, write_lock: contextlib.AbstractContextManager[object] | None = None
    ) -> None:
        super().__init__(url)
        has_one_writer = self._engine.dialect.name == "sqlite"  # other databases have several writers
        self._write_lock = write_lock if write_lock and has_one_writer else contextlib.nullcontext()
        self._lock = threading.Lock()
        self._wake = threading.Condition(self._lock)
        self._group = Group()
        self._writing: Group | None = None
        self._last: weakref.WeakKeyDictionary[Session, Group] = weakref.WeakKeyDictionary()
        self._failed: weakref.WeakSet[Session] = weakref.WeakSet()
        self._closed = False
        self._stale: dict[str, float] = {}
        """Key -> time at which the high score is read again."""
        self._writer = threading.Thread(target=self._run, name="store", daemon=True)
        self._writer.start()

    def close(self) -> None:
        """Write all waiting changes, and close the database."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        self._writer.join()
        super().close()

    def high_score(self, key: str) -> int:
        """Return the high score of a key, as raised by this process or read in the last minute."""
        now = time.monotonic()
        if key not in self._high or now > self._stale.get(key, 0.0):
            self._stale[key] = now + FRESH
            with contextlib.suppress(StoreError) if key in self._high else contextlib.nullcontext():
                self._high[key] = max(super().high_score(key), self._high.get(key, 0))
        return self._high[key]

    def keep(self, session: Session, place: int, won: bool, passed: Collection[int] = ()) -> None:
        """Add a change to the next group; GridproofError if an earlier change could not be saved."""
        if session in self._failed:
            raise GridproofError("an earlier action could not be saved; open the game again")
        change = self._change(session, place, won, passed)
        self._entries[session] = Entry(change.name, change.mark)
        self._high.update(change.scores)
        with self._wake:
            group = self._last[session] = self._group
            if not group.changes:
                self._wake.notify()
            if change.name in group.changes:
                group.changes[change.name].merge(change)
            else:
                group.changes[change.name] = change

    def pending_save(self, session: Session) -> Future[Failures] | None:
        """Return the future of a session's last group; None if all is saved."""
        group = self._last.get(session)
        if group is None or (group.written and session not in self._failed):
            return None
        return group.pending_save

    def has_failed(self, session: Session) -> bool:
        """Return whether a change of a session could not be saved."""
        return session in self._failed

    def _saved_entry(self, session: Session) -> Entry | None:
        return self._entries.get(session) if self.pending_save(session) is None else None

    # -- the writer's thread

    def _run(self) -> None:
        while (group := self._next()) is not None:
            start, interval = time.monotonic(), group_interval(len(group.changes))
            failures = self._write_all(group)
            for name in failures:
                self._failed.add(group.changes[name].session)
            group.changes = {}  # breaks a reference cycle with `_last`
            group.written = True
            group.pending_save.set_result(failures)
            self._sleep(start + interval - time.monotonic())

    def _sleep(self, seconds: float) -> None:
        """Wait for more changes before the next group."""
        if seconds > 0:
            time.sleep(seconds)

    def _next(self) -> Group | None:
        """Wait for the next group with changes; None at the end."""
        with self._wake:
            while not self._group.changes:
                if self._closed:
                    return None
                self._wake.wait()
            group, self._group = self._group, Group()
            return group

    def _write_all(self, group: Group) -> Failures:
        changes = [*group.changes.values()]
        with contextlib.suppress(Exception):  # failures are found below, one by one
            with self._write_lock:
                self._write(changes)
            return {}
        failures = {}
        for change in changes:
            try:
                with report_errors(self.url):
                    self._write_once(change)
            except GridproofError as error:
                failures[change.name] = error
        return failures

    def _write_once(self, change: Change) -> None:
        """Write one change unless it is saved, since the answer to a commit may be lost."""
        if self.mark_of(change.name) != change.mark:
            self._write([change])
