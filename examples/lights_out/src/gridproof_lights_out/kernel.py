"""Lights out on a packed word, a bit a lamp: the rules of `rules.py`, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.kernels.compile import kernel
from gridproof.kernels.game import (
    DONE,
    PLAYING,
    REFUSED,
    WON,
    EnvKernel,
    GameKernel,
    Packing,
    RankedKernel,
    Ranking,
    SearchKernel,
)
from gridproof_lights_out.rules import Level, Position

DARK = np.uint64(0)
ONE = np.uint64(1)


@kernel
def successors(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """Write the state after each press (L2, L3), in the order of the rules; none from darkness (L4)."""
    if state[0] == DARK:
        return 0
    for number in range(data.shape[0] - 1):
        out[number, 0] = state[0] ^ np.uint64(data[1 + number])
        action[number], reward[number], weight[number] = number, 0, 1
    return data.shape[0] - 1


@kernel
def predecessors(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """Write the states from which a press leads here: pressing again undoes it, but not from darkness (L4)."""
    count = 0
    for number in range(data.shape[0] - 1):
        out[count, 0] = state[0] ^ np.uint64(data[1 + number])
        if out[count, 0] != DARK:
            count += 1
    return count


@kernel
def status(data: Any, state: Any) -> Any:
    """Return WON in darkness (L4), else PLAYING (L2)."""
    return WON if state[0] == DARK else PLAYING


@kernel
def step(data: Any, state: Any, number: Any, random: Any, out: Any) -> Any:
    """Do one press of an existing lamp, unless it is dark; return the reward, the status and the event."""
    out[0] = state[0]
    if state[0] == DARK or not 0 <= number < data.shape[0] - 1:
        return 0, status(data, out), REFUSED
    out[0] ^= np.uint64(data[1 + number])
    return 0, status(data, out), DONE


@kernel
def mask(data: Any, state: Any, mask: Any) -> None:
    """Mark the legal presses: all, until it is dark (L2, L4)."""
    mask[:] = 0 if state[0] == DARK else 1


@kernel
def observe(data: Any, state: Any, player: Any, out: Any) -> None:
    """Write 1 for each lamp that is lit."""
    for lamp in range(data.shape[0] - 1):
        out[lamp] = state[0] >> np.uint64(lamp) & ONE


@kernel
def lit(data: Any, state: Any, arguments: Any) -> Any:
    """Return the value of `lit`."""
    count, lamps = 0, state[0]
    while lamps != DARK:
        lamps &= lamps - ONE  # without its lowest bit
        count += 1
    return count


@kernel
def on(data: Any, state: Any, arguments: Any) -> Any:
    """Return the value of `on(x,y)`."""
    place = np.uint64(arguments[1] * np.int64(data[0]) + arguments[0])
    return np.int64(state[0] >> place & ONE)


def prepare(level: Level) -> Packing | None:
    """Return a level's packing, its data the width and the lamps of each press; None for more than 64 lamps."""
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
def successors_of_rank(data: Any, rank: Any, out: Any, scratch: Any, through: Any) -> Any:
    """Write the rank after each press; from darkness only if the search goes through it."""
    if rank == 0 and not through:
        return 0
    for number in range(data.shape[0]):
        out[number] = rank ^ data[number]
    return data.shape[0]


@kernel
def state_of_rank(data: Any, rank: Any, out: Any) -> None:
    """Write the state of a rank."""
    out[0] = np.uint64(rank)


def ranking(level: Level) -> Ranking | None:
    """Return the ranking by the lamps that are lit, as bits: every number below 2 to the power of all lamps."""
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
    status=status,
    step=step,
    mask=mask,
    propositions={("lit", 0): lit, ("on", 2): on},
    search=SearchKernel(predecessors=predecessors),
    env=EnvKernel(observe=observe),
    ranked=RankedKernel(ranking=ranking, successors=successors_of_rank, state=state_of_rank),
)
