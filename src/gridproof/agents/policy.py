"""Saved policies as players: of Stable-Baselines3 (`.zip`), or modules of torch (`.pt`, `.pth`, `.pt2`).

A saved policy is code, as every pickle: load only files that you trust.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridproof.core.errors import GridproofError
from gridproof.core.extension import find_extension
from gridproof.core.game import Game
from gridproof.core.position import Action, Level, Position
from gridproof.search.simple_players import best_action

if TYPE_CHECKING:
    from gridproof.envs.scalar import GridEnv

Scores = Callable[[Any], Any]
"""Returns the score of each action number, (actions,), for an observation."""

_KINDS = ("symbols", "planes")


class Policy:
    """Policy over observations of environments: plays the executable action with the highest score.

    Parameters
    ----------
    game : Game
    path : Path
    observation : str, optional
        "symbols" or "planes": of a torch module, which gets float32 (1, ...), and returns scores (1, actions). By
        default "symbols". A policy of Stable-Baselines3 knows its observation.
    """

    def __init__(self, game: Game, path: Path, observation: str | None = None) -> None:
        from gridproof.envs.extension import JointPlay, OwnEnvs

        found = find_extension(game, "env", object)
        if isinstance(found, OwnEnvs) and not isinstance(found, JointPlay):
            raise GridproofError(
                f"{path}: a policy of {game.name} cannot play, since a position does not contain what it observes"
            )
        if observation not in (None, *_KINDS):
            raise GridproofError(f"no observation {observation!r} of policies: there are {', '.join(_KINDS)}")
        if not path.is_file():
            raise GridproofError(f"{path}: no such file")
        self._path = path
        policy: tuple[Any, Scores]
        load = _load_stable_baselines if path.suffix == ".zip" else _load_torch
        try:
            policy = load(path, os.stat(path).st_mtime_ns)
        except ImportError as error:
            raise GridproofError(
                f"{path}: {error}; install stable-baselines3, sb3-contrib or torch"
            ) from error
        except GridproofError:
            raise
        except Exception as error:
            raise GridproofError(f"{path}: this is no saved policy: {error}") from error
        self._space, self._scores = policy
        self._kind = observation or ("symbols" if self._space is None else None)

    def __call__(self, position: Position[Any]) -> Action:
        return best_action(self.values(position))

    def values(self, position: Position[Any]) -> Mapping[Action, float]:
        """Return the score of each action: the logarithm of its probability, or its value (DQN)."""
        scores = self._scores(self._observe(position))
        numbers = _environment(position.level).games.action_numbers(0)
        count = len(_environment(position.level).actions)
        if len(scores) > count:
            raise GridproofError(
                f"{self._path} has {len(scores)} actions, but {position.level.game.name} has {count}"
            )
        return {action: float(scores[numbers[str(action)]]) for action in position.actions()}

    def _observe(self, position: Position[Any]) -> Any:
        """Return the observation, of the kind that has the shape of the policy's space."""
        if self._space is None:
            return _observe(position, self._kind or "symbols")[0]
        parts = getattr(self._space, "spaces", {"observation": self._space})
        for kind in (self._kind,) if self._kind else _KINDS:
            seen, info = _observe(position, kind)
            if parts["observation"].shape == seen.shape:
                self._kind = kind
                if len(parts) == 1:
                    return seen
                return {"observation": seen, "action_mask": info["action_mask"]}
        raise GridproofError(
            f"{self._path} observes {parts['observation'].shape}, but symbols of this level are "
            f"{_observe(position, 'symbols')[0].shape}, and planes {_observe(position, 'planes')[0].shape}"
        )


def _environment(level: Level, kind: str = "symbols") -> GridEnv:
    """Return the environment of a level in which one player acts for all actors."""
    from gridproof.envs.conversion import environment_of

    return environment_of(level, kind, joint=True)


def _observe(position: Position[Any], kind: str) -> tuple[Any, dict[str, Any]]:
    """Return the observation and the info of an environment where an episode begins at a position."""
    return _environment(position.level, kind).reset(options={"position": position})


@functools.lru_cache(maxsize=4)
def _load_stable_baselines(path: Path, changed: int) -> tuple[Any, Scores]:
    """Return the observation space and the scores of a policy, of whatever algorithm."""
    import torch
    from stable_baselines3.common.save_util import load_from_zip_file

    data, parameters, _ = load_from_zip_file(path, device="cpu")
    if data is None or "policy_class" not in data:
        raise GridproofError(f"{path}: this is no saved model of Stable-Baselines3")
    policy = data["policy_class"](
        data["observation_space"], data["action_space"], lambda _: 0.0, **data["policy_kwargs"]
    )
    policy.load_state_dict(parameters["policy"])
    policy.set_training_mode(False)

    def score(observation: Any) -> Any:
        with torch.no_grad():
            seen, _ = policy.obs_to_tensor(observation)
            if hasattr(policy, "q_net"):
                return policy.q_net(seen)[0]
            if hasattr(policy, "quantile_net"):
                return policy.quantile_net(seen).mean(dim=1)[0]
            return policy.get_distribution(seen).distribution.logits[0]

    return data["observation_space"], score


@functools.lru_cache(maxsize=4)
def _load_torch(path: Path, changed: int) -> tuple[Any, Scores]:
    """Return the scores of a module: saved whole, as TorchScript, or as an exported program (`.pt2`)."""
    import torch

    if path.suffix == ".pt2":
        module = torch.export.load(path).module()
    else:
        module = torch.load(path, map_location="cpu", weights_only=False)
        if not callable(module):
            raise GridproofError(
                f"{path}: this is {type(module).__name__}, not a module; save the whole module"
            )
        module.eval()

    def score(observation: Any) -> Any:
        with torch.no_grad():
            return module(torch.as_tensor(observation, dtype=torch.float32)[None])[0]

    return None, score
