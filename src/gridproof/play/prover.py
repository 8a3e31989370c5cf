"""Processes in which badges are proved, so that no search ever keeps a front end from answering."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from ctypes import c_uint64
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import RawValue
from typing import Any

from gridproof.core.limit import Limit, Stopped
from gridproof.core.processes import end_with_parent
from gridproof.prove.badge import PATIENCE, Asked, Badge, verdicts
from gridproof.search.cores import SETTING

GRACE = 3.0
"""Seconds after which a process is killed that goes on with what nobody waits for."""
LONGEST = 120.0
"""Seconds after its time that a process may still take, which it needs where kernels are compiled for the first time."""
BEAT = 0.1
"""Seconds between two looks at whether a question is still waited for."""

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

    def __init__(self, processes: int = 1, limit: Limit = PATIENCE, games: Sequence[str] = ()) -> None:
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
                    worker = _Worker(self._limit, self._games)
                asker, question = self._next()
                if question is None:
                    return
                try:
                    worker.answer(question)
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
    """A process that proves, as seen from outside."""

    def __init__(self, limit: Limit, games: tuple[str, ...]) -> None:
        context = multiprocessing.get_context("spawn")  # sound beside threads
        self._here, there = context.Pipe()
        self._wanted: Any = RawValue(c_uint64, 0)
        self._limit, self._number = limit, 0
        self._process = context.Process(target=_work, args=(there, self._wanted, limit, games), daemon=True)
        self._process.start()
        there.close()

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self._process.is_alive()

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.join()
        self._here.close()

    def answer(self, question: _Question) -> None:
        """Have a question answered; where the process ends before, all that is said is that nothing more is known."""
        self._number += 1
        self._wanted.value = self._number
        question.stop = self._stop
        badge: Badge | None = question.asked.known
        try:
            if question.cancelled.is_set():
                return
            self._here.send((self._number, question.asked))
            ends = time.monotonic() + (self._limit.seconds or 0.0) + LONGEST
            while self._coming(question, ends):
                told = self._here.recv()
                if told is None:
                    return
                badge = told
                question.tell(told)
        except (EOFError, OSError):
            pass
        self.kill()
        question.tell(replace(badge or Badge(), complete=True))

    def _stop(self) -> None:
        self._wanted.value = 0

    def _coming(self, question: _Question, ends: float) -> bool:
        """Wait for the next word; False when the process is to be killed."""
        while not self._here.poll(BEAT):
            if question.cancelled.is_set():
                self._stop()
                ends = min(ends, time.monotonic() + GRACE)
            if time.monotonic() > ends or not self.alive:
                return False
        return True


class _Unwanted:
    """What ends the work on a question when another number is wanted."""

    def __init__(self, wanted: Any, number: int) -> None:
        self._wanted, self._number = wanted, number

    def is_set(self) -> bool:
        """Whether nobody waits any more."""
        return bool(self._wanted.value != self._number)


def _work(questions: Connection, wanted: Any, limit: Limit, games: tuple[str, ...]) -> None:
    """Answer questions in this process, until its parent ends it; what is not asked yet is made ready."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError, AttributeError):
        os.nice(10)
    os.environ[SETTING] = "1"
    end_with_parent()
    with contextlib.suppress(EOFError, OSError):
        _make_ready(questions, games)
        while True:
            number, asked = questions.recv()
            badge = asked.known
            try:
                for badge in verdicts(asked, replace(limit, stop=_Unwanted(wanted, number))):
                    questions.send(badge)
            except Stopped:
                pass
            except MemoryError:
                questions.send(replace(badge, complete=True))
            questions.send(None)


def _make_ready(questions: Connection, games: tuple[str, ...]) -> None:
    """Load what solves the games, as long as nobody asks."""
    from gridproof.core.registry import game as game_named
    from gridproof.search.warm import load_solvers

    for name in games:
        for _ in load_solvers(game_named(name)):
            if questions.poll():
                return
