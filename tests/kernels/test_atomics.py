"""Atomic instructions: each agrees with its plain twin in one thread, and several threads lose no update."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba.core import config

from gridproof.kernels import atomics
from gridproof.kernels.compile import Hole, borrowing
from gridproof.kernels.digest import Digest

add: Any = Hole()
load: Any = Hole()
store: Any = Hole()
rest: Any = Hole()
copy_bytes: Any = Hole()
put: Any = Hole()
prefetch: Any = Hole()
unite: Any = Hole()

COMPILED = pytest.mark.skipif(bool(getattr(config, "DISABLE_JIT", False)), reason="nothing is compiled")


def all_of_them(array: Any, to: Any, marks: Any, parts: Any, bits: Any) -> Any:
    store(array, 1, 7)
    before = add(array, 1, 5)
    rest()
    prefetch(array, 2)
    copy_bytes(array, 8, 16, to.ctypes.data)
    put(True, 1, marks.ctypes.data)
    put(0.5, 1, parts.ctypes.data)
    unite(bits, np.uint64(1), np.uint64(6))
    return before, load(array, 1)


NAMES = ("add", "load", "store", "rest", "copy_bytes", "put", "prefetch", "unite")


def test_atomics_do_their_operation() -> None:
    work = borrowing(all_of_them, **{name: getattr(atomics, name) for name in NAMES})
    array, to = np.arange(3), np.zeros(3, np.int64)
    marks, parts, bits = np.zeros(3, np.bool_), np.zeros(3), np.array([1, 3, 0], np.uint64)
    assert work(array, to, marks, parts, bits) == (7, 12)
    assert bits.tolist() == [1, 7, 0]
    assert (marks.tolist(), parts.tolist()) == ([False, True, False], [0, 0.5, 0])
    assert (array.tolist(), to.tolist()) == ([0, 12, 2], [0, 12, 0])


def test_atomics_agree_with_plain_twins() -> None:
    plain: dict[str, Callable[..., Any]] = {
        "add": atomics._plain_add,
        "load": atomics._plain_load,
        "store": atomics._plain_store,
        "rest": atomics._plain_rest,
        "copy_bytes": atomics._plain_copy,
        "put": atomics._plain_put,
        "unite": atomics._plain_unite,
    }
    array, to = np.arange(3), np.zeros(3, np.int64)
    plain["store"](array, 1, 7)
    assert plain["add"](array, 1, 5) == 7
    plain["rest"]()
    plain["copy_bytes"](array, 8, 16, to.ctypes.data)
    marks, parts = np.zeros(3, np.bool_), np.zeros(3)
    plain["put"](True, 1, marks.ctypes.data)
    plain["put"](0.5, 1, parts.ctypes.data)
    assert (marks.tolist(), parts.tolist()) == ([False, True, False], [0, 0.5, 0])
    bits = np.array([1, 3, 0], np.uint64)
    plain["unite"](bits, 1, np.uint64(6))
    assert bits.tolist() == [1, 7, 0]
    assert (plain["load"](array, 1), array.tolist(), to.tolist()) == (12, [0, 12, 2], [0, 12, 0])


def count_up(array: Any, times: Any) -> None:
    for _ in range(times):
        add(array, 0, 1)


@COMPILED
def test_atomic_additions_of_threads_are_not_lost() -> None:
    work, array, times = borrowing(count_up, add=atomics.add), np.zeros(1, np.int64), 100_000
    work(array, 0)
    threads = [threading.Thread(target=work, args=(array, times)) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert array[0] == 4 * times


def test_digest_depends_on_instructions() -> None:
    texts = set()
    for name in NAMES:
        digest = Digest()
        digest.value("instruction", getattr(atomics, name))
        texts.add(digest.text())
    assert len(texts) == len(NAMES)
