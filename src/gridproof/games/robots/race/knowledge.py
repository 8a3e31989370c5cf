"""What a robot knows, and what a strategy is: R30.

A strategy of one's own is a class with a method `ask`:

    class Ahead:
        def ask(self, knowledge):
            return Walk(knowledge.robot, 1, 0)

It is asked again and again, with what its robot knows by then. One that has a method `see` as well is
shown the position before it is asked: it plays with the board in view.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from gridproof.games.robots.hints import Hint, News, still_known
from gridproof.games.robots.requests import Request, Response, Rotate, Rule, Walk

if TYPE_CHECKING:
    from gridproof.games.robots.rules import Position


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All that a robot knows: neither the board nor where it is (R19)."""

    robot: str
    """Its own name."""
    rule: Rule
    hints: frozenset[Hint] = frozenset()
    """Those it has not forgotten (R13, R18)."""
    asked: Request | None = None
    """Its last request; None before the first."""
    answer: Response | None = None
    """The answer to that."""
    news: tuple[News, ...] = ()
    """What it has been told since that request was made, in order: hints, and auto movement by its answer."""

    @property
    def requests(self) -> tuple[Request, ...]:
        """The requests that its rule lists, walks first (R10, R11)."""
        walks = (Walk(self.robot, dx, dy) for dx, dy in self.rule.moves)
        return (*walks, *(Rotate(self.robot, by) for by in self.rule.rotations))

    def asking(self, request: Request) -> Knowledge:
        """What it knows while it waits for the answer."""
        return replace(self, asked=request, answer=None, news=())

    def told(self, news: News) -> Knowledge:
        """What it knows once it has been told something."""
        return replace(self, hints=still_known(self.hints, news), news=(*self.news, news))

    def answered(self, response: Response) -> Knowledge:
        """What it knows once it has been answered."""
        return replace(self, answer=response)


class Strategy(Protocol):
    """How a robot plays (R30)."""

    def ask(self, knowledge: Knowledge) -> Request:
        """Its next request; one that fails is a turn passed (R25)."""


@runtime_checkable
class Seeing(Protocol):
    """What a strategy that plays with the board in view has besides `ask`."""

    def see(self, position: Position) -> None:
        """The position in which it will be asked."""


def request_of(strategy: Strategy, knowledge: Knowledge, position: Position) -> Request:
    """What a strategy asks for; only one that is made for it sees the position."""
    if isinstance(strategy, Seeing):
        strategy.see(position)
    return strategy.ask(knowledge)


def turn_passed(robot: str) -> Walk:
    """A request that no rule lists, so that it fails and changes nothing (R12, R25)."""
    return Walk(robot, 0, 0)
