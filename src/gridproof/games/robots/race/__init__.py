"""Races: robots send requests in turn, each by its strategy, until one is home.

    race = Race(level, {"a": "planner", "b": "hints"}, exchange_every=20, seed=3)
    race.run()
    race.winners, race.requests, race.trace(), race.knowledge["b"].hints

Requests are served one at a time, in the order of a scheduler or of the caller: any order is a legal
game (R25).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from gridproof.core import position as core
from gridproof.core.errors import GridproofError
from gridproof.core.position import NATURE, Outcome
from gridproof.core.rng import Rng, check_seed, derive
from gridproof.core.text.phrases import format_count, short_repr
from gridproof.core.trace import Step, Trace
from gridproof.games.robots.dialogue import describe_pass
from gridproof.games.robots.hints import iterate_news
from gridproof.games.robots.race.knowledge import Knowledge, Strategy, ask_strategy, pass_turn
from gridproof.games.robots.race.strategies import make_strategy
from gridproof.games.robots.requests import EXCHANGE, Action, Request, Response
from gridproof.games.robots.rules import Position, to_position

Names: TypeAlias = tuple[str, ...]
Move: TypeAlias = tuple[Action, Outcome[Position]]

MAX_REQUESTS = 1000


def round_robin(names: Names, seed: int = 0) -> Iterator[str]:
    """Return the robots in their order, again and again, for any seed (R25)."""
    return itertools.cycle(names)


def random_order(names: Names, seed: int = 0) -> Iterator[str]:
    """Yield random robots, each as likely (R25)."""
    rng = Rng(seed)
    while True:
        yield rng.choice(names)


SCHEDULERS: Mapping[str, Callable[[Names, int], Iterator[str]]] = {
    "round-robin": round_robin,
    "random": random_order,
}
"""Makers of an order of robots from their names and a seed, by name."""


class Race:
    """Mutable race.

    Parameters
    ----------
    start : Level or Position
        Its start.
    strategies : str, Strategy names or Strategies by robot
        One name for all robots, or for each robot a name or a strategy of one's own; those left out
        follow hints (R30).
    scheduler : str or iterable of str
        "round-robin", "random", or names of robots in the order in which they are served; when that is
        at its end, `steps` and `run` are, and may be gone on with by `serve` (R25).
    exchange_every : int
        An exchange comes after so many requests, failed ones among them; 0 for never (R23).
    seed : int
        Decides all chance, as in a session with this seed, the random scheduler and the strategies.
    max_requests : int
        The race is broken off after so many; failed ones count (R25).

    Raises
    ------
    GridproofError
        For a robot, a strategy or a scheduler that there is not, and for numbers below 0.
    """

    def __init__(
        self,
        start: core.Level | core.Position[Any],
        strategies: str | Mapping[str, str | Strategy] = "hints",
        scheduler: str | Iterable[str] = "round-robin",
        exchange_every: int = 0,
        seed: int = 0,
        max_requests: int = MAX_REQUESTS,
    ) -> None:
        self.start = to_position(start, "a race")
        self.level = self.start.level
        self.seed = check_seed(seed)
        self.exchange_every = check_count("exchange_every", exchange_every)
        self.max_requests = check_count("max_requests", max_requests)
        chosen = self._choose_strategies(strategies)
        self.strategies = {
            name: self._make_strategy(one, place) for place, (name, one) in enumerate(chosen.items())
        }
        self.players = {
            name: one if isinstance(one, str) else type(one).__name__ for name, one in chosen.items()
        }
        """Name of each robot's strategy."""
        self.requests = 0
        """Number of served requests, also of failed ones."""
        self.knowledge = {robot.name: Knowledge(robot.name, robot.rule) for robot in self.level.robots}
        """Present knowledge of each robot."""
        self.knowledge_history: dict[str, list[Knowledge]] = {name: [] for name in self.level.names}
        """Knowledge of each robot before each of its requests, the oldest first."""
        self._order = self._make_order(scheduler)
        self._moves: list[Move] = []
        self._passes: list[tuple[Position, Request]] = []

    # -- observation

    @property
    def position(self) -> Position:
        """Present position."""
        return self._moves[-1][1].position if self._moves else self.start

    @property
    def winners(self) -> tuple[str, ...]:
        """Robots that are home: belts may have carried several there (R20)."""
        return self.position.winners

    @property
    def truncated(self) -> bool:
        """True if it was broken off before a win."""
        return not self.winners and self.requests >= self.max_requests

    @property
    def over(self) -> bool:
        """True if some robot is home (R26), or the race was broken off."""
        return bool(self.winners) or self.truncated

    @property
    def passes(self) -> tuple[str, ...]:
        """Robots that have passed their turns since the last move, and why, in words (R25)."""
        return tuple(describe_pass(position, request) for position, request in self._passes)

    def trace(self) -> Trace:
        """Return the successful requests and exchanges, to replay; failed ones leave no trace (R25)."""
        steps = tuple(Step(action, outcome.label) for action, outcome in self._moves)
        return Trace(self.start, steps, seed=self.seed)

    def report(self) -> dict[str, Any]:
        """Return the present facts of the race for JSON."""
        return {
            "winners": list(self.winners),
            "truncated": self.truncated,
            "requests": self.requests,
            "actors": {name: self._facts(name) for name in self.level.names},
        }

    def _facts(self, name: str) -> dict[str, Any]:
        return {
            "strategy": type(self.strategies[name]).__name__,
            "requests": len(self.knowledge_history[name]),
            "failed": sum(known.answer is Response.FAILED for known in self.knowledge_history[name]),
            "hints": sorted(map(str, self.knowledge[name].hints)),
        }

    # -- actions

    def run(self) -> Race:
        """Run until the race is over, or the scheduler has no more robots."""
        for _ in self.steps():
            pass
        return self

    def steps(self) -> Iterator[Move]:
        """Run, and yield each successful request and each exchange with its outcome."""
        shown = len(self._moves)
        while not self.over and (robot := next(self._order, None)) is not None:
            self.serve(robot)
            if len(self._moves) > shown:
                yield from self._moves[shown:]
                self._passes.clear()
            shown = len(self._moves)

    def serve(self, robot: str, request: Request | None = None) -> Response:
        """Serve one robot, and then an exchange if it is due (R23).

        Parameters
        ----------
        request : Walk or Rotate, optional
            The robot's request; by default that of its strategy.

        Raises
        ------
        GridproofError
            When the race is over, there is no such robot, or the request is not its own.
        """
        self._check_not_over()
        name = self.level.robots[self.level.number(robot)].name
        knowledge = self.knowledge[name]
        if request is None:
            request = ask_strategy(self.strategies[name], knowledge, self.position)
        response = self._answer(name, request)
        self.knowledge_history[name].append(knowledge)
        self.requests += 1
        if self.exchange_every and self.requests % self.exchange_every == 0 and not self.winners:
            self._exchange()
        return response

    def serve_number(self, robot: str, number: int) -> bool:
        """Serve a robot's request by its number in the list of its rule; return whether there is none, which passes the turn."""
        requests = self.knowledge[robot].requests
        is_listed = 0 <= number < len(requests)
        self.serve(robot, requests[number] if is_listed else pass_turn(robot))
        return not is_listed

    def exchange(self) -> Response:
        """Exchange two tiles (R21); FAILED if no two can be exchanged.

        Raises
        ------
        GridproofError
            When the race is over.
        """
        self._check_not_over()
        return self._exchange()

    def _exchange(self) -> Response:
        if not self.position.actions(NATURE):
            return Response.FAILED
        self._do(EXCHANGE)
        return Response.SUCCESS

    def _answer(self, name: str, request: Request) -> Response:
        response = self.position.respond(request)
        if request.robot != name:
            raise GridproofError(f"{name} is served, and has asked for {request}")
        self.knowledge[name] = self.knowledge[name].with_request(request)
        if response is not Response.FAILED:
            self._do(request)
        else:
            self._passes.append((self.position, request))
        self.knowledge[name] = self.knowledge[name].with_answer(response)
        return response

    def _do(self, action: Action) -> None:
        outcome = self.position.step(action, Rng(self.seed, len(self._moves) + 1))
        self._moves.append((action, outcome))
        for robot, news in iterate_news(outcome.events):
            self.knowledge[robot] = self.knowledge[robot].with_news(news)

    def _check_not_over(self) -> None:
        if self.over:
            after = f"it ended after {format_count(self.requests, 'requests')}"
            raise GridproofError(f"the race is over: {'some robot is home' if self.winners else after}")

    # -- construction

    def _choose_strategies(self, strategies: str | Mapping[str, str | Strategy]) -> dict[str, str | Strategy]:
        names = self.level.names
        by_robot = dict.fromkeys(names, strategies) if isinstance(strategies, str) else strategies
        for name in by_robot:
            self.level.number(name)
        return {name: by_robot.get(name, "hints") for name in names}

    def _make_strategy(self, strategy: str | Strategy, place: int) -> Strategy:
        seed = derive(derive(self.seed, 1), place)
        if isinstance(strategy, str):
            return make_strategy(strategy, seed)
        if not callable(getattr(strategy, "ask", None)):
            raise GridproofError(
                f"a strategy is a name, or an object with a method ask(knowledge), not {short_repr(strategy)}"
            )
        return strategy

    def _make_order(self, scheduler: str | Iterable[str]) -> Iterator[str]:
        if not isinstance(scheduler, str):
            return iter(scheduler)
        if scheduler not in SCHEDULERS:
            raise GridproofError(f"no scheduler {scheduler!r}; choose from {', '.join(SCHEDULERS)}")
        return SCHEDULERS[scheduler](self.level.names, derive(self.seed, 2))


def check_count(name: str, number: int) -> int:
    """Return a number, if it is whole and at least 0; else raise GridproofError."""
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise GridproofError(f"{name} {short_repr(number)}: it must be a whole number, 0 or more")
    return number


def watch(
    level: core.Level,
    seed: int,
    strategies: str = "hints",
    scheduler: str = "round-robin",
    exchange_every: int = 0,
    max_requests: int = MAX_REQUESTS,
) -> Race:
    """Make a race to be watched.

    Parameters
    ----------
    strategies : A=NAME,...
        Strategy of each robot, or one NAME for all.
    scheduler : NAME
        Order of the robots: round-robin or random.
    exchange_every : K
        Exchange two tiles after every K requests.
    max_requests : M
        End a race after M requests.
    """
    return Race(level, parse_strategies(strategies), scheduler, exchange_every, seed, max_requests)


def parse_strategies(text: str) -> str | dict[str, str]:
    """Parse one strategy for all, or strategies by robot: "planner", "a=planner,b=hints".

    Raises
    ------
    GridproofError
        When the text is neither, or names a robot twice.
    """
    if "=" not in text:
        return text.strip()
    strategies: dict[str, str] = {}
    for part in text.split(","):
        robot, mark, strategy = (piece.strip() for piece in part.partition("="))
        if not (robot and mark and strategy):
            raise GridproofError(f"strategies {text!r}: it is written a=planner,b=hints")
        if robot in strategies:
            raise GridproofError(f"strategies {text!r}: {robot} is named twice")
        strategies[robot] = strategy
    return strategies
