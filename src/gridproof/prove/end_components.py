"""The maximal end components of a graph with chance: sets where a path can stay for ever.

An end component is a set of positions and of actions in them such that no outcome leads out of it, and each position
is reached from each other (de Alfaro, "Formal verification of probabilistic systems", 1997). A player inside can go
everywhere in it for sure, and can leave by any other action of any of its positions: all of them have the same value.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gridproof.core.limit import check_stop
from gridproof.kernels.compile import kernel
from gridproof.search.graph import Array, Graph

OUTSIDE = -1
"""The number of no component."""


class Stacks(NamedTuple):
    """The arrays of Tarjan's search, each with room for all positions."""

    order: Array
    """int32: the place in the order of discovery, 0 at first"""
    lowest: Array
    """int32: the first place that is known to be reached within the component"""
    stack: Array
    """int32"""
    path: Array
    """int32"""
    following: Array
    """int64: the next edge of each position on the path"""


@kernel
def strong(offsets: Any, targets: Any, kept: Any, found: Any, stacks: Stacks) -> None:
    """Number the strongly connected components of the edges that are kept (Tarjan 1972); O(positions + edges).

    `found`, the component of each position, begins with OUTSIDE everywhere.
    """
    order, lowest, stack, path, following = stacks
    components, time, waiting = 0, 0, 0
    for start in range(order.shape[0]):
        if order[start] > 0:
            continue
        depth, new = 0, start
        while depth >= 0:
            if order[new] == 0:
                time += 1
                order[new] = lowest[new] = time
                path[depth], following[depth] = new, offsets[new]
                stack[waiting] = new
                waiting += 1
            one = path[depth]
            if following[depth] < offsets[one + 1]:
                edge = following[depth]
                following[depth] += 1
                to = targets[edge]
                if kept[edge] and order[to] == 0:
                    depth, new = depth + 1, to
                elif kept[edge] and found[to] < 0:
                    lowest[one] = min(lowest[one], order[to])
                continue
            if lowest[one] == order[one]:
                while found[one] < 0:
                    waiting -= 1
                    found[stack[waiting]] = components
                components += 1
            depth -= 1
            if depth >= 0:
                lowest[path[depth]] = min(lowest[path[depth]], lowest[one])


def end_components(graph: Graph, free: Array, allowed: Array | None = None) -> tuple[Array, Array]:
    """Find the maximal end components among the positions `free`, bool (n,), and the actions `allowed`, bool (choices,).

    Return the number of each position's component, int32 (n,), OUTSIDE where there is none; and the actions of components
    in the order of `graph.choices`, bool (choices,).
    """
    sources, begins = graph.sources(), graph.choices()
    sizes = np.diff(np.append(begins, len(graph)))
    owners = sources[begins]
    staying = np.logical_and.reduceat(free[graph.targets], begins) & free[owners]
    if allowed is not None:
        staying &= allowed
    found = np.full(len(free), OUTSIDE, np.int32)
    while staying.any():
        check_stop()
        found[:] = OUTSIDE
        order, lowest, stack, path = np.zeros((4, len(free)), np.int32)
        stacks = Stacks(order, lowest, stack, path, np.zeros(len(free), np.int64))
        strong(graph.offsets, graph.targets, np.repeat(staying, sizes), found, stacks)
        inside = np.logical_and.reduceat(found[graph.targets] == found[sources], begins)
        if (inside | ~staying).all():
            break
        staying &= inside
    acting = np.zeros(len(free), bool)
    acting[owners[staying]] = True
    return np.where(acting, found, np.int32(OUTSIDE)), staying
