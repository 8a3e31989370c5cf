"""Ranks that prove infinite costs: a play misses the goal with some probability, whatever those do who want it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gridproof.core.limit import check_stop
from gridproof.search.graph import Array


class ChoiceRows(NamedTuple):
    """The choices of positions, sorted by position."""

    targets: Array
    """The positions of the outcomes of all choices, int64 (edges,)."""
    begins: Array
    """The first edge of each choice, int64 (choices,)."""
    owners: Array
    """The position of each choice, int64 (choices,)."""


def find_endless_ranks(moves: ChoiceRows, infinite: Array, minimal: Array) -> Array:
    """Return the ranks of infinite positions, int64 (n,), as the checkers of costs read them; -1 for the others.

    `minimal`, bool (n,), are the positions of those who want a low cost. Stopped at a limit.
    """
    ranks, rank = np.full(len(infinite), -1), 0
    while (layer := _find_layer(moves, infinite, ranks >= 0, minimal)).any():
        ranks[layer] = rank
        rank += 1
    return ranks


def _find_layer(moves: ChoiceRows, infinite: Array, ranked: Array, minimal: Array) -> Array:
    """Return the positions of the next rank: the greatest set that is left for lower ranks alone."""
    layer = infinite & ~ranked
    while True:
        check_stop()
        inside = layer & _are_endless(moves, ranked, layer, minimal)
        if np.array_equal(inside, layer):
            return layer
        layer = inside


def _are_endless(moves: ChoiceRows, ranked: Array, layer: Array, minimal: Array) -> Array:
    """Return which positions have a choice, or at the turn of others only choices, with an outcome of a rank or all in the layer."""
    endless = np.ones(len(layer), bool)
    if not len(moves.begins):
        return endless
    targets = moves.targets
    good = np.logical_or.reduceat(ranked[targets], moves.begins)
    good |= np.logical_and.reduceat((ranked | layer)[targets], moves.begins)
    firsts = np.flatnonzero(np.diff(moves.owners, prepend=-1))
    acting = moves.owners[firsts]
    endless[acting] = np.where(
        minimal[acting], np.logical_and.reduceat(good, firsts), np.logical_or.reduceat(good, firsts)
    )
    return endless
