"""Games of turns with costs: the expected cost until a goal that some players can force, from below and from above.

Those who want a low cost begin with choices by which the goal comes surely, and change them as long as the cost falls; the
others answer as well as they can each time (A. J. Hoffman and R. M. Karp, "On nonterminating stochastic games", 1966). Each
answer is an ordinary decision process, whose bounds are proved. The cost is infinite where the goal cannot be forced.
"""

from __future__ import annotations

import numpy as np

from gridproof.core.limit import Meter
from gridproof.prove.decision_process import DecisionProcess, keep_choices
from gridproof.prove.expected_cost import CostBounds, find_cost_bounds
from gridproof.prove.stochastic_game import StochasticGame
from gridproof.search.graph import Array

_BETTER = 1e-10
"""The part of a cost by which another choice must be better."""


def find_forced_costs(
    process: DecisionProcess, minimal: Array, goal: Array, costs: Array, meter: Meter
) -> CostBounds:
    """Return bounds of the expected cost at each turn.

    Parameters
    ----------
    process : DecisionProcess
        Complete; it stops at the goal.
    minimal : array of bool (n,)
        The turns of those who want a low cost.
    costs : array of float (choices,)

    Stopped at a limit before the equations are known.
    """
    game = StochasticGame(process, minimal, goal)
    mine = minimal[process.owners]
    with meter.enforce():
        sure = game.find_sure()
        ranks = game.find_ranks(sure.astype(np.float64))
    inside = sure[process.owners] & process.all(sure)
    lowest = np.minimum.reduceat(ranks[process.graph.targets], process.begins)
    chosen = _firsts(process, inside & mine & (lowest < ranks[process.owners]))
    while True:
        high = _answer(process, inside & (chosen | ~mine), goal, costs, True, meter).high
        means = process.means(np.where(sure, high, 0.0)) + costs
        better = inside & mine & (means < high[process.owners] * (1 - _BETTER))
        if not better.any() or meter.is_interrupted():
            break
        best = _firsts(
            process, better & (means == _extreme(process, np.where(better, means, np.inf), np.minimum))
        )
        changed = np.zeros(process.states, bool)
        changed[process.owners[best]] = True
        chosen = np.where(changed[process.owners], best, chosen)
    worst = inside & (means == _extreme(process, np.where(inside, means, -np.inf), np.maximum))
    low = _answer(process, inside & (_firsts(process, worst) | mine), goal, costs, False, meter).low
    return CostBounds(np.where(sure, low, np.inf), high)


def _answer(
    process: DecisionProcess, kept: Array, goal: Array, costs: Array, largest: bool, meter: Meter
) -> CostBounds:
    """Return bounds of the cost if only some of the choices are there."""
    graph = keep_choices(process.graph, process.begins, kept)
    left = DecisionProcess(graph, goal, np.zeros(process.states, bool))
    return find_cost_bounds(left, goal, costs[kept], largest, meter)


def _extreme(process: DecisionProcess, means: Array, extreme: np.ufunc) -> Array:
    """Return for each choice the least or the greatest mean of its position."""
    sizes = np.diff(np.append(process.firsts, len(means)))
    return np.repeat(extreme.reduceat(means, process.firsts), sizes)


def _firsts(process: DecisionProcess, choices: Array) -> Array:
    """Return the first one of the choices of each position: bool (choices,)."""
    numbers = np.flatnonzero(choices)
    _, places = np.unique(process.owners[numbers], return_index=True)
    found = np.zeros(len(choices), bool)
    found[numbers[places]] = True
    return found
