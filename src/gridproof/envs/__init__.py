"""Learning environments: importing this registers them with Gymnasium and PettingZoo.

import gymnasium
import gridproof.envs

env = gymnasium.make("gridproof/Sokoban-v0")
many = gymnasium.make_vec("gridproof/Twenty48-v0", num_envs=1024)
"""

from __future__ import annotations

import functools
from typing import Any

try:
    import gymnasium
    import pettingzoo
except ImportError as error:
    raise ImportError("environments need the extra `envs`: pip install gridproof[envs]") from error

from gridproof.core.game import Game
from gridproof.core.registry import game_meant, is_game
from gridproof.envs.levels import Generated
from gridproof.envs.rewards import REWARDS, Reward
from gridproof.envs.scalar import GridEnv
from gridproof.envs.tasks import task
from gridproof.envs.vector import GridVectorEnv

__all__ = ["REWARDS", "Generated", "GridEnv", "GridVectorEnv", "Reward", "register", "task"]


def register(name: str, game: str | Game, max_episode_steps: int | None = None, **defaults: Any) -> None:
    """Register a game with a kernel as a scalar and a vector environment.

    Parameters
    ----------
    name : str
        "mine/Puzzle-v0".
    game : str or Game
    max_episode_steps : int, optional
        Steps after which an episode is truncated, unless `make` says otherwise.
    **defaults
        As of `GridVectorEnv`, such as `levels`.

    Raises
    ------
    GridproofError
        When there is no such game. What else is wrong is told when an environment is made.
    """
    if not isinstance(game, str) or not is_game(game):
        game_meant(game)  # one that there is, is loaded when it is needed
    gymnasium.register(
        name,
        entry_point=functools.partial(GridEnv, game, **defaults),
        vector_entry_point=functools.partial(GridVectorEnv, game, **defaults),
        max_episode_steps=max_episode_steps,
    )


register("gridproof/Twenty48-v0", "twenty48", levels="twenty48/standard/1")
register("gridproof/Sokoban-v0", "sokoban", max_episode_steps=500)
register("gridproof/ShiftIt-v0", "shiftit", max_episode_steps=200, levels="shiftit/boards/29")
gymnasium.register(
    "gridproof/Robots-v0",
    entry_point="gridproof.envs.robots:RobotsEnv",
    vector_entry_point="gridproof.envs.robots:RobotsVectorEnv",
    max_episode_steps=1000,
)
pettingzoo.register("aec", "gridproof/robots_v0", "gridproof.envs.robots_v0:env")
pettingzoo.register("parallel", "gridproof/robots_v0", "gridproof.envs.robots_v0:parallel_env")
