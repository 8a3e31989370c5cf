"""Worker processes for many levels, which always end with their parent."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from typing import TypeVar

from gridproof.cli.progress import Progress
from gridproof.core.errors import GridproofError
from gridproof.core.lazy_import import compile_listeners
from gridproof.core.limit import CORES

Task = TypeVar("Task")
Answer = TypeVar("Answer")


def map_in_processes(
    function: Callable[[Task], Answer], tasks: list[Task], jobs: int, what: str, unit: str
) -> Iterator[Answer]:
    """Yield the results of a module's function for each task, in order, as soon as they are ready.

    GridproofError when a worker was killed.
    """
    context = multiprocessing.get_context("spawn")  # works on all systems, and with threads
    receiver, sender = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(min(jobs, len(tasks)), context, _set_up_worker, (sender,))
    try:
        with Progress(what, unit, len(tasks), _CompilationCounter(receiver).is_active) as progress:
            progress(0)
            for number, answer in enumerate(_in_order(pool, function, tasks), 1):
                progress(number)
                yield answer
    except BaseException:
        for process in multiprocessing.active_children():
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _in_order(
    pool: ProcessPoolExecutor, function: Callable[[Task], Answer], tasks: Iterable[Task]
) -> Iterator[Answer]:
    try:
        yield from pool.map(function, tasks)
    except BrokenProcessPool:
        raise GridproofError("a worker process was killed, perhaps because memory ran out") from None


class _CompilationCounter:
    """Count of the workers that compile kernels."""

    def __init__(self, receiver: Connection) -> None:
        self._receiver = receiver
        self._workers = 0

    def is_active(self) -> bool:
        while self._receiver.poll():
            self._workers += 1 if self._receiver.recv() else -1
        return self._workers > 0


def _set_up_worker(sender: Connection) -> None:
    """Set up a worker: one core, and no message on interrupts, since the parent reports them."""
    os.environ[CORES] = "1"
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    compile_listeners.append(sender.send)


def _exit_with_parent() -> None:
    """Exit when the parent ends, even by SIGKILL, instead of waiting for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
