"""Many games at once, as environments step them: the arrays, and the threads that share the work."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium.error import ResetNeeded

from gridproof.core import shelf
from gridproof.core.errors import GridproofError
from gridproof.core.position import Level, Position
from gridproof.core.rng import Rng
from gridproof.core.trace import Step, Trace
from gridproof.envs import sharing, stepping
from gridproof.envs.pace import Pace
from gridproof.envs.rewards import Reward
from gridproof.envs.threads import Crew
from gridproof.kernels.batch import stacked, start_of
from gridproof.kernels.game import GameKernel, Packing, packing_of
from gridproof.search.cores import available_cores

Array = np.ndarray[Any, Any]
FEWEST = 256
"""Games for which another thread is worth it."""


class Stepped(NamedTuple):
    """What a step came to, arrays of its own: (games,) each, but symbols (games, symbols) and masks (games, actions)."""

    symbols: Array
    masks: Array
    rewards: Array
    levels: Array
    terminated: Array
    truncated: Array
    illegal: Array
    won: Array


class Games:
    """Games on some levels of one game.

    Parameters
    ----------
    levels : sequence of Level
        They need a kernel; equally many actions, unless `actions` says more; and one size, unless the game
        says how small boards are framed.
    count : int
        How many games.
    reward : Reward
    limit : int
        Steps after which an episode is truncated; 0 for none.
    mode : int
        NEXT_STEP, SAME_STEP or DISABLED.
    redraw : bool
        Whether each episode draws a level.
    at_win : bool
        Whether a win ends the game, where one may go on.
    """

    def __init__(
        self,
        levels: Sequence[Level],
        count: int,
        reward: Reward,
        limit: int,
        mode: int,
        redraw: bool,
        at_win: bool,
    ) -> None:
        self.levels = list(levels)
        self.count = count
        self.kernel, self.packings = _packed(self.levels)
        self.game = self.levels[0].game
        self.actions = self._actions()
        self.shape = self._shape()
        self._tables(reward)
        policy = self.game.policy
        self._settings[[stepping.LIMIT, stepping.AT_WIN, stepping.MODE, stepping.LEVELS, stepping.REDRAW]] = (
            limit,
            at_win or not policy.act_after_win,
            mode,
            len(self.levels),
            redraw,
        )
        self._compiled = self._compile(reward)
        self._divide()

    def _shape(self) -> tuple[int, ...]:
        """The shape of what is seen of the largest board, both ways."""
        shapes = {one.observed for one in self.packings}
        if self.kernel.observe is None or not all(shapes):
            raise GridproofError("these levels are not observed: a board may be too large for that")
        if len(shapes) > 1 and (
            not all(one.framed for one in self.packings) or len({len(one) for one in shapes}) > 1
        ):
            raise self._not_together("their boards have one size")
        return tuple(map(max, zip(*shapes, strict=True)))

    def _actions(self) -> tuple[str, ...]:
        """The actions of the player, by their texts."""
        texts = {tuple(map(str, one.actions)) for one in self.packings}
        if len(texts) > 1:
            raise self._not_together("they have the same actions")
        return texts.pop()

    def _not_together(self, when: str) -> GridproofError:
        game = self.levels[0].game
        one = f"{shelf.first_pack(game.name)}/1" if shelf.pack_names(game) else "FILE"
        return GridproofError(
            f"levels of {game.name} are played together when {when}, which these {len(self.levels)} do not: choose some "
            f"by levels=..., such as levels={one!r}, when the environment is made or registered"
        )

    def _tables(self, reward: Reward) -> None:
        count = self.count
        self._symbols = math.prod(self.shape)
        self._threads = max(1, min(available_cores(), count // FEWEST))
        self._data = stacked([self._seen_data(one) for one in self.packings])
        widths = np.array([one.words + one.memory for one in self.packings])
        starts = stacked([start_of(one) for one in self.packings])
        words = starts.shape[1]
        self._settings = np.zeros(stepping.SETTINGS, np.int64)
        self._weights = np.array(reward.weights, np.float64)
        self.plays = np.zeros((count, words), np.uint64)
        self._games = np.zeros((count, stepping.FIELDS), np.int64)
        self._games[:, stepping.CHOSEN] = -1
        self._chances = np.zeros((count, stepping.CHANCES), np.uint64)
        self.finals = np.zeros((count, words + 1), np.uint64)
        self._kept = self._told()
        self._world = stepping.World(
            self._data,
            widths,
            starts,
            self._settings,
            self._weights,
            np.zeros(1, np.int64),
            self.plays,
            self._games,
            self._chances,
            np.zeros(count, np.int16 if len(self.actions) < 2**15 else np.int64),
            self.finals,
            self._kept.seen,
            self._kept.masks,
            self._kept.levels,
            np.zeros(sharing.NEXT + sharing.LINE * self._threads, np.int64),
        )

    def _told(self) -> stepping.Told:
        """Arrays for what a step tells."""
        count, empty = self.count, np.empty
        return stepping.Told(
            empty((count, self._symbols), np.uint8),
            empty((count, len(self.actions)), np.uint8),
            empty(count),
            empty((stepping.FLAGS, count), np.bool_),
            empty(count, np.int64),
        )

    def _seen_data(self, packing: Packing) -> Array:
        return (
            packing.framed(self.shape) if packing.framed and packing.observed != self.shape else packing.data
        )

    def _compile(self, reward: Reward) -> stepping.Compiled:
        measured = self.kernel.propositions[reward.measure, 0] if reward.measure else None
        return stepping.Compiled(self.kernel, measured)

    def _divide(self) -> None:
        """Threads step the games together, each with its own room to work in."""
        words = self.plays.shape[1]  # of several threads, in different lines of the processors' caches
        apart = np.zeros((self._threads, words + 1 + 2 * sharing.LINE), np.uint64)
        rooms = [stepping.Room(own[:1], own[1 : 1 + words], number) for number, own in enumerate(apart)]
        self._room = rooms[0]
        self._world.shared[sharing.NEXT :] = self.count  # no part is to be done yet
        self._begun = self._closed = False
        if rooms[1:]:
            self._compiled.attend(self._world, self._room)  # compiled here, where nobody could end it halfway
        self._crew = Crew(self._compiled.attend, self._world, rooms[1:])
        self._pace = Pace()

    # -- what can be asked

    @property
    def level(self) -> Array:
        """The number of each game's level, int64 (games,)."""
        found: Array = self._games[:, stepping.LEVEL].copy()
        return found

    @property
    def seeds(self) -> Array:
        """The seed of each game's episode, uint64 (games,): a session with it would be the same game."""
        found: Array = self._chances[:, stepping.SEED].copy()
        return found

    def position(self, number: int) -> Position[Any]:
        """The position of a game."""
        return self.unpacked(int(self._games[number, stepping.LEVEL]), self.plays[number])

    def unpacked(self, level: int, play: Array) -> Position[Any]:
        """The position that the words of a play on a level mean."""
        packing = self.packings[level]
        return packing.unpack(play[: packing.words])

    def trace(self, level: int, seed: int, actions: Iterable[int]) -> Trace:
        """An episode played again by the rules: what could not be done is left out."""
        position = start = self.levels[level].start(seed)
        steps = list[Step]()
        for number in actions:
            legal = {str(action): action for action in position.actions()}
            action = legal.get(self.actions[number]) if 0 <= number < len(self.actions) else None
            if action is not None:
                outcome = position.step(action, Rng(seed, len(steps) + 1))
                steps.append(Step(action, outcome.label))
                position = outcome.position
        return Trace(start, tuple(steps), seed=seed)

    # -- what can be done

    def key(self, number: int, key: int) -> None:
        """Let a game's episodes be decided by this key from now on; its next one is the first."""
        self._chances[number, stepping.KEY] = key
        self._games[number, stepping.EPISODE] = 0

    def enter(self, marked: Array, chosen: Array | None = None) -> None:
        """Begin the next episode of each game that is marked, bool (games,), on its chosen level or a drawn one.

        Raises
        ------
        ResetNeeded
            When some games begin while the others have never begun.
        """
        if not (self._begun or marked.all()):
            raise ResetNeeded("the first reset is of all games")
        self._begun = True
        self._games[:, stepping.CHOSEN] = -1 if chosen is None else chosen
        self._compiled.enter(self._world, self._room, marked)
        self._games[:, stepping.CHOSEN] = -1

    def see(self) -> tuple[Array, Array]:
        """The symbols and the masks of all games."""
        return self._kept.seen.copy(), self._kept.masks.copy()

    def see_anew(self) -> None:
        """Note what is seen of games whose words somebody has written."""
        self._compiled.see(self._world, self.plays, self.level, self._kept.seen, self._kept.masks)

    def seen_at_end(self, numbers: Array) -> tuple[Array, Array]:
        """The symbols and the masks with which some games ended, before they began anew in the same step."""
        seen, masks = (np.empty_like(kept[: len(numbers)]) for kept in self._kept[:2])
        levels = self.finals[numbers, -1].astype(np.int64)
        self._compiled.see(self._world, self.finals[numbers], levels, seen, masks)
        return seen, masks

    def step(self, actions: Array) -> Stepped:
        """Do an action in each game, int64 (games,).

        Raises
        ------
        ResetNeeded
            When none has begun.
        GridproofError
            After the end of the threads.
        BaseException
            That of a kernel, which ends the threads where there are some.
        """
        self.check_steps()
        told = self._told()
        try:
            self._advance(actions, told)
            for error in self._crew.errors:
                raise error
        except BaseException:
            self._closed = self._crew.fail(told)
            raise
        return Stepped(told.seen, told.masks, told.rewards, told.levels, *told.flags)

    def _advance(self, actions: Array, told: stepping.Told) -> None:
        if self._threads == 1:
            self._compiled.advance(self._world, self._room, actions, told, alone=True)
            return
        begun, alone = time.perf_counter(), self._pace.alone
        if not alone:
            self._crew.wake()
        self._compiled.advance(self._world, self._room, actions, told, alone)
        self._pace.took(time.perf_counter() - begun)

    def check_steps(self) -> None:
        """Refuse a step, as `step` says, where there can be none."""
        if not self._begun:
            raise ResetNeeded("no game has begun: reset comes before the first step")
        if self._closed:
            raise GridproofError("the environment is closed")

    def close(self) -> None:
        """End the threads."""
        self._closed = True
        self._crew.close()


def _packed(levels: Sequence[Level]) -> tuple[GameKernel, list[Packing]]:
    found = [packing_of(level) for level in levels]
    packings = [one[1] for one in found if one]
    if found[0] is None or len(packings) < len(found):
        raise GridproofError(
            f"environments need levels that a kernel can hold, which {levels[0].game.name} has not for all of these"
        )
    return found[0][0], packings
