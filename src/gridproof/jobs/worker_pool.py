"""Processes that work beside a front end, so that no search ever keeps it from answering, and any can be ended."""

from __future__ import annotations

import contextlib
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO, Any

from gridproof.core.limit import Limit
from gridproof.play.worker import BEGUN, DONE, TOLD

GRACE = 3.0
"""Seconds after which a process is killed that goes on with what nobody waits for."""
LONGEST = 120.0
"""Seconds after its time that work may still take, which it needs where kernels are compiled for the first time, or
where a busy machine is slow to start a process."""

Work = Callable[[Limit, Callable[[Any], None]], Any]
"""Does something within a limit and tells how far it is; it is pickled, so that it names what is called: a `partial`."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How work has ended."""

    value: Any = None
    error: str = ""
    """Why there is no value, in words."""


GONE = Ended(error="it was ended")
LATE = Ended(error="there was no answer in time")
BROKEN = Ended(error="its process ended before it was done, perhaps for want of memory")
NO_ROOM = Ended(error="the machine has no process left for it")


class Task:
    """Something to be done by a process.

    Parameters
    ----------
    work : function of a limit and of a function that tells
        It is pickled.
    limit : Limit
        Without a `stop`: to stop it, cancel the task.
    told : function
        Called with all that the work tells, from another thread.
    ended : function
        Called once and at last, from another thread: also when it is cancelled.
    """

    def __init__(
        self, work: Work, limit: Limit, told: Callable[[Any], object], ended: Callable[[Ended], object]
    ) -> None:
        self.work, self.limit, self._told, self._ended = work, limit, told, ended
        self.cancelled = threading.Event()
        self.late = False
        """Whether its process was killed because its time was over."""
        self.stop: Callable[[], None] = lambda: None
        """Lets the process know that nobody waits any more."""

    def tell(self, value: Any) -> None:
        """Pass on what the work tells, as long as somebody waits."""
        if not self.cancelled.is_set():
            self._told(value)

    def end(self, ended: Ended) -> None:
        """Tell how it has ended, also to one who does not wait."""
        self._ended(GONE if self.cancelled.is_set() else ended)


class Workers:
    """Some processes that work, each on one task at a time; the first is made ready, the others when it is busy.

    Parameters
    ----------
    processes : int
    games : sequence of str
        The games whose solvers are loaded before the first task.
    grace : float
        Seconds beyond its limit after which a task is ended with its process, from when the process has come to it.
    """

    def __init__(self, processes: int = 1, games: Sequence[str] = (), grace: float = LONGEST) -> None:
        self._games, self._grace = tuple(games), grace
        self._waiting: deque[Task] = deque()
        self._running: set[Task] = set()
        self._changed = threading.Condition()
        self._idle = 0
        """How many processes are ready and wait."""
        self._closed = False
        for number in range(processes):
            threading.Thread(target=self._serve, args=(number == 0,), name="workers", daemon=True).start()

    @property
    def closed(self) -> bool:
        """Whether nothing more is done."""
        return self._closed

    def begin(self, task: Task) -> None:
        """Have something done as soon as a process is free."""
        with self._changed:
            closed = self._closed
            if not closed:
                self._waiting.append(task)
                self._changed.notify_all()
        if closed:
            task.end(GONE)

    def cancel(self, task: Task) -> None:
        """Nobody waits for it: it ends within moments, if need be with its process."""
        with self._changed:
            task.cancelled.set()
            waited = task in self._waiting
            if waited:
                self._waiting.remove(task)
        if waited:
            task.end(GONE)
        else:
            task.stop()

    def close(self) -> None:
        """End all processes."""
        with self._changed:
            self._closed = True
            tasks = [*self._waiting, *self._running]
            self._changed.notify_all()
        for task in tasks:
            self.cancel(task)

    def _serve(self, ahead: bool) -> None:
        """Give tasks to a process, one by one; another one takes the place of one that has ended."""
        worker: _Worker | None = None
        try:
            while not self._closed:
                if ahead and not (worker and worker.alive):
                    worker = self._started()
                task = self._next(bool(worker and worker.alive))
                if task is None:
                    return
                if not (worker and worker.alive):
                    worker = self._started()
                try:
                    ended = worker.do(task, self._grace) if worker else NO_ROOM
                finally:
                    with self._changed:
                        self._running.discard(task)
                task.end(ended)
        finally:
            if worker is not None:
                worker.kill()

    def _started(self) -> _Worker | None:
        """A process; None where the machine has none left."""
        try:
            return _Worker(self._games)
        except OSError:
            return None

    def _next(self, ready: bool) -> Task | None:
        """The task that has waited longest, for a process that is ready or where none is; None when all ends."""
        with self._changed:
            self._idle += ready
            while not (self._closed or len(self._waiting) > (0 if ready else self._idle)):
                self._changed.wait()
            self._idle -= ready
            if self._closed:
                return None
            task = self._waiting.popleft()
            self._running.add(task)
            return task


class _Worker:
    """A process as seen from outside: `gridproof.play.worker` is its inside."""

    def __init__(self, games: tuple[str, ...]) -> None:
        self._number, self._writing = 0, threading.Lock()
        self._busy = 0
        """The number of the task that is under way."""
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from gridproof.play.worker import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        with contextlib.suppress(OSError):
            self._send((sys.path, games))

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                _there(pipe).close()

    def do(self, task: Task, grace: float) -> Ended:
        """Have something done; how it ended, also where the process did."""
        self._number += 1
        self._busy = number = self._number
        timers: list[threading.Timer] = []
        seconds = task.limit.seconds or 0.0

        def kill_after(seconds: float, late: bool) -> None:
            def kill() -> None:
                if self._busy == number:
                    task.late = late
                    self._process.kill()

            timers.append(threading.Timer(seconds, kill))
            timers[-1].start()

        def stop() -> None:
            with contextlib.suppress(OSError, ValueError):
                self._send(number)
            kill_after(GRACE, late=False)

        try:
            self._send((number, task.work, task.limit))
            kill_after(seconds + max(grace, LONGEST), late=True)
            task.stop = stop
            if task.cancelled.is_set():
                stop()
            return self._answer(task, lambda: kill_after(seconds + grace, late=True))
        except (EOFError, OSError):
            self.kill()
            return LATE if task.late else BROKEN
        except Exception as error:  # noqa: BLE001  # what cannot be pickled says so in many ways
            self.kill()
            return Ended(error=f"it cannot be done in another process: {error}")
        finally:
            self._busy, task.stop = 0, lambda: None
            for timer in timers:
                timer.cancel()

    def _answer(self, task: Task, begun: Callable[[], None]) -> Ended:
        while True:
            kind, value, going = pickle.load(_there(self._process.stdout))  # noqa: S301  # our own process wrote it
            if kind == BEGUN:
                begun()
                continue
            if not going:
                self.kill()  # before the next task is given to it
            if kind != TOLD:
                return Ended(value) if kind == DONE else Ended(error=value)
            task.tell(value)

    def _send(self, message: Any) -> None:
        data = pickle.dumps(message)  # as a whole, or not at all
        with self._writing:
            pipe = _there(self._process.stdin)
            pipe.write(data)
            pipe.flush()


def _there(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None, "it was made with pipes"
    return pipe
