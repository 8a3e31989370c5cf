"""The threads that step many games: the same games as one thread plays, woken and ended when they are to be."""

from __future__ import annotations

import queue
import threading
import time
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gridproof as gp
from gridproof.envs import GridVectorEnv, sharing
from gridproof.envs.threads import Crew


def test_many_games_in_several_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.envs.games.available_cores", lambda: 3)
    threaded = GridVectorEnv("twenty48", 1000, "twenty48/standard/1")
    monkeypatch.setattr("gridproof.envs.games.available_cores", lambda: 1)
    alone = GridVectorEnv("twenty48", 1000, "twenty48/standard/1")
    first: Any = threaded.reset(seed=1)
    second: Any = alone.reset(seed=1)
    for number in range(20):
        threaded.games._pace.alone = number % 3 == 0  # whoever does a step, it comes to the same
        actions = threaded.action_space.sample()
        first, second = threaded.step(actions), alone.step(actions)
        np.testing.assert_array_equal(first[0], second[0])
        np.testing.assert_array_equal(first[1], second[1])
    threaded.close()


def waited(until: Callable[[], bool]) -> None:
    """Wait for another thread; that it never comes is for the suite's own limit."""
    while not until():
        time.sleep(0.001)


def test_a_crew_works_when_it_is_woken_and_ends_when_closed() -> None:
    world = types.SimpleNamespace(shared=np.zeros(sharing.NEXT, np.int64))
    served: queue.SimpleQueue[int] = queue.SimpleQueue()

    def attend(world: Any, room: int) -> None:
        world.shared[sharing.AWAKE] += 1
        served.put(room)
        waited(lambda: bool(go))
        world.shared[sharing.AWAKE] -= 1

    go, before = list[bool](), threading.active_count()
    crew = Crew(attend, world, [1, 2])
    crew.wake()
    assert {served.get(), served.get()} == {1, 2}
    crew.wake()  # all are awake
    assert served.empty()
    go.append(True)
    waited(lambda: world.shared[sharing.AWAKE] == 0)
    assert served.empty()
    crew.wake()
    assert served.get() in (1, 2)
    crew.close()
    waited(lambda: threading.active_count() == before)


def test_threads_look_for_work_for_a_while_only() -> None:
    games = GridVectorEnv("null", 300, "null/first/1").games
    games._compiled.attend(games._world, games._room)
    assert games._world.shared[sharing.AWAKE] == 0


def test_whoever_is_late_finds_nothing_to_do() -> None:
    envs = GridVectorEnv("null", 300, "null/first/1")
    envs.reset(seed=1)
    before = envs.step(np.zeros(300, np.int64))[0].copy()
    envs.games._compiled.attend(envs.games._world, envs.games._room)
    assert (envs.games.see()[0] == before).all()


def test_an_error_in_a_threads_part_reaches_whoever_steps() -> None:
    def attend(world: object, room: object) -> None:
        raise ZeroDivisionError("in a kernel")

    envs = GridVectorEnv("null", 2, "null/first/1")
    envs.reset(seed=1)
    envs.games._crew = Crew(attend, envs.games._world, [envs.games._room])
    envs.games._crew.wake()
    waited(lambda: bool(envs.games._crew.errors))
    with pytest.raises(ZeroDivisionError, match="in a kernel"):
        envs.step(np.zeros(2, np.int64))
    with pytest.raises(gp.GridproofError, match="the environment is closed"):
        envs.step(np.zeros(2, np.int64))
