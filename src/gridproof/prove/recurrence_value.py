"""Games of turns with chance in which some players want a goal again and again: the probability that they can force.

Their choices are improved until none is better by itself, and no set of turns is better as a whole (K. Chatterjee and
T. A. Henzinger, "Strategy improvement and randomized subexponential algorithms for stochastic parity games", 2006). The bounds
are what the choices of one side leave to the other, which is an ordinary decision process: they hold whatever the choices are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gridproof.core.limit import Meter
from gridproof.prove.decision_process import DecisionProcess, keep_choices
from gridproof.prove.end_components import OUTSIDE, end_components
from gridproof.prove.graph_strategy import NONE, choose_greedily
from gridproof.prove.qualitative_reachability import rank
from gridproof.prove.stochastic_game import StochasticGame
from gridproof.search.graph import Array, Graph

_BETTER = 1e-9
"""The difference of values by which a choice is better than another."""


class RecurrenceBounds(NamedTuple):
    """Upper bounds of the probability in each position, and of that of the opposite; no less than the mean after each action.

    With the choices of both sides that keep them: int64 (n,), NONE for none.
    """

    missed: Array
    high: Array
    mine: Array
    theirs: Array


class RecurrenceGame:
    """A process in which the positions `maximal`, bool (n,), belong to those who want `goal`, bool (n,), again and again.

    What has no choice is followed by itself for ever; nothing is cut.
    """

    def __init__(self, process: DecisionProcess, maximal: Array, goal: Array) -> None:
        self._process, self._maximal, self._goal = process, maximal, goal
        self._owned = maximal[process.owners]

    def find_bounds(self, meter: Meter) -> RecurrenceBounds:
        """Return the bounds; Stopped at a limit before there are any, and looser ones at a limit after that."""
        mine = _first_choices(self._process, self._owned)
        missed = self._find_missed(mine, meter)
        while not meter.is_interrupted():
            better = self._improve(mine, 1 - missed)
            if better is None:
                break
            after = self._find_missed(better, meter)
            if after.sum() >= missed.sum() - _BETTER:
                break
            mine, missed = better, after
        theirs = self._answer(1 - missed)
        return RecurrenceBounds(missed, self._find_high(theirs, meter), mine, theirs)

    def find_ranks(self, bounds: RecurrenceBounds) -> tuple[Array, Array]:
        """Return two ranks of each position that prove its bounds, int64 (n,).

        The first one is 0 at the goal and where the lower bound is 0; elsewhere each action that is left has an outcome with a
        lower rank. The second one is as of `rank_avoidance`, with 0 where the upper bound is 1.
        """
        nobody = np.zeros_like(self._goal)
        mine, theirs = (
            DecisionProcess(self._graph_with(chosen, owned), nobody, nobody)
            for chosen, owned in ((bounds.mine, self._owned), (bounds.theirs, ~self._owned))
        )
        every = np.ones(len(theirs.begins), bool)
        return (
            rank(mine, self._goal | (bounds.missed >= 1), best=False),
            rank_avoidance(theirs, self._goal, bounds.high >= 1, nobody, every),
        )

    def _find_missed(self, mine: Array, meter: Meter) -> Array:
        """Return with what probability the others can stay away from the goal in the end, if one side makes its choices."""
        graph = self._graph_with(mine, self._owned)
        return _reach(graph, _lasting(graph, ~self._goal), meter)

    def _find_high(self, theirs: Array, meter: Meter) -> Array:
        """Return with what probability the goal can be forced against the choices of the others."""
        graph = self._graph_with(theirs, ~self._owned)
        components, _ = end_components(graph, np.ones_like(self._goal))
        with_goal = np.zeros(components.max(initial=0) + 2, bool)
        with_goal[components[self._goal]] = True
        with_goal[OUTSIDE] = False
        again = with_goal[components] | (self._goal & (np.diff(graph.offsets) == 0))
        return _reach(graph, again, meter)

    def _graph_with(self, chosen: Array, owned: Array) -> Graph:
        """Return the graph with one choice in each position of a side, which owns the choices `owned`, bool (choices,)."""
        process = self._process
        kept = ~owned | (chosen[process.owners] == np.arange(len(process.owners)))
        return keep_choices(process.graph, process.begins, kept)

    def _improve(self, mine: Array, low: Array) -> Array | None:
        """Return better choices of those who want the goal; None if there are none."""
        process, better = self._process, mine.copy()
        means = process.means(low)
        gains = np.where(self._owned, means - low[process.owners], 0.0)
        largest = np.repeat(
            np.maximum.reduceat(gains, process.firsts), np.diff(np.append(process.firsts, len(means)))
        )
        gaining = np.flatnonzero((gains > _BETTER) & (gains == largest))
        better[process.owners[gaining]] = gaining
        if len(gaining):
            return better
        trap = self._rank_answers(low) < 0
        if not trap.any():
            return None
        kept = self._keeping(low) & process.all(trap) & trap[process.owners]
        inner = DecisionProcess(
            keep_choices(process.graph, process.begins, kept), np.zeros_like(trap), np.zeros_like(trap)
        )
        ranks = rank(inner, trap & self._goal, self._maximal)
        lowest = np.minimum.reduceat(ranks[inner.graph.targets], inner.begins)
        nearer = (lowest < ranks[inner.owners]) | self._goal[inner.owners]
        good = np.flatnonzero(kept)[nearer]
        better[process.owners[good]] = np.where(self._owned[good], good, NONE)
        return better

    def _keeping(self, low: Array) -> Array:
        """Return the choices of those who want the goal, and those of the others that keep a value: bool (choices,)."""
        process = self._process
        return self._owned | (process.means(low) <= low[process.owners] + _BETTER)

    def _rank_answers(self, low: Array) -> Array:
        return rank_avoidance(
            self._process, self._goal, low >= 1 - _BETTER, ~self._maximal, self._keeping(low)
        )

    def _answer(self, low: Array) -> Array:
        """Return the choices of the others that fit some values."""
        process, ranks = self._process, self._rank_answers(low)
        outcomes = ranks[process.graph.targets]
        lowest, highest = (one.reduceat(outcomes, process.begins) for one in (np.minimum, np.maximum))
        own = ranks[process.owners]
        fits = (lowest < own) | ((highest <= own) & ~self._goal[process.owners])
        chosen = choose_greedily(process, low, best=False)
        good = np.flatnonzero(~self._owned & self._keeping(low) & (lowest >= 0) & (own > 0) & fits)[::-1]
        chosen[process.owners[good]] = good
        return np.where(self._maximal, NONE, chosen)


def rank_avoidance(process: DecisionProcess, goal: Array, ends: Array, wants: Array, allowed: Array) -> Array:
    """Return a rank of each position, int64 (n,): 0 at the ends, -1 where a goal comes again and again before an end does.

    Elsewhere a choice that is allowed, bool (choices,), or each choice, which are all allowed, has an outcome with a lower
    rank, or away from the goal outcomes with no higher ones; one is enough where `wants`, bool (n,). So in the end the goal
    comes no more, or an end comes, almost surely.
    """
    ranks: Array = np.where(ends, 0, -1)
    while True:
        nearer = rank(process, ranks >= 0, wants, allowed)
        ranks = np.where(nearer > 0, ranks.max(initial=0) + nearer, ranks)
        known, staying = ranks >= 0, ~goal & (ranks < 0)
        while len(process.begins):
            fits = allowed & (process.all(staying) | process.some(known))
            smaller = staying.copy()
            smaller[process.acting] &= process.extremes(fits, wants)
            if np.array_equal(smaller, staying):
                break
            staying = smaller
        if not staying.any():
            return ranks
        ranks[staying] = ranks.max(initial=0) + 1


def _first_choices(process: DecisionProcess, owned: Array) -> Array:
    """Return the first choice of each position of a side, which owns the choices `owned`, bool (choices,)."""
    chosen = np.full(process.states, NONE, np.int64)
    firsts = process.firsts[owned[process.firsts]]
    chosen[process.owners[firsts]] = firsts
    return chosen


def _lasting(graph: Graph, inside: Array) -> Array:
    """Return the positions where a path can stay inside for ever, in a set where it can come again from each to each."""
    components, _ = end_components(graph, inside)
    found: Array = (components != OUTSIDE) | (inside & (np.diff(graph.offsets) == 0))
    return found


def _reach(graph: Graph, ends: Array, meter: Meter) -> Array:
    """Return upper bounds of the greatest probability to reach some ends, which are no less than the mean after each choice."""
    process = DecisionProcess(graph, ends, np.zeros_like(ends))
    bounds = StochasticGame(process, np.ones_like(ends), ends).find_bounds(meter)
    high: Array = bounds.high
    return high
