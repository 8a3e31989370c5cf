"""The store as a server uses it: for many, and nobody is told of others' sessions."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future

from gridproof.core.errors import GridproofError
from gridproof.core.position import Level
from gridproof.core.session import Session
from gridproof.play.library import Kept, Record
from gridproof.store import GroupedStore
from gridproof.store.grouped import Failures

MOST = 10_000
"""Levels whose best counts are remembered."""
FRESH = 60.0
"""Seconds after which they are read again: other processes play, too."""


class Keeping:
    """A library for tables of many players."""

    def __init__(self, store: GroupedStore) -> None:
        self.store = store
        self._best: OrderedDict[str, tuple[float, dict[str, int]]] = OrderedDict()
        """Each with the time at which it was read."""
        self._lock = threading.Lock()  # threads ask, too
        self._waited: tuple[Future[Failures], asyncio.Future[Failures]] | None = None

    def high_score(self, key: str) -> int:
        return self.store.high_score(key)

    def keep(self, session: Session, place: int, won: bool, passed: Collection[int] = ()) -> None:
        self.store.keep(session, place, won, passed)

    def kept(self, session: Session) -> asyncio.Future[Failures] | None:
        """When all that was done in a session is kept; None: it is. All who wait for a group wait for one future."""
        group = self.store.kept(session)
        if group is None:
            return None
        if self._waited is None or self._waited[0] is not group:
            self._waited = group, asyncio.wrap_future(group)
        return self._waited[1]

    def best(self, level: Level) -> Mapping[str, Record]:
        """Nothing: pages are told of best counts with all that stands."""
        return {}

    def best_of(self, level: Level, key: str) -> dict[str, int]:
        """The best counts of a level by everybody, whose digest is known."""
        if not self.knows_best(key):
            now, found = time.monotonic(), self.store.best_counts([level])[0]
            with self._lock:
                self._best[key] = now, _least(found, self._known(key))
                if len(self._best) > MOST:
                    self._best.popitem(last=False)
        return self.known_best(key)

    def knows_best(self, key: str) -> bool:
        """Whether the best counts of a level are at hand, as they were a short while ago."""
        with self._lock:
            known = self._best.get(key)
        return known is not None and time.monotonic() - known[0] < FRESH

    def known_best(self, key: str) -> dict[str, int]:
        """The best counts of a level by everybody, where they are at hand; nothing is read."""
        with self._lock:
            return self._known(key)

    def _known(self, key: str) -> dict[str, int]:
        return self._best[key][1] if key in self._best else {}

    def reached(self, key: str, costs: Mapping[str, int]) -> dict[str, int]:
        """The same, after the level has been won with these costs."""
        with self._lock:
            best = _least(costs, self._known(key))
            if key in self._best:
                self._best[key] = self._best[key][0], best
        return best

    def best_counts(self, levels: Sequence[Level]) -> Sequence[Mapping[str, int]]:
        return self.store.best_counts(levels)

    def saved(self, game: str | None = None) -> Sequence[Kept]:
        """None: whoever knows no id has no session."""
        return ()

    def resume(self, name: str) -> Session:
        raise GridproofError("sessions are opened by their address")

    def id_of(self, session: Session) -> str | None:
        return self.store.id_of(session)


def _least(counts: Mapping[str, int], others: Mapping[str, int]) -> dict[str, int]:
    """The less of each count."""
    return {**others, **{name: min(count, others.get(name, count)) for name, count in counts.items()}}
