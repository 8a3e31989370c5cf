"""Store for a server with many players, with a cache of best counts."""

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
from gridproof.store import GroupedStore
from gridproof.store.group_commit import Failures
from gridproof.table.game_store import Record, SavedGame

MOST = 10_000
"""Levels in the cache."""
FRESH = 60.0
"""Seconds after which best counts are read again, because other processes play, too."""


class CachedStore:
    """GameStore for the tables of many players."""

    def __init__(self, store: GroupedStore) -> None:
        self.store = store
        self._best: OrderedDict[str, tuple[float, dict[str, int]]] = OrderedDict()
        """Level digest -> time of reading, best counts."""
        self._lock = threading.Lock()  # several threads change the cache
        self._pending: tuple[Future[Failures], asyncio.Future[Failures]] | None = None

    def high_score(self, key: str) -> int:
        return self.store.high_score(key)

    def keep(self, session: Session, place: int, won: bool, passed: Collection[int] = ()) -> None:
        self.store.keep(session, place, won, passed)

    def pending_save(self, session: Session) -> asyncio.Future[Failures] | None:
        """Return the future of a session's pending save, one for each group; None if all is saved."""
        group = self.store.pending_save(session)
        if group is None:
            return None
        if self._pending is None or self._pending[0] is not group:
            self._pending = group, asyncio.wrap_future(group)
        return self._pending[1]

    def best(self, level: Level) -> Mapping[str, Record]:
        """Return nothing: pages get best counts with the state."""
        return {}

    def load_best(self, level: Level, key: str) -> dict[str, int]:
        """Return everybody's best counts of a level, by its digest."""
        if not self.has_best(key):
            now, counts = time.monotonic(), self.store.best_counts([level])[0]
            with self._lock:
                self._best[key] = now, _least(counts, self.get_best(key))
                if len(self._best) > MOST:
                    self._best.popitem(last=False)
        return self.get_best(key)

    def has_best(self, key: str) -> bool:
        """Return whether the best counts of a level are in the cache and fresh."""
        entry = self._best.get(key)
        return entry is not None and time.monotonic() - entry[0] < FRESH

    def get_best(self, key: str) -> dict[str, int]:
        """Return everybody's best counts of a level from the cache, without reading the store."""
        entry = self._best.get(key)
        return {} if entry is None else entry[1]

    def update_best(self, key: str, costs: Mapping[str, int]) -> dict[str, int]:
        """Return the best counts after a win with these costs."""
        with self._lock:
            best = _least(costs, self.get_best(key))
            if key in self._best:
                self._best[key] = self._best[key][0], best
        return best

    def won(self, levels: Sequence[Level]) -> Sequence[bool]:
        """Return whether each of many levels was won."""
        return self.store.won(levels)

    def best_counts(self, levels: Sequence[Level]) -> Sequence[Mapping[str, int]]:
        return self.store.best_counts(levels)

    def saved(self, game: str | None = None) -> Sequence[SavedGame]:
        """Return no games: a session is found by its id only."""
        return ()

    def resume(self, name: str) -> Session:
        raise GridproofError("open a session by its address")

    def id_of(self, session: Session) -> str | None:
        return self.store.id_of(session)


def _least(counts: Mapping[str, int], others: Mapping[str, int]) -> dict[str, int]:
    """Return the smaller of each count."""
    return {**others, **{name: min(count, others.get(name, count)) for name, count in counts.items()}}
