"""Strategies of robots (R30): random, hint follower, planner; your own is a class with `ask` (knowledge.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.rng import Rng
from gridproof.games.robots.race.follower import HintFollower
from gridproof.games.robots.race.knowledge import Knowledge, Strategy, pass_turn
from gridproof.games.robots.requests import Action, Request, Rotate, Walk
from gridproof.games.robots.rules import Position
from gridproof.search.solve import solve


class RandomStrategy:
    """Strategy that sends random requests that its rule lists (R25).

    Parameters
    ----------
    seed : int
        Seed of all choices.
    """

    def __init__(self, seed: int = 0) -> None:
        self._rng = Rng(seed)

    def ask(self, knowledge: Knowledge) -> Request:
        """Return one of the listed requests, each as likely."""
        return self._rng.choice(knowledge.requests)


OWN_PLAN_LIMIT = Limit(states=2500)
"""Limit of a planner's own plan: as many positions as the rules search without a kernel."""
JOINT_PLAN_LIMIT = Limit(states=10_000)
"""Limit of a planner's plan of all robots."""


class Planner:
    """Strategy that sees the board, and goes home by the fewest requests as if the others stood still.

    If that is impossible, it plays for the quickest end of the race as if all robots did, and passes its turn
    if another has to move: planners that agree bring one of them home. Without such a plan it sends any request
    that succeeds.

    Parameters
    ----------
    seed : int
        Seed of choices without a plan.
    """

    def __init__(self, seed: int = 0) -> None:
        self._rng = Rng(seed)
        self._position: Position | None = None
        self._plan: dict[Position, Action] = {}
        self._patience = 1
        self._waiting = 0

    def see(self, position: Position) -> None:
        """Take the present position."""
        self._position = position

    def ask(self, knowledge: Knowledge) -> Request:
        """Return the first request of a plan."""
        position, robot = self._position, knowledge.robot
        if position is None:
            raise GridproofError("a planner must see the position before it is asked")
        action = self._plan_alone(position, robot) or self._plan_together(position)
        if action is None:
            possible = position.actions(robot)
            action = self._rng.choice(possible) if possible else None
        return action if isinstance(action, Walk | Rotate) and action.robot == robot else pass_turn(robot)

    def _plan_alone(self, position: Position, robot: str) -> Action | None:
        """Return the first action of the shortest solution while no other robot moves."""
        trace = solve(position, goal=f"won({robot})", actors=(robot,), limit=OWN_PLAN_LIMIT).trace
        return None if trace is None else cast("Action", trace.actions[0])

    def _plan_together(self, position: Position) -> Action | None:
        """Return the next action in a plan of all robots.

        If others leave the plan, it makes a new one, each time after waiting twice as long.
        """
        self._waiting -= 1
        if position not in self._plan and self._waiting < 0:
            self._waiting, self._patience = self._patience, 2 * self._patience
            trace = solve(position, limit=JOINT_PLAN_LIMIT).trace
            if trace is not None:
                steps = zip(trace.positions(), trace.actions, strict=False)
                self._plan = cast("dict[Position, Action]", dict(steps))
        return self._plan.get(position)


STRATEGIES: Mapping[str, Callable[[int], Strategy]] = {
    "hints": HintFollower,
    "planner": Planner,
    "random": RandomStrategy,
}
"""Makers of a strategy from a seed, by name."""


def make_strategy(name: str, seed: int = 0) -> Strategy:
    """Make a strategy by its name.

    Raises
    ------
    GridproofError
        When there is none of that name.
    """
    if name not in STRATEGIES:
        raise GridproofError(f"no strategy {name!r}; choose from {', '.join(STRATEGIES)}")
    return STRATEGIES[name](seed)
