"""Heavy modules, loaded when they are asked for; Ctrl-C waits until they are there.

An import of numpy or numba that has been cut off can never be done again in the same process: every
later call of an engine would fail.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that end a program; the last is that of a terminal that is closed."""

told_of_compiling: list[Callable[[bool], None]] = []
"""Called with True when kernels begin to be compiled, which takes seconds, and with False at the end."""


def load(module: str) -> Any:
    """Import a module that brings compiled code, which takes up to a second; the next time it is there."""
    if module in sys.modules:  # or another thread imports it, whose end is waited for
        return importlib.import_module(module)
    with undisturbed():
        return importlib.import_module(module)


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """As `uninterrupted`, and as `uncollected`: numba keeps what it makes, and collecting takes a tenth of the time."""
    with uncollected(), uninterrupted():
        yield


class _Old:
    """What counts as old because `uncollected` has said so."""

    objects = 0


MUCH = 10_000
"""Objects that are worth more than the next look for garbage among them."""


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Keep the garbage collector off, for work that makes much, keeps most of it and leaves no cycles.

    Afterwards all of it counts as old, so that the next look at what is new does not go through it. That is done for
    much alone, and each time for more: garbage of others is made old with it, and Python counts none of that.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            made, *_ = gc.get_count()
            if (
                made > max(MUCH, _Old.objects // 4) and not gc.get_freeze_count()
            ):  # else others' would be thawed
                gc.freeze()
                gc.unfreeze()
                _Old.objects += made
            gc.enable()


@contextlib.contextmanager
def without(*modules: str) -> Iterator[None]:
    """Let modules that are not loaded yet seem not to be installed: those that another loads without need."""
    hidden = [name for name in modules if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]  # as Python means it
    try:
        yield
    finally:
        for name in hidden:
            sys.modules.pop(name, None)


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Ctrl-C, and every other signal that raises an exception, wait until the block is done."""
    if threading.current_thread() is not threading.main_thread():  # only the main one hears of it
        yield
        return
    came: list[int] = []
    handlers = {number: signal.getsignal(number) for number in ENDING}
    heard = {number: handler for number, handler in handlers.items() if callable(handler)}
    for number in heard:
        signal.signal(number, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for number, handler in heard.items():
            signal.signal(number, handler)
        for late in came:
            signal.raise_signal(late)
