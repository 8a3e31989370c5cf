"""Worker process: reads tasks from its input and writes results, pickled.

Its input starts with the search path, its niceness, and a function that prepares the process step by step. Then come tasks (number, work,
limit), and numbers alone of cancelled tasks. Its outputs are triples: `BEGUN` at the start of a task, `COMPILING` with True
and False around the compilation of kernels, `PROGRESS` with each progress report, and at the end `DONE` with the result or
`FAILED` with words; the third item is False at the last task of the process.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import IO, Any

from gridproof.core.lazy_import import compile_listeners
from gridproof.core.limit import CORES, MEMORY, Limit
from gridproof.core.memory import memory_in_use
from gridproof.core.text.display import error_text

BEGUN, COMPILING, PROGRESS, DONE, FAILED = "begun", "compiling", "progress", "done", "failed"
MEMORY_FACTOR = 3
"""Multiple of the memory limit that the system allows, against work that ignores its limit."""

TaskMessage = tuple[int, Callable[[Limit, Callable[[Any], None]], Any], Limit]
Answer = Callable[[tuple[str, Any, bool]], object]


def main() -> None:
    """Work until the input ends, or until earlier work has left too little memory."""
    tasks, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)  # output of libraries must not mix with answers
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.path[:], niceness, prepare = pickle.load(tasks)  # noqa: S301  # written by the parent process
    with contextlib.suppress(OSError, AttributeError):
        os.nice(niceness)

    def answer(message: tuple[str, Any, bool]) -> None:
        answers.write(pickle.dumps(message))
        answers.flush()

    os.environ[CORES] = "1"
    inbox = Inbox()
    threading.Thread(target=inbox.read, args=(tasks,), daemon=True).start()
    steps, has_room = iter(prepare()), True
    while has_room:
        while not inbox.has_tasks and next(steps, None) is not None:
            pass  # while no task waits
        has_room = work(inbox, answer)


class Inbox:
    """Incoming tasks and cancellations."""

    def __init__(self) -> None:
        self._tasks: queue.SimpleQueue[TaskMessage] = queue.SimpleQueue()
        self._cancelled: set[int] = set()

    @property
    def has_tasks(self) -> bool:
        """True if a task is waiting."""
        return not self._tasks.empty()

    def read(self, source: IO[bytes]) -> None:
        """Read tasks; end the process when the input ends, because the parent has gone."""
        try:
            while True:
                message = pickle.load(source)  # noqa: S301  # as above
                if isinstance(message, int):
                    self._cancelled.add(message)
                else:
                    self._tasks.put(message)
        finally:
            os._exit(0)

    def take(self) -> TaskMessage:
        """Take the next task, and drop older cancellations."""
        task = self._tasks.get()
        self._cancelled = {one for one in self._cancelled if one >= task[0]}
        return task

    def is_cancelled(self, number: int) -> bool:
        """Return whether a task was cancelled."""
        return number in self._cancelled


class Cancellation:
    """Cancellation of a task."""

    def __init__(self, inbox: Inbox, number: int) -> None:
        self._inbox, self._number = inbox, number

    def is_set(self) -> bool:
        """Return whether the task was cancelled."""
        return self._inbox.is_cancelled(self._number)


def work(inbox: Inbox, answer: Answer) -> bool:
    """Run the next task; return whether memory is left for another one."""
    number, run, limit = inbox.take()
    answer((BEGUN, None, True))
    _limit_memory(limit.memory)

    def tell(value: Any) -> None:
        answer((PROGRESS, value, True))

    def note_compilation(begins: bool) -> None:
        answer((COMPILING, begins, True))

    compile_listeners.append(note_compilation)
    try:
        value = run(replace(limit, stop=Cancellation(inbox, number)), tell)
        answer((DONE, value, has_room := _has_room(limit)))
    except Exception as error:  # noqa: BLE001  # reported to the parent process
        answer((FAILED, error_text(error), has_room := _has_room(limit)))
    finally:
        compile_listeners.remove(note_compilation)
    return has_room


def _has_room(limit: Limit) -> bool:
    return limit.memory is None or 2 * memory_in_use() < limit.memory


def _limit_memory(memory: int | None) -> None:
    """Limit the memory of the process by the system, and that of engines without a limit."""
    if memory is None:
        return
    os.environ[MEMORY] = str(memory)
    with contextlib.suppress(ImportError, AttributeError, OSError, ValueError):  # missing on some systems
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_FACTOR * memory, hard))
