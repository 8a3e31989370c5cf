"""One robot in a race of several: the same races as by the rules."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from tests.sizes import size

import gridproof as gp
from gridproof.games.robots.env.grid_env import RobotsEnv, RobotsVectorEnv


def by_race(env: RobotsEnv, robot: int, every: int, steps: int) -> set[float]:
    """Play random requests of one robot, each episode a race with its level and seed; return the last rewards."""
    from gridproof.games.robots.race import Race

    random, ends, done = np.random.default_rng(1), set[float](), 0
    env.reset(seed=4)
    while done < steps:
        level: Any = env.games.levels[int(env.games.level[0])]
        names = [*level.names[robot:], *level.names[:robot]]
        race = Race(level, "random", (), every, int(env.games.seeds[0]), max_requests=sys.maxsize)
        own = level.names[robot]
        requests = race.knowledge[own].requests
        assert env.action_masks().tolist() == [number < len(requests) for number in range(len(env.actions))]
        while True:
            number = int(random.integers(len(requests)))
            _, reward, terminated, truncated, _ = env.step(number)
            done += 1
            for place, name in enumerate(names):
                if not race.over:
                    race.serve(name, requests[number] if place == 0 else None)
            assert env.position == race.position
            assert terminated == bool(race.winners)
            assert reward == (0 if not race.winners else 1 if own in race.winners else -1)
            if terminated or truncated:
                ends.add(reward)
                break
        env.reset()
    return ends


@pytest.mark.slow
@pytest.mark.clause("R25", "R31", "R32")
@pytest.mark.parametrize(("robot", "every"), [(0, 0), (1, 3)])
def test_race_environment_agrees_with_rules(robot: int, every: int) -> None:
    env = RobotsEnv("robots/races", robot=robot, exchange_every=every, max_episode_steps=40)
    assert {1, -1} <= by_race(env, robot, every, 600)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.clause("R25", "R31", "R32")
def test_many_steps_of_race_agree_with_rules() -> None:
    env = RobotsEnv("robots/races", robot=1, exchange_every=3, max_episode_steps=200)
    assert {1, -1} <= by_race(env, 1, 3, size("steps", 20_000))


@pytest.mark.slow
@pytest.mark.clause("R30")
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_compiled_opponents_agree_with_python_ones(mode: str) -> None:
    options: dict[str, Any] = {"exchange_every": 5, "max_episode_steps": 12, "autoreset_mode": mode}
    compiled, python = (
        RobotsVectorEnv(4, list(gp.levels_at("robots/races"))[:3], strategies=strategies, **options)
        for strategies in ("random", {"b": "random"})
    )
    first: Any = compiled.reset(seed=6)
    second: Any = python.reset(seed=6)
    ends = 0
    for _ in range(40):
        np.testing.assert_array_equal(first[0], second[0])
        for name in ("action_mask", "illegal", "won", "level"):
            np.testing.assert_array_equal(first[-1][name], second[-1][name])
        actions = compiled.action_space.sample()
        first, second = compiled.step(actions), python.step(actions)
        for one, other in zip(first[1:4], second[1:4], strict=True):
            np.testing.assert_array_equal(one, other)
        assert [*map(compiled.position, range(4))] == [*map(python.position, range(4))]
        if "final_obs" in first[4]:
            for one, other in zip(first[4]["final_obs"], second[4]["final_obs"], strict=True):
                np.testing.assert_array_equal(one, other)
        ends += (first[2] | first[3]).sum()
    assert ends >= 4


@pytest.mark.clause("R30", "R32")
def test_race_against_planners_is_lost() -> None:
    levels = [*gp.levels_at("robots/races/6"), *gp.levels_at("robots/duels/3")]
    env = RobotsEnv(levels, strategies="planner", max_episode_steps=30)
    env.reset(seed=1, options={"level": 0})
    rewards = [env.step(6)[1] for _ in range(12)]  # rule A does not list it: every turn is passed
    assert sum(rewards) == -1
    for wrong in ("genius", "z=hints", 3, {"b": len}):
        with pytest.raises(gp.GridproofError):
            RobotsEnv("robots/races/6", strategies=wrong)  # type: ignore[arg-type]  # wrong on purpose
