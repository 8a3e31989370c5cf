"""Status prover: proves the status of positions in other processes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock

from gridproof.core.limit import Limit, Stopped
from gridproof.jobs.worker_pool import LazyPool, PoolTask, TaskResult, WorkerPool
from gridproof.prove.position_status import PATIENCE, Badge, StatusQuery, verdicts
from gridproof.search.solver import preload_solvers

WORKER = replace(PATIENCE, memory=1 << 30)
"""Limit of each query; the process has memory of its own."""

FIRST_SECONDS = 0.7
"""Time limit of the first attempt at each query, if there is one."""

REPORT_INTERVAL = 0.3
"""Seconds between two reports of the positions searched."""

Report = Callable[[Badge], object]
"""Called with each badge, from a thread of the prover."""


@dataclass(frozen=True, slots=True)
class StatusJob:
    """Work that proves a status and reports each better answer.

    A first attempt ends soon, and with the first estimate; it returns the query for a longer one, if that could find more.
    """

    query: StatusQuery
    is_first: bool = False

    def __call__(self, limit: Limit, tell: Callable[[Badge], None]) -> StatusQuery | None:
        """Run the work."""
        badge, begin = self.query.badge, time.monotonic()
        latest = begin

        def report(positions: int, least: int) -> None:
            nonlocal latest
            if time.monotonic() - latest >= REPORT_INTERVAL:
                latest = time.monotonic()
                tell(replace(badge, searched=positions, least=max(badge.least, least)))

        seconds = min(limit.seconds or math.inf, FIRST_SECONDS)
        try:
            for badge in verdicts(
                self.query, replace(limit, seconds=seconds) if self.is_first else limit, report
            ):
                is_late = badge.complete and time.monotonic() >= begin + seconds
                is_cut = self.is_first and (is_late or _is_estimate(badge))
                tell(replace(badge, complete=badge.complete and not is_cut))
                if is_cut:
                    return replace(self.query, badge=replace(badge, complete=False))
        except Stopped:
            pass
        except MemoryError:
            tell(replace(badge, complete=True))
        return None


def _is_estimate(badge: Badge) -> bool:
    return badge.estimate is not None and not badge.estimate.exact


class StatusProver:
    """Prover of position statuses; only the latest query of each asker counts.

    Parameters
    ----------
    processes : int
    limit : Limit
        Limit of each query.
    games : sequence of str
        Games whose solvers are loaded before the first query.
    has_short_attempt : bool
        Whether one more process makes a short first attempt at each query, so that nobody waits for the long searches of
        others.
    """

    def __init__(
        self,
        processes: int = 1,
        limit: Limit = WORKER,
        games: Sequence[str] = (),
        has_short_attempt: bool = False,
    ) -> None:
        self._limit = limit
        prepare = partial(preload_solvers, tuple(games))
        self._short_pool = WorkerPool(1, prepare) if has_short_attempt else None
        self._workers = LazyPool(processes, prepare)
        self._tasks: dict[Hashable, tuple[WorkerPool, PoolTask]] = {}
        self._lock = Lock()

    def ask(self, asker: Hashable, query: StatusQuery, report: Report) -> None:
        """Queue a query, which replaces the earlier one of the same asker.

        If its process dies, the last badge is reported as complete.
        """
        self.cancel(asker)
        with self._lock:
            is_first = self._short_pool is not None and not _is_estimate(query.badge)
            begin = self._queue(asker, StatusJob(query, is_first), report)
        begin()

    def _queue(self, asker: Hashable, job: StatusJob, report: Report) -> Callable[[], None]:
        """Note the task of an asker, with the lock; return the function that begins it, without the lock."""
        badges = [job.query.badge]
        pool = self._short_pool if self._short_pool is not None and job.is_first else self._workers()

        def receive(badge: Badge) -> None:
            badges.append(badge)
            report(badge)

        def end(result: TaskResult) -> None:
            if result.error and not task.cancelled.is_set() and not pool.is_closed:
                report(replace(badges[-1], complete=True))
            with self._lock:
                if self._tasks.get(asker) != (pool, task):
                    return
                del self._tasks[asker]
                begin = None if result.value is None else self._queue(asker, StatusJob(result.value), report)
            if begin is not None:
                begin()

        task = PoolTask(job, self._limit, receive, end)
        self._tasks[asker] = pool, task
        return partial(pool.submit, task)

    def cancel(self, asker: Hashable) -> None:
        """Cancel an asker's query."""
        with self._lock:
            pool, task = self._tasks.pop(asker, (None, None))
        if pool is not None and task is not None:
            pool.cancel(task)

    def close(self) -> None:
        """End all processes."""
        self._workers.close()
        if self._short_pool is not None:
            self._short_pool.close()
