"""Tasks for the process that reads texts: it loads this module alone, not pytest."""

from __future__ import annotations

import os
import time


def process_number() -> int:
    return os.getpid()


def spend(seconds: float) -> int:
    """Use the processor so long, and give the process that has done it."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass
    return os.getpid()


def leave() -> None:
    os._exit(1)
