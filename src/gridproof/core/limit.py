"""Limits of an engine's work: reaching one is a result, never an error."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from gridproof.core.errors import GridproofError
from gridproof.core.memory import memory_in_use, memory_there
from gridproof.core.wording import shown


@runtime_checkable
class Stop(Protocol):
    """What can be set to end an engine's work: `threading.Event`, `multiprocessing.Event`."""

    def is_set(self) -> bool:
        """Whether the work is to end."""


class Stopped(GridproofError):
    """Work was ended, by a limit or by another thread, before it had any answer to give."""

    def __init__(self) -> None:
        super().__init__("stopped before it was done")


_stops: ContextVar[tuple[Stop, ...]] = ContextVar("stops", default=())
"""What may end the work of this thread."""


@contextlib.contextmanager
def stopping(stop: Stop | None) -> Iterator[None]:
    """Let `stop` end what is done in the block, where it asks `check_stop` or counts with a `Meter`."""
    before = _stops.set(_stops.get() if stop is None else (*_stops.get(), stop))
    try:
        yield
    finally:
        _stops.reset(before)


def check_stop() -> None:
    """Go on, where the work of this thread is not to end.

    Raises
    ------
    Stopped
        When it is.
    """
    if _told_to_stop():
        raise Stopped


def _told_to_stop() -> bool:
    return any(stop.is_set() for stop in _stops.get())


@dataclass(frozen=True, slots=True)
class Limit:
    """How much an engine may use before it answers with what it has.

    Parameters
    ----------
    seconds : float, optional
        Wall-clock time of searching; that of compiling or loading kernels is not counted.
    states : int, optional
        Positions kept.
    memory : int, optional
        Bytes held by the process; by default half of what there is, which is the machine's memory, or that of
        the container.

    stop : object with `is_set()`, optional
        Ends the work soon after it is set, such as a `threading.Event` that another thread sets.

    Raises
    ------
    GridproofError
        For a limit that is negative or not a number, of states or bytes that are not whole, or a `stop` that
        cannot be asked. A limit of zero is allowed: the engine then looks at the start alone.
    """

    seconds: float | None = None
    states: int | None = None
    memory: int | None = None
    stop: Stop | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.stop, Stop | None):
            raise GridproofError(f"limit stop={shown(self.stop)}: it must have a method is_set")
        for name in ("seconds", "states", "memory"):
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= 0:
                raise GridproofError(f"limit {name}={shown(value)}: it must be a number of at least 0")
            if name != "seconds" and value not in (math.inf, value // 1):
                raise GridproofError(f"limit {name}={value!r}: it must be a whole number")

    def start(self) -> Meter:
        """Begin to count; the time runs from here."""
        memory = memory_there() // 2 if self.memory is None else self.memory
        return Meter(self, memory, time.perf_counter())


def started(limit: Limit | None) -> Meter:
    """The meter of a limit that begins now; None is the default limit.

    Raises
    ------
    GridproofError
        When it is neither a limit nor None.
    """
    if limit is None:
        limit = Limit()
    if not isinstance(limit, Limit):
        raise GridproofError(
            f"a limit is gridproof.Limit(seconds=..., states=..., memory=..., stop=...), not {limit!r}"
        )
    return limit.start()


@dataclass(slots=True)
class Meter:
    """Measures the work of an engine against a limit."""

    limit: Limit
    memory: int
    started: float
    stopped_by: str = ""
    """Which limit was reached: "states", "seconds", "memory", "stop", or "" as long as none was."""

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.started

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Stop the clock inside, for the first use of a kernel, which compiles or loads it.

        Raises
        ------
        Stopped
            When the work is to end, and a kernel would be compiled.
        """
        began = time.perf_counter()
        try:
            with stopping(self.limit.stop):
                yield
        finally:
            self.started += time.perf_counter() - began

    def reached(self, states: int) -> bool:
        """Whether the work has to end: too many positions (`states`), too much time or memory, or a stop from outside."""
        limit = self.limit
        if (limit.stop is not None and limit.stop.is_set()) or _told_to_stop():
            self.stopped_by = "stop"
        elif limit.states is not None and states > limit.states:
            self.stopped_by = "states"
        elif limit.seconds is not None and self.seconds > limit.seconds:
            self.stopped_by = "seconds"
        elif memory_in_use() > self.memory:
            self.stopped_by = "memory"
        return bool(self.stopped_by)

    @property
    def why(self) -> str:
        """Which limit has ended the work; that of memory, where no other has."""
        self.reached(0)
        return self.stopped_by or "memory"

    def full(self, states: int) -> bool:
        """Whether the limit of positions is reached, so that none may be kept besides these `states`."""
        if self.limit.states is not None and states + 1 > self.limit.states:
            self.stopped_by = "states"
            return True
        return False

    def has_room(self, size: int) -> bool:
        """Whether `size` more bytes fit into the memory limit."""
        if memory_in_use() + size > self.memory:
            self.stopped_by = "memory"
            return False
        return True
