"""Many tasks in worker processes, which always end with their parent."""

from __future__ import annotations

import math
import queue
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple, TypeVar

from gridproof.cli.progress import Progress
from gridproof.core.errors import GridproofError
from gridproof.core.lazy_import import compile_listeners
from gridproof.core.limit import Limit
from gridproof.jobs.worker_pool import Task as PoolTask
from gridproof.jobs.worker_pool import TaskResult, WorkerPool

Task = TypeVar("Task")
Answer = TypeVar("Answer")


class _Raised(NamedTuple):
    """An exception of a function in a worker."""

    error: Exception


def run_in_processes(
    function: Callable[[Task], Answer], tasks: list[Task], jobs: int, what: str, unit: str
) -> Iterator[tuple[int, Answer | GridproofError]]:
    """Yield the number of each task, from 0, with the result of a module's function, as soon as it is ready.

    A process that dies costs its task alone, whose result is the error. Exceptions of the function are raised.
    """
    results: queue.SimpleQueue[tuple[int, TaskResult]] = queue.SimpleQueue()
    counter = _CompilationCounter()
    pool = WorkerPool(min(jobs, len(tasks)), grace=math.inf, niceness=0)
    try:
        with Progress(what, unit, len(tasks), counter.is_active) as progress:
            progress(0)
            for number, task in enumerate(tasks):
                report = partial(counter.note, number)
                pool.submit(
                    PoolTask(partial(_call, function, task), Limit(), report, _sender(results, number))
                )
            for count in range(1, len(tasks) + 1):
                number, result = results.get()
                counter.note(number, False)
                progress(count)
                if isinstance(result.value, _Raised):
                    raise result.value.error
                yield number, GridproofError(result.error) if result.error else result.value
    finally:
        pool.kill()


def map_in_processes(
    function: Callable[[Task], Answer], tasks: list[Task], jobs: int, what: str, unit: str
) -> list[Answer]:
    """Return the results of a module's function for each task.

    GridproofError when a process died.
    """
    answers = dict[int, Answer]()
    for number, answer in run_in_processes(function, tasks, jobs, what, unit):
        if isinstance(answer, GridproofError):
            raise GridproofError(f"{what}: {answer}")
        answers[number] = answer
    return [answers[number] for number in range(len(tasks))]


def _sender(results: queue.SimpleQueue[tuple[int, TaskResult]], number: int) -> Callable[[TaskResult], None]:
    return lambda result: results.put((number, result))


def _call(function: Callable[[Any], Any], task: Any, limit: Limit, report: Callable[[bool], None]) -> Any:
    """Call the function in a worker, and report when it compiles."""
    compile_listeners.append(report)
    try:
        return function(task)
    except Exception as error:  # noqa: BLE001  # raised again in the parent
        error.add_note(traceback.format_exc())
        return _Raised(error)
    finally:
        compile_listeners.remove(report)


class _CompilationCounter:
    """The tasks whose workers compile kernels."""

    def __init__(self) -> None:
        self._tasks = set[int]()

    def note(self, task: int, compiles: bool) -> None:
        """Note that the worker of a task begins or ends compilation."""
        if compiles:
            self._tasks.add(task)
        else:
            self._tasks.discard(task)

    def is_active(self) -> bool:
        """Return whether a worker compiles."""
        return bool(self._tasks)
