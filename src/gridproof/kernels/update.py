"""An action with all that a player is told of it: what a game's `update` does, made of `step`, `observe` and `mask`."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.kernels.compile import Hole, borrowing

step: Any = Hole()
observe: Any = Hole()
allow: Any = Hole()


def by_parts(data: Any, state: Any, number: Any, random: Any, room: Any, seen: Any, mask: Any) -> Any:
    """An executable action, and what is seen and can be done after it, all of it written anew."""
    gained, status, _ = step(data, state, number, random, room)
    for word in range(np.uint64(state.shape[0])):
        state[word] = room[word]
    observe(data, state, 0, seen)
    allow(data, state, mask)
    return gained, status


def updating(stepping: Any, observing: Any, masking: Any) -> Any:
    """The `update` of a kernel that has no quicker one, of its `step`, `observe` and `mask`."""
    return borrowing(by_parts, step=stepping, observe=observing, allow=masking)
