"""null on packed words: the walker's cell, one word. The same rules as `rules.py`, held to it by tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.null.rules import Level, Move, Position
from gridproof.kernels.chance import below
from gridproof.kernels.compile import inlined, kernel
from gridproof.kernels.game import (
    DONE,
    LOST,
    PLAYING,
    REFUSED,
    WON,
    EnvKernel,
    GameKernel,
    Packing,
    SearchKernel,
)

LEFT, RIGHT, HOP = range(3)  # the numbers of the actions, in the order of Move


@kernel
def is_legal(data: Any, state: Any, number: Any) -> Any:
    """Return whether an action is executable (N2, N3, N4)."""
    width, flag = data[0], data[1]
    walker = np.int64(state[0])
    if walker == flag:
        return False
    if number == LEFT:
        return walker > 0
    if number < 0 or number > HOP:
        return False
    return walker + (2 if number == HOP else 1) < width


@kernel
def successors(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """Write all outcomes, and return their number (N2, N3)."""
    count = 0
    for number in range(3):
        if not is_legal(data, state, number):
            continue
        distances = 2 if number == HOP else 1
        for distance in range(1, distances + 1):
            out[count, 0] = state[0] + np.uint64(distance) if number != LEFT else state[0] - np.uint64(1)
            action[count], reward[count], weight[count] = number, 0, 1
            count += 1
    return count


@kernel
def predecessors(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """Write all states from which one action can lead here, and return their number (N2, N3, N4)."""
    width, flag = data[0], data[1]
    walker = np.int64(state[0])
    count = 0
    for place in (walker + 1, walker - 1, walker - 2):
        if 0 <= place < width and place != flag:
            out[count, 0] = place
            count += 1
    return count


@kernel
def at_bound(data: Any, state: Any, arguments: Any) -> Any:
    """Return the bound of `at(x)`."""
    distance = arguments[0] - np.int64(state[0])
    return (distance + 1) // 2 if distance > 0 else -distance


@kernel
def status(data: Any, state: Any) -> Any:
    """Return the status (N4)."""
    if np.int64(state[0]) == data[1]:
        return WON
    for number in range(3):
        if is_legal(data, state, number):
            return PLAYING
    return LOST


@inlined
def step(data: Any, state: Any, number: Any, random: Any, out: Any) -> Any:
    """Do one action, and draw its chance."""
    out[0] = state[0]
    if not is_legal(data, state, number):
        return 0, status(data, out), REFUSED
    if number == LEFT:
        out[0] -= np.uint64(1)
    elif number == RIGHT:
        out[0] += np.uint64(1)
    else:
        out[0] += np.uint64(1 + below(random, 2))
    return 0, status(data, out), DONE


@kernel
def mask(data: Any, state: Any, mask: Any) -> None:
    """Mark the executable actions."""
    for number in range(3):
        mask[number] = 1 if is_legal(data, state, number) else 0


@kernel
def observe(data: Any, state: Any, player: Any, out: Any) -> None:
    """Write the row: 1 is the walker, 2 the flag, 3 both."""
    for cell in range(data[0]):
        out[cell] = 2 if cell == data[1] else 0
    out[np.int64(state[0])] += 1


@kernel
def at(data: Any, state: Any, arguments: Any) -> Any:
    """Return the value of `at(x)`."""
    return np.int64(np.int64(state[0]) == arguments[0])


def prepare(level: Level) -> Packing:
    """Return a level's packing; its data are its width and the flag's cell."""
    return Packing(
        level=level,
        words=1,
        most=4,
        data=np.array([level.width, level.flag], np.int64),
        actions=tuple(Move),
        pack=lambda position: np.array([position.walker], np.uint64),
        unpack=lambda words: Position(level, int(words[0])),
        most_before=3,
        observed=(level.width,),
        symbols=4,
        from_symbols=lambda row: Position(level, int(np.argmax(row % 2))),
    )


KERNEL = GameKernel(
    prepare=prepare,
    successors=successors,
    status=status,
    step=step,
    mask=mask,
    propositions={("at", 1): at},
    search=SearchKernel(predecessors=predecessors, bounds={("at", 1): at_bound}),
    env=EnvKernel(observe=observe),
)
