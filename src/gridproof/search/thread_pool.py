"""Work shared among the cores. Threads are enough, since kernels release Python's lock."""

from __future__ import annotations

import contextlib
import functools
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.limit import CORES

_MOST_CORES = 8

Each = Callable[..., Iterator[Any]]
"""`map`, or the same by several threads."""


def available_cores() -> int:
    """Return the number of cores that engines may use: those of this process, at most 8, since each needs memory.

    GridproofError when the environment variable `GRIDPROOF_CORES` is set, but not to a whole number from 1 on.
    """
    allowed = getattr(os, "sched_getaffinity", None)
    there = min(len(allowed(0)) if allowed else os.cpu_count() or 1, _MOST_CORES)
    setting = os.environ.get(CORES, "")
    if not setting:
        return there
    if not setting.isdecimal() or int(setting) < 1:
        raise GridproofError(f"{CORES}={setting}: it must be a whole number from 1 on")
    return min(int(setting), there)


@contextlib.contextmanager
def thread_map(threads: int) -> Iterator[Each]:
    """Yield a `map` that uses so many threads, this one among them; the built-in one for one thread."""
    if threads == 1:
        yield map
        return
    with ThreadPoolExecutor(threads - 1) as pool:
        yield functools.partial(_map_in_threads, pool, threads)


def _map_in_threads(
    pool: ThreadPoolExecutor, threads: int, work: Callable[..., Any], *parts: Iterable[Any]
) -> Iterator[Any]:
    """Map as `map` does: the next free thread takes the next part."""
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
