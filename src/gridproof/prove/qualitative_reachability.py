"""Positions where a goal is reached with probability 0 or 1, found in the graph alone, so exactly.

The fixpoints are those of Bianco and de Alfaro, "Model checking of probabilistic and nondeterministic systems" (1995).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gridproof.core.limit import check_stop
from gridproof.prove.decision_process import DecisionProcess
from gridproof.search.graph import Array


def may_reach(process: DecisionProcess, goal: Array, best: bool) -> Array:
    """Return where the best (or else the worst) probability to reach a goal is above 0: bool (n,)."""
    return _grow(process, goal, process.some, best)


def will_reach(process: DecisionProcess, goal: Array, best: bool) -> Array:
    """Return where the best (or else the worst) probability to reach a goal is 1: bool (n,)."""
    if not best:
        avoiding = ~may_reach(process, goal, best=False)
        return ~_grow(process, avoiding, process.some, True)
    region = np.ones(process.states, bool)
    while True:
        check_stop()
        inside = process.all(region) if len(process.begins) else np.zeros(0, bool)
        smaller = _grow(process, goal, _inside(process, inside), True)
        if np.array_equal(smaller, region):
            return region
        region = smaller


def _inside(process: DecisionProcess, inside: Array) -> Callable[[Array], Array]:
    return lambda found: inside & process.some(found)


def _grow(process: DecisionProcess, goal: Array, leads: Callable[[Array], Array], some: bool) -> Array:
    """Return the least set with the goal, and each position some (or else every) choice of which leads into it."""
    found = goal.copy()
    if not len(process.begins):
        return found
    join = np.logical_or if some else np.logical_and
    while True:
        check_stop()
        new = join.reduceat(leads(found), process.firsts) & ~found[process.acting]
        if not new.any():
            return found
        found[process.acting[new]] = True
