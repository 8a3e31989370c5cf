"""Processes in which badges are proved, so that no search ever keeps a front end from answering."""

from __future__ import annotations

import contextlib
import pickle
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import IO, Any

from gridproof.core.limit import Limit
from gridproof.prove.badge import PATIENCE, Asked, Badge

WORKER = replace(PATIENCE, memory=1 << 30)
"""Of each question: what the process holds is its own."""
GRACE = 3.0
"""Seconds after which a process is killed that goes on with what nobody waits for."""
LONGEST = 120.0
"""Seconds after its time that a process may still take, which it needs where kernels are compiled for the first time."""
BEAT = 0.1
"""Seconds between two looks at questions that wait for another of the same asker."""

Told = Callable[[Badge], object]
"""Is called with each badge, from a thread of the prover's."""


class _Question:
    """What is asked, as long as somebody waits for it."""

    def __init__(self, asked: Asked, told: Told) -> None:
        self.asked, self._told = asked, told
        self.cancelled = threading.Event()
        self.stop: Callable[[], None] = lambda: None
        """Lets the process know that nobody waits any more."""

    def cancel(self) -> None:
        """Nobody waits for it."""
        self.cancelled.set()
        self.stop()

    def give_up(self, badge: Badge | None = None) -> None:
        """Tell that nothing more will be known."""
        self.tell(replace(badge or self.asked.known, complete=True))

    def tell(self, badge: Badge) -> None:
        """Tell whoever waits."""
        if not self.cancelled.is_set():
            self._told(badge)


class Prover:
    """Some processes that prove, each one question at a time; of whoever asks, the latest question counts.

    Parameters
    ----------
    processes : int
    limit : Limit
        Of each question.
    games : sequence of str
        The games whose solvers are loaded before the first question.
    """

    def __init__(self, processes: int = 1, limit: Limit = WORKER, games: Sequence[str] = ()) -> None:
        self._limit, self._games = limit, tuple(games)
        self._waiting: OrderedDict[Hashable, _Question] = OrderedDict()
        self._running: dict[Hashable, _Question] = {}
        self._changed = threading.Condition()
        self._closed = False
        self._threads = [
            threading.Thread(target=self._serve, name="prover", daemon=True) for _ in range(processes)
        ]
        for thread in self._threads:
            thread.start()

    def ask(self, asker: Hashable, asked: Asked, told: Told) -> None:
        """Have a badge proved, instead of what the same asker asked before."""
        with self._changed:
            self._cancel(asker)
            if not self._closed:
                self._waiting[asker] = _Question(asked, told)
            self._changed.notify()

    def cancel(self, asker: Hashable) -> None:
        """Nobody waits for what this asker asked."""
        with self._changed:
            self._cancel(asker)

    def close(self) -> None:
        """End all processes."""
        with self._changed:
            self._closed = True
            for asker in (*self._waiting, *self._running):
                self._cancel(asker)
            self._changed.notify_all()

    def _cancel(self, asker: Hashable) -> None:
        self._waiting.pop(asker, None)
        question = self._running.get(asker)
        if question is not None:
            question.cancel()

    def _serve(self) -> None:
        """Give questions to a process, one by one; another one takes the place of one that has ended."""
        worker: _Worker | None = None
        try:
            while not self._closed:
                if worker is None or not worker.alive:
                    worker = _started(self._limit, self._games)
                asker, question = self._next()
                if question is None:
                    return
                try:
                    worker.answer(question) if worker else question.give_up()
                finally:
                    with self._changed:
                        if self._running.get(asker) is question:
                            del self._running[asker]
        finally:
            if worker is not None:
                worker.kill()

    def _next(self) -> tuple[Hashable, _Question | None]:
        """The question that has waited longest; None when all ends. Of one asker, one is answered at a time."""
        with self._changed:
            while not self._closed:
                for asker in self._waiting:
                    if asker not in self._running:
                        question = self._running[asker] = self._waiting.pop(asker)
                        return asker, question
                self._changed.wait(BEAT if self._waiting else None)
        return None, None


class _Worker:
    """A process that proves, as seen from outside: `gridproof.play.proving` is its inside."""

    def __init__(self, limit: Limit, games: tuple[str, ...]) -> None:
        self._limit, self._number, self._writing = limit, 0, threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from gridproof.play.proving import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        with contextlib.suppress(OSError):
            self._send((sys.path, limit, games))

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

    def answer(self, question: _Question) -> None:
        """Have a question answered; where the process ends before, all that is said is that nothing more is known."""
        self._number += 1
        number, badge = self._number, question.asked.known
        timers = [threading.Timer((self._limit.seconds or 0.0) + LONGEST, self._process.kill)]
        timers[0].start()

        def stop() -> None:
            with contextlib.suppress(OSError, ValueError):
                self._send(number)
            timers.append(threading.Timer(GRACE, self._process.kill))
            timers[-1].start()

        try:
            self._send((number, question.asked))
            question.stop = stop
            if question.cancelled.is_set():
                stop()
            while (told := pickle.load(_there(self._process.stdout))) is not None:  # noqa: S301  # our own process wrote it
                badge = told
                question.tell(told)
        except (EOFError, OSError, pickle.PickleError):
            self.kill()
            question.give_up(badge)
        finally:
            question.stop = lambda: None
            for timer in timers:
                timer.cancel()

    def _send(self, message: Any) -> None:
        with self._writing:
            pipe = _there(self._process.stdin)
            pickle.dump(message, pipe)
            pipe.flush()


def _started(limit: Limit, games: tuple[str, ...]) -> _Worker | None:
    """A process; None where the machine has none left."""
    try:
        return _Worker(limit, games)
    except OSError:
        return None


def _there(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None, "it was made with pipes"
    return pipe
