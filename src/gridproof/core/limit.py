"""Limits of an engine's work: reaching one is a result, never an error."""

from __future__ import annotations

import contextlib
import math
import os
import time
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar, runtime_checkable

from gridproof.core.errors import GridproofError
from gridproof.core.memory import available_memory, memory_in_use
from gridproof.core.text.phrases import short_repr

CORES = "GRIDPROOF_CORES"
"""Environment variable with the number of cores that engines may use."""

MEMORY = "GRIDPROOF_MEMORY"
"""Environment variable with the bytes that an engine may hold if no limit says it: the share of a worker process."""

_REACHED = {
    "seconds": "the time limit was reached",
    "states": "the limit of positions was reached",
    "memory": "the memory limit was reached",
    "stop": "the work was stopped",
    "disk": "the disk was full",
}


_MEMORY_INTERVAL = 0.01
"""Seconds between two questions for the memory in use."""
_OVERRUN = 0.5
"""Seconds by which a step that cannot be ended may outlast a limit."""


def describe_limit(stopped_by: str) -> str:
    """Describe the limit that ended the work, as a clause of a sentence."""
    return _REACHED.get(stopped_by, "a limit was reached")


@runtime_checkable
class Stop(Protocol):
    """An event that ends an engine's work when it is set: `threading.Event`, `multiprocessing.Event`."""

    def is_set(self) -> bool:
        """Return whether the work is to end."""


class Stopped(GridproofError):
    """Work was ended, by a limit or by another thread, before it had any answer to give."""

    def __init__(self) -> None:
        super().__init__("stopped before the end")


_stops: ContextVar[tuple[Stop, ...]] = ContextVar("stops", default=())
"""Events that end the work of this thread."""


@contextlib.contextmanager
def use_stop(stop: Stop | None) -> Iterator[None]:
    """Let `stop` end the work in the block, where it calls `check_stop` or counts with a `Meter`."""
    before = _stops.set(_stops.get() if stop is None else (*_stops.get(), stop))
    try:
        yield
    finally:
        _stops.reset(before)


def check_stop() -> None:
    """Raise Stopped if the work of this thread is to end."""
    if _is_stop_set():
        raise Stopped


def _is_stop_set() -> bool:
    for stop in _stops.get():  # noqa: SIM110  # it is asked at each position, and `any` takes twice as long
        if stop.is_set():
            return True
    return False


@dataclass(frozen=True, slots=True)
class Limit:
    """Resources that an engine may use before it answers with what it has.

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
        has no `is_set`. A limit of zero is allowed: the engine then looks at the start alone.
    """

    seconds: float | None = None
    states: int | None = None
    memory: int | None = None
    stop: Stop | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.stop, Stop | None):
            raise GridproofError(f"limit stop={short_repr(self.stop)}: it must have a method is_set")
        for name in ("seconds", "states", "memory"):
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= 0:
                raise GridproofError(f"limit {name}={short_repr(value)}: it must be a number of at least 0")
            if name != "seconds" and value not in (math.inf, value // 1):
                raise GridproofError(f"limit {name}={value!r}: it must be a whole number")

    def start(self) -> Meter:
        """Return a new meter; the time runs from here."""
        memory = _default_memory() if self.memory is None else self.memory
        return Meter(self, memory, time.perf_counter())


def _default_memory() -> int:
    share = os.environ.get(MEMORY, "")
    return int(share) if share.isdecimal() else available_memory() // 2


class TimedAnswer(Protocol):
    """Answer of an engine."""

    @property
    def seconds(self) -> float:
        """The time that it took; loading kernels does not count."""


T = TypeVar("T", bound=TimedAnswer)


class Budget:
    """A limit that several searches share: it shrinks by the seconds that they have worked."""

    def __init__(self, limit: Limit) -> None:
        self._limit, self.spent = limit, 0.0

    @property
    def is_stopped(self) -> bool:
        """True if the limit's `stop` is set."""
        return self._limit.stop is not None and self._limit.stop.is_set()

    @property
    def is_spent(self) -> bool:
        """True if no time is left, or `stop` is set."""
        return self.is_stopped or self.remaining_limit().seconds == 0

    def remaining_limit(self, seconds: float | None = None) -> Limit:
        """Return the limit of the next search: what is left, at most `seconds` long."""
        if self._limit.seconds is None:
            return replace(self._limit, seconds=seconds)
        left = max(0.0, self._limit.seconds - self.spent)
        return replace(self._limit, seconds=left if seconds is None else min(left, seconds))

    def charge(self, answer: T) -> T:
        """Take an answer's seconds away from the limit, and return the answer."""
        self.spent += answer.seconds
        return answer


def check_limit(limit: Limit | None) -> Limit:
    """Return a limit after a check; None is the default limit. GridproofError for any other value."""
    if limit is None:
        return Limit()
    if not isinstance(limit, Limit):
        raise GridproofError(
            "a limit is gridproof.Limit(seconds=..., states=..., memory=..., stop=...), "
            f"not {short_repr(limit)}"
        )
    return limit


def start_meter(limit: Limit | None) -> Meter:
    """Start the meter of a limit; None is the default limit. GridproofError for any other value."""
    return check_limit(limit).start()


@dataclass(slots=True)
class Meter:
    """Measures the work of an engine against a limit."""

    limit: Limit
    memory: int
    start_time: float
    stopped_by: str = ""
    """The limit that was reached: "states", "seconds", "memory", "stop", "disk", or "" as long as none was."""
    _next_look: float = 0.0
    """When to ask for the memory again."""

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.start_time

    @contextlib.contextmanager
    def pause(self) -> Iterator[None]:
        """Stop the clock inside, for the first use of a kernel, which compiles or loads it.

        No kernel is compiled when the work is to end: Stopped.
        """
        began = time.perf_counter()
        try:
            with use_stop(self.limit.stop):
                yield
        finally:
            self.start_time += time.perf_counter() - began

    @contextlib.contextmanager
    def enforce(self) -> Iterator[None]:
        """Let the limit's time, memory and stop end the work in the block, where it calls `check_stop`."""
        with use_stop(self.limit.stop), use_stop(_MeterStop(self)):
            yield

    def limit_states(self, states: int) -> Meter:
        """Return a meter of the same work with a lower limit of positions."""
        most = states if self.limit.states is None else min(states, self.limit.states)
        return Meter(replace(self.limit, states=most), self.memory, self.start_time)

    def is_reached(self, states: int) -> bool:
        """Return whether the work has to end: too many positions (`states`), too much time or memory, or a stop from outside."""
        limit = self.limit
        if not self.is_interrupted():
            if limit.states is not None and states > limit.states:
                self.stopped_by = "states"
            elif self.is_memory_full():
                self.stopped_by = "memory"
        return bool(self.stopped_by)

    def is_memory_full(self) -> bool:
        """Return whether the process holds too much memory: now, or a moment ago, since the answer takes microseconds."""
        now = time.perf_counter()
        if now >= self._next_look:
            self._next_look = now + _MEMORY_INTERVAL
            if memory_in_use() > self.memory:
                self._next_look = 0.0
                return True
        return False

    def is_interrupted(self) -> bool:
        """Return whether the work has to end, however many positions there are: too much time, or a stop from outside."""
        limit = self.limit
        if (limit.stop is not None and limit.stop.is_set()) or _is_stop_set():
            self.stopped_by = "stop"
        elif limit.seconds is not None and self.seconds > limit.seconds:
            self.stopped_by = "seconds"
        return self.stopped_by in ("stop", "seconds")

    def has_time(self, seconds: float) -> bool:
        """Return whether a step that takes about so many seconds, and cannot be ended, is still in time."""
        limit = self.limit.seconds
        if limit is not None and self.seconds + seconds > limit + _OVERRUN:
            self.stopped_by = "seconds"
            return False
        return True

    @property
    def reason(self) -> str:
        """The limit that ended the work; that of memory, where no other did."""
        self.is_reached(0)
        return self.stopped_by or "memory"

    def is_full(self, states: int) -> bool:
        """Return whether the limit of positions allows none besides these `states`."""
        if self.limit.states is not None and states + 1 > self.limit.states:
            self.stopped_by = "states"
            return True
        return False

    def has_room(self, size: int) -> bool:
        """Return whether `size` more bytes fit into the memory limit."""
        if memory_in_use() + size > self.memory:
            self.stopped_by = "memory"
            return False
        return True


@dataclass(slots=True)
class _MeterStop:
    """A stop that is set when the time or the memory of a meter is used up."""

    meter: Meter

    def is_set(self) -> bool:
        meter = self.meter
        if meter.is_memory_full():
            return True
        return meter.limit.seconds is not None and meter.seconds > meter.limit.seconds
