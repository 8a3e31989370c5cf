"""Robots as learning environments: one robot against others, and each robot an agent.

The modules of this folder use `gridproof.envs`, which loads them when they are asked for; this one does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


class RobotsEnvs:
    """Implementation of `EnvExtension`, `OwnEnvs`, `JointPlay`, `AgentEnvs`, `PlayerPlanes` and `BoardParser` of `gridproof.envs.extension`."""

    id = "gridproof/Robots-v0"
    max_episode_steps: int | None = 1000
    defaults: Mapping[str, object] = MappingProxyType({})
    joint: Mapping[str, object] = MappingProxyType({"robot": "all"})
    scalar = f"{__name__}.grid_env:RobotsEnv"
    vector = f"{__name__}.grid_env:RobotsVectorEnv"
    pettingzoo: Mapping[str, str] = MappingProxyType({"robots_v0": f"{__name__}.robots_v0"})
    planes = f"{__name__}.observation:encode_planes"
    parse_board = f"{__name__}.observation:decode_board"


ENV = RobotsEnvs()
