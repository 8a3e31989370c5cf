"""Pickled environments go on from their state."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import cloudpickle
import gymnasium
import numpy as np
import pytest

import gridproof as gp
import gridproof.envs
from gridproof.envs import GridEnv, GridVectorEnv, robots_v0
from gridproof.envs.rules_batch import RuleGames

WAYS: dict[str, Callable[[Any], Any]] = {
    "pickled": lambda value: pickle.loads(pickle.dumps(value)),
    "cloudpickled": lambda value: pickle.loads(cloudpickle.dumps(value)),
    "copied": copy.deepcopy,
}
IDS = [f"gridproof/{name}-v0" for name in ("Twenty48", "Sokoban", "ShiftIt", "Robots")]
ROBOTS: list[dict[str, Any]] = [
    {"levels": "robots/races/6", "strategies": name} for name in ("hints", "planner")
]


def go_on_alike(env: Any, other: Any, steps: int) -> None:
    """Check that both do the same, with resets and random actions."""
    for _ in range(steps):
        actions = env.action_space.sample()
        np.testing.assert_equal(other.action_space.sample(), actions)
        one, two = env.step(actions), other.step(actions)
        np.testing.assert_equal([*two[4].pop("final_obs", ())], [*one[4].pop("final_obs", ())])
        np.testing.assert_equal(two, one)
    np.testing.assert_equal(other.reset(), env.reset())


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize(
    ("name", "options"), [*((one, {}) for one in IDS), *((IDS[3], one) for one in ROBOTS)]
)
def test_pickled_environment_continues_from_its_state(name: str, options: dict[str, Any], way: Any) -> None:
    env = gymnasium.make(name, max_episode_steps=1000, **options)
    env.action_space.seed(1)
    env.reset(seed=1)
    for _ in range(3):
        env.step(env.action_space.sample())
    other = way(env)
    assert other.unwrapped.position == env.unwrapped.position  # type: ignore[attr-defined]
    assert other.unwrapped.action_masks().tolist() == env.unwrapped.action_masks().tolist()  # type: ignore[attr-defined]
    go_on_alike(env, other, 3)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_pickled_vector_environment_with_threads_continues(
    name: str, mode: str, way: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gridproof.envs.game_batch.available_cores", lambda: 2)
    envs: Any = gymnasium.make_vec(name, 600, max_episode_steps=7, autoreset_mode=mode)
    envs.action_space.seed(1)
    envs.reset(seed=1)
    for _ in range(5):
        envs.step(envs.sample_legal())
    other = way(envs)
    np.testing.assert_array_equal(other.sample_legal(), envs.sample_legal())
    go_on_alike(envs, other, 10)
    assert envs.games._threads == other.games._threads == 2
    envs.close()
    assert way(other).step(other.sample_legal())
    with pytest.raises(gp.GridproofError, match="the environment is closed"):
        way(envs).reset()
    other.close()


def test_pickled_environment_by_rules_continues(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.envs.game_batch.packing_of", lambda level: None)
    envs = GridVectorEnv("twenty48", 2, "twenty48/standard/2", max_episode_steps=3, autoreset_mode="SameStep")
    assert isinstance(envs.games, RuleGames)
    envs.action_space.seed(1)
    envs.reset(seed=1)
    envs.step(envs.sample_legal())
    go_on_alike(envs, pickle.loads(pickle.dumps(envs)), 5)


def test_copied_environment_is_independent() -> None:
    env = GridEnv("null", "null/first/1")
    env.reset(seed=1)
    other = pickle.loads(pickle.dumps(env))
    before = other.position
    env.step(1)
    assert other.position == before != env.position


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_pickled_pettingzoo_environment_continues(way: Any) -> None:
    env = robots_v0.parallel_env("robots/duels/1", exchange_every=3)
    env.reset(seed=1)
    actions = dict.fromkeys(env.agents, 0)
    env.step(actions)
    other = way(env)
    for _ in range(3):
        np.testing.assert_equal(other.step(actions), env.step(actions))
        assert other.position == env.position
    np.testing.assert_equal(other.reset(), env.reset())
    turns = robots_v0.env("robots/duels/1")
    turns.reset(seed=1)
    turns.step(1)
    again = way(turns)
    for action in (0, 2, 3):
        assert again.agent_selection == turns.agent_selection
        turns.step(action)
        again.step(action)
        np.testing.assert_equal(again.last(), turns.last())
