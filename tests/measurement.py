"""Measures of work that do not depend on the load of the machine: tests compare executed lines, never seconds."""

from __future__ import annotations

import contextlib
import gc
import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from hypothesis import settings

USUAL = 60
"""Examples of a property where slow tests run too."""
FEWEST = 8
"""Examples of a property however dear it is."""


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of Python it runs; a loop's count each time round, also those of comprehensions."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before, collecting = sys.gettrace(), gc.isenabled()
    gc.disable()  # it comes when it will, and may call back
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
        if collecting:
            gc.enable()
    return count


@contextlib.contextmanager
def stopped_if_it_hangs(seconds: float = 30) -> Iterator[None]:
    """An end to work that would take hours: it is after this time of the processor's own, not the clock's."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError("it does not end")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def examples(number: int) -> settings:
    """So many examples of a property that is dear; fewer or more of them as the profile in use has it."""
    return settings(max_examples=max(min(number, FEWEST), number * settings().max_examples // USUAL))


class Clock:
    """In place of the module `time`: it stands still, or goes on at each look."""

    now = 0.0
    each_look = 0.0

    def perf_counter(self) -> float:
        self.now += self.each_look
        return self.now
