"""Work on many levels in several processes, which end with the one that started them, however it ends."""

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
from gridproof.core.loading import told_of_compiling
from gridproof.search.cores import SETTING

Work = TypeVar("Work")
Answer = TypeVar("Answer")


def answers_of(
    function: Callable[[Work], Answer], works: list[Work], jobs: int, what: str, unit: str
) -> Iterator[Answer]:
    """The results of a module's function for each piece of work, in order, each as soon as it is there.

    Raises
    ------
    GridproofError
        When a worker has been killed.
    """
    context = multiprocessing.get_context("spawn")  # the same everywhere, and sound beside threads
    told, tell = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(min(jobs, len(works)), context, _begin, (tell,))
    try:
        with Progress(what, unit, len(works), _Compiling(told).now) as progress:
            progress(0)
            for number, answer in enumerate(_in_order(pool, function, works), 1):
                progress(number)
                yield answer
    except BaseException:
        for process in multiprocessing.active_children():
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _in_order(
    pool: ProcessPoolExecutor, function: Callable[[Work], Answer], works: Iterable[Work]
) -> Iterator[Answer]:
    try:
        yield from pool.map(function, works)
    except BrokenProcessPool:
        raise GridproofError(
            "a process that worked on a level was killed, perhaps for want of memory"
        ) from None


class _Compiling:
    """Whether some of the workers compile kernels."""

    def __init__(self, told: Connection) -> None:
        self._told = told
        self._workers = 0

    def now(self) -> bool:
        while self._told.poll():
            self._workers += 1 if self._told.recv() else -1
        return self._workers > 0


def _begin(tell: Connection) -> None:
    """Set up a worker: one core, and no message when it is interrupted, since its parent reports that."""
    os.environ[SETTING] = "1"
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    told_of_compiling.append(tell.send)


def _end_with_parent() -> None:
    """End when the parent ends, even by SIGKILL; else a worker would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
