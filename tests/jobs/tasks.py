"""Functions for tasks, as workers find them."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from gridproof.core.errors import GridproofError
from gridproof.core.lazy_import import compile_listeners
from gridproof.core.limit import Limit


class Unreadable(Exception):
    """An error that cannot be read from its pickled form."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def square(number: int, seconds: float = 0.0) -> int:
    time.sleep(seconds)
    return number * number


def refuse(number: int) -> None:
    raise GridproofError(f"{number} is no level")


def break_down(number: int) -> None:
    raise Unreadable(number, number)


def die(log: str = "") -> None:
    """End the process, after a note in a file."""
    if log:
        note(log)
    os._exit(1)


def die_once(log: str) -> str:
    """End the process the first time."""
    if note(log) == 1:
        os._exit(1)
    return "done"


def note(log: str) -> int:
    """Write a line into a file; return how many it has."""
    with Path(log).open("a+") as file:
        file.write("begun\n")
        file.flush()
        file.seek(0)
        return len(file.readlines())


def refuse_with_note(log: str) -> None:
    note(log)
    raise GridproofError("no level")


def hang() -> None:
    time.sleep(600)


def take_memory(size: int) -> int:
    return len(bytearray(size))


def count_until_stopped(limit: Limit) -> tuple[float | None, int | None]:
    """Work until the limit is reached; return it."""
    meter = limit.start()
    while not meter.is_interrupted():
        time.sleep(0.01)
    return limit.seconds, limit.memory


def pid() -> int:
    return os.getpid()


def compile_for_long(seconds: float = 0.5) -> str:
    """Say that kernels are compiled."""
    for listener in compile_listeners:
        listener(True)
    time.sleep(seconds)
    for listener in compile_listeners:
        listener(False)
    return "compiled"


def kill_parent() -> None:
    """End the process that has started this one."""
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(600)


def write_pid(folder: str, number: int) -> None:
    """Write the number of this process into a file's name, and work without an end."""
    Path(folder, f"{os.getpid()}.pid").touch()
    time.sleep(600)


def memory_share() -> int:
    """Return the bytes that an engine without a limit of memory may hold."""
    return Limit().start().memory
