"""Threads that wait for one call after the other: handing a call over costs microseconds."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from typing import Any


class Hand:
    """A thread that does one call at a time; it ends with the object, or when it is closed."""

    def __init__(self) -> None:
        self._open()

    def _open(self) -> None:
        self._call: list[Any] = []
        self._result: list[BaseException | None] = []
        self._begin, self._end = threading.Lock(), threading.Lock()
        self._begin.acquire()
        self._end.acquire()
        threading.Thread(
            target=_work, args=(self._call, self._result, self._begin, self._end), daemon=True
        ).start()
        self.close = weakref.finalize(self, self._begin.release)
        """End the thread."""

    def start(self, function: Callable[..., object], *arguments: Any) -> None:
        """Begin a call; `wait` must follow."""
        self._call.append((function, arguments))
        self._begin.release()

    def wait(self) -> None:
        """Wait for the end of the call, even when interrupted; what it has raised is raised here."""
        try:
            self._end.acquire()
        except BaseException:
            while not self._result:  # the call still writes into arrays of the caller's
                time.sleep(0.001)
            self.close()
            self._open()  # nobody knows whether the lock was taken
            raise
        failure = self._result.pop()
        if failure is not None:
            raise failure


def _work(
    call: list[Any], result: list[BaseException | None], begin: threading.Lock, end: threading.Lock
) -> None:
    while True:
        begin.acquire()
        if not call:
            return
        function, arguments = call.pop()
        try:
            function(*arguments)
        except BaseException as error:  # noqa: BLE001  # whoever waits gets it
            result.append(error)
        else:
            result.append(None)
        end.release()
