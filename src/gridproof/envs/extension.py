"""Parts of a game's extension `env`: `ENV` is an `EnvExtension`, and may have the other parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class EnvExtension(Protocol):
    """Registration of a game with Gymnasium."""

    @property
    def id(self) -> str:
        """Id, such as "gridproof/Sokoban-v0"."""

    @property
    def max_episode_steps(self) -> int | None:
        """Steps after which an episode is truncated, unless `make` says otherwise."""

    @property
    def defaults(self) -> Mapping[str, Any]:
        """Options of `GridVectorEnv`, unless `make` says otherwise."""


@runtime_checkable
class OwnEnvs(Protocol):
    """The game's own environment classes in place of `GridEnv` and `GridVectorEnv`; each as "module:Class"."""

    @property
    def scalar(self) -> str:
        """A subclass of `GridEnv`; its first argument is the levels, not the game."""

    @property
    def vector(self) -> str:
        """A subclass of `GridVectorEnv`; its first argument is the number of environments, not the game."""


@runtime_checkable
class JointPlay(Protocol):
    """Environments in which one player acts for all actors, as in solutions; data sets have these."""

    @property
    def joint(self) -> Mapping[str, Any]:
        """Options of the game's own environments."""


@runtime_checkable
class AgentEnvs(Protocol):
    """Environments for PettingZoo."""

    @property
    def pettingzoo(self) -> Mapping[str, str]:
        """Name, as in `gridproof.envs.NAME` -> module with `env` and `parallel_env`."""


@runtime_checkable
class PlayerPlanes(Protocol):
    """The whole board as each of several players sees it, where observations hide a part of it."""

    @property
    def planes(self) -> str:
        """Function as "module:name" of a position and the place of a player: uint8 (planes, height, width) of 0 and 1."""


@runtime_checkable
class BoardParser(Protocol):
    """Inverse of the observation "board", which the game's own environments have."""

    @property
    def parse_board(self) -> str:
        """Function as "module:name" of a level and a board: the position; GridproofError without one."""
