"""Work shared among the cores: kernels let go of Python's lock, so threads do."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from gridproof.core.errors import GridproofError

SETTING = "GRIDPROOF_CORES"
"""The environment variable that says how many cores engines may use."""

_MOST_CORES = 8

Each = Callable[..., Iterator[Any]]
"""`map`, or that of a pool of threads."""


def available_cores() -> int:
    """How many cores engines may use: all that this process may, 8 at most as each has its own room in memory.

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
    """What maps a function over some parts, in as many threads; one needs none."""
    if threads == 1:
        yield map
        return
    with ThreadPoolExecutor(threads) as pool:
        yield pool.map
