"""Many tasks: in this process, in several, or on a Ray cluster."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Protocol, Self

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit, Stop, check_limit
from gridproof.core.text.phrases import short_repr
from gridproof.jobs.task import Result, Task, call

PLACES = "here, processes, ray or ray://HOST:PORT"


class Backend(Protocol):
    """A place where tasks run."""

    @property
    def is_compiling(self) -> bool:
        """True while a process of this machine compiles kernels."""

    def results(self, tasks: Iterable[Task]) -> Iterator[Result]:
        """Yield the results of tasks as they come."""

    def close(self) -> None:
        """End all work."""


class Run(Iterator[Result]):
    """Results of tasks as they come, in any order. Closing it ends the other tasks, as Ctrl-C does.

    Attributes
    ----------
    done : int
        Number of results so far.
    """

    def __init__(self, tasks: Iterable[Task], backend: Backend, stop: Stop | None) -> None:
        self.done = 0
        self._backend = backend
        self._results = backend.results(_check_tasks(tasks, stop))

    @property
    def is_compiling(self) -> bool:
        """True while a worker process of this machine compiles kernels."""
        return self._backend.is_compiling

    def __next__(self) -> Result:
        try:
            result = next(self._results)
        except BaseException:  # the last one, Ctrl-C, or a wrong task
            self.close()
            raise
        self.done += 1
        return result

    def close(self) -> None:
        """End all work."""
        self._backend.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def run(
    tasks: Iterable[Task], where: str = "here", limit: Limit | None = None, *, processes: int | None = None
) -> Run:
    """Run tasks, and return an iterator of their results as they come.

    A task whose process dies is tried again, three times in all, and costs no other task; what its function raises is
    its result, and is never tried again. A function with a parameter `limit` gets the limit, and ends by itself. Any
    other ends with its process ten seconds after the limit, unless it runs "here".

    Parameters
    ----------
    tasks : iterable of Task
        Taken one by one when there is work for them, so there may be millions.
    where : str
        "here", one by one in this process; "processes" of this machine; "ray", in the Ray cluster that this machine
        belongs to, or else in one that starts and ends with the run; or the address of a cluster, "ray://HOST:PORT".
    limit : Limit, optional
        Limit of each task. Without a limit of memory, the tasks of a machine share half of what there is. When its
        `stop` is set, the running tasks end, and no others begin.
    processes : int, optional
        Number of processes for "processes". Default: one for each core.

    Returns
    -------
    Run
        An iterator of `Result`: `.key`, `.value`, `.error` (None or an exception) and `.seconds`. Its own `.done` is
        the progress. As a context manager, it ends all work at the end of the block.

    Raises
    ------
    GridproofError
        For an unknown place, a wrong number of processes, and tasks with equal keys.

    Examples
    --------
    >>> import gridproof as gp
    >>> tasks = [gp.jobs.Task(str(seed), "gridproof:generate", ("twenty48", seed)) for seed in range(2)]
    >>> [(result.key, result.value.title) for result in gp.jobs.run(tasks)]
    [('0', 'Seed 0'), ('1', 'Seed 1')]
    """
    limit = check_limit(limit)
    return Run(tasks, _open_backend(where, limit, processes), limit.stop)


def _open_backend(where: str, limit: Limit, processes: int | None) -> Backend:
    if where == "processes":
        from gridproof.jobs.processes import ProcessRun

        if processes is not None and (not isinstance(processes, int) or processes < 1):
            raise GridproofError(f"processes={short_repr(processes)}: at least 1 is needed")
        return ProcessRun(processes or os.cpu_count() or 1, limit)
    if processes is not None:
        raise GridproofError(f"processes={short_repr(processes)} does not apply to where={short_repr(where)}")
    if where == "here":
        return _Here(limit)
    if where == "ray" or str(where).startswith("ray://"):
        from gridproof.jobs.ray_cluster import RayRun

        return RayRun(None if where == "ray" else where, limit)
    raise GridproofError(f"where={short_repr(where)}: say {PLACES}")


class _Here:
    """Tasks one by one in this process."""

    is_compiling = False

    def __init__(self, limit: Limit) -> None:
        self._limit = limit

    def results(self, tasks: Iterable[Task]) -> Iterator[Result]:
        return (call(task, self._limit) for task in tasks)

    def close(self) -> None:
        pass


def _check_tasks(tasks: Iterable[Task], stop: Stop | None) -> Iterator[Task]:
    """Yield tasks until `stop` is set; GridproofError for anything else, and for a key that was there before."""
    keys = set[str]()
    for task in tasks:
        if stop is not None and stop.is_set():
            return
        if not isinstance(task, Task):
            raise GridproofError(f"a task is gridproof.jobs.Task(key, function, ...), not {short_repr(task)}")
        if task.key in keys:
            raise GridproofError(f"two tasks have the key {short_repr(task.key)}")
        keys.add(task.key)
        yield task
