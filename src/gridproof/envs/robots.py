"""Robots as an environment of one robot against others."""

from __future__ import annotations

from typing import Any

from gridproof.envs.games import Games
from gridproof.envs.racing import RaceGames
from gridproof.envs.scalar import GridEnv
from gridproof.envs.vector import GridVectorEnv


class RobotsEnv(GridEnv):
    """One robot against others: a `GridEnv` whose mask is the list of the robot's rule (R31).

    Parameters
    ----------
    robot : int
        Which robot is played, by its place in the level; the others ask at random, one after the other.
    exchange_every : int
        Tiles are exchanged after so many requests of all robots; 0 for never (R23).
    """

    def __init__(self, *given: Any, robot: int = 0, exchange_every: int = 0, **options: Any) -> None:
        self._race = robot, exchange_every
        super().__init__("robots", *given, **options)

    def _games(self, *given: Any) -> Games:
        return RaceGames(*self._race, *given)


class RobotsVectorEnv(GridVectorEnv):
    """Many of `RobotsEnv` at once, a `GridVectorEnv`."""

    def __init__(self, *given: Any, robot: int = 0, exchange_every: int = 0, **options: Any) -> None:
        self._race = robot, exchange_every
        super().__init__("robots", *given, **options)

    def _games(self, *given: Any) -> Games:
        return RaceGames(*self._race, *given)
