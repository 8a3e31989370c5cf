"""Ctrl-C waits while something is loaded."""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.util
import signal
import sys
import threading
import weakref

import pytest

from gridproof.core import lazy_import
from gridproof.core.lazy_import import defer_signals, defer_signals_and_gc, hide_modules, load, pause_gc


def interrupt(depth: int, done: list[str]) -> None:
    """Ctrl-C comes within so many blocks that hold it."""
    with defer_signals():
        if depth > 1:
            interrupt(depth - 1, done)
        else:
            signal.raise_signal(signal.SIGINT)
        done.append("held")
    done.append("not held")


@pytest.mark.parametrize("depth", [1, 2])
def test_ctrl_c_waits_for_the_end_of_the_outermost_block(depth: int) -> None:
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        interrupt(depth, done)
    assert done == ["held", "not held", "held"][: 2 * depth - 1]
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def hold(number: int, done: list[str]) -> None:
    with defer_signals():
        signal.raise_signal(number)
        done.append("held")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_other_signals_that_raise_wait_too(name: str) -> None:
    def end(number: int, frame: object) -> None:
        raise EOFError

    number: int = getattr(signal, name)
    done: list[str] = []
    before = signal.signal(number, end)
    try:
        with pytest.raises(EOFError):
            hold(number, done)
        assert done == ["held"]
        assert signal.getsignal(number) is end
    finally:
        signal.signal(number, before)


def test_error_ends_the_deferral_of_ctrl_c() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        load("gridproof.no_such_module")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_other_threads_defer_no_signals() -> None:
    found = []
    thread = threading.Thread(target=lambda: found.append(load("gridproof.search.packed_bfs")))
    thread.start()
    thread.join()
    assert found[0].__name__ == "gridproof.search.packed_bfs"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_error_in_another_thread_is_shown() -> None:
    errors: list[Exception] = []

    def fail() -> None:
        try:
            load("gridproof.no_such_module")
        except ImportError as error:
            errors.append(error)

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    [error] = errors
    assert error.__context__ is None


class Cyclic:
    """Garbage that only the collector finds."""

    def __init__(self) -> None:
        self.own = self


def test_garbage_collection_resumes_after_pause() -> None:
    assert gc.isenabled()
    with contextlib.suppress(ZeroDivisionError), defer_signals_and_gc():
        assert not gc.isenabled()
        raise ZeroDivisionError
    assert gc.isenabled()
    gc.disable()
    try:
        with defer_signals_and_gc():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.slow
def test_pause_gc_delays_collection_of_new_objects(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rounds: list[str] = []
    told = lambda phase, info: rounds.append(phase)  # noqa: E731
    gc.unfreeze()  # where a server has run in this process
    monkeypatch.setattr(lazy_import._Old, "objects", 0)
    gc.callbacks.append(told)
    try:
        with pause_gc():
            kept = [[number] for number in range(100_000)]
            cycle = weakref.ref(Cyclic())
        assert len(kept) == 100_000
        assert rounds == []
    finally:
        gc.callbacks.remove(told)
    assert cycle() is not None
    gc.collect()
    assert cycle() is None


@pytest.mark.slow
@pytest.mark.parametrize("made", [10, 12_000])
def test_garbage_is_collected_between_pauses(made: int) -> None:
    gc.unfreeze()  # where a server has run in this process
    threshold = gc.get_threshold()
    gc.collect()  # else the first cycle may become old while it is alive
    gc.set_threshold(700, 2, 2)
    cycles = []
    try:
        for _ in range(2000):
            cycles.append(weakref.ref(Cyclic()))
            with pause_gc():
                kept = [[number] for number in range(made)]
            del kept
            if cycles[0]() is None:
                break
    finally:
        gc.set_threshold(*threshold)
    assert cycles[0]() is None


def test_hidden_modules_seem_not_installed() -> None:
    sys.modules.pop("this", None)
    with hide_modules("this", "json"):
        with pytest.raises(ImportError):
            importlib.import_module("this")
        assert importlib.import_module("json").dumps(1) == "1"  # which was loaded before
    assert "this" not in sys.modules
    assert importlib.util.find_spec("this") is not None
