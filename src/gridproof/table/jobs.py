"""Jobs: long work beside the view, with progress and cancellation."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gridproof.core.limit import Limit
from gridproof.core.text.display import error_text
from gridproof.table.messages import Message, Refused, Stopped

if TYPE_CHECKING:
    from gridproof.jobs.worker_pool import TaskResult, WorkerPool

Work = Callable[[Limit, Callable[[int], None]], Any]
"""Runs within a limit, and reports the number of positions."""

ENDED = "Stopped."
REPORT_INTERVAL = 0.1
"""Seconds between two progress reports of another process."""


class Job:
    """Long work, run once: by `run` in the caller's thread, by `start` in a new one, or by `submit` in a process.

    Parameters
    ----------
    what : str
        Description for people.
    work : function of a limit and a function of a number
        The work, without access to the table; pickled for another process.
    answer : function of the result
        Returns the messages; called in the table's thread.
    limit : Limit
        Limit of the work.
    actor : str, optional
        Actor whose program thinks about its action.
    """

    def __init__(
        self,
        what: str,
        work: Work,
        answer: Callable[[Any], Iterable[Message]],
        limit: Limit | None = None,
        actor: str = "",
    ) -> None:
        self.what = what
        self.actor = actor
        self.positions = 0
        """Positions found so far."""
        self._work = work
        self._answer = answer
        self._stop = threading.Event()
        self._limit = replace(limit or Limit(), stop=self._stop)
        self._done = threading.Event()
        self._result: list[Any] = []
        self.error = ""
        """Reason for a missing result."""
        self.part: Any = None
        """Partial result, if the work reports more than a number."""
        self._cancel_task: Callable[[], None] = lambda: None
        """Cancels the task in another process."""

    @property
    def is_done(self) -> bool:
        """True if the work has ended in any way."""
        return self._done.is_set()

    @property
    def is_cancelled(self) -> bool:
        """True if the job was cancelled."""
        return self._stop.is_set()

    def restrict(self, seconds: float, memory: int) -> None:
        """Limit the work before it starts: seconds, and bytes held by the process."""
        limit = self._limit
        least = seconds if limit.seconds is None else min(limit.seconds, seconds)
        most = memory if limit.memory is None else min(limit.memory, memory)
        self._limit = replace(limit, seconds=least, memory=most)

    def cancel(self) -> None:
        """Cancel the work; engines end at once, compilation after the current kernel."""
        self._stop.set()
        self._cancel_task()

    def run(self) -> None:
        """Run the work in this thread until it is done or cancelled; an error becomes a message."""
        try:
            if not self.is_cancelled:
                self._result.append(self._work(self._limit, self._report))
        except Exception as error:  # noqa: BLE001  # an error that leaves a thread is lost
            self.error = error_text(error)
        finally:
            self._done.set()

    def start(self, then: Callable[[Job], object] | None = None) -> None:
        """Run the work in a new daemon thread, which calls `then` at the end."""

        def work() -> None:
            try:
                self.run()
            finally:
                if then is not None:
                    then(self)

        threading.Thread(target=work, name=self.what, daemon=True).start()

    def submit(self, workers: WorkerPool, then: Callable[[Job], object]) -> None:
        """Run the work in another process, and call `then` at the end from another thread."""
        from gridproof.jobs.worker_pool import PoolTask

        def end(result: TaskResult) -> None:
            self.error = result.error
            if not result.error:
                self._result.append(result.value)
            self._done.set()
            then(self)

        task = PoolTask(_ThrottledWork(self._work), replace(self._limit, stop=None), self._report, end)
        self._cancel_task = lambda: workers.cancel(task)
        workers.submit(task)
        if self.is_cancelled:
            workers.cancel(task)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the job is done, up to a timeout; return whether it is."""
        return self._done.wait(seconds)

    def messages(self) -> tuple[Message, ...]:
        """Return the messages of the result, once the job is done or cancelled."""
        if self.error and not self.is_cancelled:
            return (Refused(self.error),)
        if self.is_cancelled or not self._result:
            return (Stopped(ENDED),)
        return tuple(self._answer(self._result[0]))

    @property
    def result(self) -> Any:
        """Return the result of the work; None without one."""
        return self._result[0] if self._result else None

    def _report(self, value: Any) -> None:
        if isinstance(value, int):
            self.positions = value
        else:
            self.part = value


@dataclass(frozen=True, slots=True)
class _ThrottledWork:
    """Work that reports its progress seldom, since each report goes to another process."""

    work: Work

    def __call__(self, limit: Limit, tell: Callable[[Any], None]) -> Any:
        """Run the work."""
        last = 0.0

        def report(what: Any) -> None:
            nonlocal last
            now = time.monotonic()
            if not isinstance(what, int) or now - last >= REPORT_INTERVAL:
                tell(what)
                last = now

        return self.work(limit, report)


@dataclass(frozen=True, slots=True)
class JobMessage(Message):
    """Long work to do: run or start the job, and pass it to `Table.finish` when it is done."""

    kind = "working"
    job: Job

    def words(self) -> str:
        return f"{self.job.what} ..."
