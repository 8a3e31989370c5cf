"""Tasks on a Ray cluster, in batches of about a second.

A batch is a core task of Ray. The Ray worker that runs it has a worker process beside it for the tasks, so that limits, dead
processes and errors are the same as without Ray. The worker ends a batch after a second and returns the tasks that it has not
begun; so a slow task delays no others, although levels differ a thousand times in time. Ray itself tries a batch again whose
worker or node is lost.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice, takewhile
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.memory import available_memory
from gridproof.core.text.display import printable
from gridproof.jobs.processes import POLL, TRIES, ProcessRun
from gridproof.jobs.task import Result, SystemFailure, Task
from gridproof.jobs.worker_pool import STOPPED

BATCH_SECONDS = 1.0
LARGEST_BATCH = 4096
BATCHES_PER_CORE = 2
"""Batches that Ray has at once for each core of the cluster: one runs, and the next waits."""
_LOOK = 1.0
"""Seconds between two looks at the number of cores, which changes with the nodes."""


class RayRun:
    """Tasks on a Ray cluster.

    Parameters
    ----------
    address : str or None
        "ray://HOST:PORT"; None for the cluster that this machine belongs to, or else for a new one on this machine.
    limit : Limit
        Of each task.

    Raises
    ------
    GridproofError
        If Ray is not installed, or there is no cluster at the address.
    """

    is_compiling = False

    def __init__(self, address: str | None, limit: Limit) -> None:
        self._ray = _import_ray()
        self._stop, self._limit = limit.stop, replace(limit, stop=None)
        self._is_own = not self._ray.is_initialized()
        if self._is_own:
            self._connect(address)
        remote = self._ray.remote(num_cpus=1, max_retries=TRIES - 1, retry_exceptions=False)
        self._run_batch = remote(run_batch)
        self._flight = dict[Any, list[Task]]()
        """Batches that Ray has, by the reference of their results."""
        self._returned = deque[Task]()
        """Tasks that a batch had no time for."""
        self._alone = deque[Task]()
        """Tasks of lost batches; each is submitted alone, since it may be the reason."""
        self._batch_size = 1
        self._cores, self._next_look = 1, 0.0

    def results(self, tasks: Iterable[Task]) -> Iterator[Result]:
        """Yield the results of tasks as they come; tasks are taken one by one when there is work for them."""
        source = iter(tasks)
        while True:
            self._submit(source)
            if not self._flight:
                return
            ready, _ = self._ray.wait([*self._flight], timeout=None if self._stop is None else POLL)
            for reference in ready:
                yield from self._results_of(reference, self._flight.pop(reference))
            if self._stop is not None and self._stop.is_set():
                yield from self._cancel()
                return

    def close(self) -> None:
        """End all work, and the connection if it is this run's."""
        for _ in self._cancel():
            pass
        if self._is_own:
            self._ray.shutdown()

    def _connect(self, address: str | None) -> None:
        try:
            self._ray.init(address, log_to_driver=False, logging_level="warning")
        except (ConnectionError, OSError, RuntimeError, ValueError) as error:
            raise GridproofError(
                f"no Ray cluster at {address or 'this machine'}: {printable(str(error))}"
            ) from None

    def _submit(self, source: Iterator[Task]) -> None:
        """Submit batches until Ray has enough."""
        while len(self._flight) < BATCHES_PER_CORE * self._count_cores():
            batch = self._next_batch(source)
            if not batch:
                return
            self._flight[self._run_batch.remote(batch, self._limit)] = batch

    def _next_batch(self, source: Iterator[Task]) -> list[Task]:
        if self._alone:
            return [self._alone.popleft()]
        batch = [self._returned.popleft() for _ in range(min(self._batch_size, len(self._returned)))]
        return [*batch, *islice(source, self._batch_size - len(batch))]

    def _count_cores(self) -> int:
        if time.monotonic() >= self._next_look:
            self._next_look = time.monotonic() + _LOOK
            self._cores = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        return self._cores

    def _results_of(self, reference: Any, batch: list[Task]) -> list[Result]:
        """Return the results of a batch; tasks without a result are submitted again."""
        exceptions = self._ray.exceptions
        try:
            results: list[Result] = self._ray.get(reference)
        except exceptions.RayTaskError as error:
            raise GridproofError(f"the nodes of the Ray cluster cannot run tasks: {error.cause!r}") from None
        except exceptions.RayError as error:
            if len(batch) > 1:
                self._alone.extend(batch)
                return []
            reason = printable(str(error))
            return [Result(batch[0].key, error=SystemFailure(f"Ray lost it {TRIES} times: {reason}"))]
        self._resize_batches(len(results), len(batch))
        self._returned.extend(batch[len(results) :])
        return results

    def _resize_batches(self, done: int, size: int) -> None:
        """Let the next batches take about a second, after one of this size of which so many tasks were done."""
        if done < size:
            self._batch_size = done
        elif size == self._batch_size:
            self._batch_size = min(2 * size, LARGEST_BATCH)

    def _cancel(self) -> Iterator[Result]:
        """End the batches that Ray has; yield results of their tasks."""
        for reference, batch in [*self._flight.items()]:
            with contextlib.suppress(self._ray.exceptions.RayError, ConnectionError):
                self._ray.cancel(reference, force=True)
            del self._flight[reference]
            yield from (Result(task.key, error=SystemFailure(STOPPED.error)) for task in batch)


_runs: dict[Limit, ProcessRun] = {}
"""The worker process beside this Ray worker, by the limit of its tasks; none or one."""


def run_batch(tasks: list[Task], limit: Limit) -> list[Result]:
    """Run tasks in a Ray worker until a second has passed; return the results of those that were begun, in order."""
    if limit not in _runs:
        while _runs:
            _runs.popitem()[1].close()
        memory = available_memory() // 2 // (os.cpu_count() or 1) if limit.memory is None else limit.memory
        _runs[limit] = ProcessRun(1, replace(limit, memory=memory), ahead=1)
    deadline = time.monotonic() + BATCH_SECONDS
    return list(_runs[limit].results(takewhile(lambda _: time.monotonic() < deadline, tasks)))


def _import_ray() -> Any:
    try:
        import ray
    except ImportError:
        raise GridproofError("Ray is not installed: pip install 'gridproof[ray]'") from None
    return ray
