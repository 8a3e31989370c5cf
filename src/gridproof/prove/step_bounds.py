"""Probabilities within a number of actions: steps backwards over the graph, in whole numbers where that is feasible."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gridproof.core.limit import Meter, check_stop
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
    Stopped at a limit before whole numbers are found.
    """
    assert path.steps is not None
    if _is_exact(process, path):
        whole = process.graph.whole**path.steps
        with meter.enforce():
            low = _count(process, path, best, cut=0)
            return StepBounds(low, _count(process, path, best, cut=1) if process.cut.any() else low, whole)
    return _find_floating(process, path, best, meter)


def _is_exact(process: DecisionProcess, path: Until) -> bool:
    """Return whether whole numbers are feasible."""
    steps = path.steps or 0
    bits = steps * process.graph.whole.bit_length()
    return len(process.graph) * steps <= _MOST_WORK and bits <= _MOST_BITS


def _count(process: DecisionProcess, path: Until, best: bool | Array, cut: int) -> Array:
    """Return the probability of each position times a power of the graph's `whole`, in Python's whole numbers."""
    (found,) = deque(_counts(process, path, best, cut), maxlen=1)
    return found


def _counts(process: DecisionProcess, path: Until, best: bool | Array, cut: int) -> Iterator[Array]:
    """Yield for 0, 1, ... steps the probability of each position times that power of the graph's `whole`, in whole numbers.

    The probability of what follows positions in `process.cut` counts as 0 or 1.
    """
    graph, whole = process.graph, process.graph.whole
    weights, found = graph.weights.astype(object), path.reach.astype(object)
    found[:] = [int(one) for one in path.reach]
    stopped, unit = path.stopped, 1
    yield found
    for _ in range(path.steps or 0):
        check_stop()
        unit *= whole
        after = found * whole  # what has no action is followed by itself
        if len(process.begins):
            sums = np.add.reduceat(found[graph.targets] * weights, process.begins)
            after[process.acting] = process.extremes(sums, best)
        after[process.cut] = cut * unit
        after[stopped] = [unit * int(one and not path.exactly) for one in path.reach[stopped]]
        found = after
        yield found


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
    """Return the values after so many steps back, and the number of steps until they stayed the same or a limit was reached."""
    step, found = 0, path.reach
    for step, found in enumerate(_iterates(process, path, best, cut)):  # noqa: B007  # the last ones are wanted
        if meter.is_interrupted():
            break
    return found, step


def _iterates(
    process: DecisionProcess, path: Until, best: bool | Array, cut: float | bool
) -> Iterator[Array]:
    """Yield the values after 0, 1, ... steps back, until they stay the same.

    With True for `cut`, whether the probability is above 0; with False, whether it is 1.
    """
    logical = isinstance(cut, bool)
    found = path.reach.copy() if logical else path.reach.astype(np.float64)
    mean: Any = process.means if not logical else process.some if cut else process.all
    stopped = path.stopped
    yield found
    for _ in range(path.steps or 0):
        after = found.copy()
        if len(process.begins):
            after[process.acting] = process.extremes(mean(found), best)
        after[process.cut] = cut
        after[stopped] = path.reach[stopped] & (not path.exactly)
        if np.array_equal(after, found):
            break
        found = after
        yield found


class StepChoices:
    """The choices of each position that are best for the steps that are left; arguments as of `find_step_bounds`.

    `is_cut_reached` says whether what follows positions of which nothing is known counts as reached.
    """

    def __init__(
        self, process: DecisionProcess, path: Until, best: bool | Array, is_cut_reached: bool
    ) -> None:
        self._process, self._best = process, best
        self._ends = np.append(process.begins, len(process.graph))
        if _is_exact(process, path):
            self._weights = process.graph.weights.astype(object)
            self._values = list(_counts(process, path, best, int(is_cut_reached)))
        else:
            self._weights = process.chances
            self._values = list(_iterates(process, path, best, float(is_cut_reached)))

    def choose(self, number: int, left: int) -> int:
        """Return the first of the best choices in a position, if so many steps are left; -1 without choices."""
        first, last = np.searchsorted(self._process.owners, [number, number + 1]).tolist()
        after = self._values[min(max(left, 1), len(self._values)) - 1]
        targets = self._process.graph.targets
        sums = [
            (after[targets[begin:end]] * self._weights[begin:end]).sum()
            for begin, end in itertools.pairwise(self._ends[first : last + 1].tolist())
        ]
        is_best = self._best if isinstance(self._best, bool) else bool(self._best[number])
        return first + sums.index((max if is_best else min)(sums)) if sums else -1
