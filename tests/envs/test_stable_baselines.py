"""The adapter for Stable-Baselines3, which needs torch and is not installed here: a stub replaces its `VecEnv`."""

from __future__ import annotations

import importlib.util
import sys
import types
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import gridproof as gp
import gridproof.envs
from gridproof.core.design import canonical

LEVELS = "sokoban/first-steps/1"


class VecEnv:
    """Stub with the members of `stable_baselines3.common.vec_env.VecEnv` 2.7 that subclasses use."""

    def __init__(self, num_envs: int, observation_space: Any, action_space: Any) -> None:
        self.num_envs, self.observation_space, self.action_space = num_envs, observation_space, action_space
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(num_envs)]
        self._reset_seeds()
        self._reset_options()
        self.render_mode = self.get_attr("render_mode")[0]

    def get_attr(self, name: str, indices: Any = None) -> list[Any]:
        raise NotImplementedError

    def _reset_seeds(self) -> None:
        self._seeds: list[int | None] = [None] * self.num_envs

    def _reset_options(self) -> None:
        self._options: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]

    def seed(self, seed: int) -> None:
        self._seeds = [seed + number for number in range(self.num_envs)]

    def _get_indices(self, indices: Any) -> Iterable[int]:
        if indices is None:
            return range(self.num_envs)
        return [indices] if isinstance(indices, int) else indices

    def step(self, actions: Any) -> Any:
        self.step_async(actions)  # type: ignore[attr-defined]  # of its children
        return self.step_wait()  # type: ignore[attr-defined]


@pytest.fixture
def adapter(monkeypatch: pytest.MonkeyPatch) -> Any:
    for name in ("stable_baselines3", "stable_baselines3.common", "stable_baselines3.common.vec_env"):
        module = types.ModuleType(name)
        module.VecEnv = VecEnv  # type: ignore[attr-defined]  # made here
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "gridproof.envs.stable_baselines", raising=False)
    yield importlib.import_module("gridproof.envs.stable_baselines")
    sys.modules.pop("gridproof.envs.stable_baselines", None)


def test_stable_vec_env_agrees_with_vector_environment(adapter: Any) -> None:
    ours = adapter.make_vec_env("gridproof/Sokoban-v0", 3, levels=LEVELS, max_episode_steps=4)
    other: Any = gymnasium.make_vec(
        "gridproof/Sokoban-v0", 3, levels=LEVELS, max_episode_steps=4, autoreset_mode="SameStep"
    )
    ours.seed(5)
    seen, (expected, infos) = ours.reset(), other.reset(seed=5)
    np.testing.assert_array_equal(seen, expected)
    assert [info["level"] for info in ours.reset_infos] == infos["level"].tolist()
    for number in range(9):
        masks = np.stack(ours.env_method("action_masks"))
        assert (masks == infos["action_mask"].astype(bool)).all()
        actions = masks.argmax(axis=1)
        seen, rewards, over, told = ours.step(actions)
        expected, gains, terminated, truncated, infos = other.step(actions)
        np.testing.assert_array_equal(seen, expected)
        assert rewards.dtype == np.float32
        assert (rewards == gains).all()
        assert (over == (terminated | truncated)).all()
        assert over.all() == (number % 4 == 3)
        for place in np.flatnonzero(over):
            assert (told[place]["terminal_observation"] == infos["final_obs"][place]).all()
            assert told[place]["TimeLimit.truncated"]
    assert len(ours.get_attr("action_masks")) == 3
    assert ours.get_attr("num_envs", [0]) == [3]
    assert ours.env_is_wrapped(object, 1) == [False]
    ours.set_attr("render_mode", "ansi")
    assert ours.env_method("render", indices=[2])[0].startswith("#")
    ours.close()


def test_stable_vec_env_refuses_other_autoreset_modes(adapter: Any) -> None:
    with pytest.raises(gp.GridproofError, match="a GridVectorEnv with autoreset_mode='SameStep' is needed"):
        adapter.StableVecEnv(gridproof.envs.GridVectorEnv("sokoban", 2))


def test_error_names_missing_stable_baselines() -> None:
    if importlib.util.find_spec("stable_baselines3"):
        pytest.skip("it is installed")
    with pytest.raises(ImportError, match="this needs Stable-Baselines3: pip install stable-baselines3"):
        importlib.import_module("gridproof.envs.stable_baselines")


@pytest.mark.slow
def test_example_trains_on_no_evaluation_level(adapter: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("torch", "sb3_contrib"):
        module = types.ModuleType(name)
        module.MaskablePPO = None  # type: ignore[attr-defined]  # nothing is learned here
        monkeypatch.setitem(sys.modules, name, module)
    path = Path(__file__).parents[2] / "examples/maskable_ppo/train.py"
    spec: Any = importlib.util.spec_from_file_location("train", path)
    example: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    monkeypatch.setattr(example, "BOARDS", 4)
    monkeypatch.setattr(example, "FIRST_SEED", 1006)
    task = gridproof.envs.task("shiftit-easy")
    judges = {canonical(level) for level in task}
    assert (
        canonical(gp.generate("shiftit", 1006, **example.SIZE)) in judges
    )  # it would have been learned from
    learned = [canonical(level) for level in example.to_learn_from(task)]
    assert len(set(learned)) == 4
    assert judges.isdisjoint(learned)
