"""One robot against others: its request, then one of each other robot, in their order (R25).

Against random requests, the same as those of `RandomStrategy`, it is compiled. Against strategies in Python (R30), the
rules run a race beside each game: slower, and the same in all else. An episode is the same as a `Race` with its seed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.position import Position
from gridproof.core.text.phrases import short_repr
from gridproof.core.trace import Trace
from gridproof.envs import step_kernel
from gridproof.envs.game_batch import Array, Games
from gridproof.envs.rewards import Reward
from gridproof.envs.rules_batch import PythonGames
from gridproof.envs.step_kernel import DONE, ELAPSED, EVERY, LEVEL, MIXED, PLAYER, SEED
from gridproof.games.robots.env.observation import encode_knowledge
from gridproof.games.robots.kernel import KERNEL, robot_of
from gridproof.games.robots.kernel.play import ANSWER, ASKED, NOTICES, WIN_NOTICES
from gridproof.games.robots.kernel.steps import ACTIONS, ROBOTS, has_rule_b, home_of
from gridproof.games.robots.race import Race, check_count, parse_strategies
from gridproof.games.robots.race.knowledge import Knowledge
from gridproof.kernels.chance import derive_mixed, derive_stream
from gridproof.kernels.compile import borrowing, inlined
from gridproof.kernels.game import LOST, PLAYING, REFUSED, WON
from gridproof.kernels.states import mix

U = np.uint64
_GOLDEN = U(0x9E37_79B9_7F4A_7C15)
_CELL = 0x3FFF
_step, _observe = KERNEL.step, KERNEL.env.observe


@borrowing
def count_requests(data: Any, robot: Any) -> Any:
    """Return the number of requests that a robot's rule lists (R10, R11)."""
    return 7 if has_rule_b(data, robot) else 4


@borrowing
def first_request(data: Any, robot: Any) -> Any:
    """Return the number of a robot's first request among all."""
    first = 0
    for before in range(robot):
        first += count_requests(data, before)
    return first


@borrowing
def draw_request(data: Any, robot: Any, turn: Any, seed: Any) -> Any:
    """Draw a robot's request in its turn of that number, from 1, as `Rng.choice` does."""
    own = derive_stream(derive_stream(derive_stream(seed, 1), robot), 0)
    return np.int64(mix(own + U(turn) * _GOLDEN) % U(count_requests(data, robot)))


@inlined
def serve_request(turn: Any, number: Any) -> Any:
    """Serve a request or an exchange by its number, and return the status."""
    random, out, play = turn.scratch.random, turn.scratch.words, turn.play
    random[0] = derive_mixed(turn.chance[MIXED], turn.game[DONE] + 1)
    _, status, event = _step(turn.data, play, number, random, out[: U(play.shape[0])])
    for word in range(U(play.shape[0])):
        play[word] = out[word]
    turn.game[DONE] += event != REFUSED
    return status


@borrowing
def take_race_turn(turn: Any) -> Any:
    """Serve the robot and then the others until one is home; return the same as `step_kernel.take_turn`."""
    data, game, number = turn.data, turn.game, turn.action
    own, every, robots = turn.settings[PLAYER], turn.settings[EVERY], data[ROBOTS]
    illegal = number < 0 or number >= count_requests(data, own)
    status = PLAYING
    for place in range(robots):
        robot = (own + place) % robots
        request = number if place == 0 else draw_request(data, robot, game[ELAPSED] + 1, turn.chance[SEED])
        if place or not illegal:
            status = serve_request(turn, first_request(data, robot) + request)
        requests = game[ELAPSED] * robots + place + 1
        if every and status != WON and requests % every == 0:
            status = serve_request(turn, data[ACTIONS])
        if status == WON:
            break
    if status == WON and robot_of(data, turn.play, own) & _CELL != home_of(data, own):
        status = LOST
    _observe(data, turn.play, own, turn.observation)
    return 0, status, illegal


@borrowing
def rule_mask(data: Any, play: Any, player: Any, out: Any) -> None:
    """Mark the requests of the robot's rule, whether or not they succeed: that would give the board away (R31)."""
    for number in range(out.shape[0]):
        out[number] = number < count_requests(data, player)


class RaceGames(Games):
    """Games of one robot, `player` by its place in the level, against others that send random requests.

    Parameters
    ----------
    player : int
    exchange_every : int
        Number of all robots' requests after which tiles are exchanged; 0 for never (R23).
    strategies : "random"
        Strategy of the others.
    """

    def __init__(self, player: int, exchange_every: int, strategies: Any, *given: Any) -> None:
        self._player, self._strategies = player, strategies
        super().__init__(*given)
        self._settings[EVERY] = check_count("exchange_every", exchange_every)
        self._settings[step_kernel.AT_WIN] = 1

    def _actions(self) -> tuple[str, ...]:
        levels: list[Any] = self.levels
        robots = min(len(level.robots) for level in levels)
        if not isinstance(self._player, int) or not 0 <= self._player < robots:
            raise GridproofError(
                f"there is no robot {short_repr(self._player)}: they are numbered from 0 in each level"
            )
        requests = max((level.robots[self._player].requests for level in levels), key=len)
        return tuple(str(request).partition(":")[2] for request in requests)

    def trace(self, level: int, seed: int, actions: Iterable[int]) -> Trace:
        """Return the trace of a race that the rules run again, with all requests of the others."""
        race = self._race(level, seed)
        for number in actions:
            if not race.over:
                self._serve(race, number)
        return race.trace()

    def _race(self, level: int, seed: int, start: Position[Any] | None = None) -> Race:
        """Return the race of the rules for an episode, from its level or a position."""
        every, strategies = int(self._settings[EVERY]), self._strategies
        if isinstance(strategies, str):
            strategies = parse_strategies(strategies)
        if not isinstance(strategies, str | Mapping):
            raise GridproofError(
                f"strategies must be a name, or a mapping from robots to names, not {short_repr(strategies)}"
            )
        origin: Any = start or self.levels[level]
        return Race(origin, strategies, (), every, seed, max_requests=sys.maxsize)

    def _names(self, level: Any) -> tuple[str, ...]:
        """Return the robots in their order of service."""
        return (*level.names[self._player :], *level.names[: self._player])

    def _serve(self, race: Race, number: int) -> bool:
        """Serve the robot and then the others until one is home; return whether the action is illegal."""
        own, *others = self._names(race.level)
        illegal = race.serve_number(own, number)
        for name in others:
            if not race.over:
                race.serve(name)
        return illegal

    def _tables(self, reward: Reward) -> None:
        super()._tables(reward)
        self._settings[PLAYER] = self._player

    def _compile(self, reward: Reward) -> step_kernel.Compiled:
        return step_kernel.Compiled(self.kernel, None, take_race_turn, rule_mask)


class StrategyGames(PythonGames, RaceGames):
    """`RaceGames` against other strategies than random ones."""

    _STATE = ("_races",)

    def __init__(self, *given: Any) -> None:
        self._races: dict[int, Race] = {}
        super().__init__(*given)
        for level in range(len(self.levels)):
            self._race(level, 0)  # raises for wrong strategies

    def enter(self, marked: Array, chosen: Array | None = None) -> None:
        super().enter(marked, chosen)
        for number in map(int, np.flatnonzero(marked)):
            level, seed = self._games[number, LEVEL], self._chances[number, SEED]
            self._races[number] = self._race(int(level), int(seed))

    def place(self, number: int, position: Position[Any]) -> None:
        race = self._race(int(self._games[number, LEVEL]), int(self._chances[number, SEED]), position)
        self._races[number] = race
        self._write(number, race)

    def _act(self, number: int, action: int) -> tuple[bool, int, int]:
        race = self._races[number]
        illegal = self._serve(race, action)
        self._write(number, race)
        return illegal, 0, 0

    def _end_status(self, number: int) -> tuple[bool, bool]:
        race = self._races[number]
        return bool(race.winners), self._names(race.level)[0] in race.winners

    def _write(self, number: int, race: Race) -> None:
        packing = self.packings[int(self._games[number, LEVEL])]
        words = [pack_knowledge(race.knowledge[name]) for name in race.level.names]
        self.plays[number, : packing.words] = packing.pack(race.position)
        self.plays[number, packing.words : packing.words + packing.memory] = words


def pack_knowledge(knowledge: Knowledge) -> int:
    """Return the word of a robot's knowledge for the kernel."""
    _, *hints, request, answer, notices, wins = map(int, encode_knowledge(knowledge))
    word = sum(bit << place for place, bit in enumerate(hints))
    return (
        word
        | request << int(ASKED)
        | answer << int(ANSWER)
        | notices << int(NOTICES)
        | wins << int(WIN_NOTICES)
    )
