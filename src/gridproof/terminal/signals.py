"""Signals that end programs, and closed terminals: each ends the full screen, even if that is blocked."""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import signal
import sys
import termios
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

from gridproof.core.lazy_import import END_SIGNALS

GRACE_PERIOD = 0.75
"""Seconds for an orderly end after a signal; then the process ends by that signal at once."""
POLL_INTERVAL = 0.25
"""Seconds between two checks that the terminal is still there."""


def _end_timer() -> None:
    """End the timer when all is written: after this, Python gives up its handlers, and SIGALRM would end the process."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):  # closed, or not there
            stream.flush()
    signal.setitimer(signal.ITIMER_REAL, 0)


class Signals:
    """Context in which signals that end programs end an application.

    Textual writes in a thread of its own. If a terminal accepts no more output, the event loop waits for that
    thread for ever and calls no handlers: so these are Python's handlers, and a timer is set besides. A signal that
    another thread receives, or that comes just before the main thread waits, does not wake that: so a watcher sends
    it again until it is handled.

    Parameters
    ----------
    end : function
        Ends the application in order; is called in the main thread, at any moment.
    """

    def __init__(self, end: Callable[[], object]) -> None:
        self._end = end
        self._closed = threading.Event()
        self._main = threading.get_ident()
        self._terminal = sys.__stdin__.fileno() if sys.__stdin__ else 0
        self._attributes: list[Any] | None = None
        self.received: signal.Signals | None = None
        """The first signal."""

    def __enter__(self) -> Signals:
        with contextlib.suppress(termios.error):  # it is closed already
            self._attributes = termios.tcgetattr(self._terminal)
        handlers = {**dict.fromkeys(END_SIGNALS, self._handle), signal.SIGALRM: self._force_exit}
        self._wake_reader, self._wake_writer = os.pipe()
        os.set_blocking(self._wake_writer, False)
        self._old_wake = signal.set_wakeup_fd(self._wake_writer, warn_on_full_buffer=False)
        self._old_handlers = {number: signal.signal(number, handler) for number, handler in handlers.items()}
        self._watcher = threading.Thread(target=self._watch, name="terminal", daemon=True)
        self._watcher.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._closed.set()
        self._watcher.join()
        for number, handler in self._old_handlers.items():
            if not (
                self.received and number == signal.SIGALRM
            ):  # the timer runs until nothing can block any more
                signal.signal(number, handler)
        if self.received:
            atexit.register(_end_timer)
        signal.set_wakeup_fd(self._old_wake)
        os.close(self._wake_reader)
        os.close(self._wake_writer)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.received is None:
            self.received = signal.Signals(number)
            signal.setitimer(signal.ITIMER_REAL, GRACE_PERIOD, POLL_INTERVAL)
            self._end()

    def _force_exit(self, number: int, frame: FrameType | None) -> None:
        """End at once; restore the terminal as far as that needs no output."""
        received = self.received or signal.SIGALRM
        with contextlib.suppress(termios.error):
            if self._attributes is not None:
                termios.tcsetattr(self._terminal, termios.TCSANOW, self._attributes)
        signal.signal(received, signal.SIG_DFL)
        signal.raise_signal(received)

    def _watch(self) -> None:
        """Send what should end the program to the main thread, until it is handled.

        That is a signal, or SIGHUP for a closed terminal, which not every orphan process gets.
        """
        poll = select.poll()
        poll.register(self._terminal, 0)  # hang-ups are reported all the same
        poll.register(self._wake_reader, select.POLLIN)
        pending: int | None = None
        while self.received is None and not self._closed.wait(POLL_INTERVAL):
            ready = [file for file, _ in poll.poll(0)]
            if self._terminal in ready:
                pending = signal.SIGHUP
            elif ready:
                pending = next(
                    (one for one in os.read(self._wake_reader, 512) if one in END_SIGNALS), pending
                )
            if pending is not None:
                signal.pthread_kill(self._main, pending)
