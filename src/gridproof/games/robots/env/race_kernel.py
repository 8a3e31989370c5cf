"""One robot against others, compiled: its request, then one of each other robot, in their order (R25).

The others ask at random, with the choices that `race.RandomStrategy` makes, so that an episode is what a
`Race` with its seed would be.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.core.trace import Trace
from gridproof.core.wording import shown
from gridproof.envs import stepping
from gridproof.envs.games import Games
from gridproof.envs.rewards import Reward
from gridproof.envs.stepping import DONE, ELAPSED, EVERY, MIXED, PLAYER, SEED
from gridproof.games.robots.kernel import KERNEL, robot_of
from gridproof.games.robots.kernel.packed import ACTIONS, ROBOTS, by_rule_b, home_of
from gridproof.games.robots.race import Race, strategies_in
from gridproof.games.robots.race.knowledge import turn_passed
from gridproof.kernels.chance import derived, derived_of
from gridproof.kernels.compile import borrowing, inlined
from gridproof.kernels.game import LOST, PLAYING, REFUSED, WON
from gridproof.kernels.states import mix

U = np.uint64
_GOLDEN = U(0x9E37_79B9_7F4A_7C15)
_CELL = 0x3FFF
_step, _observe = KERNEL.step, KERNEL.observe


@borrowing
def listed(data: Any, robot: Any) -> Any:
    """How many requests a robot's rule lists (R10, R11)."""
    return 7 if by_rule_b(data, robot) else 4


@borrowing
def first_of(data: Any, robot: Any) -> Any:
    """The number of a robot's first request among all."""
    first = 0
    for before in range(robot):
        first += listed(data, before)
    return first


@borrowing
def chosen(data: Any, robot: Any, turn: Any, seed: Any) -> Any:
    """What a robot asks for at random in its turn of that number, from 1 (`Rng.choice`)."""
    own = derived(derived(derived(seed, 1), robot), 0)
    return np.int64(mix(own + U(turn) * _GOLDEN) % U(listed(data, robot)))


@inlined
def served(data: Any, play: Any, number: Any, game: Any, chance: Any, random: Any, out: Any) -> Any:
    """A request, or nature's act, is served: the status after it."""
    random[0] = derived_of(chance[MIXED], game[DONE] + 1)
    _, status, event = _step(data, play, number, random, out)
    for word in range(U(play.shape[0])):
        play[word] = out[word]
    game[DONE] += event != REFUSED
    return status


@borrowing
def race_turn(
    data: Any,
    play: Any,
    number: Any,
    settings: Any,
    game: Any,
    chance: Any,
    room: Any,
    seen: Any,
    may: Any,
) -> Any:
    """The robot's request and those of the others, until one is home; as `stepping.alone`."""
    own, robots = settings[PLAYER], data[ROBOTS]
    random, out = room.random, room.words[: U(play.shape[0])]
    illegal = number < 0 or number >= listed(data, own)
    status = PLAYING
    for place in range(robots):
        robot = (own + place) % robots
        request = number if place == 0 else chosen(data, robot, game[ELAPSED] + 1, chance[SEED])
        if place or not illegal:
            status = served(data, play, first_of(data, robot) + request, game, chance, random, out)
        requests = game[ELAPSED] * robots + place + 1
        if settings[EVERY] and status != WON and requests % settings[EVERY] == 0:
            status = served(data, play, data[ACTIONS], game, chance, random, out)
        if status == WON:
            break
    if status == WON and robot_of(data, play, own) & _CELL != home_of(data, own):
        status = LOST
    _observe(data, play, own, seen)
    return 0, status, illegal


@borrowing
def rule_mask(data: Any, play: Any, player: Any, out: Any) -> None:
    """The list of the robot's rule: which of them succeed would give the board away (R31)."""
    for number in range(out.shape[0]):
        out[number] = number < listed(data, player)


class RaceGames(Games):
    """Games of one robot, `player` by its place in the level, against others that ask at random.

    Parameters
    ----------
    player : int
    exchange_every : int
        Tiles are exchanged after so many requests of all robots; 0 for never (R23).
    strategies : "random"
        How the others play.
    """

    def __init__(self, player: int, exchange_every: int, strategies: Any, *given: Any) -> None:
        self._player, self._strategies = player, strategies
        super().__init__(*given)
        if not isinstance(exchange_every, int) or exchange_every < 0:
            raise GridproofError(
                f"exchange_every {shown(exchange_every)}: it must be a whole number, 0 or more"
            )
        self._settings[EVERY], self._settings[stepping.AT_WIN] = exchange_every, 1

    def _actions(self) -> tuple[str, ...]:
        levels: list[Any] = self.levels
        if not isinstance(self._player, int) or not 0 <= self._player < min(
            len(one.robots) for one in levels
        ):
            raise GridproofError(
                f"there is no robot {shown(self._player)}: they are numbered from 0 in each level"
            )
        robots = (level.robots[self._player] for level in levels)
        robot = max(robots, key=lambda one: len(one.rule.rotations))
        walks = tuple(f"walk({dx},{dy})" for dx, dy in robot.rule.moves)
        return (*walks, *(f"rotate({by})" for by in robot.rule.rotations))

    def trace(self, level: int, seed: int, actions: Iterable[int]) -> Trace:
        """A race run again by the rules, with all that the others did."""
        race = self._race(level, seed)
        for number in actions:
            if not race.over:
                self._serve(race, number)
        return race.trace()

    def _race(self, level: int, seed: int) -> Race:
        """The race of the rules that an episode is."""
        every = int(self._settings[EVERY])
        found: Any = self.levels[level]
        chosen = strategies_in(self._strategies) if isinstance(self._strategies, str) else self._strategies
        if not isinstance(chosen, str | Mapping):
            raise GridproofError(f"strategies are named, or given by robot, not {shown(chosen)}")
        return Race(found, chosen, (), every, seed, max_requests=sys.maxsize)

    def _names(self, level: Any) -> tuple[str, ...]:
        """The robots in the order in which they are served."""
        return (*level.names[self._player :], *level.names[: self._player])

    def _serve(self, race: Race, number: int) -> bool:
        """Serve the robot's request, then those of the others, until one is home; whether its rule lists no such one."""
        own, *others = self._names(race.level)
        requests = race.knowledge[own].requests
        listed = 0 <= number < len(requests)
        race.serve(own, requests[number] if listed else turn_passed(own))
        for name in others:
            if not race.over:
                race.serve(name)
        return not listed

    def _tables(self, reward: Reward) -> None:
        super()._tables(reward)
        self._settings[PLAYER] = self._player

    def _compile(self, reward: Reward) -> stepping.Compiled:
        return stepping.Compiled(self.kernel, None, race_turn, rule_mask)
