"""The tables that pages take along: each is made once, in a process beside the server, while a page waits for it."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import gridproof
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.session import Session
from gridproof.play.web.limits import Limits
from gridproof.play.web.rooms import Missing
from gridproof.play.web.share import Share
from gridproof.play.web.surroundings import Surrounded
from gridproof.play.web.working import Busy
from gridproof.store import digest

if TYPE_CHECKING:
    from gridproof.play.workers import Ended, Task, Workers

MOST_LINE = 1000
"""Positions before the present one to which undo leads in a table, and after it for redo."""
MOST_ASKED = 500
"""Tables that pages have been told of and may fetch; the latest."""
MOST_KEPT = 200
"""Tables that are kept, of at most 300 kB each."""
GRACE = 20.0
"""Seconds beyond its time in which a table may be finished."""


def around_start(session: Session) -> tuple[str, Surrounded]:
    """What a table of the current level from its start is made for, and its name: one for all who play it."""
    start = session.history[-1]
    return _name(session, start.text()), Surrounded((start,), 0)


def around_here(session: Session) -> tuple[str, Surrounded, int]:
    """The same around the present position, and how many positions have gone before the first of its line."""
    saved = session.saved(session.current)
    assert saved is not None, "the current level has been entered"
    positions = [*reversed(session.history)]
    for text, label in saved.steps[saved.done : saved.done + MOST_LINE]:
        position = positions[-1]
        positions.append(position.outcome(position.action(text), label).position)
    first = max(0, saved.done - MOST_LINE)
    name = _name(session, positions[0].text(), str(saved.done), *map("\t".join, saved.steps))
    return name, Surrounded(tuple(positions[first:]), saved.done - first), first


def _name(session: Session, *told: str) -> str:
    told = (
        gridproof.__version__,
        digest(session.levels[session.current]),
        *told,
    )  # browsers keep it for a year
    return hashlib.sha256("\n".join(told).encode(errors="surrogatepass")).hexdigest()[:40]


@dataclass(slots=True, eq=False)
class _Wanted:
    """A table that pages wait for."""

    name: str
    asked: Surrounded
    table: asyncio.Future[bytes]
    waiting: int = 0
    """How many of them."""
    now: int = 0
    """How many of them play there, and do not only look ahead."""


class Tables:
    """The tables of a server. One after the other is made, first the one that was asked for last.

    Those of levels that are only looked ahead to are made when no other is waited for, and give way to it.

    Parameters
    ----------
    limits : Limits
    workers : function, optional
        Gives the processes that make them, when they are first needed.
    share : Share, optional
        The process that has them.
    """

    def __init__(
        self, limits: Limits, workers: Callable[[], Workers] | None = None, share: Share | None = None
    ) -> None:
        self._limits = limits
        self._share = share or Share()
        self._workers = workers or self._own_workers
        self._own: Workers | None = None
        self._asked: OrderedDict[str, Surrounded] = OrderedDict()
        self._made: OrderedDict[str, bytes] = OrderedDict()
        self._wanted: OrderedDict[str, _Wanted] = OrderedDict()
        self._making: tuple[_Wanted, Task] | None = None
        self._gives_way = False
        """Whether what is being made is begun again later."""

    def offer(self, name: str, asked: Surrounded) -> str:
        """Let a table be fetched; by which name."""
        name = self._share.marked(name)
        self._asked[name] = asked
        self._asked.move_to_end(name)
        if len(self._asked) > MOST_ASKED:
            self._asked.popitem(last=False)
        return name

    async def get(self, name: str, ahead: bool = False) -> bytes:
        """A table, as it is sent. When all who wait for it are cancelled, so is the work on it.

        Parameters
        ----------
        ahead : bool
            Whether it is for a level that is not played yet.

        Raises
        ------
        Missing
            When it has not been offered.
        Busy
            When too many are waited for.
        GridproofError
            When it could not be made.
        """
        if name in self._made:
            self._made.move_to_end(name)
            return self._made[name]
        wanted = self._wanted.get(name) or self._want(name, ahead)
        self._wanted.move_to_end(name)
        wanted.waiting += 1
        wanted.now += not ahead
        self._go_on()
        try:
            return await asyncio.shield(wanted.table)
        finally:
            wanted.waiting -= 1
            wanted.now -= not ahead
            if not wanted.waiting:
                self._drop(wanted)

    def end(self) -> None:
        """End all work."""
        if self._own is not None:
            self._own.close()

    # -- inside

    def _own_workers(self) -> Workers:
        from gridproof.play.workers import Workers

        if self._own is None:
            self._own = Workers(1, (), GRACE)
        return self._own

    def _want(self, name: str, ahead: bool) -> _Wanted:
        if name not in self._asked:
            raise Missing("there is no such table")
        before = sum(ahead or one.now > 0 for one in self._wanted.values())
        if before >= self._limits.tables_waiting:
            raise Busy("too many tables are being made: try again in a minute")
        table: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._wanted[name] = wanted = _Wanted(name, self._asked[name], table)
        return wanted

    def _drop(self, wanted: _Wanted) -> None:
        """Nobody waits for it any more."""
        if self._wanted.get(wanted.name) is wanted:
            del self._wanted[wanted.name]
            if self._making and self._making[0] is wanted:
                self._workers().cancel(self._making[1])

    def _next(self) -> _Wanted | None:
        """The one that was asked for last, of those that are played where there are any."""
        latest = [*reversed(self._wanted.values())]
        return next((one for one in latest if one.now), latest[0] if latest else None)

    def _go_on(self) -> None:
        """Have the next one made, when none is being made that is waited for as much."""
        wanted = self._next()
        if wanted and self._making:
            making, task = self._making
            if wanted.now and not making.now and not self._gives_way:
                self._gives_way = True
                self._workers().cancel(task)
        elif wanted:
            self._begin(wanted)

    def _begin(self, wanted: _Wanted) -> None:
        from gridproof.play.workers import Task

        loop = asyncio.get_running_loop()

        def ended(how: Ended) -> None:
            with contextlib.suppress(RuntimeError):  # the server has gone meanwhile
                loop.call_soon_threadsafe(self._end, wanted, how)

        limit = Limit(seconds=self._limits.table_seconds, memory=self._limits.job_memory)
        task = Task(wanted.asked, limit, lambda _: None, ended)
        self._making = wanted, task
        self._workers().begin(task)

    def _end(self, wanted: _Wanted, how: Ended) -> None:
        self._making, gave_way, self._gives_way = None, self._gives_way, False
        if not how.error:
            self._keep(wanted.name, how.value)
        if self._wanted.get(wanted.name) is wanted and not (gave_way and how.error):
            del self._wanted[wanted.name]
            if how.error:
                wanted.table.set_exception(GridproofError(how.error))
            else:
                wanted.table.set_result(how.value)
        self._go_on()

    def _keep(self, name: str, table: bytes) -> None:
        self._made[name] = table
        if len(self._made) > MOST_KEPT:
            self._made.popitem(last=False)
