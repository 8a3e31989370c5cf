"""Registration of 2048 as a learning environment."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


class Twenty48Env:
    """Values of `gridproof.envs.extension.EnvExtension`."""

    id = "gridproof/Twenty48-v0"
    max_episode_steps: int | None = None
    defaults: Mapping[str, object] = MappingProxyType({"levels": "twenty48/standard/1"})


ENV = Twenty48Env()
