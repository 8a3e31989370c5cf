"""What environments do in every step, compiled: act, reward, end, begin anew, observe, mask.

One template for all games; what they differ in are its holes. Each game (one row of every array) has its
own chance: its key and the number of an episode decide the seed and the level of that episode, so that an
episode is what a session with this level and seed would be.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.kernels.batch import begins_given
from gridproof.kernels.chance import below, derived, derived_of
from gridproof.kernels.compile import Hole, borrowing, inlined, kernel
from gridproof.kernels.game import LOST, PLAYING, REFUSED, WON, GameKernel
from gridproof.kernels.states import mix

U = np.uint64
_ZERO, _ONE = U(0), U(1)

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

step: Any = Hole()
begin: Any = Hole()
mask: Any = Hole()
status_of: Any = Hole()
observe: Any = Hole()
measure: Any = Hole()
turn: Any = Hole()
allow: Any = Hole()
enter: Any = Hole()


@borrowing
def no_measure(data: Any, state: Any, arguments: Any) -> Any:
    """The measure of rewards that have none."""
    return 0


def alone(
    data: Any, play: Any, number: Any, settings: Any, game: Any, chance: Any, random: Any, out: Any
) -> Any:
    """One action of the only player: what it gained, the status, and whether it was illegal."""
    random[0] = derived_of(chance[MIXED], game[DONE] + 1)
    gained, status, event = step(data, play, number, random, out)
    for word in range(U(play.shape[0])):
        play[word] = out[word]
    game[DONE] += event != REFUSED
    return gained, status, event == REFUSED


def allowed(data: Any, play: Any, player: Any, out: Any) -> None:
    """The mask of the only player."""
    mask(data, play, out)


def entering(
    data: Any,
    widths: Any,
    starts: Any,
    settings: Any,
    plays: Any,
    games: Any,
    chances: Any,
    random: Any,
    number: Any,
) -> None:
    """Begin the next episode of a game."""
    episode = mix(derived(chances[number, KEY], games[number, EPISODE]))
    random[0] = derived_of(episode, 1)
    drawn = below(random, settings[LEVELS])
    if games[number, CHOSEN] >= 0:
        games[number, LEVEL] = games[number, CHOSEN]
    elif settings[REDRAW] or games[number, EPISODE] == 0:
        games[number, LEVEL] = drawn
    level = U(games[number, LEVEL])
    count = U(widths[level])
    for word in range(count):
        plays[number, word] = starts[level, word]
    chances[number, SEED] = derived_of(episode, 0)
    chances[number, MIXED] = mix(chances[number, SEED])
    random[0] = derived_of(chances[number, MIXED], 0)
    begin(data[level], random, plays[number, :count])
    games[number, STATUS] = status_of(data[level], plays[number, :count])
    games[number, EPISODE] += 1
    games[number, DONE] = games[number, ELAPSED] = games[number, OVER] = 0


def enter_all(
    data: Any,
    widths: Any,
    starts: Any,
    settings: Any,
    plays: Any,
    games: Any,
    chances: Any,
    random: Any,
    marked: Any,
) -> None:
    """Begin the next episode of each game that is marked."""
    for number in range(games.shape[0]):
        if marked[number]:
            enter(data, widths, starts, settings, plays, games, chances, random, number)


def see_all(
    data: Any,
    widths: Any,
    settings: Any,
    plays: Any,
    games: Any,
    symbols: Any,
    masks: Any,
) -> None:
    """What the player sees of each game, and may do."""
    for number in range(games.shape[0]):
        level = U(games[number, LEVEL])
        play = plays[number, : U(widths[level])]
        observe(data[level], play, settings[PLAYER], symbols[number])
        allow(data[level], play, settings[PLAYER], masks[number])


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


def advance(
    data: Any,
    widths: Any,
    starts: Any,
    settings: Any,
    weights: Any,
    plays: Any,
    games: Any,
    chances: Any,
    arguments: Any,
    actions: Any,
    rewards: Any,
    flags: Any,
    symbols: Any,
    masks: Any,
    finals: Any,
    random: Any,
    out: Any,
    first: Any,
    last: Any,
) -> None:
    """A step of each of the games from `first` to `last`; flags are terminated, truncated, illegal and won."""
    for number in range(U(first), U(last)):
        for flag in range(4):
            flags[flag, number] = 0
        rewards[number] = 0.0
        begins = games[number, OVER] != 0 and settings[MODE] == NEXT_STEP
        if begins:
            enter(data, widths, starts, settings, plays, games, chances, random, number)
        level = U(games[number, LEVEL])
        count = U(widths[level])
        play, game = plays[number, :count], games[number]
        if begins:
            observe(data[level], play, settings[PLAYER], symbols[number])
            allow(data[level], play, settings[PLAYER], masks[number])
            continue
        before = measure(data[level], play, arguments)
        action = actions[number] if game[OVER] == 0 else -1  # nothing is done once it is over
        gained, status, illegal = turn(
            data[level], play, action, settings, game, chances[number], random, out[:count]
        )
        after = measure(data[level], play, arguments)
        observe(data[level], play, settings[PLAYER], symbols[number])
        allow(data[level], play, settings[PLAYER], masks[number])
        ended = ends(status, settings, masks[number])
        if game[OVER] == 0:
            game[ELAPSED] += 1
            rewards[number] = worth(weights, game, gained, after - before, status, ended, illegal)
        game[STATUS] = status
        late = settings[LIMIT] > 0 and game[ELAPSED] >= settings[LIMIT]
        flags[0, number], flags[1, number] = ended, late and not ended
        flags[2, number], flags[3, number] = illegal, status == WON
        game[OVER] = ended or late
        if game[OVER] and settings[MODE] == SAME_STEP:
            for word in range(U(plays.shape[1])):
                finals[number, word] = plays[number, word]
            finals[number, plays.shape[1]] = level
            enter(data, widths, starts, settings, plays, games, chances, random, number)
            level = U(games[number, LEVEL])
            play = plays[number, : U(widths[level])]
            observe(data[level], play, settings[PLAYER], symbols[number])
            allow(data[level], play, settings[PLAYER], masks[number])


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
        starting = borrowing(entering, begin=found.begin or begins_given, status_of=found.status)
        self.enter = borrowing(enter_all, enter=starting)
        self.see = kernel(see_all, observe=found.observe, allow=may)
        self.advance = borrowing(
            advance,
            enter=starting,
            observe=found.observe,
            allow=may,
            measure=measured or no_measure,
            turn=turned or inlined(alone, step=found.step),
        )
