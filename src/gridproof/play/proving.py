"""A process that proves badges: it reads questions from its input and writes what it finds to its output, pickled.

First come the search path, the limit of each question and the games whose solvers are loaded; then pairs of a number and
what is asked, and numbers alone of questions that nobody waits for any more. The answers to a question are badges, and
None at the end.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import IO, Any

from gridproof.core.limit import Limit, Stopped


def main() -> None:
    """Answer questions until the input ends."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)  # what a library prints is no answer
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError, AttributeError):
        os.nice(10)
    sys.path[:], limit, games = pickle.load(questions)  # noqa: S301  # whoever started it wrote it

    def answer(message: Any) -> None:
        pickle.dump(message, answers)
        answers.flush()

    from gridproof.search.cores import SETTING

    os.environ[SETTING] = "1"
    inbox = Inbox()
    threading.Thread(target=inbox.read, args=(questions,), daemon=True).start()
    _make_ready(games, lambda: bool(inbox.waiting))
    while True:
        prove(inbox, limit, answer)


class Inbox:
    """What is asked, and whether it is still waited for."""

    def __init__(self) -> None:
        self._questions: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()
        self._unwanted: set[int] = set()

    @property
    def waiting(self) -> bool:
        """Whether something is asked that has not been taken."""
        return not self._questions.empty()

    def read(self, source: IO[bytes]) -> None:
        """Take what comes; when nothing more does, whoever asked has gone, and the process ends."""
        try:
            while True:
                message = pickle.load(source)  # noqa: S301  # as above
                if isinstance(message, int):
                    self._unwanted.add(message)
                else:
                    self._questions.put(message)
        finally:
            os._exit(0)

    def take(self) -> tuple[int, Any]:
        """The next question, with its number; those before it are forgotten."""
        number, asked = self._questions.get()
        self._unwanted = {one for one in self._unwanted if one >= number}
        return number, asked

    def is_unwanted(self, number: int) -> bool:
        """Whether nobody waits for the answer any more."""
        return number in self._unwanted


class Unwanted:
    """What ends the work on a question."""

    def __init__(self, inbox: Inbox, number: int) -> None:
        self._inbox, self._number = inbox, number

    def is_set(self) -> bool:
        """Whether nobody waits any more."""
        return self._inbox.is_unwanted(self._number)


def prove(inbox: Inbox, limit: Limit, answer: Callable[[Any], object]) -> None:
    """Answer one question."""
    from gridproof.prove.badge import verdicts

    number, asked = inbox.take()
    badge = asked.known
    try:
        for badge in verdicts(asked, replace(limit, stop=Unwanted(inbox, number))):
            answer(badge)
    except Stopped:
        pass
    except MemoryError:
        answer(replace(badge, complete=True))
    answer(None)


def _make_ready(games: tuple[str, ...], asked: Callable[[], bool]) -> None:
    """Load what solves the games, as long as nobody asks."""
    from gridproof.core.registry import game as game_named
    from gridproof.search.warm import load_solvers

    for name in games:
        for _ in load_solvers(game_named(name)):
            if asked():
                return
