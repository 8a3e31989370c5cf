"""The registration of Sokoban as a learning environment."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


class SokobanEnv:
    """Implement `gridproof.envs.extension.EnvExtension`."""

    id = "gridproof/Sokoban-v0"
    max_episode_steps: int | None = 500
    defaults: Mapping[str, object] = MappingProxyType({})


ENV = SokobanEnv()
