"""Strategies of robots (R30): random, hint follower, planner; one's own is a class with `ask` (knowledge.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.rng import Rng
from gridproof.games.robots.race.follower import HintFollower
from gridproof.games.robots.race.knowledge import Knowledge, Seeing, Strategy, request_of, turn_passed
from gridproof.games.robots.requests import Action, Request, Rotate, Walk
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


ALONE = Limit(states=2500)
"""What a planner looks at for a plan of its own: as many positions as the rules search without a kernel."""
TOGETHER = Limit(states=10_000)
"""What it looks at for a plan of all robots."""


class Planner:
    """Sees the board, and goes home by the fewest requests, assuming that the others stand still.

    Where that is impossible, it plays for the quickest end of the race, assuming that all robots do, and
    passes its turn when it is another's: planners that agree bring one of them home. Where there is no
    such plan either, it does anything that succeeds.

    Parameters
    ----------
    seed : int
        Decides what is done without a plan.
    """

    def __init__(self, seed: int = 0) -> None:
        self._rng = Rng(seed)
        self._position: Position | None = None
        self._plan: dict[Position, Action] = {}
        self._patience = 1
        self._waiting = 0

    def see(self, position: Position) -> None:
        """The board as it stands."""
        self._position = position

    def ask(self, knowledge: Knowledge) -> Request:
        """The first request of a plan."""
        position, robot = self._position, knowledge.robot
        if position is None:
            raise GridproofError("a planner must see the position before it is asked")
        action = self._alone(position, robot) or self._together(position)
        if action is None:
            possible = position.actions(robot)
            action = self._rng.choice(possible) if possible else None
        return action if isinstance(action, Walk | Rotate) and action.robot == robot else turn_passed(robot)

    def _alone(self, position: Position, robot: str) -> Action | None:
        """The first action of the shortest way home while nobody else moves."""
        trace = solve(position, goal=f"won({robot})", actors=(robot,), limit=ALONE).trace
        return None if trace is None else cast("Action", trace.actions[0])

    def _together(self, position: Position) -> Action | None:
        """What comes next in a plan of all robots.

        When others leave the plan it makes a new one, each time after waiting twice as long.
        """
        self._waiting -= 1
        if position not in self._plan and self._waiting < 0:
            self._waiting, self._patience = self._patience, 2 * self._patience
            trace = solve(position, limit=TOGETHER).trace
            if trace is not None:
                steps = zip(trace.positions(), trace.actions, strict=False)
                self._plan = cast("dict[Position, Action]", dict(steps))
        return self._plan.get(position)


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
