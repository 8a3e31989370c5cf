"""Many calls of a function in worker processes, with a progress line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gridproof import jobs
from gridproof.cli.progress import Progress
from gridproof.core.errors import GridproofError


def run_in_processes(
    function: str, values: Sequence[Any], processes: int, what: str, unit: str
) -> Iterator[tuple[int, Any]]:
    """Yield the number of each value, from 0, with what a function ("module:name") returns for it, as soon as it is ready.

    A process that dies costs its value alone, whose result is the error. Exceptions of the function are raised.
    """
    tasks = (jobs.Task(str(number), function, (value,)) for number, value in enumerate(values))
    with (
        jobs.run(tasks, "processes", processes=min(processes, len(values))) as results,
        Progress(what, unit, len(values), lambda: results.is_compiling) as progress,
    ):
        progress(0)
        for result in results:
            progress(results.done)
            if result.error and not isinstance(result.error, jobs.SystemFailure):
                raise result.error
            yield int(result.key), result.error or result.value


def map_in_processes(function: str, values: Sequence[Any], processes: int, what: str, unit: str) -> list[Any]:
    """Return the results of a function ("module:name") for each value.

    GridproofError when a process died.
    """
    answers = dict[int, Any]()
    for number, answer in run_in_processes(function, values, processes, what, unit):
        if isinstance(answer, jobs.SystemFailure):
            raise GridproofError(f"{what}: {answer}")
        answers[number] = answer
    return [answers[number] for number in range(len(values))]
