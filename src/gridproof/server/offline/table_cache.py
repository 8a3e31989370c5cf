"""Cache of transition tables: each is built once, in a worker process, while a page waits for it."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import gridproof
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.session import Session
from gridproof.jobs.worker_pool import LazyPool, PoolTask, TaskResult, WorkerPool
from gridproof.server.errors import SessionNotFound
from gridproof.server.fair_executor import TooManyJobs
from gridproof.server.multiprocess.shard import Shard
from gridproof.server.offline.transition_table import TransitionTable
from gridproof.server.rate_limits import Limits
from gridproof.store import digest

MOST_LINE = 1000
"""Positions for undo before the current one in a table, and for redo after it."""
MOST_OFFERS = 500
"""Latest tables that pages may fetch."""
MOST_TABLES = 200
"""Tables in the cache, of at most 300 kB each."""
GRACE = 20.0
"""Additional seconds for finishing a table."""


def table_at_start(session: Session) -> tuple[str, TransitionTable]:
    """Return the name and the task of a table from the level's start, shared by all its players."""
    start = session.history[-1]
    return _name(session, start.text()), TransitionTable((start,), 0)


def table_at_position(session: Session) -> tuple[str, TransitionTable, int]:
    """Return the name and the task of a table around the current position, and the number of positions before its line."""
    saved = session.to_data(session.current)
    assert saved is not None, "the current level has been entered"
    positions = [*reversed(session.history)]
    for text, label in saved.steps[saved.done : saved.done + MOST_LINE]:
        position = positions[-1]
        positions.append(position.outcome(position.action(text), label).position)
    first = max(0, saved.done - MOST_LINE)
    name = _name(session, positions[0].text(), str(saved.done), *map("\t".join, saved.steps))
    return name, TransitionTable(tuple(positions[first:]), saved.done - first), first


def _name(session: Session, *parts: str) -> str:
    parts = (
        gridproof.__version__,
        digest(session.levels[session.current]),
        *parts,
    )  # browsers cache it for a year
    return hashlib.sha256("\n".join(parts).encode(errors="surrogatepass")).hexdigest()[:40]


@dataclass(slots=True, eq=False)
class TableRequest:
    """A table with waiting pages."""

    name: str
    task: TransitionTable
    table: asyncio.Future[bytes]
    waiting: int = 0
    """Waiting pages."""


class TableCache:
    """Tables of a server, built one after the other, the latest request first.

    Parameters
    ----------
    limits : Limits
    workers : function, optional
        Returns the worker pool, on first use.
    shard : Shard, optional
        The shard of this process.
    """

    def __init__(
        self, limits: Limits, workers: Callable[[], WorkerPool] | None = None, shard: Shard | None = None
    ) -> None:
        self.limits = limits
        self._shard = shard or Shard()
        self._own = LazyPool(grace=GRACE)
        self._workers = workers or self._own
        self._offers: OrderedDict[str, TransitionTable] = OrderedDict()
        self._tables: OrderedDict[str, bytes] = OrderedDict()
        self._requests: OrderedDict[str, TableRequest] = OrderedDict()
        self._running: tuple[TableRequest, PoolTask] | None = None

    def offer(self, name: str, task: TransitionTable) -> str:
        """Offer a table and return its name."""
        name = self._shard.add_prefix(name)
        self._offers[name] = task
        self._offers.move_to_end(name)
        if len(self._offers) > MOST_OFFERS:
            self._offers.popitem(last=False)
        return name

    async def get(self, name: str) -> bytes:
        """Return a table as compressed JSON; the work is cancelled if nobody waits any more.

        Raises
        ------
        SessionNotFound
            If it was not offered.
        TooManyJobs
            If too many are requested.
        GridproofError
            If it could not be built.
        """
        if name in self._tables:
            self._tables.move_to_end(name)
            return self._tables[name]
        request = self._requests.get(name) or self._request(name)
        self._requests.move_to_end(name)
        request.waiting += 1
        self._start_next()
        try:
            return await asyncio.shield(request.table)
        finally:
            request.waiting -= 1
            if not request.waiting:
                self._drop(request)

    def close(self) -> None:
        """Stop all work."""
        self._own.close()

    # -- inside

    def _request(self, name: str) -> TableRequest:
        if name not in self._offers:
            raise SessionNotFound("no such table")
        if len(self._requests) >= self.limits.tables_waiting:
            raise TooManyJobs("the server is busy with other tables; try again in a minute")
        table: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._requests[name] = request = TableRequest(name, self._offers[name], table)
        return request

    def _drop(self, request: TableRequest) -> None:
        """Drop a request without waiting pages."""
        if self._requests.get(request.name) is request:
            del self._requests[request.name]
            if self._running and self._running[0] is request:
                self._workers().cancel(self._running[1])

    def _start_next(self) -> None:
        """Start the latest request, unless a table is being built."""
        if self._requests and not self._running:
            self._start(next(reversed(self._requests.values())))

    def _start(self, request: TableRequest) -> None:
        loop = asyncio.get_running_loop()

        def finish(result: TaskResult) -> None:
            with contextlib.suppress(RuntimeError):  # the event loop is closed
                loop.call_soon_threadsafe(self._finish, request, result)

        limit = Limit(seconds=self.limits.table_seconds, memory=self.limits.job_memory)
        task = PoolTask(request.task, limit, lambda _: None, finish)
        self._running = request, task
        self._workers().submit(task)

    def _finish(self, request: TableRequest, result: TaskResult) -> None:
        self._running = None
        if not result.error:
            self._keep(request.name, result.value)
        if self._requests.get(request.name) is request:
            del self._requests[request.name]
            if result.error:
                request.table.set_exception(GridproofError(result.error))
            else:
                request.table.set_result(result.value)
        self._start_next()

    def _keep(self, name: str, table: bytes) -> None:
        self._tables[name] = table
        if len(self._tables) > MOST_TABLES:
            self._tables.popitem(last=False)
