"""Reader of clients' texts: small ones in this process, large ones in a worker process."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.server.fair_executor import CLIENT, Ending, ProcessorUse
from gridproof.server.rate_limits import Limits
from gridproof.server.session_memory import Exhausted

if TYPE_CHECKING:
    from gridproof.jobs.worker_pool import TaskResult, WorkerPool

Result = TypeVar("Result")
SMALL = 4_000
"""Characters of a text that is read in this process; all built-in levels are smaller."""
SECONDS = 10.0
"""Processor seconds for a large text."""
GRACE = 20.0
"""Additional seconds on a busy machine."""


class TextReader:
    """Reads texts for the server's threads.

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
        self._workers = workers or self._own_workers
        self._own_pool: WorkerPool | None = None
        self._closed = False

    def run(self, length: int, read: Callable[[], Result]) -> Result:
        """Read a text of `length` characters, called from a thread; for a large text `read` is pickled.

        Raises
        ------
        GridproofError
            As `read` does; Exhausted, if time or memory is not enough; Ending, if the server ends.
        """
        if length <= SMALL:
            return read()
        from gridproof.jobs.worker_pool import Task

        results: queue.SimpleQueue[TaskResult] = queue.SimpleQueue()
        self._workers().submit(Task(partial(_outcome, read), self._limit, lambda progress: None, results.put))
        result = results.get()
        if self._closed:
            raise Ending
        if result.error:
            raise Exhausted(f"The server could not read this text: {result.error}. Try again in a minute.")
        value, seconds = result.value
        self._use.charge(CLIENT.get(), seconds)
        if isinstance(value, GridproofError):
            raise value
        return cast("Result", value)

    def close(self) -> None:
        """End the process."""
        self._closed = True
        if self._own_pool is not None:
            self._own_pool.close()

    def _own_workers(self) -> WorkerPool:
        from gridproof.jobs.worker_pool import WorkerPool

        if self._own_pool is None:
            self._own_pool = WorkerPool(grace=GRACE)
        return self._own_pool


def _outcome(read: Callable[[], Any], limit: Limit, progress: Callable[[Any], None]) -> tuple[Any, float]:
    """Read a text; return the value or the error, and the processor seconds."""
    begin = time.thread_time()
    try:
        value = read()
    except GridproofError as error:
        value = error.with_traceback(None)
        value.__context__ = value.__cause__ = None
    return value, time.thread_time() - begin
