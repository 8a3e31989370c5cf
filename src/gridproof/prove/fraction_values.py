"""Exact values of the positions of a small graph without a way back, as fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter

import numpy as np

from gridproof.prove.decision_process import DecisionProcess
from gridproof.prove.exact_values import MOST
from gridproof.prove.interval import Number
from gridproof.search.graph import Array


def find_fractions(
    process: DecisionProcess, ends: list[Number], best: bool, costs: list[Fraction] | None = None
) -> list[Number] | None:
    """Return the greatest or least mean value of what is reached, with the costs of all choices on the way.

    Parameters
    ----------
    ends : list
        The values of positions without choices.
    costs : list, optional
        The cost of each choice; none by default.

    Returns
    -------
    list, or None when there are too many positions, or a way back.
    """
    order = _order(process)
    if order is None:
        return None
    values, choose = list(ends), max if best else min
    choices = _choices_of(process)
    for number in order:
        if choices[number]:
            values[number] = choose(
                _mean(process, values, begin, end) + (costs[choice] if costs else 0)
                for choice, begin, end in choices[number]
            )
    return values


def find_ratio(process: DecisionProcess, wanted: Array, given: Array, start: int) -> Number | None:
    """Return the greatest ratio of two probabilities from a position: to end in `wanted`, and to end in `given`.

    Each step takes the actions that are best for the ratio before (Dinkelbach, "On nonlinear fractional programming", 1967).

    Parameters
    ----------
    wanted, given : arrays of bool (n,)
        Positions without choices; each wanted one is given.

    Returns
    -------
    Fraction, or None when there are too many positions, or a way back.
    """
    order = _order(process)
    if order is None:
        return None
    choices = _choices_of(process)
    ratio: Number = Fraction()
    while True:
        parts, wholes = (list[Number](map(Fraction, ends.tolist())) for ends in (wanted, given))
        for number in order:
            found = [
                (_mean(process, parts, begin, end), _mean(process, wholes, begin, end))
                for _, begin, end in choices[number]
            ]
            if found:
                parts[number], wholes[number] = max(found, key=lambda one: (one[0] - ratio * one[1], one[1]))
        if parts[start] == ratio * wholes[start]:
            return ratio
        ratio = parts[start] / wholes[start]


def _order(process: DecisionProcess) -> list[int] | None:
    """Return the positions, each after those that follow it; None when there are too many, or a way back."""
    graph = process.graph
    if process.states > MOST or process.cut.any():
        return None
    rows = np.split(graph.targets, graph.offsets[1:-1])
    try:
        return list(TopologicalSorter({i: row.tolist() for i, row in enumerate(rows)}).static_order())
    except CycleError:
        return None


def _choices_of(process: DecisionProcess) -> list[list[tuple[int, int, int]]]:
    """Return each position's choices: the number, the first edge and the end of the edges."""
    found: list[list[tuple[int, int, int]]] = [[] for _ in range(process.states)]
    limits = [*process.begins.tolist(), len(process.graph)]
    for choice, owner in enumerate(process.owners.tolist()):
        found[owner].append((choice, limits[choice], limits[choice + 1]))
    return found


def _mean(process: DecisionProcess, values: Sequence[Number], begin: int, end: int) -> Number:
    graph = process.graph
    total: Number = Fraction()
    for edge in range(begin, end):
        total += Fraction(int(graph.weights[edge]), graph.whole) * values[int(graph.targets[edge])]
    return total
