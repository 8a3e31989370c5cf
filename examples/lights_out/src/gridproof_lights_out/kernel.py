"""Lights out on a packed word, a bit a lamp: the rules of `rules.py`, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.kernels.compile import kernel
from gridproof.kernels.game import PLAYING, WON, GameKernel, Packing
from gridproof_lights_out.rules import Level, Position

DARK = np.uint64(0)
ONE = np.uint64(1)


@kernel
def successors(tables: Any, state: Any, out: Any, action: Any, reward: Any, chance: Any) -> Any:
    """What each press leads to (L2, L3), in the order of the rules; nothing from darkness (L4)."""
    switched = tables[0]
    if state[0] == DARK:
        return 0
    for number in range(len(switched)):
        out[number, 0] = state[0] ^ switched[number]
        action[number], reward[number], chance[number] = number, 0, 1.0
    return len(switched)


@kernel
def predecessors(tables: Any, state: Any, out: Any, action: Any, reward: Any, chance: Any) -> Any:
    """From where a press leads here: pressing again undoes it, but darkness is not left (L4)."""
    switched = tables[0]
    count = 0
    for number in range(len(switched)):
        out[count, 0] = state[0] ^ switched[number]
        if out[count, 0] != DARK:
            count += 1
    return count


@kernel
def status(tables: Any, state: Any) -> Any:
    """Won when it is dark (L4), else playing (L2)."""
    return WON if state[0] == DARK else PLAYING


@kernel
def step(tables: Any, state: Any, number: Any, random: Any, out: Any) -> Any:
    """One press; its reward."""
    out[0] = state[0] ^ tables[0][number]
    return 0


@kernel
def mask(tables: Any, state: Any, mask: Any) -> None:
    """Which presses can be done: all, until it is dark (L2, L4)."""
    mask[:] = 0 if state[0] == DARK else 1


@kernel
def lit(tables: Any, state: Any, arguments: Any) -> Any:
    """The number `lit`."""
    count, lamps = 0, state[0]
    while lamps != DARK:
        lamps &= lamps - ONE  # without its lowest bit
        count += 1
    return count


@kernel
def on(tables: Any, state: Any, arguments: Any) -> Any:
    """The proposition `on(x,y)`."""
    place = np.uint64(arguments[1] * tables[1][0] + arguments[0])
    return np.int64(state[0] >> place & ONE)


def prepare(level: Level) -> Packing | None:
    """A level's tables: what each press switches, and the width; None for more lamps than a word has bits."""
    lamps = level.width * level.height
    if lamps > 64:
        return None
    return Packing(
        level=level,
        words=1,
        most=lamps,
        most_before=lamps,
        tables=(np.array([*level.presses.values()], np.uint64), np.array([level.width], np.int64)),
        actions=tuple(level.presses),
        pack=lambda position: np.array([position.lamps], np.uint64),
        unpack=lambda words: Position(level, int(words[0])),
    )


KERNEL = GameKernel(
    prepare=prepare,
    successors=successors,
    predecessors=predecessors,
    status=status,
    step=step,
    mask=mask,
    propositions={("lit", 0): lit, ("on", 2): on},
)
