"""Work divided among the cores. Threads are enough, since kernels release Python's lock."""

from __future__ import annotations

import contextlib
import functools
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from gridproof.core.errors import GridproofError

SETTING = "GRIDPROOF_CORES"
"""The environment variable that says how many cores engines may use."""

_MOST_CORES = 8

Each = Callable[..., Iterator[Any]]
"""`map`, or that of a pool of threads."""


def available_cores() -> int:
    """How many cores engines may use: those of this process, at most 8, since each needs memory of its own.

    Raises
    ------
    GridproofError
        When the environment variable `GRIDPROOF_CORES` is set, but not to a whole number from 1 on.
    """
    allowed = getattr(os, "sched_getaffinity", None)
    there = min(len(allowed(0)) if allowed else os.cpu_count() or 1, _MOST_CORES)
    asked = os.environ.get(SETTING, "")
    if not asked:
        return there
    if not asked.isdecimal() or int(asked) < 1:
        raise GridproofError(f"{SETTING}={asked}: it must be a whole number from 1 on")
    return min(int(asked), there)


@contextlib.contextmanager
def mapping(threads: int) -> Iterator[Each]:
    """What maps a function over some parts, in as many threads, this one among them; one needs no others."""
    if threads == 1:
        yield map
        return
    with ThreadPoolExecutor(threads - 1) as pool:
        yield functools.partial(_shared, pool, threads)


def _shared(
    pool: ThreadPoolExecutor, threads: int, work: Callable[..., Any], *parts: Iterable[Any]
) -> Iterator[Any]:
    """As `map`: whichever thread is free does the next part."""
    todo = deque(enumerate(zip(*parts, strict=False)))
    results: list[Any] = [None] * len(todo)

    def some() -> None:
        while todo:
            try:
                number, part = todo.popleft()
            except IndexError:  # another thread was quicker
                return
            results[number] = work(*part)

    others = [pool.submit(some) for _ in range(min(threads, len(todo)) - 1)]
    try:
        some()
        for other in others:
            other.result()
    finally:
        todo.clear()  # after an error, or Ctrl-C, nobody goes on
    return iter(results)
