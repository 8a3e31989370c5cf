"""Work shared among the cores: kernels let go of Python's lock, so threads do."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

_MOST_CORES = 8

Each = Callable[..., Iterator[Any]]
"""`map`, or that of a pool of threads."""


def available_cores() -> int:
    """How many cores this process may use, 8 at most: each has its own room in memory."""
    allowed = getattr(os, "sched_getaffinity", None)
    return min(len(allowed(0)) if allowed else os.cpu_count() or 1, _MOST_CORES)


@contextlib.contextmanager
def mapping(threads: int) -> Iterator[Each]:
    """What maps a function over some parts, in as many threads; one needs none."""
    if threads == 1:
        yield map
        return
    with ThreadPoolExecutor(threads) as pool:
        yield pool.map
