"""Agents of Robots: demos, co-players and a heuristic."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from gridproof.core import position as core
from gridproof.core.errors import GridproofError
from gridproof.core.position import Outcome
from gridproof.games.robots.dialogue import describe_pass
from gridproof.games.robots.hints import iterate_news
from gridproof.games.robots.race import Move, Race
from gridproof.games.robots.race.knowledge import Knowledge, Strategy, ask_strategy
from gridproof.games.robots.race.strategies import STRATEGIES
from gridproof.games.robots.requests import Request, Response
from gridproof.games.robots.rules import Level, Position


class Partner:
    """Co-player that asks its strategy, and keeps its robot's knowledge (R30)."""

    def __init__(self, level: Level, robot: str, strategy: Strategy) -> None:
        self._strategy = strategy
        self._knowledge = Knowledge(robot, level.robots[level.number(robot)].rule)
        self._response: Response | None = None
        self.pass_words = ""
        """Why it has passed its turn."""

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
        if self._response is not Response.FAILED:
            return request
        self.pass_words = describe_pass(position, request)
        return None


def _make_demo(strategy: str, level: core.Level, seed: int) -> Iterator[Move]:
    return Race(level, strategy, seed=seed).steps()


def _make_co_player(make: Callable[[int], Strategy], level: core.Level, robot: str, seed: int) -> Partner:
    if not isinstance(level, Level):
        raise GridproofError(f"a level of robots is needed, not {type(level).__name__}")
    return Partner(level, robot, make(seed))


class RobotsAgents:
    """Parts of `gridproof.agents.extension`."""

    demos: Mapping[str, Callable[[core.Level, int], Iterator[Move]]] = {
        name: partial(_make_demo, name) for name in ("hints", "planner", "random")
    }
    """Races in which all robots play by one strategy."""
    co_players: Mapping[str, Callable[[core.Level, str, int], Partner]] = {
        name: partial(_make_co_player, make) for name, make in STRATEGIES.items()
    }
    """Makers of co-players, by strategy."""
    meanings: Mapping[str, str] = {
        "hints": "a blind program (weak)",
        "planner": "a program that sees all (strong)",
        "random": "a random player (weakest)",
    }

    def heuristic(self, position: Position) -> float:
        """Return minus the least Manhattan distance of a robot from its home."""
        cell = position.level.grid.cell
        pairs = zip(position.cells, position.level.homes, strict=True)
        ends = ((cell(here), cell(home)) for here, home in pairs)
        return -float(min(abs(x - u) + abs(y - v) for (x, y), (u, v) in ends))


AGENTS = RobotsAgents()
