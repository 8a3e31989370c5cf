"""Probabilities within a number of actions: steps backwards over the graph, in whole numbers where that is feasible."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gridproof.core.limit import Meter
from gridproof.prove.decision_process import DecisionProcess, Until
from gridproof.search.graph import Array

_MOST_WORK = 3_000_000
"""Products of edges and steps in whole numbers."""
_MOST_BITS = 4096
_UNIT = 2.0**-53


class StepBounds(NamedTuple):
    """Bounds of the probability in each position: floating-point numbers, or whole numbers divided by `whole`."""

    low: Array
    high: Array
    whole: int = 0
    """0 for floating-point numbers."""


def find_step_bounds(process: DecisionProcess, path: Until, best: bool | Array, meter: Meter) -> StepBounds:
    """Return bounds of the best or the worst probability of a path with `steps`, rounding included.

    `best` may be bool (n,), one for each position: in a game, the positions of those who want a great probability.
    """
    assert path.steps is not None
    work = len(process.graph) * path.steps
    if work <= _MOST_WORK and path.steps * process.graph.whole.bit_length() <= _MOST_BITS:
        whole = process.graph.whole**path.steps
        low = _count(process, path, best, cut=0)
        return StepBounds(low, _count(process, path, best, cut=1) if process.cut.any() else low, whole)
    return _find_floating(process, path, best, meter)


def _count(process: DecisionProcess, path: Until, best: bool | Array, cut: int) -> Array:
    """Return the probability of each position times a power of the graph's `whole`, in Python's whole numbers.

    The probability of what follows positions in `process.cut` counts as 0 or 1.
    """
    graph, whole = process.graph, process.graph.whole
    weights, found = graph.weights.astype(object), path.reach.astype(object)
    found[:] = [int(one) for one in path.reach]
    stopped = path.stopped
    unit = 1
    for _ in range(path.steps or 0):
        unit *= whole
        after = found * whole  # what has no action is followed by itself
        if len(process.begins):
            sums = np.add.reduceat(found[graph.targets] * weights, process.begins)
            after[process.acting] = process.extremes(sums, best)
        after[process.cut] = cut * unit
        after[stopped] = [unit * int(one and not path.exactly) for one in path.reach[stopped]]
        found = after
    return found


def _find_floating(process: DecisionProcess, path: Until, best: bool | Array, meter: Meter) -> StepBounds:
    """Return bounds by floating-point numbers; where the probability is 0 or 1, that is found without rounding."""
    low, steps = _iterate(process, path, best, 0.0, meter)
    high = _iterate(process, path, best, 1.0, meter)[0] if process.cut.any() else low.copy()
    possible = _iterate(process, path, best, True, meter)[0]
    sure = _iterate(process, path, best, False, meter)[0]
    error = (steps + 1) * (process.choices.most + 2) * 2 * _UNIT
    low, high = np.maximum(low - error, 0.0), np.minimum(high + error, 1.0)
    if meter.is_interrupted():
        low = low if not path.exactly else np.zeros_like(low)
        return StepBounds(low, np.where(path.stopped & ~path.reach, 0.0, 1.0))
    low[sure], high[~possible] = 1.0, 0.0
    return StepBounds(low, high)


def _iterate(
    process: DecisionProcess, path: Until, best: bool | Array, cut: float | bool, meter: Meter
) -> tuple[Array, int]:
    """Return the values after so many steps back, and the number of steps until they stayed the same or a limit was reached.

    With True for `cut`, whether the probability is above 0; with False, whether it is 1.
    """
    logical = isinstance(cut, bool)
    found = path.reach.copy() if logical else path.reach.astype(np.float64)
    mean: Any = process.means if not logical else process.some if cut else process.all
    stopped = path.stopped
    for step in range(path.steps or 0):
        if meter.is_interrupted():
            return found, step
        after = found.copy()
        if len(process.begins):
            after[process.acting] = process.extremes(mean(found), best)
        after[process.cut] = cut
        after[stopped] = path.reach[stopped] & (not path.exactly)
        if np.array_equal(after, found):
            return found, step
        found = after
    return found, path.steps or 0
