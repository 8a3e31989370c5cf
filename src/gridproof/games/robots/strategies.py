"""Strategies of robots (R30): random, hint follower, planner; one's own is a class with `ask` (knowledge.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.rng import Rng
from gridproof.games.robots.follower import HintFollower
from gridproof.games.robots.knowledge import Knowledge, Seeing, Strategy, request_of, turn_passed
from gridproof.games.robots.requests import Request
from gridproof.games.robots.rules import Position
from gridproof.search.solve import solve

__all__ = [
    "STRATEGIES",
    "HintFollower",
    "Knowledge",
    "Planner",
    "RandomStrategy",
    "Seeing",
    "Strategy",
    "request_of",
    "strategy_named",
    "turn_passed",
]


class RandomStrategy:
    """Asks for anything that its rule lists (R25).

    Parameters
    ----------
    seed : int
        The same choices again.
    """

    def __init__(self, seed: int = 0) -> None:
        self._rng = Rng(seed)

    def ask(self, knowledge: Knowledge) -> Request:
        """One of the listed requests, each as likely."""
        return self._rng.choice(knowledge.requests)


class Planner:
    """Sees the board, and goes home by the fewest requests as though the others stood still.

    Where that is impossible it does anything that succeeds: the others may have to make way.

    Parameters
    ----------
    seed : int
        Decides what is done where there is no plan.
    limit : Limit
        For one search.
    """

    def __init__(self, seed: int = 0, limit: Limit | None = None) -> None:
        self._rng = Rng(seed)
        self._limit = limit or Limit(states=4000)
        self._position: Position | None = None

    def see(self, position: Position) -> None:
        """The board as it stands."""
        self._position = position

    def ask(self, knowledge: Knowledge) -> Request:
        """The first request of a plan."""
        if self._position is None:
            raise GridproofError("a planner must see the position before it is asked")
        robot = knowledge.robot
        plan = solve(self._position, goal=f"won({robot})", actors=(robot,), limit=self._limit).trace
        possible = self._position.actions(robot) if plan is None else plan.actions[:1]
        # a robot's actions are requests
        return cast("Request", self._rng.choice(possible)) if possible else turn_passed(robot)


STRATEGIES: Mapping[str, Callable[[int], Strategy]] = {
    "hints": HintFollower,
    "planner": Planner,
    "random": RandomStrategy,
}
"""By name: what makes one from a seed."""


def strategy_named(name: str, seed: int = 0) -> Strategy:
    """A new strategy by its name.

    Raises
    ------
    GridproofError
        When there is none of that name.
    """
    if name not in STRATEGIES:
        raise GridproofError(f"no strategy {name!r}: there are {', '.join(STRATEGIES)}")
    return STRATEGIES[name](seed)
