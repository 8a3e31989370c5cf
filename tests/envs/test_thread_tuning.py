"""Steps are shared by threads where that is quicker, whatever else the machine does, and threads fetch little."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from gridproof.envs import sharing
from gridproof.envs.pace import Pace


def spent(alone: float, shared: Callable[[int], float], steps: int = 20_000) -> float:
    """What a step takes on average, where one thread, or several, take so long."""
    pace, whole = Pace(), 0.0
    for number in range(steps):
        seconds = alone if pace.alone else shared(number)
        pace.took(seconds)
        whole += seconds
    return whole / steps


@pytest.mark.parametrize(("alone", "shared"), [(60, 32), (60, 61), (60, 240), (60, 6000)])
def test_little_is_lost_by_trying_what_is_slower(alone: float, shared: float) -> None:
    assert spent(alone, lambda _: shared) < 1.1 * min(alone, shared)


def test_a_machine_that_becomes_busy_or_quiet_is_noticed() -> None:
    assert spent(60, lambda number: 30 if number < 10_000 else 300) < 1.1 * 45
    assert spent(60, lambda number: 300 if number < 10_000 else 30) < 1.2 * 45


def test_a_first_step_that_compiles_is_forgotten() -> None:
    assert spent(60, lambda number: 30 if number else 1000) < 1.1 * 30


class World(NamedTuple):
    shared: np.ndarray[Any, Any]
    games: np.ndarray[Any, Any]


def test_a_thread_takes_its_own_share_and_that_of_one_who_sleeps() -> None:
    world = World(np.zeros(sharing.NEXT + 2 * sharing.LINE, np.int64), np.zeros((4 * sharing.PART, 1)))
    own, others = sharing.NEXT, sharing.NEXT + sharing.LINE
    world.shared[others] = 2
    assert [sharing.taken(world, 0, 0) for _ in range(2)] == [0, 1]
    assert world.shared[others] == 2
    assert sharing.taken(world, 0, 0) == 2, "nobody has begun there"
    assert sharing.taken(world, 0, 0) == -1, "what is begun is left to whoever has it in the cache"
    assert sharing.taken(world, 0, 10**6) == 3, "unless that takes too long"
    assert sharing.taken(world, 1, 10**6) == -1
    assert world.shared[own] == 2
