"""Several processes that serve together: each is begun again when it ends, and all end with the first one."""

from __future__ import annotations

import logging
import multiprocessing
import multiprocessing.connection
import os
import signal
import tempfile
import time
from collections.abc import Callable
from multiprocessing.context import ForkProcess
from typing import Any

from gridproof.core.errors import GridproofError

SHORT = 5.0
"""Seconds: a process that ends sooner was none that could serve."""
MOST_SHORT = 3
"""So many of these before any has served, and nothing more is tried: a database may be away for a while, a mistake stays."""
PAUSE, LONGEST_PAUSE = 0.5, 10.0
"""Seconds before such a process is begun again, twice as many each time."""
PATIENCE = 10.0
"""Seconds that processes have to end when they are told to."""
ENDING = (signal.SIGTERM, signal.SIGINT)


def can_share() -> bool:
    """Whether this system can hand connections from process to process."""
    import socket

    return hasattr(os, "fork") and hasattr(socket, "send_fds")


class Turn:
    """A lock among processes that have begun with this one; one that ends, however it does, gives it back."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  # open as long as the process

    def __enter__(self) -> None:
        import fcntl

        fcntl.lockf(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        import fcntl

        fcntl.lockf(self._file, fcntl.LOCK_UN)


class Processes:
    """Processes that do the same work, each for its share.

    Parameters
    ----------
    count : int
    work : function of a number and a file
        What the process of that number does. The file, a pipe's end, is readable as soon as this process has gone.
    """

    def __init__(self, count: int, work: Callable[[int, int], None]) -> None:
        self._work = work
        self._context = multiprocessing.get_context("fork")
        self._gone, self._here = os.pipe()
        self._running: list[ForkProcess] = []
        self._begun = [0.0] * count
        self._short = 0
        """Processes that could not serve, one after the other."""
        self._served = False
        """Whether any has served."""
        self._heard, self._wake = os.pipe()
        """Readable as soon as a signal has come; every signal that is heard ends all, so that nothing is read."""
        os.set_blocking(self._wake, False)
        self._told: int | None = None
        """The signal that it was told to end by."""

    def run(self) -> None:
        """Run until it is told to end.

        Raises
        ------
        GridproofError
            When processes end again and again as soon as they begin.
        """
        before = {number: signal.signal(number, self._end) for number in ENDING}
        woken = signal.set_wakeup_fd(self._wake)
        try:
            self._running = [self._begin(number) for number in range(len(self._begun))]
            while self._told is None:
                self._look_after()
        finally:
            self._end_all()
            signal.set_wakeup_fd(woken)
            for number, handler in before.items():
                signal.signal(number, handler)
        if self._told == signal.SIGTERM:
            signal.raise_signal(signal.SIGTERM)

    def _begin(self, number: int) -> ForkProcess:
        process = self._context.Process(target=self._child, args=(number,), name=f"server {number}")
        self._begun[number] = time.monotonic()
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)  # until it has its own ways to end
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
        return process

    def _child(self, number: int) -> None:
        os.close(self._here)
        signal.set_wakeup_fd(-1)
        for told in ENDING:
            signal.signal(told, signal.default_int_handler)
        try:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
            self._work(number, self._gone)
        except KeyboardInterrupt:
            pass
        except GridproofError as error:
            logging.getLogger(__name__).error("a process of the server cannot begin: %s", error)

    def _look_after(self) -> None:
        """Wait until one has ended, and begin it again."""
        ends = [process.sentinel for process in self._running]
        multiprocessing.connection.wait([*ends, self._heard])
        for number, process in enumerate(self._running):
            if self._told is None and not process.is_alive():
                self._replace(number)

    def _replace(self, number: int) -> None:
        """Begin a process again that has ended, after a pause where it could not serve."""
        if time.monotonic() - self._begun[number] >= SHORT:
            self._served, self._short = True, 0
        else:
            self._short += 1
            if self._short >= MOST_SHORT and not self._served:
                raise GridproofError("the server's processes end as soon as they begin")
            pause = min(PAUSE * 2 ** (self._short - 1), LONGEST_PAUSE)
            multiprocessing.connection.wait([self._heard], pause)
        if self._told is None:
            self._running[number] = self._begin(number)

    def _end(self, told: int, _frame: Any) -> None:
        self._told = told

    def _end_all(self) -> None:
        for process in self._running:
            process.terminate()
        until = time.monotonic() + PATIENCE
        for process in self._running:
            process.join(max(0.0, until - time.monotonic()))
            if process.is_alive():
                process.kill()
                process.join()
        for file in (self._gone, self._here, self._heard, self._wake):
            os.close(file)
