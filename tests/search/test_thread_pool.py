"""Work shared among threads: the results of `map`, in order; an error ends all of it."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from gridproof.search.thread_pool import thread_map

THREADS = [1, 2, 3, 5]


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("parts", [0, 1, 2, 3, 40])
def test_map_returns_results_in_order(threads: int, parts: int) -> None:
    with thread_map(threads) as each:
        assert list(each(lambda one, other: 10 * one + other, range(parts), range(1, 99))) == [
            11 * number + 1 for number in range(parts)
        ]
        assert list(each(str, range(parts))) == list(map(str, range(parts)))


def test_map_uses_all_threads_at_once() -> None:
    together = threading.Barrier(3, timeout=600)
    with thread_map(3) as each:
        assert sorted(each(lambda _: together.wait(), range(3))) == [0, 1, 2]


def fail_at(at: int, done: list[int]) -> Callable[[int], int]:
    def work(number: int) -> int:
        done.append(number)
        if number == at:
            raise IndexError(f"part {number}")
        return number

    return work


@pytest.mark.parametrize("threads", THREADS)
def test_map_raises_error_of_any_part(threads: int) -> None:
    with thread_map(threads) as each:
        for at in range(6):
            with pytest.raises(IndexError, match=f"part {at}"):
                list(each(fail_at(at, []), range(6)))
        assert list(each(abs, [-1, 2])) == [1, 2]


def test_ctrl_c_ends_all_threads() -> None:
    done, over = list[int](), threading.Event()

    def work(number: int) -> None:
        done.append(number)
        if threading.current_thread() is threading.main_thread():
            raise KeyboardInterrupt
        over.wait(30)

    with thread_map(2) as each:
        with pytest.raises(KeyboardInterrupt):
            list(each(work, range(1000)))
        over.set()
    assert 1 <= len(done) <= 2
