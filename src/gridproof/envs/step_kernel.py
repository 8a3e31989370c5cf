"""Compiled step of environments: act, reward, end, reset, observe, mask.

One template serves all games, with holes for their kernels. Each game (one row of every array) has its own
chance: its key and the number of an episode decide the seed and the level of that episode, so that an
episode equals a session with this level and seed.

Observations and masks stay from step to step, and a game's `update` writes their changes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gridproof.envs.work_sharing import ALONE, ATTENDS, FLAGS_AT, LEADS, REWARDS_AT, work
from gridproof.kernels.atomics import put
from gridproof.kernels.batch import keep_start
from gridproof.kernels.chance import below, derive_mixed, derive_stream
from gridproof.kernels.compile import Hole, borrowing, inlined, kernel, specialise
from gridproof.kernels.game import LOST, PLAYING, WON, BoardKernel, GameKernel, make_update
from gridproof.kernels.states import mix

U = np.uint64
Array = np.ndarray[Any, Any]

LEVEL, DONE, ELAPSED, EPISODE, OVER, CHOSEN, STATUS, FIELDS = range(8)
"""Fields of a game: its level; its actions, which count its chance; the steps of the episode; the number of
episodes; 1 if it is over; the level of the next episode, or -1 for a random one; its status."""
KEY, SEED, MIXED, CHANCES = range(4)
"""Chance of a game: the key of its episodes; the seed of the current one, and that mixed."""
LIMIT, AT_WIN, MODE, LEVELS, REDRAW, PLAYER, EVERY, SETTINGS = range(8)
"""Settings of all games: steps of an episode, 0 for any number; 1 if a win ends it; the autoreset mode; the
number of levels; 1 if each episode draws one; who observes and acts; requests between two exchanges."""
NEXT_STEP, SAME_STEP, DISABLED = range(3)
STEP, WIN, LOSE, SCORE, ILLEGAL, MEASURE, WEIGHTS = range(7)
"""Parts of a reward, as in `rewards.py`."""
TERMINATED, TRUNCATED, REFUSED, IS_WON, FLAGS = range(5)
"""Flags of a step: the game ended, or is truncated; the action was illegal; the game is won."""


class StepResult(NamedTuple):
    """Results of a step for all games."""

    seen: Array
    """uint8 (games, symbols)"""
    masks: Array
    """uint8 (games, actions)"""
    rewards: Array
    """float64 (games,)"""
    flags: Array
    """bool (FLAGS, games)"""
    levels: Array
    """int64 (games,)"""


class World(NamedTuple):
    """Arrays that a step reads or writes."""

    data: Array
    """(levels, n): data of each level, from its packing"""
    widths: Array
    """int64 (levels,): words of a game on the level"""
    starts: Array
    """uint64 (levels, words)"""
    settings: Array
    """int64 (SETTINGS,)"""
    weights: Array
    """float64 (WEIGHTS,)"""
    arguments: Array
    """int64: arguments of the measure"""
    plays: Array
    """uint64 (games, words)"""
    games: Array
    """int64 (games, FIELDS)"""
    chances: Array
    """uint64 (games, CHANCES)"""
    actions: Array
    """int16 (games,), or int64 for more actions. It is small because other threads fetch it from this one's cache."""
    finals: Array
    """uint64 (games, words + 1): the last words and level of a game that was reset in the same step"""
    seen: Array
    masks: Array
    levels: Array
    """int64 (games,), as in `StepResult`"""
    shared: Array
    """int64 (NEXT + LINE * threads,)"""


class Scratch(NamedTuple):
    """Arrays of a thread: a generator's state, uint64 (1,), and uint64 (words,); with its number."""

    random: Array
    words: Array
    number: int


class Turn(NamedTuple):
    """All that a turn of one game reads or writes."""

    data: Array
    """Data of the level"""
    play: Array
    """uint64 (words of the level,)"""
    action: Any
    settings: Array
    game: Array
    """int64 (FIELDS,)"""
    chance: Array
    """uint64 (CHANCES,)"""
    scratch: Scratch
    observation: Array
    """uint8 (symbols,)"""
    mask: Array
    """uint8 (actions,)"""


begin: Any = Hole()
mask: Any = Hole()
status_of: Any = Hole()
observe: Any = Hole()
update: Any = Hole()
measure: Any = Hole()
turn: Any = Hole()
allow: Any = Hole()
enter: Any = Hole()


@borrowing
def no_measure(data: Any, state: Any, arguments: Any) -> Any:
    """Return 0, the measure of rewards without one."""
    return 0


def take_turn(turn: Any) -> Any:
    """Do an action of the only player; return its gain, the status, and whether it was illegal."""
    number, game, play, mask = turn.action, turn.game, turn.play, turn.mask
    if (
        number < 0 or number >= mask.shape[0] or mask[number] == 0
    ):  # without negative indices the check is faster
        return 0, game[STATUS], True
    game[DONE] += 1
    random, words = turn.scratch.random, turn.scratch.words[: U(play.shape[0])]
    random[0] = derive_mixed(turn.chance[MIXED], game[DONE])
    gained, status = update(turn.data, play, number, random, words, turn.observation, mask)
    return gained, status, False


def write_mask(data: Any, play: Any, player: Any, out: Any) -> None:
    """Write the mask of the only player."""
    mask(data, play, out)


def begin_episode(world: Any, random: Any, number: Any) -> None:
    """Begin the next episode of a game."""
    game, chance = world.games[number], world.chances[number]
    episode = mix(derive_stream(chance[KEY], game[EPISODE]))
    random[0] = derive_mixed(episode, 1)
    drawn = below(random, world.settings[LEVELS])
    if game[CHOSEN] >= 0:
        game[LEVEL] = game[CHOSEN]
    elif world.settings[REDRAW] or game[EPISODE] == 0:
        game[LEVEL] = drawn
    level = U(game[LEVEL])
    data, play = world.data[level], world.plays[number, : U(world.widths[level])]
    for word in range(U(play.shape[0])):
        play[word] = world.starts[level, word]
    chance[SEED] = derive_mixed(episode, 0)
    chance[MIXED] = mix(chance[SEED])
    random[0] = derive_mixed(chance[MIXED], 0)
    begin(data, random, play)
    game[STATUS] = status_of(data, play)
    world.levels[number] = game[LEVEL]
    game[EPISODE] += 1
    game[DONE] = game[ELAPSED] = game[OVER] = 0
    observe(data, play, world.settings[PLAYER], world.seen[number])
    allow(data, play, world.settings[PLAYER], world.masks[number])


def enter_all(world: Any, scratch: Any, marked: Any) -> None:
    """Begin the next episode of each marked game."""
    for number in range(U(marked.shape[0])):
        if marked[number]:
            enter(world, scratch.random, number)


def see_all(world: Any, plays: Any, levels: Any, seen: Any, masks: Any) -> None:
    """Write the player's observation and mask of each game."""
    for number in range(U(levels.shape[0])):
        level = U(levels[number])
        play = plays[number, : U(world.widths[level])]
        observe(world.data[level], play, world.settings[PLAYER], seen[number])
        allow(world.data[level], play, world.settings[PLAYER], masks[number])


@inlined
def is_over(status: Any, settings: Any, allowed: Any) -> Any:
    """Return whether a game is over: a won game may go on, if the rules allow it, while actions are left."""
    if status != WON or settings[AT_WIN] != 0:
        return status != PLAYING
    some = 0
    for place in range(U(allowed.shape[0])):
        some |= allowed[place]
    return some == 0


@inlined
def reward_of(weights: Any, game: Any, gained: Any, grown: Any, status: Any, ended: Any, illegal: Any) -> Any:
    """Return the reward of a step, the sum of its parts."""
    reward = weights[STEP] + weights[SCORE] * gained + weights[MEASURE] * grown + weights[ILLEGAL] * illegal
    if status == WON and game[STATUS] != WON:
        reward += weights[WIN]
    if ended and status == LOST:
        reward += weights[LOSE]
    return reward


@inlined
def write_result(world: Any, number: Any, reward: Any, ended: Any, late: Any, illegal: Any, won: Any) -> None:
    """Write the results of a step into the caller's arrays."""
    shared, games, place = world.shared, world.games.shape[0], np.int64(number)
    to = shared[FLAGS_AT]
    put(float(reward), place, shared[REWARDS_AT])
    put(bool(ended), TERMINATED * games + place, to)
    put(bool(late), TRUNCATED * games + place, to)
    put(bool(illegal), REFUSED * games + place, to)
    put(bool(won), IS_WON * games + place, to)


def step_one(world: Any, scratch: Any, number: Any) -> None:
    """Step one game."""
    settings, game, masks = world.settings, world.games[number], world.masks[number]
    over, status = game[OVER] != 0, game[STATUS]
    if over and settings[MODE] == NEXT_STEP:
        enter(world, scratch.random, number)
        write_result(world, number, 0.0, False, False, False, False)
        return
    level = U(game[LEVEL])
    data, play = world.data[level], world.plays[number, : U(world.widths[level])]
    gained, grown, illegal = 0, 0, True
    if not over:  # else there are no actions
        before = measure(data, play, world.arguments)
        action, chance, seen = np.int64(world.actions[number]), world.chances[number], world.seen[number]
        gained, status, illegal = turn(Turn(data, play, action, settings, game, chance, scratch, seen, masks))
        grown = measure(data, play, world.arguments) - before
        game[ELAPSED] += 1
    ended = is_over(status, settings, masks)
    reward = 0.0 if over else reward_of(world.weights, game, gained, grown, status, ended, illegal)
    late = settings[LIMIT] > 0 and game[ELAPSED] >= settings[LIMIT]
    game[STATUS], game[OVER] = status, ended or late
    if (ended or late) and settings[MODE] == SAME_STEP:
        for word in range(U(world.plays.shape[1])):
            world.finals[number, word] = world.plays[number, word]
        world.finals[number, world.plays.shape[1]] = level
        enter(world, scratch.random, number)
    write_result(world, number, reward, ended, late, illegal, status == WON)


class Compiled:
    """Templates compiled for a game.

    `measured` is the measure of the reward, if there is one; `turned` and `allowing` are the turn and mask of games with
    other players.
    """

    def __init__(
        self,
        found: GameKernel | BoardKernel,
        measured: Any = None,
        turned: Any = None,
        allowing: Any = None,
    ) -> None:
        may = allowing or inlined(write_mask, mask=found.mask)
        updated = found.env.update
        if updated is None and isinstance(found, GameKernel):
            updated = make_update(found.step, found.env.observe, found.mask)
        entered = borrowing(
            begin_episode,
            begin=found.env.begin or keep_start,
            status_of=found.status,
            observe=found.env.observe,
            allow=may,
        )
        stepped = inlined(
            step_one,
            enter=entered,
            measure=measured or no_measure,
            turn=turned or inlined(take_turn, update=updated),
        )
        self.enter = borrowing(enter_all, enter=entered)
        self.see = kernel(see_all, observe=found.env.observe, allow=may)
        self._work = borrowing(work, step=stepped)
        self._settled: Any = None

    def advance(
        self, world: World, scratch: Scratch, actions: Array, result: StepResult, alone: bool
    ) -> bool:
        """Step all games, with the threads that are awake unless `alone`.

        Return whether all actions exist; if not, no game changes.
        """
        return self._do(world, scratch, actions, result, ALONE if alone else LEADS)

    def attend(self, world: World, scratch: Scratch) -> None:
        """Take parts of all steps, until there was none for a while."""
        nowhere = StepResult(world.seen, world.masks, np.empty(0), np.empty((0, 0), np.bool_), world.levels)
        self._do(world, scratch, world.levels, nowhere, ATTENDS)

    def _do(self, *arguments: Any) -> bool:
        if self._settled is None:
            self._settled = specialise(self._work, *arguments)
        found: bool = self._settled(*arguments)
        return found
