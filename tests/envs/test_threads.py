"""Threads that step many games: the same games as with one thread; threads wake and end in time."""

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
from gridproof.envs import GridEnv, GridVectorEnv, work_sharing
from gridproof.envs.threads import ThreadCrew


def test_threads_step_many_games_like_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.envs.game_batch.available_cores", lambda: 3)
    threaded = GridVectorEnv("twenty48", 1000, "twenty48/standard/1")
    monkeypatch.setattr("gridproof.envs.game_batch.available_cores", lambda: 1)
    alone = GridVectorEnv("twenty48", 1000, "twenty48/standard/1")
    first: Any = threaded.reset(seed=1)
    second: Any = alone.reset(seed=1)
    for number in range(20):
        threaded.games._tuner.alone = number % 3 == 0  # whoever does a step, it comes to the same
        actions = threaded.action_space.sample()
        first, second = threaded.step(actions), alone.step(actions)
        np.testing.assert_array_equal(first[0], second[0])
        np.testing.assert_array_equal(first[1], second[1])
    threaded.close()


def wait_for(until: Callable[[], bool]) -> None:
    """Wait for another thread; the suite's own limit ends the test if it never comes."""
    while not until():
        time.sleep(0.001)


def test_thread_crew_works_when_woken_and_ends_when_closed() -> None:
    world = types.SimpleNamespace(shared=np.zeros(work_sharing.NEXT, np.int64))
    served: queue.SimpleQueue[int] = queue.SimpleQueue()

    def attend(world: Any, room: int) -> None:
        world.shared[work_sharing.AWAKE] += 1
        served.put(room)
        wait_for(lambda: bool(go))
        world.shared[work_sharing.AWAKE] -= 1

    go, before = list[bool](), threading.active_count()
    crew = ThreadCrew(attend, world, [1, 2])
    crew.wake()
    assert {served.get(), served.get()} == {1, 2}
    crew.wake()  # all are awake
    assert served.empty()
    go.append(True)
    wait_for(lambda: world.shared[work_sharing.AWAKE] == 0)
    assert served.empty()
    crew.wake()
    assert served.get() in (1, 2)
    crew.close()
    wait_for(lambda: threading.active_count() == before)


def test_threads_search_for_work_for_a_limited_time() -> None:
    games = GridVectorEnv("null", 300, "null/first/1").games
    games._compiled.attend(games._world, games._scratch)
    assert games._world.shared[work_sharing.AWAKE] == 0


def test_late_thread_finds_no_work() -> None:
    envs = GridVectorEnv("null", 300, "null/first/1")
    envs.reset(seed=1)
    before = envs.step(np.zeros(300, np.int64))[0].copy()
    envs.games._compiled.attend(envs.games._world, envs.games._scratch)
    assert (envs.games.observe()[0] == before).all()


def test_error_in_a_thread_is_raised_by_step() -> None:
    def attend(world: object, room: object) -> None:
        raise ZeroDivisionError("in a kernel")

    envs = GridVectorEnv("null", 2, "null/first/1")
    envs.reset(seed=1)
    envs.games._crew = ThreadCrew(attend, envs.games._world, [envs.games._scratch])
    envs.games._crew.wake()
    wait_for(lambda: bool(envs.games._crew.errors))
    with pytest.raises(ZeroDivisionError, match="in a kernel"):
        envs.step(np.zeros(2, np.int64))
    with pytest.raises(gp.GridproofError, match="the environment is closed"):
        envs.step(np.zeros(2, np.int64))


def test_threads_that_share_an_environment_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.envs.game_batch.available_cores", lambda: 2)
    shared, alone = (GridVectorEnv("twenty48", 1024, "twenty48/standard/1") for _ in range(2))
    actions = np.arange(1024) % 4  # of each game always the same: whoever is first, it comes to the same
    shared.reset(seed=1)
    alone.reset(seed=1)

    def play() -> None:
        for _ in range(200):
            shared.step(actions)
            shared.sample_legal()
            shared.position(7)

    threads = [threading.Thread(target=play, daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not any(thread.is_alive() for thread in threads)
    for _ in range(400):
        alone.step(actions)
    np.testing.assert_array_equal(shared.step(actions)[0], alone.step(actions)[0])
    shared.close()
    alone.close()


@pytest.mark.parametrize("method", ["reset", "step", "action_masks", "render", "get_state", "close"])
def test_threads_that_share_an_environment_wait_for_each_other(method: str) -> None:
    for env, action in (
        (GridEnv("null", "null/first/1", render_mode="ansi"), 0),
        (GridVectorEnv("null", 2, "null/first/1", render_mode="ansi"), np.zeros(2, np.int64)),
    ):
        env.reset(seed=1)
        given = (action,) if method == "step" else ()
        thread = threading.Thread(target=getattr(env, method), args=given, daemon=True)
        with env.games.lock:
            thread.start()
            thread.join(0.05)
            assert thread.is_alive()
        thread.join(60)
        assert not thread.is_alive()
