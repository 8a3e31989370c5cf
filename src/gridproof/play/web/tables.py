"""The tables that pages take along: each is made once, in a process beside the server, when a page first fetches it."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.session import Session
from gridproof.play.web.limits import Limits
from gridproof.play.web.rooms import Missing
from gridproof.play.web.surroundings import Surrounded
from gridproof.play.web.working import Busy
from gridproof.store import digest

if TYPE_CHECKING:
    from gridproof.play.workers import Ended, Workers

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
    told = (digest(session.levels[session.current]), *told)
    return hashlib.sha256("\n".join(told).encode(errors="surrogatepass")).hexdigest()[:40]


class Tables:
    """The tables of a server.

    Parameters
    ----------
    limits : Limits
    workers : function, optional
        Gives the processes that make them, when they are first needed.
    """

    def __init__(self, limits: Limits, workers: Callable[[], Workers] | None = None) -> None:
        self._limits = limits
        self._workers = workers or self._own_workers
        self._own: Workers | None = None
        self._asked: OrderedDict[str, Surrounded] = OrderedDict()
        self._made: OrderedDict[str, asyncio.Future[bytes]] = OrderedDict()

    def offer(self, name: str, asked: Surrounded) -> None:
        """Let a table be fetched by its name."""
        self._asked[name] = asked
        self._asked.move_to_end(name)
        if len(self._asked) > MOST_ASKED:
            self._asked.popitem(last=False)

    async def get(self, name: str) -> bytes:
        """A table, as it is sent.

        Raises
        ------
        Missing
            When it has not been offered.
        Busy
            When too many are being made.
        GridproofError
            When it could not be made.
        """
        if name not in self._made:
            if name not in self._asked:
                raise Missing("there is no such table")
            if sum(not table.done() for table in self._made.values()) >= self._limits.tables_waiting:
                raise Busy("too many tables are being made: try again in a minute")
            self._begin(name)
        self._made.move_to_end(name)
        return await asyncio.shield(self._made[name])

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

    def _begin(self, name: str) -> None:
        from gridproof.play.workers import Task

        loop = asyncio.get_running_loop()
        self._made[name] = table = loop.create_future()

        def ended(how: Ended) -> None:
            with contextlib.suppress(RuntimeError):  # the server has gone meanwhile
                loop.call_soon_threadsafe(self._end, name, table, how)

        limit = Limit(seconds=self._limits.table_seconds, memory=self._limits.job_memory)
        self._workers().begin(Task(self._asked[name], limit, lambda _: None, ended))
        if len(self._made) > MOST_KEPT:
            done = next((one for one, kept in self._made.items() if kept.done()), name)
            del self._made[done]

    def _end(self, name: str, table: asyncio.Future[bytes], how: Ended) -> None:
        if how.error:
            self._made.pop(name, None)
            table.set_exception(GridproofError(how.error))
            table.exception()  # whoever waited for it may have gone
        else:
            table.set_result(how.value)
