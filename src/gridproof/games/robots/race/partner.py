"""A robot that plays by a strategy in a game that others play by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from gridproof.core import position as core
from gridproof.core.errors import GridproofError
from gridproof.core.position import Outcome
from gridproof.games.robots.hints import told
from gridproof.games.robots.level import Level
from gridproof.games.robots.race.knowledge import Knowledge, Strategy, request_of
from gridproof.games.robots.race.strategies import STRATEGIES
from gridproof.games.robots.requests import Request, Response
from gridproof.games.robots.rules import Position


class Partner:
    """Asks as its strategy says, by what its robot has been told (R30).

    Parameters
    ----------
    level : Level
    robot : str
    strategy : Strategy
    """

    def __init__(self, level: Level, robot: str, strategy: Strategy) -> None:
        self._strategy = strategy
        self._known = Knowledge(robot, level.robots[level.number(robot)].rule)
        self._response: Response | None = None

    def act(self, position: Position, done: Iterable[Outcome[Any]]) -> Request | None:
        """Its next request; None where that fails, so that its turn is passed (R25).

        Parameters
        ----------
        done : outcomes
            What has been done since it was asked last, by whomever.
        """
        for outcome in done:
            for robot, news in told(outcome.events):
                if robot == self._known.robot:
                    self._known = self._known.told(news)
        if self._response is not None:
            self._known = self._known.answered(self._response)
        request = request_of(self._strategy, self._known, position)
        self._response = position.respond(request)
        self._known = self._known.asking(request)
        return None if self._response is Response.FAILED else request


def _partner(make: Callable[[int], Strategy]) -> Callable[[core.Level, str, int], Partner]:
    def partner(level: core.Level, robot: str, seed: int) -> Partner:
        if not isinstance(level, Level):
            raise GridproofError(f"a level of robots is needed, not {type(level).__name__}")
        return Partner(level, robot, make(seed))

    return partner


PARTNERS: Mapping[str, Callable[[core.Level, str, int], Partner]] = {
    name: _partner(make) for name, make in STRATEGIES.items()
}
"""By the names of their strategies."""
