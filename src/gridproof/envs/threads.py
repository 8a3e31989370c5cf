"""Threads that wait for one call after the other: handing a call over costs microseconds."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any


class Hand:
    """A thread that does one call at a time; it ends with the object, or when it is closed."""

    def __init__(self) -> None:
        self._box: list[Any] = []
        self._begin, self._end = threading.Lock(), threading.Lock()
        self._begin.acquire()
        self._end.acquire()
        threading.Thread(target=_work, args=(self._box, self._begin, self._end), daemon=True).start()
        self.close = weakref.finalize(self, self._begin.release)
        """End the thread."""

    def start(self, function: Callable[..., object], *arguments: Any) -> None:
        """Begin a call; `wait` must follow."""
        self._box.append((function, arguments))
        self._begin.release()

    def wait(self) -> None:
        """Wait for the end of the call; what it has raised is raised here."""
        self._end.acquire()
        failure = self._box.pop()
        if failure is not None:
            raise failure


def _work(box: list[Any], begin: threading.Lock, end: threading.Lock) -> None:
    while True:
        begin.acquire()
        if not box:
            return
        function, arguments = box.pop()
        try:
            function(*arguments)
        except BaseException as error:  # noqa: BLE001  # whoever waits gets it
            box.append(error)
        else:
            box.append(None)
        end.release()
