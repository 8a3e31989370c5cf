"""Supervisor of several server processes: it restarts each that ends, and stops all at the end."""

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
"""Seconds; a process that ends sooner has failed to start."""
MOST_SHORT = 3
"""Failed starts before the supervisor gives up, if no process has served yet."""
PAUSE, LONGEST_PAUSE = 0.5, 10.0
"""Seconds before a restart after a failed start, doubled each time."""
PATIENCE = 8.0
"""Seconds that processes have to stop."""
ENDING = (signal.SIGTERM, signal.SIGINT)


def can_share() -> bool:
    """Return whether this system can pass sockets between processes."""
    import socket

    return hasattr(os, "fork") and hasattr(socket, "send_fds")


class ProcessLock:
    """A lock between processes, released when its holder ends in any way."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  # open as long as the process

    def __enter__(self) -> None:
        import fcntl

        fcntl.lockf(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        import fcntl

        fcntl.lockf(self._file, fcntl.LOCK_UN)


class Supervisor:
    """Start and restart processes that do the same work.

    Parameters
    ----------
    count : int
    work : function of a number and a file
        Work of the process with that number. The file, a pipe's end, is readable as soon as the supervisor has ended.
    """

    def __init__(self, count: int, work: Callable[[int, int], None]) -> None:
        self._work = work
        self._context = multiprocessing.get_context("fork")
        self._parent_pipe, self._own_pipe = os.pipe()
        self._running: list[ForkProcess] = []
        self._started_at = [0.0] * count
        self._short = 0
        """Failed starts in a row."""
        self._served = False
        """True if a process has served."""
        self._wake_reader, self._wake_writer = os.pipe()
        """Pipe that is readable after a signal."""
        os.set_blocking(self._wake_writer, False)
        self._signal: int | None = None
        """Signal that stops the supervisor."""

    def run(self) -> None:
        """Run until a signal stops it.

        Raises
        ------
        GridproofError
            If all starts fail.
        """
        before = {number: signal.signal(number, self._end) for number in ENDING}
        wake_before = signal.set_wakeup_fd(self._wake_writer)
        try:
            self._running = [self._start(number) for number in range(len(self._started_at))]
            while self._signal is None:
                self._watch()
        finally:
            self._end_all()
            signal.set_wakeup_fd(wake_before)
            for number, handler in before.items():
                signal.signal(number, handler)
        if self._signal == signal.SIGTERM:
            signal.raise_signal(signal.SIGTERM)

    def _start(self, number: int) -> ForkProcess:
        process = self._context.Process(target=self._child, args=(number,), name=f"server {number}")
        self._started_at[number] = time.monotonic()
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)  # until its own handlers are set
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
        return process

    def _child(self, number: int) -> None:
        os.close(self._own_pipe)
        signal.set_wakeup_fd(-1)
        for signal_number in ENDING:
            signal.signal(signal_number, signal.default_int_handler)
        try:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
            self._work(number, self._parent_pipe)
        except KeyboardInterrupt:
            pass
        except GridproofError as error:
            logging.getLogger(__name__).error("could not start a server process: %s", error)

    def _watch(self) -> None:
        """Wait until a process ends, and restart it."""
        ends = [process.sentinel for process in self._running]
        multiprocessing.connection.wait([*ends, self._wake_reader])
        for number, process in enumerate(self._running):
            if self._signal is None and not process.is_alive():
                self._replace(number)

    def _replace(self, number: int) -> None:
        """Restart a process, after a pause if it could not serve."""
        if time.monotonic() - self._started_at[number] >= SHORT:
            self._served, self._short = True, 0
        else:
            self._short += 1
            if self._short >= MOST_SHORT and not self._served:
                raise GridproofError("the server processes exit at once; see the errors above")
            pause = min(PAUSE * 2 ** (self._short - 1), LONGEST_PAUSE)
            multiprocessing.connection.wait([self._wake_reader], pause)
        if self._signal is None:
            self._running[number] = self._start(number)

    def _end(self, signal_number: int, _frame: Any) -> None:
        self._signal = signal_number

    def _end_all(self) -> None:
        for process in self._running:
            process.terminate()
        until = time.monotonic() + PATIENCE
        for process in self._running:
            process.join(max(0.0, until - time.monotonic()))
            if process.is_alive():
                process.kill()
                process.join()
        for file in (self._parent_pipe, self._own_pipe, self._wake_reader, self._wake_writer):
            os.close(file)
