"""Random actions of many games at once, of those that can be done."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.kernels.chance import below
from gridproof.kernels.compile import borrowing

U = np.uint64


@borrowing
def choose(masks: Any, random: Any, out: Any) -> None:
    """Of each game an action that its mask allows, each as likely; 0 where there is none.

    There is no branch on a mask: the processor could not predict it.
    """
    actions = U(masks.shape[1])
    for game in range(U(masks.shape[0])):
        count = 0
        for action in range(actions):
            count += masks[game, action]
        left, chosen = below(random, max(count, 1)), 0
        for action in range(actions):
            left -= masks[game, action]
            chosen += left >= 0  # the one that is chosen lies further on
        out[game] = chosen if count else 0
