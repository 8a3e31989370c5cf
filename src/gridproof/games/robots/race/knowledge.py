"""Knowledge of robots, and protocols of strategies (R30).

A strategy of one's own is a class with a method `ask`:

    class Ahead:
        def ask(self, knowledge):
            return Walk(knowledge.robot, 1, 0)

It is asked again and again, with its robot's present knowledge. One with a method `see` as well gets the
position before it is asked: it plays with the board in view.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from gridproof.games.robots.hints import Hint, News, update_hints
from gridproof.games.robots.requests import Request, Response, Robot, Rule, Walk

if TYPE_CHECKING:
    from gridproof.games.robots.rules import Position


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All knowledge of a robot: neither the board nor its own cell (R19)."""

    robot: str
    """Name of the robot."""
    rule: Rule
    hints: frozenset[Hint] = frozenset()
    """Hints that it has not forgotten (R13, R18)."""
    last_request: Request | None = None
    """Last request; None before the first."""
    answer: Response | None = None
    """Answer to the last request."""
    news: tuple[News, ...] = ()
    """News since that request, in order: hints, and auto movement by its response."""

    @property
    def requests(self) -> tuple[Request, ...]:
        """Requests that its rule lists, walks first (R10, R11)."""
        return Robot(self.robot, self.rule).requests

    def with_request(self, request: Request) -> Knowledge:
        """Return the knowledge after a request, before its answer."""
        return replace(self, last_request=request, answer=None, news=())

    def with_news(self, news: News) -> Knowledge:
        """Return the knowledge after news."""
        return replace(self, hints=update_hints(self.hints, news), news=(*self.news, news))

    def with_answer(self, response: Response) -> Knowledge:
        """Return the knowledge after an answer."""
        return replace(self, answer=response)


class Strategy(Protocol):
    """Strategy of a robot (R30)."""

    def ask(self, knowledge: Knowledge) -> Request:
        """Return the next request; one that fails passes the turn (R25)."""


@runtime_checkable
class BoardStrategy(Protocol):
    """Additional protocol of a strategy that plays with the board in view."""

    def see(self, position: Position) -> None:
        """Take the position before the next request."""


def ask_strategy(strategy: Strategy, knowledge: Knowledge, position: Position) -> Request:
    """Return the next request of a strategy; only a `BoardStrategy` gets the position."""
    if isinstance(strategy, BoardStrategy):
        strategy.see(position)
    return strategy.ask(knowledge)


def pass_turn(robot: str) -> Walk:
    """Return a request that no rule lists, so that it fails and changes nothing (R12, R25)."""
    return Walk(robot, 0, 0)
