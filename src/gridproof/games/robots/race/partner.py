"""Co-player: a robot that plays by a strategy in a game that others play by hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gridproof.core.position import Outcome
from gridproof.games.robots.hints import iterate_news
from gridproof.games.robots.race.knowledge import Knowledge, Strategy, ask_strategy
from gridproof.games.robots.requests import Request, Response
from gridproof.games.robots.rules import Level, Position


class Partner:
    """Co-player that asks its strategy, and keeps its robot's knowledge (R30).

    Parameters
    ----------
    level : Level
    robot : str
    strategy : Strategy
    """

    def __init__(self, level: Level, robot: str, strategy: Strategy) -> None:
        self._strategy = strategy
        self._knowledge = Knowledge(robot, level.robots[level.number(robot)].rule)
        self._response: Response | None = None

    def act(self, position: Position, done: Iterable[Outcome[Any]]) -> Request | None:
        """Return the next request; None if that fails and so passes the turn (R25).

        Parameters
        ----------
        done : outcomes
            Outcomes of all actions since its last turn.
        """
        for outcome in done:
            for robot, news in iterate_news(outcome.events):
                if robot == self._knowledge.robot:
                    self._knowledge = self._knowledge.with_news(news)
        if self._response is not None:
            self._knowledge = self._knowledge.with_answer(self._response)
        request = ask_strategy(self._strategy, self._knowledge, position)
        self._response = position.respond(request)
        self._knowledge = self._knowledge.with_request(request)
        return None if self._response is Response.FAILED else request
