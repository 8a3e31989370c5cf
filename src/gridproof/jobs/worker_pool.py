"""Worker pool: processes beside a front end, so that no search blocks it and each can be killed."""

from __future__ import annotations

import contextlib
import math
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import IO, Any

from gridproof.core.limit import Limit
from gridproof.jobs.worker import BEGUN, COMPILING, DONE, PROGRESS

GRACE = 3.0
"""Seconds after a cancellation before the process is killed."""
LONGEST = 120.0
"""Seconds beyond the limit for the first compilation of kernels, or for the start of a process on a busy machine."""

Work = Callable[[Limit, Callable[[Any], None]], Any]
"""Runs within a limit and reports its progress; it must be picklable, such as a `partial`."""

Prepare = Callable[[], Iterable[object]]


@dataclass(frozen=True, slots=True)
class TaskResult:
    """Result of a task."""

    value: Any = None
    error: str = ""
    """Reason for a missing value."""


STOPPED = TaskResult(error="it was stopped")
LATE = TaskResult(error="no answer in time")
BROKEN = TaskResult(error="its process died, perhaps because memory ran out")
NO_ROOM = TaskResult(error="the machine cannot start another process")


class PoolTask:
    """A task for a process.

    Parameters
    ----------
    work : function of a limit and a report function
        Must be picklable.
    limit : Limit
        Without a `stop`; cancel the task instead.
    report : function
        Called with each progress report, from another thread.
    finish : function
        Called once at the end, from another thread, also after a cancellation.
    """

    def __init__(
        self,
        work: Work,
        limit: Limit,
        report: Callable[[Any], object],
        finish: Callable[[TaskResult], object],
    ) -> None:
        self.work, self.limit, self._report, self._finish = work, limit, report, finish
        self.cancelled = threading.Event()
        self.is_compiling = False
        """True while its process compiles kernels."""
        self.stop: Callable[[], None] = lambda: None
        """Reports the cancellation to the process."""

    def report(self, value: Any) -> None:
        """Report progress, unless the task is cancelled."""
        if not self.cancelled.is_set():
            self._report(value)

    def finish(self, result: TaskResult) -> None:
        """Report the end, even of a cancelled task."""
        self._finish(STOPPED if self.cancelled.is_set() else result)


class WorkerPool:
    """Processes that run one task each; the first is warm, others start when it is busy.

    Parameters
    ----------
    processes : int
    prepare : function that returns an iterable
        Prepares a process step by step while no task waits. Must be picklable.
    grace : float
        Seconds beyond the limit before a task is killed with its process, counted from its start, and again from the
        end of each compilation of kernels; or infinity.
    niceness : int
        How far the processes give way to others.
    """

    def __init__(
        self,
        processes: int = 1,
        prepare: Prepare = tuple,
        grace: float = LONGEST,
        niceness: int = 10,
    ) -> None:
        self._prepare, self._grace, self._niceness = prepare, grace, niceness
        self._waiting: deque[PoolTask] = deque()
        self._running: set[PoolTask] = set()
        self._changed = threading.Condition()
        self._idle = 0
        """Idle processes."""
        self._closed = False
        self._workers = set[_Worker]()
        self._threads = [
            threading.Thread(target=self._serve, args=(number == 0,), name="workers", daemon=True)
            for number in range(processes)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def is_closed(self) -> bool:
        """True if the pool is closed."""
        return self._closed

    def submit(self, task: PoolTask) -> None:
        """Queue a task."""
        with self._changed:
            is_closed = self._closed
            if not is_closed:
                self._waiting.append(task)
                self._changed.notify_all()
        if is_closed:
            task.finish(STOPPED)

    def cancel(self, task: PoolTask) -> None:
        """Cancel a task; it ends within moments, with its process if necessary."""
        with self._changed:
            task.cancelled.set()
            was_waiting = task in self._waiting
            if was_waiting:
                self._waiting.remove(task)
        if was_waiting:
            task.finish(STOPPED)
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

    def kill(self) -> None:
        """End all processes at once, and wait for their ends."""
        self.close()
        with self._changed:
            workers = [*self._workers]
        for worker in workers:
            worker.interrupt()
        for thread in self._threads:
            thread.join()

    def _serve(self, is_first: bool) -> None:
        """Send tasks to a process, one by one, and replace it if it ends."""
        worker: _Worker | None = None
        try:
            while not self._closed:
                if is_first and not (worker and worker.is_alive):
                    worker = self._start_worker()
                task = self._next(bool(worker and worker.is_alive))
                if task is None:
                    return
                if not (worker and worker.is_alive):
                    worker = self._start_worker()
                try:
                    result = worker.do(task, self._grace) if worker else NO_ROOM
                finally:
                    with self._changed:
                        self._running.discard(task)
                task.finish(result)
        finally:
            if worker is not None:
                worker.kill()

    def _start_worker(self) -> _Worker | None:
        """Start a process; None if the machine has none left."""
        try:
            worker = _Worker(self._prepare, self._niceness)
        except OSError:
            return None
        with self._changed:
            self._workers = {one for one in self._workers if one.is_alive} | {worker}
        return worker

    def _next(self, ready: bool) -> PoolTask | None:
        """Return the task that has waited longest, for a ready or a new process; None at the end."""
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


class LazyPool:
    """A worker pool that starts when it is called, with the arguments of `WorkerPool`."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._start = partial(WorkerPool, *arguments, **options)
        self._pool: WorkerPool | None = None
        self._lock = threading.Lock()

    def __call__(self) -> WorkerPool:
        """Return the pool."""
        with self._lock:
            self._pool = self._pool or self._start()
            return self._pool

    def close(self) -> None:
        """End all processes, and start none any more."""
        with self._lock:
            self._pool = self._pool or WorkerPool(0)
        self._pool.close()


class _KillTimers:
    """Timers by name that kill a process during a task.

    Attributes
    ----------
    killed_by : str
        Name of the timer that killed it; "" for none.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.killed_by = ""
        self._process, self._is_closed = process, False
        self._timers = dict[str, threading.Timer]()

    def set(self, name: str, seconds: float) -> None:
        """Kill the process after so many seconds from now, which may be infinity, whatever this timer was set to."""
        if name in self._timers:
            self._timers.pop(name).cancel()
        if seconds < math.inf:
            self._timers[name] = threading.Timer(seconds, partial(self._kill, name))
            self._timers[name].start()

    def close(self) -> None:
        """Cancel all timers."""
        self._is_closed = True
        for timer in self._timers.values():
            timer.cancel()

    def _kill(self, name: str) -> None:
        if not self._is_closed:
            self.killed_by = name
            self._process.kill()


class _Worker:
    """A worker process as seen from outside; `gridproof.jobs.worker` is its inside."""

    def __init__(self, prepare: Prepare, niceness: int = 10) -> None:
        self._number, self._writing = 0, threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from gridproof.jobs.worker import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        with contextlib.suppress(OSError):
            self._send((sys.path, niceness, prepare))

    @property
    def is_alive(self) -> bool:
        """True if the process is alive."""
        return self._process.poll() is None

    def interrupt(self) -> None:
        """Kill the process while another thread waits for its answer."""
        self._process.kill()

    def kill(self) -> None:
        """Kill the process, and close its pipes."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                _require(pipe).close()

    def do(self, task: PoolTask, grace: float) -> TaskResult:
        """Run a task and return how it ended, even if the process died."""
        self._number += 1
        number, timers = self._number, _KillTimers(self._process)
        seconds = task.limit.seconds or 0.0
        longest = seconds + max(grace, LONGEST)

        def stop() -> None:
            with contextlib.suppress(OSError, ValueError):
                self._send(number)
            timers.set("stop", GRACE)

        try:
            self._send((number, task.work, task.limit))
            timers.set("late", longest)
            task.stop = stop
            if task.cancelled.is_set():
                stop()
            return self._answer(
                task, lambda: timers.set("late", longest if task.is_compiling else seconds + grace)
            )
        except (EOFError, OSError):
            self.kill()
            return LATE if timers.killed_by == "late" else BROKEN
        except Exception as error:  # noqa: BLE001  # pickling fails in many ways
            self.kill()
            return TaskResult(error=f"it cannot run in another process: {error}")
        finally:
            task.stop, task.is_compiling = lambda: None, False
            timers.close()

    def _answer(self, task: PoolTask, on_phase: Callable[[], None]) -> TaskResult:
        """Return how a task ended; `on_phase` is called at its start, and when its process begins or ends to compile."""
        while True:
            kind, value, has_room = pickle.load(_require(self._process.stdout))  # noqa: S301  # written by our own process
            if kind in (BEGUN, COMPILING):
                task.is_compiling = kind == COMPILING and value
                on_phase()
                continue
            if not has_room:
                self.kill()  # before its next task
            if kind != PROGRESS:
                return TaskResult(value) if kind == DONE else TaskResult(error=value)
            task.report(value)

    def _send(self, message: Any) -> None:
        data = pickle.dumps(message)  # completely, or not at all
        with self._writing:
            pipe = _require(self._process.stdin)
            pipe.write(data)
            pipe.flush()


def _require(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None, "it was made with pipes"
    return pipe
