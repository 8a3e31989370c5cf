"""The store as a server uses it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence

from gridproof.core.errors import GridproofError
from gridproof.core.position import Level
from gridproof.core.session import Session
from gridproof.play.library import Kept, Record
from gridproof.store import Store


class Keeping:
    """A library for tables of many players: it keeps sessions, and tells nobody of others'."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._best: OrderedDict[str, dict[str, int]] = OrderedDict()

    def high_score(self, key: str) -> int:
        return self.store.high_score(key)

    def keep(self, session: Session, place: int, won: bool, passed: Collection[int] = ()) -> None:
        self.store.keep(session, place, won, passed)

    def kept(self, session: Session) -> asyncio.Future[None] | None:
        """When all that was done in a session is kept; None: it is."""
        return None

    def best(self, level: Level) -> Mapping[str, Record]:
        """Nothing: pages are told of best counts with all that stands."""
        return {}

    def best_of(self, level: Level, key: str) -> dict[str, int]:
        """The best counts of a level by everybody."""
        return self.store.best_counts([level])[0]

    def best_counts(self, levels: Sequence[Level]) -> Sequence[Mapping[str, int]]:
        return self.store.best_counts(levels)

    def saved(self, game: str | None = None) -> Sequence[Kept]:
        """None: whoever knows no id has no session."""
        return ()

    def resume(self, name: str) -> Session:
        raise GridproofError("sessions are opened by their address")

    def taken_up(self, name: str) -> Session | None:
        """The session with an id, as it was left; None where there is none."""
        return self.store.resume(name, self) if self.store.has(name) else None

    def id_of(self, session: Session) -> str | None:
        return self.store.id_of(session)
