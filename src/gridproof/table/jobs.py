"""Long work that a view runs beside its own: it can be looked at, and ended at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.play.messages import Message, Refused, Stopped
from gridproof.play.text import printable

if TYPE_CHECKING:
    from gridproof.play.workers import Ended, Workers

Work = Callable[[Limit, Callable[[int], None]], Any]
"""Does the work within a limit, and tells now and then how many positions it has found."""

ENDED = "Stopped."
BEAT = 0.1
"""Seconds between two words of another process on how far it is."""


class Job:
    """Long work, done once: by `run` in whatever thread calls it, by `start` in one of its own, or by `give` in a process.

    Parameters
    ----------
    what : str
        What is being done, in words.
    work : function of a limit and a function of a number
        The work; it does not touch the table. For another process it is pickled.
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
        self.error = ""
        """Why it has no result, in words."""
        self.part: Any = None
        """What is found so far, where the work tells more than a number."""
        self._leave: Callable[[], None] = lambda: None
        """Lets the process know that nobody waits any more."""

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
        self._leave()

    def run(self) -> None:
        """Do the work here, until it is done or another thread cancels it; an error is kept, to be told."""
        try:
            if not self.cancelled:
                self._result.append(self._work(self._limit, self._count))
        except Exception as error:  # noqa: BLE001  # nobody hears what leaves a thread
            self.error = words_of(error)
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

    def give(self, workers: Workers, then: Callable[[Job], object]) -> None:
        """Have the work done by another process; `then` is called at the end, from another thread."""
        from gridproof.play.workers import Task

        def end(ended: Ended) -> None:
            self.error = ended.error
            if not ended.error:
                self._result.append(ended.value)
            self._ended.set()
            then(self)

        task = Task(_Seldom(self._work), replace(self._limit, stop=None), self._count, end)
        self._leave = lambda: workers.cancel(task)
        workers.begin(task)
        if self.cancelled:
            workers.cancel(task)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is done, but no longer than so; whether it is."""
        return self._ended.wait(seconds)

    def messages(self) -> tuple[Message, ...]:
        """What there is to tell once it is done or cancelled."""
        if self.error and not self.cancelled:
            return (Refused(self.error),)
        if self.cancelled or not self._result:
            return (Stopped(ENDED),)
        return tuple(self._answer(self._result[0]))

    @property
    def result(self) -> Any:
        """What the work gave; None where it did not."""
        return self._result[0] if self._result else None

    def _count(self, told: Any) -> None:
        if isinstance(told, int):
            self.positions = told
        else:
            self.part = told


@dataclass(frozen=True, slots=True)
class _Seldom:
    """Work that tells numbers seldom, since each goes to another process."""

    work: Work

    def __call__(self, limit: Limit, tell: Callable[[Any], None]) -> Any:
        """Do it."""
        told = 0.0

        def seldom(what: Any) -> None:
            nonlocal told
            now = time.monotonic()
            if not isinstance(what, int) or now - told >= BEAT:
                tell(what)
                told = now

        return self.work(limit, seldom)


def words_of(error: Exception) -> str:
    """What people are told of an error, whatever it is."""
    if isinstance(error, GridproofError):
        return str(error)
    if isinstance(error, MemoryError):
        return "there is not enough memory for it"
    return printable(f"it failed: please report this ({type(error).__name__}: {error})")
