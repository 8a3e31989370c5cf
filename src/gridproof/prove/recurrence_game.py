"""Games of turns in which some players want something to come again and again: regions and ranks, as nested fixpoints.

The region of a Streett condition is a greatest fixpoint around a least one around a greatest one, that of three colours
(E. A. Emerson and C. S. Jutla, "Tree automata, mu-calculus and determinacy", 1991); no memory is needed. Where an answer
to each request can be forced, players need none either: they go on to an answer also if there is no request.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gridproof.prove.recurrence import STREETT
from gridproof.prove.strategy import Objective
from gridproof.search.graph import Array

NEVER = np.iinfo(np.int32).max
"""The rank where the players cannot reach their objective."""
UNCONSTRAINED = NEVER - 1
"""The rank where nothing is awaited, and `reach` need not come."""

Force = Callable[[Array], Array]
"""It returns the turns at which the players can force that the next turn is in a region; all are bool (places, positions)."""


def streett_ranks(wanted: Objective, force: Force) -> Array:
    """Return ranks, int32: one never grows until `reach` comes, and shrinks after each `hold`."""
    waits, rests = wanted.hold & ~wanted.reach, ~wanted.hold & ~wanted.reach
    region = np.ones_like(waits)
    while True:
        ranks = np.full(region.shape, NEVER, np.int32)
        again, rank = wanted.reach & force(region), 0
        while True:
            nearer = again | (waits & force(ranks < NEVER))
            new = _keep(nearer | rests, nearer, force) & (ranks == NEVER)
            if not new.any():
                break
            ranks[new] = rank
            rank += 1
        if np.array_equal(ranks < NEVER, region):
            return ranks
        region = ranks < NEVER


def response_ranks(wanted: Objective, force: Force, attract: Callable[[Array, Array], Array]) -> Array:
    """Return ranks, int32: one shrinks until `reach` comes; it is UNCONSTRAINED where `reach` need not come.

    `attract` returns the ranks to force something, the second region, until which the first one lasts.
    """
    asked = wanted.hold & ~wanted.reach
    region = np.ones_like(asked)
    while True:
        ranks = attract(~wanted.reach, wanted.reach & region)
        comes = ranks < NEVER
        smaller = region & np.where(asked, comes, force(region))
        if np.array_equal(smaller, region):
            found: Array = np.where(region, np.where(comes, ranks, UNCONSTRAINED), NEVER).astype(np.int32)
            return found
        region = smaller


def _keep(region: Array, ends: Array, force: Force) -> Array:
    """Return the turns at which the players can stay in a region, or are at the ends."""
    while True:
        smaller = region & (ends | force(region))
        if np.array_equal(smaller, region):
            return region
        region = smaller


def highest_rank_after(wanted: Objective, rank: int, is_hold: bool, is_reached: bool) -> int:
    """Return the highest rank that may follow a turn."""
    if is_reached or rank == UNCONSTRAINED:
        return UNCONSTRAINED
    return rank if wanted.kind == STREETT and not is_hold else rank - 1
