"""Session registry: live sessions in memory, all others in the store."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from gridproof.analysis.json_data import Data
from gridproof.core.session import Session, SessionStore
from gridproof.core.text.pack import Pack
from gridproof.server.cached_store import CachedStore
from gridproof.server.errors import Forbidden, SessionNotFound
from gridproof.server.fair_executor import CLIENT
from gridproof.server.live.live_session import LiveSession
from gridproof.server.multiprocess.shard import Shard
from gridproof.server.ranked_seed import draw_seed
from gridproof.server.rate_limits import Limits
from gridproof.server.session_memory import MemoryUse, ServerOverloaded, board_memory
from gridproof.store import GroupedStore
from gridproof.store.database import StoreError

EVICTIONS_PER_COLLECTION = 500
"""Evicted sessions after which the garbage collector runs."""
YOUNG = 2.0
"""Seconds for which a session stays in memory after its last request."""
CHECK_AFTER = 1.0
"""Seconds after which a session without viewers is compared with the store before it is used."""
MOST_SUMMARIES = 5000
"""Cached summaries of sessions."""


@dataclass(frozen=True, slots=True)
class Access:
    """Access of a client to a session."""

    live: LiveSession
    actor: str | None
    plays: bool
    invitation: str = ""
    """Id of the invitation; "" for the session's own id."""

    @property
    def name(self) -> str:
        """Return the id that the client knows."""
        return self.invitation or self.live.name

    def check_owner(self) -> None:
        """Check that the id is not an invitation.

        Raises
        ------
        Forbidden
            If it is one.
        """
        if self.invitation:
            raise Forbidden("your invitation does not allow this")


class SessionRegistry:
    """The sessions of this server process, by id."""

    def __init__(self, store: GroupedStore, limits: Limits, shard: Shard) -> None:
        self.store = store
        self.shard = shard
        self.cached_store = CachedStore(store)
        self.limits = limits
        self.sessions: dict[str, LiveSession] = {}
        self._memory = MemoryUse()
        self._opening: dict[str, asyncio.Task[LiveSession]] = {}
        self._last_used: dict[str, float] = {}
        self._summaries: OrderedDict[str, tuple[str | None, Data]] = OrderedDict()
        """Id -> mark of the last change, summary; for sessions of other processes."""
        self._evicted_count = 0
        """Evicted sessions since the last garbage collection."""

    async def create(self, levels: Pack, place: int = 0, seed: int | None = None) -> LiveSession:
        """Create a session and save it."""
        chance = draw_seed() if seed is None else seed
        return await self._save_new(partial(self._new, levels, place, chance))

    async def adopt(self, make: Callable[[SessionStore], Session]) -> LiveSession:
        """Save a session that was created elsewhere."""
        return await self._save_new(lambda: make(self.store))

    def _new(self, levels: Pack, place: int, seed: int) -> Session:
        session = Session(levels, seed, self.store)
        if place:
            session.select(place)
        return session

    async def _save_new(self, make: Callable[[], Session]) -> LiveSession:
        def build() -> tuple[Session, int]:
            session = make()
            return session, board_memory(session)

        def wrap() -> LiveSession:
            if self.store.id_of(session) is None:
                self.store.keep(session, session.current, False)
            return LiveSession(str(self.store.id_of(session)), session, self.cached_store)

        session, size = await asyncio.to_thread(build)
        self.check_memory(CLIENT.get(), size)
        live = await asyncio.to_thread(wrap)
        save = self.cached_store.pending_save(live.session)
        if save is not None and (failure := (await save).get(live.name)):
            raise failure
        return self._register(live)

    def _register(self, live: LiveSession) -> LiveSession:
        """Return the live session; keep it in memory if this process holds it."""
        if self.shard.holds(live.name):
            self.check_memory(live.client, live.memory.size)
            self.sessions[live.name] = live
            live.memory.join(self._memory, live.client)
            self._last_used[live.name] = time.monotonic()
        return live

    # -- memory

    def check_memory(self, client: str, more: int = 0) -> None:
        """Check that a client may use `more` bytes, and evict idle sessions if necessary.

        Raises
        ------
        ServerOverloaded
            If the memory is not enough.
        """
        memory = self._memory.by_client()
        memory[client] += more
        if self._fits(client, memory):
            return
        for live in self._idle(client):
            self._evict(live)
            memory[live.client] -= live.memory.size
            if self._fits(client, memory):
                return
        raise ServerOverloaded

    def _fits(self, client: str, memory: Counter[str]) -> bool:
        """Return whether a client stays within its limit, or within its share if memory is short."""
        limits = self.limits
        part = limits.memory if memory.total() <= limits.memory else limits.memory // len(memory)
        return memory[client] <= min(limits.memory_each, part)

    def _idle(self, client: str) -> list[LiveSession]:
        """List the idle sessions: the client's own first, the oldest first."""
        latest = time.monotonic() - YOUNG
        idle = [
            live
            for live in self.sessions.values()
            if not live.is_used and self._last_used[live.name] < latest
        ]
        return sorted(idle, key=lambda live: (live.client != client, self._last_used[live.name]))

    def _evict(self, live: LiveSession) -> None:
        """Evict a session to the store."""
        live.memory.leave()
        del self.sessions[live.name], self._last_used[live.name]
        self._evicted_count += 1

    async def open(self, name: str) -> LiveSession:
        """Open the session with an id.

        Raises
        ------
        SessionNotFound
            If there is none.
        WrongShard
            If another process holds it.
        """
        self.shard.check_holds(name)
        live = self.sessions.get(name)
        if live is not None and not live.is_used and self._last_used[name] < time.monotonic() - CHECK_AFTER:
            with contextlib.suppress(StoreError):  # without the store, what is in memory can still be seen
                await self._drop_stale([live])
            live = self.sessions.get(name)
        if live is not None and not self.store.has_failed(live.session):
            self._last_used[name] = time.monotonic()
            return live
        if name not in self._opening:
            self._opening[name] = asyncio.create_task(self._open(name))
        return await asyncio.shield(self._opening[name])

    async def access(self, name: str) -> Access:
        """Return the access of an id: the session's own, or an invitation's; errors as of `open`."""
        return await self._resolve(name, self.open)

    async def read_access(self, name: str) -> Access:
        """Return the access for reading only; load a session of another process from the store."""
        return await self._resolve(name, self._open_or_read)

    async def has_session(self, name: str) -> bool:
        """Return whether a session or an invitation has this id, in any process."""
        if name in self.sessions:
            return True
        store = self.store
        return await asyncio.to_thread(lambda: store.mark_of(store.invitations.session_of(name)) is not None)

    async def summary(self, name: str, summarize: Callable[[Access], Data]) -> Data:
        """Return the summary of a session, cached for sessions of other processes; errors as of `read_access`."""

        def mark() -> str | None:
            return self.store.mark_of(self.store.invitations.session_of(name))

        if name in self.sessions:
            return summarize(await self.access(name))
        latest, cached = await asyncio.to_thread(mark), self._summaries.get(name)
        if cached is None or cached[0] != latest:
            cached = self._summaries[name] = latest, summarize(await self.read_access(name))
            if len(self._summaries) > MOST_SUMMARIES:
                self._summaries.popitem(last=False)
        return cached[1]

    async def _resolve(self, name: str, open_session: Callable[[str], Awaitable[LiveSession]]) -> Access:
        if name in self.sessions:
            return Access(await open_session(name), None, True)
        if "\0" in name:  # some databases refuse it
            raise SessionNotFound("no such session")
        invitation = await asyncio.to_thread(self.store.invitations.get, name)
        if invitation is None:
            return Access(await open_session(name), None, True)
        return Access(await open_session(invitation.session), invitation.actor, invitation.plays, name)

    async def _open_or_read(self, name: str) -> LiveSession:
        if self.shard.holds(name):
            return await self.open(name)
        return self._register(await asyncio.to_thread(self._load, name))

    async def _open(self, name: str) -> LiveSession:
        try:
            self.drop(name)
            return self._register(await asyncio.to_thread(self._load, name))
        finally:
            del self._opening[name]

    def _load(self, name: str) -> LiveSession:
        if self.store.mark_of(name) is None:
            raise SessionNotFound("no such session")
        return LiveSession(name, self.store.resume(name), self.cached_store)

    def drop(self, name: str) -> None:
        """Drop a session from memory, and let its pages open it again."""
        self._last_used.pop(name, None)
        if live := self.sessions.pop(name, None):
            self._evicted_count += 1
            live.memory.leave()
            if live.race is not None:
                live.race.stop()
            for viewer in live.viewers:
                viewer.disconnect()

    async def drop_stale(self) -> None:
        """Drop the sessions that another server has changed since: their pages open them again."""
        await self._drop_stale([live for live in self.sessions.values() if not live.lock.locked()])

    async def _drop_stale(self, held: Sequence[LiveSession]) -> None:
        stale = await asyncio.to_thread(self.store.find_stale, [live.session for live in held])
        for live in held:
            if live.session in stale and self.sessions.get(live.name) is live:
                self.drop(live.name)

    async def delete(self, name: str) -> None:
        """Delete a session; errors as of `open`."""
        live = await self.open(name)
        async with live.lock:
            await asyncio.to_thread(self.store.forget, name)
        self.drop(name)

    def evict_idle(self) -> None:
        """Evict idle sessions and compact the others."""
        now = time.monotonic()
        for name, live in list(self.sessions.items()):
            if not live.lock.locked():
                live.session.pack()
            if live.is_used:
                self._last_used[name] = now
            elif now - self._last_used[name] > self.limits.idle:
                self._evict(live)
        if self._evicted_count >= EVICTIONS_PER_COLLECTION:
            self._evicted_count = 0
            gc.collect()
