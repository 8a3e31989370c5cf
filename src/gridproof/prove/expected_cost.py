"""Expected costs until a goal, from below and from above; infinite where the goal is not reached with probability 1.

From below, values are iterated from 0. Upper bounds are guessed above these and verified: a vector that one step back does
not increase is above the value (A. Hartmanns and B. L. Kaminski, "Optimistic value iteration", 2020). Each step is rounded
outwards. For the least cost, positions among which a player can go for ever at no cost count as one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gridproof.core.limit import Meter
from gridproof.prove.decision_process import DecisionProcess
from gridproof.prove.end_components import OUTSIDE, end_components
from gridproof.prove.qualitative_reachability import will_reach
from gridproof.search.graph import Array

_CLOSE = 1e-12
_UNIT = 2.0**-53
_GUESSES = (1e-10, 1e-7, 1e-4, 1e-2, 1.0)
"""Parts by which a guess is above the lower bound."""


class CostBounds(NamedTuple):
    """Bounds of the expected cost from each position, rounding included."""

    low: Array
    high: Array


def find_cost_bounds(
    process: DecisionProcess, goal: Array, costs: Array, largest: bool, meter: Meter
) -> CostBounds:
    """Return bounds of the greatest or the least expected cost until a goal, in a process that stops at it.

    `costs` has the mean cost of each choice. Stopped at a limit before the equations are known.
    """
    with meter.enforce():
        problem = _Problem(process, goal, costs, largest)
        nearer = _Problem(process, goal | process.cut, costs, largest) if process.cut.any() else problem
    low = nearer.iterate_low(meter)
    own_low = low if nearer is problem else problem.iterate_low(meter)
    return CostBounds(low, problem.find_high(own_low, meter))


class _Problem:
    """Equations of expected costs among the positions from which the goal is reached with probability 1."""

    def __init__(self, process: DecisionProcess, goal: Array, costs: Array, largest: bool) -> None:
        self._process, self._costs, self._largest = process, costs, largest
        self._finite = will_reach(process, goal, best=not largest)
        self._open = self._finite & ~goal
        self._rounding = (process.choices.most + 4) * 2 * _UNIT
        self._acts = self._open[process.acting]
        self._together = self._component = np.zeros(0, np.int64)
        self._barred = np.zeros(len(costs), bool)
        if not largest:
            self._barred = ~process.all(self._finite)
            self._join_components()

    def _join_components(self) -> None:
        """Let positions between which a path costs nothing have one value: the least one of leaving them."""
        free = (self._costs == 0) & ~self._barred
        if not free.any():
            return
        components, staying = end_components(self._process.graph, self._open, free)
        component = components[self._process.acting]
        self._together = np.flatnonzero(component != OUTSIDE)
        self._component = component[self._together]
        self._barred |= staying

    def _step(self, found: Array, costs: Array) -> Array:
        """Return the values of the positions with choices, one step back."""
        if not len(costs):
            return np.zeros(0)
        means = self._process.means(np.where(self._finite, found, 0.0)) + costs
        if self._largest:
            greatest: Array = np.maximum.reduceat(means, self._process.firsts)
            return greatest
        means[self._barred] = np.inf
        after: Array = np.minimum.reduceat(means, self._process.firsts)
        if len(self._together):
            least = np.full(self._component.max() + 1, np.inf)
            np.minimum.at(least, self._component, after[self._together])
            after[self._together] = least[self._component]
        return after

    def iterate_low(self, meter: Meter) -> Array:
        """Return lower bounds of the values."""
        return self._iterate_low(self._step, self._costs, meter)

    def _iterate_low(self, step: Callable[[Array, Array], Array], costs: Array, meter: Meter) -> Array:
        found, acting = np.where(self._finite, 0.0, np.inf), self._process.acting
        while not meter.is_interrupted():
            before = found[acting]
            after = step(found, costs) * (1 - self._rounding)
            after = np.where(self._acts, np.maximum(before, after), before)
            found[acting] = after
            with np.errstate(invalid="ignore"):
                moved = np.where(self._acts, after - before, 0.0) > self._rounding * after
            if not moved.any():
                break
        return found

    def find_high(self, low: Array, meter: Meter) -> Array:
        """Return upper bounds of the values, from lower bounds; infinite where none is proved before a limit."""
        length = np.zeros(len(low))
        if bool((self._costs == 0).any()):
            length = self._find_lengths(low, meter)
        for part in _GUESSES:
            guess = np.where(self._finite, low * (1 + part) + length * part, np.inf)
            if self._is_upper(guess):
                return self._refine(guess, low, meter)
        return np.where(self._open, np.inf, guess)

    def _find_lengths(self, low: Array, meter: Meter) -> Array:
        """Return the number of actions to the goal: the greatest, or that of actions with the least value."""
        ones = np.ones(len(self._costs))
        if self._largest:
            return self._iterate_low(self._step, ones, meter)
        chosen = self._choose(low)
        return self._iterate_low(lambda found, costs: (self._means(found) + costs)[chosen], ones, meter)

    def _means(self, found: Array) -> Array:
        return self._process.means(np.where(self._finite, found, 0.0))

    def _choose(self, low: Array) -> Array:
        """Return the choice with the least value for each position that has one; one for all of a component."""
        means = self._means(low) + self._costs
        means[self._barred] = np.inf
        firsts = self._process.firsts
        least = np.repeat(np.minimum.reduceat(means, firsts), np.diff(np.append(firsts, len(means))))
        numbers = np.where(means == least, np.arange(len(means)), len(means))
        chosen: Array = np.minimum.reduceat(numbers, firsts)
        if len(self._together):
            members = self._together[np.lexsort((means[chosen[self._together]], self._component))]
            component = np.full(len(self._process.acting), OUTSIDE, np.int64)
            component[self._together] = self._component
            kinds, first = np.unique(component[members], return_index=True)
            best = np.zeros(kinds.max() + 1, np.int64)
            best[kinds] = chosen[members[first]]
            chosen[self._together] = best[self._component]
        return chosen

    def _is_upper(self, guess: Array) -> bool:
        """Return whether a step back increases no number of a guess, rounding included."""
        after = self._step(guess, self._costs) * (1 + self._rounding)
        return not bool((self._acts & (after > guess[self._process.acting])).any())

    def _refine(self, high: Array, low: Array, meter: Meter) -> Array:
        """Decrease upper bounds step by step, until they are close to lower ones or stay."""
        acting = self._process.acting
        while not meter.is_interrupted():
            before = high[acting]
            after = self._step(high, self._costs) * (1 + self._rounding)
            after = np.where(self._acts, np.minimum(before, after), before)
            high[acting] = after
            with np.errstate(invalid="ignore"):
                moved = np.where(self._acts, before - after, 0.0) > self._rounding * after
                far = np.where(self._acts, after - low[acting], 0.0) > _CLOSE * after
            if not moved.any() or not far.any():
                break
        return high
