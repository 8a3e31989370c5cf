"""Status prover: proves the status of positions in other processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock

from gridproof.core.limit import Limit, Stopped
from gridproof.jobs.worker_pool import PoolTask, TaskResult, WorkerPool
from gridproof.prove.position_status import PATIENCE, Badge, StatusQuery, verdicts
from gridproof.search.solver import preload_solvers

WORKER = replace(PATIENCE, memory=1 << 30)
"""Limit of each query; the process has memory of its own."""

REPORT_INTERVAL = 0.3
"""Seconds between two reports of the positions searched."""

Report = Callable[[Badge], object]
"""Called with each badge, from a thread of the prover."""


@dataclass(frozen=True, slots=True)
class StatusJob:
    """Work that proves a status and reports each better answer."""

    query: StatusQuery

    def __call__(self, limit: Limit, tell: Callable[[Badge], None]) -> None:
        """Run the work."""
        badge, latest = self.query.badge, time.monotonic()

        def report(positions: int) -> None:
            nonlocal latest
            if time.monotonic() - latest >= REPORT_INTERVAL:
                latest = time.monotonic()
                tell(replace(badge, searched=positions))

        try:
            for badge in verdicts(self.query, limit, report):
                tell(badge)
        except Stopped:
            pass
        except MemoryError:
            tell(replace(badge, complete=True))


class StatusProver:
    """Prover of position statuses; only the latest query of each asker counts.

    Parameters
    ----------
    processes : int
    limit : Limit
        Limit of each query.
    games : sequence of str
        Games whose solvers are loaded before the first query.
    """

    def __init__(self, processes: int = 1, limit: Limit = WORKER, games: Sequence[str] = ()) -> None:
        self._limit = limit
        self._workers = WorkerPool(processes, partial(preload_solvers, tuple(games)))
        self._tasks: dict[Hashable, PoolTask] = {}
        self._lock = Lock()

    def ask(self, asker: Hashable, query: StatusQuery, report: Report) -> None:
        """Queue a query, which replaces the earlier one of the same asker.

        If its process dies, the last badge is reported as complete.
        """
        badges = [query.badge]

        def receive(badge: Badge) -> None:
            badges.append(badge)
            report(badge)

        def end(result: TaskResult) -> None:
            if result.error and not task.cancelled.is_set() and not self._workers.is_closed:
                report(replace(badges[-1], complete=True))
            with self._lock:
                if self._tasks.get(asker) is task:
                    del self._tasks[asker]

        task = PoolTask(StatusJob(query), self._limit, receive, end)
        self.cancel(asker)
        with self._lock:
            self._tasks[asker] = task
        self._workers.submit(task)

    def cancel(self, asker: Hashable) -> None:
        """Cancel an asker's query."""
        with self._lock:
            task = self._tasks.pop(asker, None)
        if task is not None:
            self._workers.cancel(task)

    def close(self) -> None:
        """End all processes."""
        self._workers.close()
