"""Tests of thread tuning and work sharing: several threads step games only if that is faster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from gridproof.envs import work_sharing
from gridproof.envs.thread_tuning import ThreadTuner


def average_time(alone: float, shared: Callable[[int], float], steps: int = 20_000) -> float:
    """Return the average time of a step for given times of one thread and of several."""
    pace, whole = ThreadTuner(), 0.0
    for number in range(steps):
        seconds = alone if pace.alone else shared(number)
        pace.record(seconds)
        whole += seconds
    return whole / steps


@pytest.mark.parametrize(("alone", "shared"), [(60, 32), (60, 61), (60, 240), (60, 6000)])
def test_thread_tuner_loses_little_by_trials(alone: float, shared: float) -> None:
    assert average_time(alone, lambda _: shared) < 1.1 * min(alone, shared)


def test_thread_tuner_adapts_to_load() -> None:
    assert average_time(60, lambda number: 30 if number < 10_000 else 300) < 1.1 * 45
    assert average_time(60, lambda number: 300 if number < 10_000 else 30) < 1.2 * 45


def test_thread_tuner_ignores_first_step() -> None:
    assert average_time(60, lambda number: 30 if number else 1000) < 1.1 * 30


class World(NamedTuple):
    shared: np.ndarray[Any, Any]
    games: np.ndarray[Any, Any]


@pytest.mark.slow
def test_thread_takes_its_own_share_and_that_of_sleeping_one() -> None:
    world = World(
        np.zeros(work_sharing.NEXT + 2 * work_sharing.LINE, np.int64), np.zeros((4 * work_sharing.PART, 1))
    )
    own, others = work_sharing.NEXT, work_sharing.NEXT + work_sharing.LINE
    world.shared[others] = 2
    assert [work_sharing.take_part(world, 0, 0) for _ in range(2)] == [0, 1]
    assert world.shared[others] == 2
    assert work_sharing.take_part(world, 0, 0) == 2, "nobody has begun there"
    assert work_sharing.take_part(world, 0, 0) == -1, "what is begun is left to whoever has it in the cache"
    assert work_sharing.take_part(world, 0, 10**6) == 3, "unless that takes too long"
    assert work_sharing.take_part(world, 1, 10**6) == -1
    assert world.shared[own] == 2
