"""Games of turns with chance: the probability that some players can force, from below and from above.

Upper bounds are deflated in sets where the players can stay for ever without the goal: there a position is worth at most the
best way out of those who want to reach it (J. Eisentraut, E. Kelmendi, J. Kretinsky and M. Weininger, "Value iteration for simple
stochastic games: stopping criterion and learning algorithm", 2022).
"""

from __future__ import annotations

import contextlib
from typing import NamedTuple

import numpy as np

from gridproof.core.limit import Meter, Stopped, check_stop
from gridproof.prove.decision_process import DecisionProcess
from gridproof.prove.end_components import OUTSIDE, end_components
from gridproof.prove.graph_strategy import choose_greedily
from gridproof.prove.qualitative_reachability import may_reach, rank, will_reach
from gridproof.prove.turn_order import turn_order
from gridproof.search.graph import Array, Graph
from gridproof.search.space import StateSpace

_CLOSE = 1e-12
_UNIT = 2.0**-53
_DEFLATE_EVERY = 8
_ALIKE = 1e-9
"""The difference of values up to which two actions of an opponent count as equally good."""


class GameBounds(NamedTuple):
    """Bounds of the probability at each turn, rounding included."""

    low: Array
    high: Array


def turn_graph(space: StateSpace) -> Graph:
    """Return the graph of turns of a space: the turn of the player at `place` in position `number` is place * states + number.

    Each player may pass, which is the first choice. Positions that are not expanded have no choices.
    """
    graph, level, order = space.partial_graph(), space.level, turn_order(space.level, space.who)
    owners = np.array([level.owner(action) for action in graph.labels], object)
    expanded, sources = np.arange(space.expanded_count), graph.sources()
    rows = []
    for place, name in enumerate(order):
        check_stop()
        mine = np.isin(graph.actions, np.flatnonzero(owners == name))
        shift = (place + 1) % len(order) * space.states
        begin = np.concatenate([expanded, sources[mine]])
        sorting = np.argsort(begin, kind="stable")
        targets = np.concatenate([expanded, graph.targets[mine]]) + shift
        actions = np.concatenate([np.full(len(expanded), len(graph.labels)), graph.actions[mine]])
        weights = np.concatenate(
            [np.full(len(expanded), graph.whole, graph.weights.dtype), graph.weights[mine]]
        )
        sizes = np.bincount(begin, minlength=space.states)
        rows.append((sizes, targets[sorting], actions[sorting], weights[sorting]))
    sizes, targets, actions, weights = (np.concatenate([row[part] for row in rows]) for part in range(4))
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    labels = (*graph.labels, None)
    return Graph(offsets, targets.astype(np.int32), actions.astype(np.int32), weights, graph.whole, labels)


class StochasticGame:
    """A process in which the positions `maximal`, bool (n,), belong to those who want to reach a goal, and the others to opponents.

    Upper bounds count the goal as reached in positions of which nothing is known that follows.
    """

    def __init__(self, process: DecisionProcess, maximal: Array, goal: Array) -> None:
        self._process, self._maximal, self._goal = process, maximal, goal
        self._owners = maximal[process.owners]
        self._rounding = (process.choices.most + 2) * 2 * _UNIT

    def find_bounds(self, meter: Meter) -> GameBounds:
        """Return bounds of the probability to reach the goal; Stopped at a limit before it is known where it is 0 or 1."""
        process = self._process
        with meter.enforce():
            able, sure = self.find_able(), self.find_sure()
        low, high = sure.astype(np.float64), able.astype(np.float64)
        free = (able & ~sure)[process.acting]
        steps = 0
        while float((high - low).max(initial=0.0)) > _CLOSE and not meter.is_interrupted():
            moved = self._move(low, free, np.maximum, 1 - self._rounding)
            moved += self._move(high, free, np.minimum, 1 + self._rounding)
            if steps % _DEFLATE_EVERY == 0 or moved <= self._rounding:
                with contextlib.suppress(Stopped), meter.enforce():  # without it, bounds are only looser
                    moved += self._deflate(low, high, able & ~sure)
            steps += 1
            if moved <= self._rounding:
                break
        return GameBounds(low, high)

    def _move(self, bound: Array, free: Array, tighter: np.ufunc, factor: float) -> float:
        """Move bounds one step back, rounded outwards; return by how much at most."""
        acting = self._process.acting
        before = bound[acting]
        after = np.where(free, tighter(before, self._step(self._process.means(bound)) * factor), before)
        bound[acting] = after
        return float(np.abs(after - before).max(initial=0.0))

    def _step(self, means: Array) -> Array:
        """Return the value of each acting position, from those of its choices."""
        return self._process.extremes(means, self._maximal)

    def _deflate(self, low: Array, high: Array, free: Array) -> float:
        """Limit the upper bounds of sets where a path can stay for ever to the best way out; return by how much at most."""
        process = self._process
        means = process.means(low)
        least = np.repeat(self._step(means), np.diff(np.append(process.firsts, len(means))))
        allowed = self._owners | (means <= least + _ALIKE)
        components, staying = end_components(process.graph, free, allowed)
        inside = np.flatnonzero(components != OUTSIDE)
        if not len(inside):
            return 0.0
        exits = np.zeros(components.max() + 1)
        leaving = np.flatnonzero(self._owners & ~staying & (components[process.owners] != OUTSIDE))
        ways = process.means(high)[leaving] * (1 + self._rounding)
        np.maximum.at(exits, components[process.owners[leaving]], ways)
        before = high[inside]
        high[inside] = np.minimum(before, exits[components[inside]])
        return float((before - high[inside]).max(initial=0.0))

    def find_ranks(self, low: Array) -> Array:
        """Return a rank at each turn for lower bounds that were found, int64 (n,): 0 at the goal and where the bound is 0.

        Elsewhere an action that keeps the bound, or each action of the opponents, has an outcome with a lower rank.
        """
        process = self._process
        means = process.means(low) * (1 - self._rounding)
        keeping = (low[process.owners] <= means) | process.all(low == 1)
        return self.rank(self._goal | (low == 0), keeping)

    def choose(self, bounds: GameBounds) -> Array:
        """Return the choice of each position that keeps its bound, the lower one of those who want the goal; int64 (n,), -1 for none.

        Theirs come nearer to the goal, so that nobody can stay for ever where the bound is positive.
        """
        process = self._process
        means, ranks = process.means(bounds.low) * (1 - self._rounding), self.find_ranks(bounds.low)
        keeping = (bounds.low[process.owners] <= means) | process.all(bounds.low == 1)
        ranks = np.where(ranks < 0, len(ranks), ranks)
        lowest = np.minimum.reduceat(ranks[process.graph.targets], process.begins)
        nearer = np.flatnonzero(self._owners & keeping & (lowest < ranks[process.owners]))[::-1]
        chosen = choose_greedily(process, bounds.high, best=False)
        chosen[process.owners[nearer]] = nearer  # the first of each position is written last
        return chosen

    def rank(self, ends: Array, allowed: Array) -> Array:
        """Return a rank at each turn, int64 (n,): 0 at the ends, -1 where those who want the goal cannot come to them.

        Elsewhere an allowed action, or each action of the opponents, which are all allowed, has an outcome with a lower rank.
        """
        return rank(self._process, ends, self._maximal, allowed)

    def find_able(self) -> Array:
        """Return where the probability is above 0, or may be."""
        return may_reach(self._process, self._goal | self._process.cut, self._maximal)

    def find_sure(self) -> Array:
        """Return where the probability is 1."""
        return will_reach(self._process, self._goal, self._maximal)
