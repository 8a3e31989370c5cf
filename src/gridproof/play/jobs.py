"""Long work that a view runs beside its own: it can be looked at, and ended at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.play.messages import Message, Refused, Stopped
from gridproof.play.text import printable

Work = Callable[[Limit, Callable[[int], None]], Any]
"""Does the work within a limit, and tells now and then how far it is."""

ENDED = "Stopped."


class Job:
    """Long work, done once: by `run` in whatever thread calls it, or by `start` in one of its own.

    Parameters
    ----------
    what : str
        What is being done, in words.
    work : function of a limit and a function of a number
        The work; it does not touch the table.
    answer : function of what the work gave
        The messages that come of it; called by the table, in the table's thread.
    limit : Limit
        How long the work may take.
    """

    def __init__(
        self, what: str, work: Work, answer: Callable[[Any], Iterable[Message]], limit: Limit | None = None
    ) -> None:
        self.what = what
        self.positions = 0
        """How many positions have been found so far."""
        self._work = work
        self._answer = answer
        self._stop = threading.Event()
        self._limit = replace(limit or Limit(), stop=self._stop)
        self._ended = threading.Event()
        self._result: list[Any] = []
        self._error: Exception | None = None

    @property
    def done(self) -> bool:
        """Whether the work has ended, in whatever way."""
        return self._ended.is_set()

    @property
    def cancelled(self) -> bool:
        """Whether it was cancelled: then nobody waits for it."""
        return self._stop.is_set()

    def bound(self, seconds: float, memory: int) -> None:
        """Let the work take no more than that, before it begins: seconds, and bytes held by the process."""
        limit = self._limit
        least = seconds if limit.seconds is None else min(limit.seconds, seconds)
        held = memory if limit.memory is None else min(limit.memory, memory)
        self._limit = replace(limit, seconds=least, memory=held)

    def cancel(self) -> None:
        """End the work. Engines end within moments; where kernels are compiled, after the one that is under way."""
        self._stop.set()

    def run(self) -> None:
        """Do the work here, until it is done or another thread cancels it; an error is kept, to be told."""
        try:
            if not self.cancelled:
                self._result.append(self._work(self._limit, self._count))
        except Exception as error:  # noqa: BLE001  # nobody hears what leaves a thread
            self._error = error
        finally:
            self._ended.set()

    def start(self, then: Callable[[Job], object] | None = None) -> None:
        """Do the work in a thread of its own, which calls `then` at the end; a process does not wait for it to leave."""

        def work() -> None:
            try:
                self.run()
            finally:
                if then is not None:
                    then(self)

        threading.Thread(target=work, name=self.what, daemon=True).start()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is done, but no longer than so; whether it is."""
        return self._ended.wait(seconds)

    def messages(self) -> tuple[Message, ...]:
        """What there is to tell once it is done or cancelled."""
        if self._error is not None and not self.cancelled:
            return (Refused(_words(self._error)),)
        if self.cancelled or not self._result:
            return (Stopped(ENDED),)
        return tuple(self._answer(self._result[0]))

    def _count(self, positions: int) -> None:
        self.positions = positions


def _words(error: Exception) -> str:
    if isinstance(error, GridproofError):
        return str(error)
    if isinstance(error, MemoryError):
        return "there is not enough memory for it"
    return printable(f"it failed: please report this ({type(error).__name__}: {error})")
