"""Robots as an environment of one robot against others, or of all robots as one player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.position import Level
from gridproof.envs.game_batch import Games
from gridproof.envs.observation import Observer
from gridproof.envs.scalar import GridEnv
from gridproof.envs.vector import GridVectorEnv
from gridproof.games.robots.env.joint_games import JointGames
from gridproof.games.robots.env.observation import RaceObserver
from gridproof.games.robots.env.race_kernel import RaceGames, StrategyGames

ALL = "all"
Strategies = str | Mapping[str, Any]


class _RaceEnv:
    """Part of environments of one robot: its games, by the options of the race."""

    def __init__(
        self,
        *args: Any,
        robot: int | str = 0,
        exchange_every: int = 0,
        strategies: Strategies = "random",
        **options: Any,
    ) -> None:
        self._race: tuple[Any, int, Strategies] = robot, exchange_every, strategies
        super().__init__("robots", *args, **options)  # type: ignore[call-arg]  # that of the environment

    def _first_levels(self, pack: list[Level]) -> list[Level]:
        return pack

    def _games(self, *args: Any) -> Games:
        robot, exchange_every, strategies = self._race
        if robot == ALL:
            if exchange_every or strategies != "random":
                raise GridproofError(
                    "with robot='all' there is no race: leave out strategies and exchange_every"
                )
            return JointGames(*args)
        games = RaceGames if strategies == "random" else StrategyGames
        return games(*self._race, *args)

    def _observer(self, kind: str, with_mask: bool) -> Observer:
        games: Games = self.games  # type: ignore[attr-defined]  # of the environment
        robot = self._race[0]
        return (
            RaceObserver(games, robot, kind, with_mask)
            if isinstance(robot, int)
            else Observer(games, kind, with_mask)
        )


class RobotsEnv(_RaceEnv, GridEnv):
    """One robot against others: a `GridEnv` whose mask is the list of the robot's rule (R31).

    Parameters
    ----------
    observation : str
        Also "board", the full board as `encode_board` gives it: more than the rules let a robot know, and slower.
    robot : int or "all"
        Place of the agent's robot in the level; the others follow, one after the other. With "all" the agent sends the
        requests of all robots, in any order, as in graded tasks: an action is 7 times the place of the robot plus the
        number of the request, the mask has the requests that succeed, and "symbols" is the full board as the first
        robot sees it (`encode_board`). These games are stepped by the rules, slower.
    exchange_every : int
        Number of all robots' requests after which tiles are exchanged; 0 for never (R23).
    strategies : str or mapping
        Strategies of the others: "random", compiled; "hints", "planner", "b=hints,c=planner", or by robot a name or
        a strategy of your own (R30), all much slower.
    """


class RobotsVectorEnv(_RaceEnv, GridVectorEnv):
    """Many of `RobotsEnv` at once, a `GridVectorEnv`."""
