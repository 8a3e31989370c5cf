"""Kernels that only other kernels call are linked into them; kernels that Python calls are compiled completely."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from numba.core import config
from numba.core.dispatcher import Dispatcher

from gridproof.kernels import compile as compiling
from gridproof.kernels.compile import borrowing, inlined, kernel
from gridproof.kernels.link_only import is_part

MODULE = """
import numpy as np

def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)

def lengths(n):
    return np.arange(n).shape[0]

def checked(n):
    if n == 3:
        raise ValueError("three", n)
    return factorial(n) + lengths(n)

def twice(n):
    return 2 * checked(n)

def less(n):
    return checked(n) - 1
"""

Start = Callable[[], dict[str, Any]]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Start:
    """The kernels of the module, as a new process has them, on a cache of the test's own."""
    path = tmp_path / "called.py"
    path.write_text(MODULE)
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))

    def begin() -> dict[str, Any]:
        monkeypatch.setattr(compiling, "_kernels", {})
        module = types.ModuleType("called")
        monkeypatch.setitem(
            sys.modules, "called", module
        )  # or numba finds no way for a kernel to call itself
        scope = vars(module)
        exec(compile(MODULE, str(path), "exec"), scope)
        for name in ("factorial", "lengths", "checked", "twice", "less"):
            scope[name] = kernel(scope[name])
        return scope

    return begin


def parts_of(function: Dispatcher) -> list[bool]:
    """Return for each signature of a kernel whether it is a part."""
    return [is_part(result) for result in function.overloads.values()]


def cache_counts(function: Dispatcher) -> tuple[int, int]:
    """Return how often a kernel was found on disk, and how often not."""
    return sum(function.stats.cache_hits.values()), sum(function.stats.cache_misses.values())


@pytest.mark.slow
def test_called_kernel_is_part_until_python_calls_it(start: Start) -> None:
    kernels = start()
    called = [kernels[name] for name in ("checked", "factorial", "lengths")]
    assert kernels["twice"](4) == 56
    assert parts_of(kernels["twice"]) == [False]
    assert [parts_of(one) for one in called] == [[True]] * 3
    assert [one(4) for one in called] == [28, 24, 4]
    assert [parts_of(one) for one in called] == [[False]] * 3
    assert [kernels["twice"](2), kernels["less"](4)] == [8, 27]  # the whole serves as a part as well


@pytest.mark.slow
def test_cached_parts_are_shared_by_callers_and_not_callable(start: Start) -> None:
    assert start()["twice"](4) == 56
    again = start()
    assert again["twice"](4) == 56
    assert cache_counts(again["twice"]) == (1, 0)
    assert not again["checked"].overloads  # nothing asked for it
    assert again["less"](4) == 27
    assert (cache_counts(again["less"]), cache_counts(again["checked"])) == ((0, 1), (1, 0))
    assert parts_of(again["checked"]) == [True]
    assert again["checked"](4) == 28
    assert cache_counts(again["checked"]) == (1, 1)
    assert cache_counts(again["factorial"]) == (1, 0)  # by the part's caller, which was compiled as a whole
    third = start()
    assert third["checked"](4) == 28
    assert cache_counts(third["checked"]) == (1, 0)


def test_cached_whole_is_reused_as_part(start: Start) -> None:
    assert start()["checked"](4) == 28
    kernels = start()
    assert kernels["twice"](4) == 56
    assert cache_counts(kernels["checked"]) == (1, 0)
    assert parts_of(kernels["checked"]) == [False]


@pytest.mark.slow
@pytest.mark.parametrize("starts", [1, 2], ids=["compiled", "found on disk"])
def test_errors_of_parts_reach_python(start: Start, starts: int) -> None:
    for _ in range(starts):
        kernels = start()
        with pytest.raises(ValueError, match="'three', 3"):
            kernels["twice"](3)


def of_three(n: Any) -> Any:
    return n + 3


def more(n: Any) -> Any:
    return part(n) * 2  # type: ignore[name-defined]  # noqa: F821  # it is bound


@pytest.mark.slow
@pytest.mark.parametrize("how", [borrowing, inlined])
def test_link_only_works_for_all_kinds_of_kernels(how: Callable[..., Any], start: Start) -> None:
    start()
    called = how(of_three)
    assert [kernel(more, part=called)(4), kernel(more, part=called)(4.5)] == [14, 15.0]
    assert parts_of(called) == [True, True]
    assert [called(4), called(4.5)] == [7, 7.5]
