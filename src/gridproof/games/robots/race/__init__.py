"""Races: robots that ask one after the other for moves, each by its strategy, until one is home.

    race = Race(level, {"a": "planner", "b": "hints"}, exchange_every=20, seed=3)
    race.run()
    race.winners, race.requests, race.trace(), race.knowledge["b"].hints

Requests are served one at a time, in an order that a scheduler gives, or the caller: any order is a
legal game (R25).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from gridproof.core import position as core
from gridproof.core.errors import GridproofError
from gridproof.core.position import NATURE, Outcome
from gridproof.core.rng import Rng, check_seed, derive
from gridproof.core.trace import Step, Trace
from gridproof.core.wording import counted
from gridproof.games.robots.hints import told
from gridproof.games.robots.race.knowledge import Knowledge, Strategy, request_of
from gridproof.games.robots.race.partner import PARTNERS as PARTNERS  # found here by `Game.shows`
from gridproof.games.robots.race.strategies import strategy_named
from gridproof.games.robots.requests import EXCHANGE, Action, Request, Response
from gridproof.games.robots.rules import Position

Names: TypeAlias = tuple[str, ...]
Moved: TypeAlias = tuple[Action, Outcome[Position]]

MAX_REQUESTS = 1000


def round_robin(names: Names, seed: int = 0) -> Iterator[str]:
    """The robots in their order, again and again; the seed decides nothing (R25)."""
    while True:
        yield from names


def random_order(names: Names, seed: int = 0) -> Iterator[str]:
    """Any robot, each as likely (R25)."""
    rng = Rng(seed)
    while True:
        yield rng.choice(names)


SCHEDULERS: Mapping[str, Callable[[Names, int], Iterator[str]]] = {
    "round-robin": round_robin,
    "random": random_order,
}
"""By name: what makes an order of robots from their names and a seed."""


class Race:
    """A race being run; mutable.

    Parameters
    ----------
    start : Level or Position
        Where it begins.
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
        self.start = _position(start)
        self.level = self.start.level
        self.seed = check_seed(seed)
        self.exchange_every = _at_least_0("exchange_every", exchange_every)
        self.max_requests = _at_least_0("max_requests", max_requests)
        self.strategies = self._strategies(strategies)
        self.requests = 0
        """How many have been served, failed ones among them."""
        self.knowledge = {robot.name: Knowledge(robot.name, robot.rule) for robot in self.level.robots}
        """What each robot knows now."""
        self.diaries: dict[str, list[Knowledge]] = {name: [] for name in self.level.names}
        """What each robot knew whenever it was asked, the oldest first."""
        self._order = self._scheduled(scheduler)
        self._moved: list[Moved] = []

    # -- what can be seen

    @property
    def position(self) -> Position:
        """The position now."""
        return self._moved[-1][1].position if self._moved else self.start

    @property
    def outcomes(self) -> tuple[Outcome[Position], ...]:
        """What came of the successful requests and exchanges."""
        return tuple(outcome for _, outcome in self._moved)

    @property
    def winners(self) -> tuple[str, ...]:
        """The robots that are home: belts may have carried several there (R20)."""
        return self.position.winners

    @property
    def truncated(self) -> bool:
        """Whether it has been broken off, nobody being home."""
        return not self.winners and self.requests >= self.max_requests

    @property
    def over(self) -> bool:
        """Whether nothing more is served: some robot is home (R26), or it has been broken off."""
        return bool(self.winners) or self.truncated

    def trace(self) -> Trace:
        """The successful requests and exchanges, which can be replayed; failed ones leave no trace (R25)."""
        steps = tuple(Step(action, outcome.label) for action, outcome in self._moved)
        return Trace(self.start, steps, seed=self.seed)

    def report(self) -> dict[str, Any]:
        """What there is to tell at any time, as JSON has it."""
        return {
            "winners": list(self.winners),
            "truncated": self.truncated,
            "requests": self.requests,
            "actors": {name: self._facts(name) for name in self.level.names},
        }

    def _facts(self, name: str) -> dict[str, Any]:
        return {
            "strategy": type(self.strategies[name]).__name__,
            "requests": len(self.diaries[name]),
            "failed": sum(known.answer is Response.FAILED for known in self.diaries[name]),
            "hints": sorted(map(str, self.knowledge[name].hints)),
        }

    # -- what can be done

    def run(self) -> Race:
        """Go on until it is over, or the scheduler has no more robots."""
        for _ in self.steps():
            pass
        return self

    def steps(self) -> Iterator[Moved]:
        """Go on, and give each successful request and each exchange with its outcome."""
        shown = len(self._moved)
        while not self.over and (robot := next(self._order, None)) is not None:
            self.serve(robot)
            yield from self._moved[shown:]
            shown = len(self._moved)

    def serve(self, robot: str, request: Request | None = None) -> Response:
        """Serve one robot, and then the clock of exchanges (R23).

        Parameters
        ----------
        request : Walk or Rotate, optional
            What the robot asks for; by default its strategy says it.

        Raises
        ------
        GridproofError
            When the race is over, there is no such robot, or the request is not its own.
        """
        self._check_going()
        name = self.level.robots[self.level.number(robot)].name
        knowledge = self.knowledge[name]
        if request is None:
            request = request_of(self.strategies[name], knowledge, self.position)
        response = self._answer(name, request)
        self.diaries[name].append(knowledge)
        self.requests += 1
        if self.exchange_every and self.requests % self.exchange_every == 0 and not self.winners:
            self._exchange()
        return response

    def exchange(self) -> Response:
        """Two tiles are exchanged (R21); FAILED when no two can be.

        Raises
        ------
        GridproofError
            When the race is over.
        """
        self._check_going()
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
        self.knowledge[name] = self.knowledge[name].asking(request)
        if response is not Response.FAILED:
            self._do(request)
        self.knowledge[name] = self.knowledge[name].answered(response)
        return response

    def _do(self, action: Action) -> None:
        outcome = self.position.step(action, Rng(self.seed, len(self._moved) + 1))
        self._moved.append((action, outcome))
        for robot, news in told(outcome.events):
            self.knowledge[robot] = self.knowledge[robot].told(news)

    def _check_going(self) -> None:
        if self.over:
            after = f"it ended after {counted(self.requests, 'requests')}"
            raise GridproofError(f"the race is over: {'some robot is home' if self.winners else after}")

    # -- how it is made

    def _strategies(self, given: str | Mapping[str, str | Strategy]) -> dict[str, Strategy]:
        names = self.level.names
        chosen = dict.fromkeys(names, given) if isinstance(given, str) else {**given}
        for name in chosen:
            self.level.number(name)
        return {name: self._strategy(chosen.get(name, "hints"), place) for place, name in enumerate(names)}

    def _strategy(self, chosen: str | Strategy, place: int) -> Strategy:
        own = derive(derive(self.seed, 1), place)
        return strategy_named(chosen, own) if isinstance(chosen, str) else chosen

    def _scheduled(self, scheduler: str | Iterable[str]) -> Iterator[str]:
        if not isinstance(scheduler, str):
            return iter(scheduler)
        if scheduler not in SCHEDULERS:
            raise GridproofError(f"no scheduler {scheduler!r}: there are {', '.join(SCHEDULERS)}")
        return SCHEDULERS[scheduler](self.level.names, derive(self.seed, 2))


def _position(start: core.Level | core.Position[Any]) -> Position:
    position = start.start() if isinstance(start, core.Level) else start
    if not isinstance(position, Position):
        raise GridproofError(f"a race needs a level or a position of robots, not {type(start).__name__}")
    return position


def _at_least_0(name: str, number: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise GridproofError(f"{name} {number!r}: it must be a whole number, 0 or more")
    return number


def _all(strategy: str) -> Callable[[core.Level, int], Iterator[Moved]]:
    return lambda level, seed: Race(level, strategy, seed=seed).steps()


SHOWS = {"hints": _all("hints"), "planner": _all("planner"), "random": _all("random")}
"""Races that can be watched: all robots by one strategy."""


def watch(
    level: core.Level,
    seed: int,
    strategies: str = "hints",
    scheduler: str = "round-robin",
    exchange_every: int = 0,
    max_requests: int = MAX_REQUESTS,
) -> Race:
    """A race to be watched.

    Parameters
    ----------
    strategies : A=NAME,...
        Who plays how in a race; or one NAME for all.
    scheduler : NAME
        Whose turn it is: round-robin or random.
    exchange_every : K
        Tiles are exchanged after so many requests.
    max_requests : M
        A race ends after so many requests.
    """
    return Race(level, strategies_in(strategies), scheduler, exchange_every, seed, max_requests)


def strategies_in(text: str) -> str | dict[str, str]:
    """One strategy for all, or by robot: "planner", "a=planner,b=hints".

    Raises
    ------
    GridproofError
        When the text is neither, or names a robot twice.
    """
    if "=" not in text:
        return text.strip()
    chosen: dict[str, str] = {}
    for part in text.split(","):
        robot, mark, strategy = (piece.strip() for piece in part.partition("="))
        if not (robot and mark and strategy):
            raise GridproofError(f"strategies {text!r}: it is written a=planner,b=hints")
        if robot in chosen:
            raise GridproofError(f"strategies {text!r}: {robot} is named twice")
        chosen[robot] = strategy
    return chosen
