"""What environments do in every step, compiled: act, reward, end, begin anew, observe, mask.

One template for all games; what they differ in are its holes. Each game (one row of every array) has its
own chance: its key and the number of an episode decide the seed and the level of that episode, so that an
episode is what a session with this level and seed would be.

What is seen of a game and its mask are kept from step to step, and a game's `update` writes what has changed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gridproof.envs.sharing import ALONE, ATTENDS, FLAGS_AT, LEADS, REWARDS_AT, work
from gridproof.kernels.batch import begins_given
from gridproof.kernels.chance import below, derived, derived_of
from gridproof.kernels.compile import Hole, borrowing, inlined, kernel, settled
from gridproof.kernels.game import LOST, PLAYING, WON, GameKernel
from gridproof.kernels.shared import put
from gridproof.kernels.states import mix
from gridproof.kernels.update import updating

U = np.uint64
Array = np.ndarray[Any, Any]

LEVEL, DONE, ELAPSED, EPISODE, OVER, CHOSEN, STATUS, FIELDS = range(8)
"""Of each game: its level; the actions done, which count its chance; the steps of the episode; the episodes
begun; whether it is over; the level that was asked for, or -1; its status."""
KEY, SEED, MIXED, CHANCES = range(4)
"""Of each game: what decides its episodes; the seed of the present one, and that mixed."""
LIMIT, AT_WIN, MODE, LEVELS, REDRAW, PLAYER, EVERY, SETTINGS = range(8)
"""The same for all games: steps of an episode, 0 for any number; whether a win ends it; what follows an end;
how many levels; whether each episode draws one; who observes and acts; requests between two exchanges."""
NEXT_STEP, SAME_STEP, DISABLED = range(3)
STEP, WIN, LOSE, SCORE, ILLEGAL, MEASURE, WEIGHTS = range(7)
"""The parts of a reward, as `rewards.py` names them."""
TERMINATED, TRUNCATED, REFUSED, IS_WON, FLAGS = range(5)
"""What a step says of a game: whether it ended, or is cut off; whether the action could not be done; whether it is won."""


class Told(NamedTuple):
    """What a step tells of the games."""

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
    """All arrays that a step reads or writes."""

    data: Array
    """(levels, n): of each level, as its packing has it"""
    widths: Array
    """int64 (levels,): words that are played"""
    starts: Array
    """uint64 (levels, words)"""
    settings: Array
    """int64 (SETTINGS,)"""
    weights: Array
    """float64 (WEIGHTS,)"""
    arguments: Array
    """int64: those of the measure"""
    plays: Array
    """uint64 (games, words)"""
    games: Array
    """int64 (games, FIELDS)"""
    chances: Array
    """uint64 (games, CHANCES)"""
    actions: Array
    """int16 (games,): NO_ACTION for numbers that none has. Small, for other threads fetch it from this one's cache."""
    finals: Array
    """uint64 (games, words + 1): the words and the level with which a game ended that began anew in the same step"""
    seen: Array
    masks: Array
    levels: Array
    """As of `Told`."""
    shared: Array
    """int64 (NEXT + LINE * threads,)"""


class Room(NamedTuple):
    """What a thread has for itself: a generator's state, uint64 (1,); uint64 (words,); and its number."""

    random: Array
    words: Array
    number: int


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
    """The measure of rewards that have none."""
    return 0


def alone(
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
    """One action of the only player: what it gained, the status, and whether it was illegal."""
    if number < 0 or number >= may.shape[0] or may[number] == 0:
        return 0, game[STATUS], True
    game[DONE] += 1
    room.random[0] = derived_of(chance[MIXED], game[DONE])
    gained, status = update(data, play, number, room.random, room.words[: U(play.shape[0])], seen, may)
    return gained, status, False


def allowed(data: Any, play: Any, player: Any, out: Any) -> None:
    """The mask of the only player."""
    mask(data, play, out)


def entering(world: Any, random: Any, number: Any) -> None:
    """Begin the next episode of a game."""
    game, chance = world.games[number], world.chances[number]
    episode = mix(derived(chance[KEY], game[EPISODE]))
    random[0] = derived_of(episode, 1)
    drawn = below(random, world.settings[LEVELS])
    if game[CHOSEN] >= 0:
        game[LEVEL] = game[CHOSEN]
    elif world.settings[REDRAW] or game[EPISODE] == 0:
        game[LEVEL] = drawn
    level = U(game[LEVEL])
    data, play = world.data[level], world.plays[number, : U(world.widths[level])]
    for word in range(U(play.shape[0])):
        play[word] = world.starts[level, word]
    chance[SEED] = derived_of(episode, 0)
    chance[MIXED] = mix(chance[SEED])
    random[0] = derived_of(chance[MIXED], 0)
    begin(data, random, play)
    game[STATUS] = status_of(data, play)
    world.levels[number] = game[LEVEL]
    game[EPISODE] += 1
    game[DONE] = game[ELAPSED] = game[OVER] = 0
    observe(data, play, world.settings[PLAYER], world.seen[number])
    allow(data, play, world.settings[PLAYER], world.masks[number])


def enter_all(world: Any, room: Any, marked: Any) -> None:
    """Begin the next episode of each game that is marked."""
    for number in range(U(marked.shape[0])):
        if marked[number]:
            enter(world, room.random, number)


def see_all(world: Any, plays: Any, levels: Any, seen: Any, masks: Any) -> None:
    """What the player sees of each play on a level, and may do."""
    for number in range(U(levels.shape[0])):
        level = U(levels[number])
        play = plays[number, : U(world.widths[level])]
        observe(world.data[level], play, world.settings[PLAYER], seen[number])
        allow(world.data[level], play, world.settings[PLAYER], masks[number])


@inlined
def ends(status: Any, settings: Any, allowed: Any) -> Any:
    """Whether a game is over: one that is won may go on, where the rules say so, while something can be done."""
    if status != WON or settings[AT_WIN] != 0:
        return status != PLAYING
    some = 0
    for place in range(U(allowed.shape[0])):
        some |= allowed[place]
    return some == 0


@inlined
def worth(weights: Any, game: Any, gained: Any, grown: Any, status: Any, ended: Any, illegal: Any) -> Any:
    """The reward of a step, the sum of its parts."""
    reward = weights[STEP] + weights[SCORE] * gained + weights[MEASURE] * grown + weights[ILLEGAL] * illegal
    if status == WON and game[STATUS] != WON:
        reward += weights[WIN]
    if ended and status == LOST:
        reward += weights[LOSE]
    return reward


@inlined
def say(world: Any, number: Any, reward: Any, ended: Any, late: Any, illegal: Any, won: Any) -> None:
    """What is told of a step and not kept, into the arrays of whoever asked."""
    shared, games, place = world.shared, world.games.shape[0], np.int64(number)
    to = shared[FLAGS_AT]
    put(float(reward), place, shared[REWARDS_AT])
    put(bool(ended), TERMINATED * games + place, to)
    put(bool(late), TRUNCATED * games + place, to)
    put(bool(illegal), REFUSED * games + place, to)
    put(bool(won), IS_WON * games + place, to)


def step_one(world: Any, room: Any, number: Any) -> None:
    """A step of one game."""
    settings, game, masks = world.settings, world.games[number], world.masks[number]
    over, status = game[OVER] != 0, game[STATUS]
    if over and settings[MODE] == NEXT_STEP:
        enter(world, room.random, number)
        say(world, number, 0.0, False, False, False, False)
        return
    level = U(game[LEVEL])
    data, play = world.data[level], world.plays[number, : U(world.widths[level])]
    gained, grown, illegal = 0, 0, True
    if not over:  # else nothing can be done
        before = measure(data, play, world.arguments)
        gained, status, illegal = turn(
            data,
            play,
            np.int64(world.actions[number]),
            settings,
            game,
            world.chances[number],
            room,
            world.seen[number],
            masks,
        )
        grown = measure(data, play, world.arguments) - before
        game[ELAPSED] += 1
    ended = ends(status, settings, masks)
    reward = 0.0 if over else worth(world.weights, game, gained, grown, status, ended, illegal)
    late = settings[LIMIT] > 0 and game[ELAPSED] >= settings[LIMIT]
    game[STATUS], game[OVER] = status, ended or late
    if (ended or late) and settings[MODE] == SAME_STEP:
        for word in range(U(world.plays.shape[1])):
            world.finals[number, word] = world.plays[number, word]
        world.finals[number, world.plays.shape[1]] = level
        enter(world, room.random, number)
    say(world, number, reward, ended, late and not ended, illegal, status == WON)


class Compiled:
    """The templates, compiled for a game.

    Parameters
    ----------
    found : GameKernel
    measured : compiled proposition, optional
        What a reward measures.
    turned, allowing : compiled, optional
        What a turn and a mask are, where others play too.
    """

    def __init__(
        self, found: GameKernel, measured: Any = None, turned: Any = None, allowing: Any = None
    ) -> None:
        may = allowing or inlined(allowed, mask=found.mask)
        updated = found.update or updating(found.step, found.observe, found.mask)
        entered = borrowing(
            entering,
            begin=found.begin or begins_given,
            status_of=found.status,
            observe=found.observe,
            allow=may,
        )
        stepped = inlined(
            step_one,
            enter=entered,
            measure=measured or no_measure,
            turn=turned or inlined(alone, update=updated),
        )
        self.enter = borrowing(enter_all, enter=entered)
        self.see = kernel(see_all, observe=found.observe, allow=may)
        self._work = borrowing(work, step=stepped)
        self._settled: Any = None

    def advance(self, world: World, room: Room, actions: Array, told: Told, alone: bool) -> None:
        """A step of all games; threads that are awake take their parts of it, unless this one is to do it alone."""
        self._do(world, room, actions, told, ALONE if alone else LEADS)

    def attend(self, world: World, room: Room) -> None:
        """Take parts of all steps, until there has been none for a while."""
        nowhere = Told(world.seen, world.masks, np.empty(0), np.empty((0, 0), np.bool_), world.levels)
        self._do(world, room, world.levels, nowhere, ATTENDS)

    def _do(self, *given: Any) -> None:
        if self._settled is None:
            self._settled = settled(self._work, *given)
        self._settled(*given)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_settled": None}
