"""Many calls of functions, here, in worker processes or on a Ray cluster, with a progress line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from gridproof import jobs
from gridproof.cli.progress import Progress
from gridproof.core.errors import GridproofError


class Workers(NamedTuple):
    """A place for tasks, as in `gridproof.jobs.run`."""

    where: str = "here"
    processes: int | None = None

    @property
    def is_here(self) -> bool:
        """True if tasks run in this process."""
        return self.where == "here"


def parse_workers(where: str | None, processes: int) -> Workers:
    """Return the place that --where and --jobs name; GridproofError if they contradict each other."""
    if where == "processes" or (where is None and processes > 1):
        return Workers("processes", processes if processes > 1 else None)
    if processes > 1:
        raise GridproofError(f"--jobs does not apply with --where {where}")
    return Workers(where or "here")


def run_tasks(tasks: Sequence[jobs.Task], workers: Workers, what: str, unit: str) -> Iterator[jobs.Result]:
    """Yield the results of tasks as they come. Exceptions of their functions are raised; errors are SystemFailures."""
    where, processes = workers.where, workers.processes
    if processes is not None:
        processes = min(processes, max(1, len(tasks)))
    with (
        jobs.run(tasks, where, processes=processes) as results,
        Progress(what, unit, len(tasks), lambda: results.is_compiling) as progress,
    ):
        progress(0)
        for result in results:
            progress(results.done)
            if result.error and not isinstance(result.error, jobs.SystemFailure):
                raise result.error
            yield result


def run_calls(
    function: str, values: Sequence[Any], workers: Workers, what: str, unit: str
) -> Iterator[tuple[int, Any]]:
    """Yield the number of each value, from 0, with what a function ("module:name") returns for it, as soon as it is ready.

    A process that dies costs its value alone, whose result is the error. Exceptions of the function are raised.
    """
    tasks = [jobs.Task(str(number), function, (value,)) for number, value in enumerate(values)]
    for result in run_tasks(tasks, workers, what, unit):
        yield int(result.key), result.error or result.value


def map_calls(function: str, values: Sequence[Any], workers: Workers, what: str, unit: str) -> list[Any]:
    """Return the results of a function ("module:name") for each value.

    GridproofError when a process died.
    """
    answers = dict[int, Any]()
    for number, answer in run_calls(function, values, workers, what, unit):
        if isinstance(answer, jobs.SystemFailure):
            raise GridproofError(f"{what}: {answer}")
        answers[number] = answer
    return [answers[number] for number in range(len(values))]
