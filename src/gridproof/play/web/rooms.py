"""All sessions of a server: those that are looked at in memory, all others in the store."""

from __future__ import annotations

import asyncio
import gc
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from gridproof.core.errors import GridproofError
from gridproof.core.pack import Pack
from gridproof.core.session import Session
from gridproof.core.viewer import Keeper
from gridproof.play.data import Data
from gridproof.play.web.chance import drawn_seed
from gridproof.play.web.keeping import Keeping
from gridproof.play.web.limits import Limits
from gridproof.play.web.room import Room
from gridproof.play.web.share import Share
from gridproof.store import GroupedStore

MANY_LEFT = 500
"""Sessions that have left the memory, after which it is cleared of them: the collector by itself looks there seldom."""


MOST_LINES = 5000
"""Sessions of which it is remembered what was told of them."""


class Uninvited(GridproofError):
    """What only those may do who know a session's own id."""


class Missing(GridproofError):
    """There is no session with that id."""


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody at a session, and what may be done there."""

    room: Room
    actor: str | None
    plays: bool
    invitation: str = ""
    """The id of the invitation; "" for one who knows the session's own."""

    @property
    def name(self) -> str:
        """The id that is known to the guest."""
        return self.invitation or self.room.name

    def check_owns(self) -> None:
        """Check that it is no invitation alone.

        Raises
        ------
        Uninvited
            When it is.
        """
        if self.invitation:
            raise Uninvited("an invitation does not go so far")


class Rooms:
    """The sessions by id, as far as this process of the server holds them."""

    def __init__(self, store: GroupedStore, limits: Limits, share: Share) -> None:
        self.store = store
        self.share = share
        self.keeping = Keeping(store)
        self.limits = limits
        self.rooms: dict[str, Room] = {}
        self._opening: dict[str, asyncio.Task[Room]] = {}
        self._left: dict[str, float] = {}
        self._lines: OrderedDict[str, tuple[str | None, Data]] = OrderedDict()
        """What was told of sessions that were not in memory, each with the mark of its last change."""
        self._gone = 0
        """How many have left the memory since it was cleared of them."""

    async def create(self, levels: Pack, place: int = 0, seed: int | None = None) -> Room:
        """Begin a session, and keep it."""
        chance = drawn_seed() if seed is None else seed
        return await self._begin(partial(self._new, levels, place, chance))

    async def continued(self, make: Callable[[Keeper], Session]) -> Room:
        """Keep a session that is made elsewhere."""
        return await self._begin(lambda: make(self.store))

    def _new(self, levels: Pack, place: int, seed: int) -> Session:
        session = Session(levels, seed, self.store)
        if place:
            session.select(place)
        return session

    async def _begin(self, make: Callable[[], Session]) -> Room:
        def begun() -> tuple[Session, str]:
            session = make()
            if self.store.id_of(session) is None:
                self.store.keep(session, session.current, False)
            return session, str(self.store.id_of(session))

        session, name = await asyncio.to_thread(begun)
        kept = self.keeping.kept(session)
        if kept is not None and (failure := (await kept).get(name)):
            raise failure
        return self._taken_in(name, session)

    def _taken_in(self, name: str, session: Session) -> Room:
        """A session's room; it stays in memory where it is this process that holds it."""
        room = Room(name, session, self.keeping)
        if self.share.holds(name):
            self.rooms[name] = room
            self._left[name] = time.monotonic()
        return room

    async def open(self, name: str) -> Room:
        """The session with an id.

        Raises
        ------
        Missing
            When there is none.
        Elsewhere
            When another process holds it.
        """
        self.share.check_holds(name)
        room = self.rooms.get(name)
        if room is not None and not self.store.is_lost(room.session):
            return room
        if name not in self._opening:
            self._opening[name] = asyncio.create_task(self._open(name))
        return await asyncio.shield(self._opening[name])

    async def guest(self, name: str) -> Guest:
        """What somebody may do who knows an id: the session's own, or an invitation's; errors as of `open`."""
        return await self._guest(name, self.open)

    async def seen(self, name: str) -> Guest:
        """The same, only to be looked at: what another process holds is read as it is kept."""
        return await self._guest(name, self._read)

    async def line(self, name: str, told: Callable[[Guest], Data]) -> Data:
        """What is told of a session in few words; of one that another process holds, made again when it has changed.

        Errors as of `open`, but that sessions of other processes are none.
        """

        def mark() -> str | None:
            return self.store.mark_of(self.store.invitations.session_of(name))

        if name in self.rooms:
            return told(await self.guest(name))
        latest, known = await asyncio.to_thread(mark), self._lines.get(name)
        if known is None or known[0] != latest:
            known = self._lines[name] = latest, told(await self.seen(name))
            if len(self._lines) > MOST_LINES:
                self._lines.popitem(last=False)
        return known[1]

    async def _guest(self, name: str, opened: Callable[[str], Awaitable[Room]]) -> Guest:
        if name in self.rooms:
            return Guest(await opened(name), None, True)
        if "\0" in name:  # a database may not take it
            raise Missing("there is no such session")
        invitation = await asyncio.to_thread(self.store.invitations.get, name)
        if invitation is None:
            return Guest(await opened(name), None, True)
        return Guest(await opened(invitation.session), invitation.actor, invitation.plays, name)

    async def _read(self, name: str) -> Room:
        if self.share.holds(name):
            return await self.open(name)
        return self._taken_in(name, await asyncio.to_thread(self._taken_up, name))

    async def _open(self, name: str) -> Room:
        try:
            self.drop(name)
            return self._taken_in(name, await asyncio.to_thread(self._taken_up, name))
        finally:
            del self._opening[name]

    def _taken_up(self, name: str) -> Session:
        if self.store.mark_of(name) is None:
            raise Missing("there is no such session")
        return self.store.resume(name)

    def drop(self, name: str) -> None:
        """Let go of a session in memory, and have its pages open it again."""
        self._left.pop(name, None)
        if room := self.rooms.pop(name, None):
            self._gone += 1
            if room.race is not None:
                room.race.stop()
            for ear in room.ears:
                ear.cut()

    async def forget(self, name: str) -> None:
        """Remove a session; errors as of `open`."""
        room = await self.open(name)
        async with room.lock:
            await asyncio.to_thread(self.store.forget, name)
        self.drop(name)

    def forget_idle(self) -> None:
        """Let those leave the memory that nobody has looked at for some time; the others take as little as they can."""
        now = time.monotonic()
        for name, room in list(self.rooms.items()):
            if not room.lock.locked():
                room.session.pack()
            if room.ears or room.lock.locked() or room.race is not None:
                self._left[name] = now
            elif now - self._left[name] > self.limits.idle:
                del self.rooms[name], self._left[name]
                self._gone += 1
        if self._gone >= MANY_LEFT:
            self._gone = 0
            gc.collect()
