"""A process that works for another: it reads what is to be done from its input and writes what comes of it, pickled.

First come the search path and the games whose solvers are loaded; then triples of a number, work and its limit, and
numbers alone of work that nobody waits for any more. What comes of work are triples: `BEGUN` when the process has come
to it, `TOLD` with whatever it tells on its way, and at the end `DONE` with its result or `FAILED` with words; the third
says whether the process goes on.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import IO, Any

from gridproof.core.limit import Limit
from gridproof.core.memory import memory_in_use
from gridproof.play.jobs import words_of

BEGUN, TOLD, DONE, FAILED = "begun", "told", "done", "failed"
BEYOND = 3
"""Times the limit of memory that a process may ask the system for: work that heeds no limit ends there."""

Question = tuple[int, Callable[[Limit, Callable[[Any], None]], Any], Limit]
Answer = Callable[[tuple[str, Any, bool]], object]


def main() -> None:
    """Work until the input ends, or what is left of the work before would leave too little memory to the next."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)  # what a library prints is no answer
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError, AttributeError):
        os.nice(10)
    sys.path[:], games = pickle.load(questions)  # noqa: S301  # whoever started it wrote it

    def answer(message: tuple[str, Any, bool]) -> None:
        answers.write(pickle.dumps(message))
        answers.flush()

    from gridproof.search.cores import SETTING

    os.environ[SETTING] = "1"
    inbox = Inbox()
    threading.Thread(target=inbox.read, args=(questions,), daemon=True).start()
    left, going = loading(games), True
    while going:
        while not inbox.waiting and next(left, None) is not None:
            pass  # as long as nobody asks
        going = work(inbox, answer)


class Inbox:
    """What is asked, and whether it is still waited for."""

    def __init__(self) -> None:
        self._questions: queue.SimpleQueue[Question] = queue.SimpleQueue()
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

    def take(self) -> Question:
        """The next question; those before it are forgotten."""
        question = self._questions.get()
        self._unwanted = {one for one in self._unwanted if one >= question[0]}
        return question

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


def work(inbox: Inbox, answer: Answer) -> bool:
    """Do what is asked next; whether there is memory for more, which whoever asked is told with the answer."""
    number, asked, limit = inbox.take()
    answer((BEGUN, None, True))
    _bound(limit.memory)

    def tell(told: Any) -> None:
        answer((TOLD, told, True))

    try:
        value = asked(replace(limit, stop=Unwanted(inbox, number)), tell)
        answer((DONE, value, going := _has_room(limit)))
    except Exception as error:  # noqa: BLE001  # whatever it is, whoever asked is told
        answer((FAILED, words_of(error), going := _has_room(limit)))
    return going


def _has_room(limit: Limit) -> bool:
    return limit.memory is None or 2 * memory_in_use() < limit.memory


def _bound(memory: int | None) -> None:
    """Let the system refuse memory to what heeds no limit."""
    if memory is None:
        return
    with contextlib.suppress(ImportError, AttributeError, OSError, ValueError):  # not every system has it
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (BEYOND * memory, hard))


def loading(games: tuple[str, ...]) -> Iterator[str]:
    """Load what solves the games, engine by engine."""
    from gridproof.core.registry import game as game_named
    from gridproof.search.warm import load_solvers

    for name in games:
        yield from load_solvers(game_named(name))
