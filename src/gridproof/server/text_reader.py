"""Reader of clients' texts: small ones in this process, large ones in a worker process."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, InvalidStateError
from functools import partial
from typing import Any, TypeVar, cast

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.jobs.worker_pool import LazyPool, PoolTask, TaskResult, WorkerPool
from gridproof.server.fair_executor import CLIENT, ProcessorUse, ServerShutdown, TooManyJobs, take_first
from gridproof.server.rate_limits import Limits
from gridproof.server.session_memory import ServerOverloaded

Result = TypeVar("Result")
SMALL = 4_000
"""Characters of a text that is read in this process; all built-in levels are smaller."""
SECONDS = 10.0
"""Processor seconds for a large text."""
GRACE = 20.0
"""Additional seconds on a busy machine."""
MOST_WAITING = 20
"""Large texts of one client that may wait."""


class TextReader:
    """Reads texts, large ones one at a time, first those of the client that has used the processor least.

    A text that waits or is read in the worker process occupies no thread of the server.

    Parameters
    ----------
    limits : Limits
    use : ProcessorUse
        Record of the clients' processor use.
    workers : function, optional
        Returns a worker pool that several servers share; the server does not close it.
    """

    def __init__(
        self, limits: Limits, use: ProcessorUse, workers: Callable[[], WorkerPool] | None = None
    ) -> None:
        self._limit = Limit(seconds=SECONDS, memory=limits.job_memory)
        self._use = use
        self._own = LazyPool(grace=GRACE)
        self._workers = workers or self._own
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """Client -> turns that its texts wait for."""
        self._is_busy = False
        self._result: Future[TaskResult] | None = None
        """Result of the text that is read now."""
        self._closed = False

    async def run(self, length: int, read: Callable[[], Result]) -> Result:
        """Read a text of `length` characters; for a large text `read` is pickled.

        Raises
        ------
        GridproofError
            As `read` does; ServerOverloaded, if time or memory is not enough; TooManyJobs, if the client has too many
            texts waiting; ServerShutdown, if the server ends.
        """
        if length <= SMALL:
            return await asyncio.to_thread(read)
        client = CLIENT.get()
        async with self._turn(client):
            result = await self._read_in_worker(read)
            if result.error:
                raise ServerOverloaded(
                    f"The server could not read this text: {result.error}. Try again in a minute."
                )
            value, seconds = result.value
            self._use.charge(client, seconds)
        if isinstance(value, GridproofError):
            raise value
        return cast("Result", value)

    @contextlib.asynccontextmanager
    async def _turn(self, client: str) -> AsyncIterator[None]:
        """Wait for the turn of a client, and grant the next one at the end."""
        if self._closed:
            raise ServerShutdown
        turn = asyncio.get_running_loop().create_future()
        turns = self._waiting.setdefault(client, deque())
        if len(turns) >= MOST_WAITING:
            raise TooManyJobs("You have too many requests waiting. Try again in a minute.")
        turns.append(turn)
        if not self._is_busy:
            self._grant()
        try:
            await turn
            yield
        finally:
            if turn.done() and not turn.cancelled():
                self._grant()

    def _grant(self) -> None:
        """Grant the next turn, if a text waits."""
        self._is_busy = False
        while self._waiting and not self._is_busy:
            turn = take_first(self._waiting, min(self._waiting, key=self._use.of))
            if not turn.done():  # a cancelled request has cancelled it
                self._is_busy = True
                turn.set_result(None)

    async def _read_in_worker(self, read: Callable[[], Any]) -> TaskResult:
        result: Future[TaskResult] = Future()
        self._result = result

        def finish(found: TaskResult) -> None:
            with contextlib.suppress(InvalidStateError):  # the request is cancelled, or the server ends
                result.set_result(found)

        task = PoolTask(partial(_outcome, read), self._limit, lambda progress: None, finish)
        pool = self._workers()
        pool.submit(task)
        try:
            return await asyncio.wrap_future(result)
        except asyncio.CancelledError:
            pool.cancel(task)
            raise

    def close(self) -> None:
        """End the process, and fail the requests whose texts wait or are read."""
        self._closed = True
        for turn in itertools.chain(*self._waiting.values()):
            if not turn.done():
                turn.set_exception(ServerShutdown())
        self._waiting.clear()
        if self._result is not None:
            with contextlib.suppress(InvalidStateError):  # it is done
                self._result.set_exception(ServerShutdown())
        self._own.close()


def _outcome(read: Callable[[], Any], limit: Limit, progress: Callable[[Any], None]) -> tuple[Any, float]:
    """Read a text; return the value or the error, and the processor seconds."""
    begin = time.thread_time()
    try:
        value = read()
    except GridproofError as error:
        value = error.with_traceback(None)
        value.__context__ = value.__cause__ = None
    return value, time.thread_time() - begin
