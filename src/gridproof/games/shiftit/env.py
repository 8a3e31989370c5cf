"""Registration of Shift It as a learning environment."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


class ShiftItEnv:
    """Values of `gridproof.envs.extension.EnvExtension`."""

    id = "gridproof/ShiftIt-v0"
    max_episode_steps: int | None = 200
    defaults: Mapping[str, object] = MappingProxyType({"levels": "shiftit/boards/29"})


ENV = ShiftItEnv()
