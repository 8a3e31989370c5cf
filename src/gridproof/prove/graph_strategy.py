"""Strategies with the greatest or the least value, as one choice for each position of a decision process.

Actions that are best for one step are not enough where a path can go round for ever: among the best ones, a strategy takes those
that may come nearer to the goal.
"""

from __future__ import annotations

import numpy as np

from gridproof.core.errors import GridproofError
from gridproof.prove.decision_process import DecisionProcess
from gridproof.search.graph import Array

_TOLERANCES = (0.0, 1e-14, 1e-12, 1e-10, 1e-8, 1e-6)
"""Parts of a value by which rounding may make one of the best actions worse."""
NONE = -1


def choose_for_goal(
    process: DecisionProcess, goal: Array, values: Array, costs: Array | None = None
) -> Array:
    """Return the choice of each position for the greatest probability of a goal, or, with costs, for the least cost.

    `values`, float64 (n,), are bounds from below of probabilities, or from above of costs. Return int64 (n,): NONE where
    there is no action; any action where the goal cannot be reached, or the cost is infinite.
    """
    wanted = np.isfinite(values) if costs is not None else values > 0
    reached = values if costs is None else np.where(wanted, values, 0.0)
    means = process.means(reached) + (0.0 if costs is None else costs)
    sign = 1.0 if costs is None else -1.0
    owned = reached[process.owners]
    allowed = process.all(wanted) if costs is not None and len(process.begins) else np.ones(len(means), bool)
    for part in _TOLERANCES:
        best = allowed & (sign * (means - owned) >= -part * np.maximum(1.0, owned))
        chosen, found = _approach(process, goal, best)
        if found[wanted & ~process.cut].all():
            break
    else:
        raise GridproofError("no strategy was found; please report this level")
    return _with_any(process, chosen)


def choose_greedily(process: DecisionProcess, values: Array, best: bool, costs: Array | None = None) -> Array:
    """Return the choice of each position that is best for one step: for the least probability, or the greatest finite cost."""
    means = process.means(np.where(np.isfinite(values), values, 0.0)) + (0.0 if costs is None else costs)
    sizes = np.diff(np.append(process.firsts, len(means)))
    extremes = (np.maximum if best else np.minimum).reduceat(means, process.firsts)
    found = np.where(means == np.repeat(extremes, sizes), np.arange(len(means)), len(means))
    chosen = np.full(process.states, NONE, np.int64)
    chosen[process.acting] = np.minimum.reduceat(found, process.firsts)
    return chosen


def _approach(process: DecisionProcess, goal: Array, allowed: Array) -> tuple[Array, Array]:
    """Return choices that may come nearer to a goal with each action, and from where they do."""
    chosen, found = np.full(process.states, NONE, np.int64), goal.copy()
    while True:
        leads = allowed & process.some(found) & ~found[process.owners]
        choices = np.flatnonzero(leads)[::-1]
        if not len(choices):
            return chosen, found
        chosen[process.owners[choices]] = choices  # the first of each position is written last
        found[process.owners[choices]] = True


def _with_any(process: DecisionProcess, chosen: Array) -> Array:
    """Choose the first action where there is no choice yet."""
    first = process.acting[chosen[process.acting] == NONE]
    chosen[first] = process.firsts[np.searchsorted(process.acting, first)]
    return chosen
