"""Heavy modules, loaded when they are asked for; Ctrl-C waits until they are there.

An import of numpy or numba that has been cut off can never be done again in the same process: every
later call of an engine would fail.
"""

from __future__ import annotations

import contextlib
import importlib
import signal
from collections.abc import Callable, Iterator
from typing import Any

told_of_compiling: list[Callable[[bool], None]] = []
"""Called with True when kernels begin to be compiled, which takes seconds, and with False at the end."""


def load(module: str) -> Any:
    """Import a module that brings compiled code, which takes up to a second."""
    with uninterrupted():
        return importlib.import_module(module)


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait until the block is done."""
    came: list[int] = []
    handler = signal.getsignal(signal.SIGINT)
    try:
        signal.signal(signal.SIGINT, lambda number, _: came.append(number))
        held = True
    except ValueError:  # not the main thread, the only one that Ctrl-C interrupts
        held = False
    try:
        yield  # outside the handler: errors from here have nothing to do with it
    finally:
        if held:
            signal.signal(signal.SIGINT, signal.SIG_DFL if handler is None else handler)
        if came:
            signal.raise_signal(signal.SIGINT)
