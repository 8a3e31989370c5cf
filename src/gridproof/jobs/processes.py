"""Tasks in the processes of a worker pool."""

from __future__ import annotations

import math
import queue
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from gridproof.core.limit import Limit
from gridproof.core.memory import available_memory
from gridproof.jobs.task import Result, SystemFailure, Task, call
from gridproof.jobs.worker_pool import BROKEN, NO_ROOM, PoolTask, TaskResult, WorkerPool

TRIES = 3
"""Number of times that a task is tried if its process dies."""
GRACE = 10.0
"""Seconds beyond the limit before a task ends with its process; compilation of kernels does not count."""
POLL = 0.1
"""Seconds between two looks at the `stop` of a limit."""


class ProcessRun:
    """Tasks in worker processes.

    Parameters
    ----------
    processes : int
    limit : Limit
        Of each task. Without a limit of memory, the processes share half of what there is.
    ahead : int
        Tasks in the pool for each of its processes: one runs, and the others wait.
    """

    def __init__(self, processes: int, limit: Limit, ahead: int = 2) -> None:
        self._most, self._stop = ahead * processes, limit.stop
        memory = available_memory() // 2 // processes if limit.memory is None else limit.memory
        self._limit = replace(limit, memory=memory, stop=None)
        grace = math.inf if limit.seconds is None else GRACE
        self._pool = WorkerPool(processes, grace=grace, niceness=0)
        self._running = dict[str, PoolTask]()
        self._ended: queue.SimpleQueue[tuple[Task, int, TaskResult]] = queue.SimpleQueue()

    @property
    def is_compiling(self) -> bool:
        """True while a process compiles kernels."""
        return any(task.is_compiling for task in tuple(self._running.values()))

    def results(self, tasks: Iterable[Task]) -> Iterator[Result]:
        """Yield the results of tasks as they come; tasks are taken one by one when there is work for them."""
        source = iter(tasks)
        while True:
            for task in islice(source, self._most - len(self._running)):
                self._submit(task)
            if not self._running:
                return
            task, tries, ended = self._next_end()
            if ended.error in (BROKEN.error, NO_ROOM.error) and tries < TRIES:
                self._submit(task, tries + 1)
                continue
            del self._running[task.key]
            yield _result_of(task, tries, ended)

    def close(self) -> None:
        """End all processes."""
        self._pool.kill()

    def _submit(self, task: Task, tries: int = 1) -> None:
        self._running[task.key] = PoolTask(
            partial(_call_in_worker, task), self._limit, lambda _: None, partial(self._end, task, tries)
        )
        self._pool.submit(self._running[task.key])

    def _end(self, task: Task, tries: int, result: TaskResult) -> None:
        self._ended.put((task, tries, result))

    def _next_end(self) -> tuple[Task, int, TaskResult]:
        while True:
            try:
                return self._ended.get(timeout=None if self._stop is None else POLL)
            except queue.Empty:
                if self._stop is not None and self._stop.is_set():
                    for task in tuple(self._running.values()):
                        self._pool.cancel(task)


def _result_of(task: Task, tries: int, ended: TaskResult) -> Result:
    if not ended.error:
        return ended.value  # type: ignore[no-any-return]  # of `call`
    several = f" ({tries} times)" if tries > 1 else ""
    return Result(task.key, error=SystemFailure(f"{ended.error}{several}"))


def _call_in_worker(task: Task, limit: Limit, _: Callable[[Any], None]) -> Result:
    return call(task, limit)
