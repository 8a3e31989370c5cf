"""Robots as an environment of one robot against others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gridproof.envs.games import Games
from gridproof.envs.racing import RaceGames
from gridproof.envs.scalar import GridEnv
from gridproof.envs.vector import GridVectorEnv

Strategies = str | Mapping[str, Any]


def games_of(robot: int, exchange_every: int, strategies: Strategies, *given: Any) -> Games:
    """The games of one robot against such strategies."""
    if strategies == "random":
        return RaceGames(robot, exchange_every, strategies, *given)
    from gridproof.envs.strategies import StrategyGames

    return StrategyGames(robot, exchange_every, strategies, *given)


class RobotsEnv(GridEnv):
    """One robot against others: a `GridEnv` whose mask is the list of the robot's rule (R31).

    Parameters
    ----------
    robot : int
        Which robot is played, by its place in the level; the others follow, one after the other.
    exchange_every : int
        Tiles are exchanged after so many requests of all robots; 0 for never (R23).
    strategies : str or mapping
        How the others play: "random", compiled; "hints", "planner", "b=hints,c=planner", or by robot a name or a
        strategy of one's own (R30), all much slower.
    """

    def __init__(
        self,
        *given: Any,
        robot: int = 0,
        exchange_every: int = 0,
        strategies: Strategies = "random",
        **options: Any,
    ) -> None:
        self._race = robot, exchange_every, strategies
        super().__init__("robots", *given, **options)

    def _games(self, *given: Any) -> Games:
        return games_of(*self._race, *given)


class RobotsVectorEnv(GridVectorEnv):
    """Many of `RobotsEnv` at once, a `GridVectorEnv`."""

    def __init__(
        self,
        *given: Any,
        robot: int = 0,
        exchange_every: int = 0,
        strategies: Strategies = "random",
        **options: Any,
    ) -> None:
        self._race = robot, exchange_every, strategies
        super().__init__("robots", *given, **options)

    def _games(self, *given: Any) -> Games:
        return games_of(*self._race, *given)
