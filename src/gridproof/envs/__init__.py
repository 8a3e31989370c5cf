"""Learning environments: importing this registers them with Gymnasium and PettingZoo.

import gymnasium
import gridproof.envs

env = gymnasium.make("gridproof/Sokoban-v0")
many = gymnasium.make_vec("gridproof/Twenty48-v0", num_envs=1024)
"""

from __future__ import annotations

import importlib
from typing import Any

try:
    import gymnasium
    import pettingzoo
except ImportError as error:
    raise ImportError("environments need the extra `envs`: pip install gridproof[envs]") from error

from gridproof.core import registry
from gridproof.core.extension import find_extension
from gridproof.core.game import Game
from gridproof.core.registry import is_game, resolve_game
from gridproof.core.text.level_lookup import task
from gridproof.envs.conversion import observe, parse_observation
from gridproof.envs.curriculum import Curriculum
from gridproof.envs.extension import AgentEnvs, EnvExtension, OwnEnvs
from gridproof.envs.labels import label_positions
from gridproof.envs.levels import Generated
from gridproof.envs.rewards import REWARDS, Reward
from gridproof.envs.scalar import GridEnv
from gridproof.envs.splits import split_of
from gridproof.envs.tasks import LADDER
from gridproof.envs.vector import GridVectorEnv

__all__ = [
    "LADDER",
    "REWARDS",
    "Curriculum",
    "Generated",
    "GridEnv",
    "GridVectorEnv",
    "Reward",
    "label_positions",
    "observe",
    "parse_observation",
    "register",
    "split_of",
    "task",
]


def register(name: str, game: str | Game, max_episode_steps: int | None = None, **defaults: Any) -> None:
    """Register a game as a scalar and a vector environment; without a kernel they are slow.

    Parameters
    ----------
    name : str
        "mine/Puzzle-v0".
    game : str or Game
    max_episode_steps : int, optional
        Steps after which an episode is truncated, unless `make` says otherwise.
    **defaults
        Options of `GridVectorEnv`, such as `levels`.

    Raises
    ------
    GridproofError
        When there is no such game. Other errors appear when an environment is made.

    Examples
    --------
    >>> import gymnasium
    >>> register("example/Null-v0", "null")
    >>> gymnasium.make("example/Null-v0").action_space
    Discrete(3)
    """
    if not isinstance(game, str) or not is_game(game):
        resolve_game(game)  # an existing game is imported at the first use
    gymnasium.register(  # entry points as texts: a specification can be written as JSON
        name,
        entry_point="gridproof.envs.scalar:GridEnv",
        vector_entry_point="gridproof.envs.vector:GridVectorEnv",
        max_episode_steps=max_episode_steps,
        kwargs={"game": game, **defaults},
    )


def _register_own(game: Game, found: EnvExtension) -> None:
    """Register the environments of a game."""
    if isinstance(found, OwnEnvs):
        gymnasium.register(
            found.id,
            entry_point=found.scalar,
            vector_entry_point=found.vector,
            max_episode_steps=found.max_episode_steps,
            kwargs=dict(found.defaults),
        )
    else:
        register(found.id, game.name, found.max_episode_steps, **found.defaults)
    for name, module in found.pettingzoo.items() if isinstance(found, AgentEnvs) else ():
        pettingzoo.register("aec", f"gridproof/{name}", f"{module}:env")
        pettingzoo.register("parallel", f"gridproof/{name}", f"{module}:parallel_env")
        _modules[name] = module


_modules: dict[str, str] = {}
"""Modules of games by name."""

for _game in registry.games():
    if _found := find_extension(_game, "env", EnvExtension):
        _register_own(_game, _found)


def __getattr__(name: str) -> Any:
    """Import a game's module for PettingZoo, such as `robots_v0`."""
    if name in _modules:
        return importlib.import_module(_modules[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
