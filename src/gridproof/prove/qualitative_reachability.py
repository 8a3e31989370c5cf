"""Positions where a goal is reached with probability 0 or 1, found in the graph alone, so exactly.

The fixpoints are those of Bianco and de Alfaro, "Model checking of probabilistic and nondeterministic systems" (1995); those of
games, of de Alfaro, Henzinger and Kupferman, "Concurrent reachability games" (1998).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.core.limit import check_stop
from gridproof.kernels.compile import kernel
from gridproof.prove.decision_process import DecisionProcess
from gridproof.search.graph import Array


def may_reach(process: DecisionProcess, goal: Array, best: bool | Array) -> Array:
    """Return where the best (or else the worst) probability to reach a goal is above 0: bool (n,).

    `best` may be bool (n,), one for each position: in a game, the positions of those who want the goal.
    """
    return rank(process, goal, best) >= 0


def will_reach(process: DecisionProcess, goal: Array, best: bool | Array) -> Array:
    """Return where the best (or else the worst) probability to reach a goal is 1: bool (n,); `best` as of `may_reach`."""
    if best is False:
        avoiding = ~may_reach(process, goal, best=False)
        return ~may_reach(process, avoiding, best=True)
    region = np.ones(process.states, bool)
    while True:
        inside = process.all(region) if len(process.begins) else np.zeros(0, bool)
        smaller = rank(process, goal, best, inside) >= 0
        if np.array_equal(smaller, region):
            return region
        region = smaller


def rank(process: DecisionProcess, ends: Array, best: bool | Array, allowed: Array | None = None) -> Array:
    """Return a rank of each position, int64 (n,): 0 at the ends, -1 where they cannot be reached.

    Elsewhere a choice that is allowed, bool (choices,), or each choice, which are all allowed, has an outcome with a lower rank;
    one is enough where `best`, which may be bool (n,).
    """
    check_stop()
    wants = np.full(process.states, best) if isinstance(best, bool) else best
    ranks = np.where(ends, 0, -1)
    if len(process.begins):
        useful = np.ones(len(process.begins), bool) if allowed is None else allowed.copy()
        missing = np.bincount(process.owners, minlength=process.states)
        missing[wants] = 1
        attract(*process.backward, process.owners, useful, missing, ranks, np.empty(process.states, np.int32))
    return ranks


@kernel
def attract(
    rows_of_choices: Any, choices: Any, owners: Any, useful: Any, missing: Any, ranks: Any, queue: Any
) -> None:
    """Rank the positions with enough useful choices that have an outcome with a rank, in the order of their ranks.

    `missing` has the number of choices that are enough; each useful choice counts once.
    """
    count = 0
    for number in range(ranks.shape[0]):
        if ranks[number] == 0:
            queue[count] = number
            count += 1
    head = 0
    while head < count:
        target = queue[head]
        head += 1
        for place in range(rows_of_choices[target], rows_of_choices[target + 1]):
            choice = choices[place]
            if not useful[choice]:
                continue
            useful[choice] = False
            owner = owners[choice]
            missing[owner] -= 1
            if missing[owner] == 0 and ranks[owner] < 0:
                ranks[owner] = ranks[target] + 1
                queue[count] = owner
                count += 1
