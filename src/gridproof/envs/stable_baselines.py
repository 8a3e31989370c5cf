"""Adapter: a `GridVectorEnv` as a `VecEnv` of Stable-Baselines3, which takes no Gymnasium vector environments.

    from stable_baselines3 import PPO
    from gridproof.envs.stable_baselines import make_vec_env

    PPO("MlpPolicy", make_vec_env("gridproof/ShiftIt-v0", 64)).learn(100_000)

MaskablePPO of sb3-contrib finds the masks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from gridproof.core.errors import GridproofError
from gridproof.envs.vector import GridVectorEnv

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise ImportError("this needs Stable-Baselines3: pip install stable-baselines3") from error

Indices = int | Iterable[int] | None


class StableVecEnv(VecEnv):
    """A `GridVectorEnv` for Stable-Baselines3: games are reset in the step in which they end.

    Parameters
    ----------
    envs : GridVectorEnv
        With the autoreset mode SAME_STEP, and observations that are arrays, or a dictionary of them.

    Raises
    ------
    GridproofError
        For any other environment.
    """

    def __init__(self, envs: GridVectorEnv) -> None:
        if (
            not isinstance(envs, GridVectorEnv)
            or envs.metadata["autoreset_mode"] is not AutoresetMode.SAME_STEP
        ):
            raise GridproofError("a GridVectorEnv with autoreset_mode='SameStep' is needed")
        self.envs = envs
        self._actions: Any = None
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self) -> Any:
        """Begin the next episode of each game, with the seeds of `seed`."""
        seeds = None if all(seed is None for seed in self._seeds) else list(self._seeds)
        observations, infos = self.envs.reset(seed=seeds)
        self.reset_infos = [_game_infos(infos, number) for number in range(self.num_envs)]
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: Any) -> None:
        """Store the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """Do the stored actions."""
        observations, rewards, terminated, truncated, infos = self.envs.step(np.asarray(self._actions))
        results = [_game_infos(infos, number) for number in range(self.num_envs)]
        for number in np.flatnonzero(terminated | truncated):
            results[number] |= _game_infos(infos["final_info"], int(number))
            results[number]["terminal_observation"] = infos["final_obs"][number]
            results[number]["TimeLimit.truncated"] = bool(truncated[number] and not terminated[number])
        return observations, rewards.astype(np.float32), terminated | truncated, results

    def close(self) -> None:
        """End the threads."""
        self.envs.close()

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Return an attribute, the same for all games."""
        value = getattr(self, attr_name) if attr_name == "action_masks" else getattr(self.envs, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Set an attribute for all games."""
        setattr(self.envs, attr_name, value)

    def env_method(
        self, method_name: str, *arguments: Any, indices: Indices = None, **options: Any
    ) -> list[Any]:
        """Return the result of a method for each game."""
        found: Callable[..., Any] = getattr(self.envs, method_name)
        value = found(*arguments, **options)
        numbers = list(self._get_indices(indices))
        if method_name in ("action_masks", "render") and value is not None:
            return [value[number] for number in numbers]
        return [value for _ in numbers]

    def action_masks(self) -> Any:
        """Return the executable actions, bool (games, actions)."""
        return self.envs.action_masks()

    def get_images(self) -> Sequence[Any]:
        """Return the pictures of all games."""
        return self.envs.render() or ()

    def env_is_wrapped(self, wrapper_class: Any, indices: Indices = None) -> list[bool]:
        """Return False for each game."""
        return [False for _ in self._get_indices(indices)]


def make_vec_env(name: str, num_envs: int, **options: Any) -> StableVecEnv:
    """Make an environment for Stable-Baselines3; options as of `gymnasium.make_vec`."""
    options = {"autoreset_mode": AutoresetMode.SAME_STEP, **options}
    envs: Any = gymnasium.make_vec(name, num_envs, **options)
    return StableVecEnv(envs)


def _game_infos(infos: dict[str, Any], number: int) -> dict[str, Any]:
    """Return the infos of one game of a batch."""
    return {name: infos[name][number] for name in ("action_mask", "illegal", "won", "level")}
