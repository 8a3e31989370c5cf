"""Lights out on a packed word, a bit a lamp: the rules of `rules.py`, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.kernels.compile import kernel
from gridproof.kernels.game import DONE, PLAYING, REFUSED, WON, GameKernel, Packing, Ranking
from gridproof_lights_out.rules import Level, Position

DARK = np.uint64(0)
ONE = np.uint64(1)


@kernel
def successors(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """What each press leads to (L2, L3), in the order of the rules; nothing from darkness (L4)."""
    if state[0] == DARK:
        return 0
    for number in range(data.shape[0] - 1):
        out[number, 0] = state[0] ^ np.uint64(data[1 + number])
        action[number], reward[number], weight[number] = number, 0, 1
    return data.shape[0] - 1


@kernel
def predecessors(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """From where a press leads here: pressing again undoes it, but darkness is not left (L4)."""
    count = 0
    for number in range(data.shape[0] - 1):
        out[count, 0] = state[0] ^ np.uint64(data[1 + number])
        if out[count, 0] != DARK:
            count += 1
    return count


@kernel
def status(data: Any, state: Any) -> Any:
    """Won when it is dark (L4), else playing (L2)."""
    return WON if state[0] == DARK else PLAYING


@kernel
def step(data: Any, state: Any, number: Any, random: Any, out: Any) -> Any:
    """One press, of a lamp that there is, and not in darkness; its reward, and whether it was done."""
    out[0] = state[0]
    if state[0] == DARK or not 0 <= number < data.shape[0] - 1:
        return 0, status(data, out), REFUSED
    out[0] ^= np.uint64(data[1 + number])
    return 0, status(data, out), DONE


@kernel
def mask(data: Any, state: Any, mask: Any) -> None:
    """Which presses can be done: all, until it is dark (L2, L4)."""
    mask[:] = 0 if state[0] == DARK else 1


@kernel
def observe(data: Any, state: Any, player: Any, out: Any) -> None:
    """Which lamps are on."""
    for lamp in range(data.shape[0] - 1):
        out[lamp] = state[0] >> np.uint64(lamp) & ONE


@kernel
def lit(data: Any, state: Any, arguments: Any) -> Any:
    """The number `lit`."""
    count, lamps = 0, state[0]
    while lamps != DARK:
        lamps &= lamps - ONE  # without its lowest bit
        count += 1
    return count


@kernel
def on(data: Any, state: Any, arguments: Any) -> Any:
    """The proposition `on(x,y)`."""
    place = np.uint64(arguments[1] * np.int64(data[0]) + arguments[0])
    return np.int64(state[0] >> place & ONE)


def prepare(level: Level) -> Packing | None:
    """A level's data: the width, and what each press switches; None for more lamps than a word has bits."""
    lamps = level.width * level.height
    if lamps > 64:
        return None
    return Packing(
        level=level,
        words=1,
        most=lamps,
        most_before=lamps,
        observed=(level.height, level.width),
        data=np.array([level.width, *level.presses.values()], np.uint64),
        actions=tuple(level.presses),
        pack=lambda position: np.array([position.lamps], np.uint64),
        unpack=lambda words: Position(level, int(words[0])),
    )


@kernel
def ranked_successors(data: Any, rank: Any, out: Any, scratch: Any, through: Any) -> Any:
    """What each press leads to, a rank being the lamps that are lit; from darkness only where the search goes through it."""
    if rank == 0 and not through:
        return 0
    for number in range(data.shape[0]):
        out[number] = rank ^ data[number]
    return data.shape[0]


@kernel
def ranked_state(data: Any, rank: Any, out: Any) -> None:
    """The word of a rank."""
    out[0] = np.uint64(rank)


def ranking(level: Level) -> Ranking | None:
    """The lamps that are lit as a number: every one below 2 to the power of their number is a position."""
    lamps = level.width * level.height
    if lamps > 36:
        return None
    return Ranking(
        level=level,
        size=1 << lamps,
        most=lamps,
        data=np.array([*level.presses.values()], np.int64),
        rank=lambda position: position.lamps,
        unrank=lambda rank: Position(level, rank),
        numbers=np.arange(lamps, dtype=np.int32),
    )


KERNEL = GameKernel(
    prepare=prepare,
    successors=successors,
    predecessors=predecessors,
    status=status,
    step=step,
    observe=observe,
    mask=mask,
    propositions={("lit", 0): lit, ("on", 2): on},
    ranking=ranking,
    ranked_successors=ranked_successors,
    ranked_state=ranked_state,
)
