"""Lazy import of heavy modules; Ctrl-C waits until they are loaded.

An interrupted import of numpy or numba cannot be repeated in the same process: every later call of an
engine would fail.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.util
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

END_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""Signals that end a program; the last is that of a closed terminal."""

compile_listeners: list[Callable[[bool], None]] = []
"""Functions called with True when compilation of kernels begins, which takes seconds, and with False at its end."""


def is_module(name: str) -> bool:
    """Return whether there is a module of this name; it is not imported, but the packages around it are."""
    if name in sys.modules:
        return True
    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:  # what should be the package around it is a module, or is not there
        return False


def load(module: str) -> Any:
    """Import a heavy module, which takes up to a second the first time."""
    if module in sys.modules:  # or another thread imports it, whose end is waited for
        return importlib.import_module(module)
    with defer_signals_and_gc():
        return importlib.import_module(module)


@contextlib.contextmanager
def defer_signals_and_gc() -> Iterator[None]:
    """Defer signals and pause the garbage collector: numba keeps what it makes, and collecting takes a tenth of the time."""
    with pause_gc(), defer_signals():
        yield


class _Old:
    """Objects that `pause_gc` has made old."""

    objects = 0


GC_MINIMUM = 10_000
"""Least number of new objects to make old at once."""


@contextlib.contextmanager
def pause_gc() -> Iterator[None]:
    """Pause the garbage collector, for work that makes many objects, keeps most of them and leaves no cycles.

    Afterwards all of them count as old, and the next collection of young objects skips them. This happens only for
    many objects, and each time for more: other garbage becomes old with them, and Python does not count that.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            made, *_ = gc.get_count()
            # what others have frozen would be thawed
            if made > max(GC_MINIMUM, _Old.objects // 4) and not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
                _Old.objects += made
            gc.enable()


@contextlib.contextmanager
def hide_modules(*modules: str) -> Iterator[None]:
    """Hide modules that are not loaded yet, as if they were not installed: those that another loads without need."""
    hidden = [name for name in modules if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]  # as Python means it
    try:
        yield
    finally:
        for name in hidden:
            sys.modules.pop(name, None)


@contextlib.contextmanager
def defer_signals() -> Iterator[None]:
    """Defer Ctrl-C, and every other signal that raises an exception, until the block is done."""
    if threading.current_thread() is not threading.main_thread():  # only the main one hears of it
        yield
        return
    came: list[int] = []
    handlers = {number: signal.getsignal(number) for number in END_SIGNALS}
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
