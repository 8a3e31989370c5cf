"""Breadth-first search over small graphs in Python, such as the cells of a board."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T", bound=Hashable)
L = TypeVar("L")


Cell = tuple[int, int]
"""Column and row of a cell."""


def neighbours(cell: Cell) -> Iterator[Cell]:
    """Return the four cells next to one: above, below, to the left and to the right."""
    x, y = cell
    return iter(((x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)))


def cell_distances(start: Cell, free: Collection[Cell]) -> dict[Cell, int]:
    """Return the distance of each free cell that can be reached from one, by steps to the four cells around."""
    return distances([start], lambda cell: (other for other in neighbours(cell) if other in free))


def distances(
    origins: Iterable[T], neighbours: Callable[[T], Iterable[T]], most: float = math.inf
) -> dict[T, int]:
    """Return the distance of every reachable node from the nearest origin, in breadth-first order.

    Parameters
    ----------
    origins : iterable
        At distance 0.
    neighbours : function
        The nodes that are one step from a node.
    most : float
        The search ends as soon as it has found more nodes.
    """
    found = dict.fromkeys(origins, 0)
    queue = list(found)
    for node in queue:
        for other in neighbours(node):
            if other not in found:
                found[other] = found[node] + 1
                queue.append(other)
        if len(found) > most:
            break
    return found


def shortest_path(
    start: T, steps: Callable[[T], Iterable[tuple[L, T]]], is_end: Callable[[T], bool], most: float = math.inf
) -> tuple[list[L], T] | None:
    """Find a shortest path from a node to an end.

    Parameters
    ----------
    steps : function
        The steps from a node: a label, such as an action, and the node that it leads to.
    is_end : function
        Whether a node is an end.
    most : float
        The search gives up when it has found this number of nodes.

    Returns
    -------
    tuple or None
        The labels of the path, and its end; None when none was found.
    """
    came: dict[T, tuple[L, T] | None] = {start: None}
    queue = [start]
    for node in queue:
        if is_end(node):
            labels, before = [], node
            while (step := came[before]) is not None:
                label, before = step
                labels.append(label)
            return labels[::-1], node
        for label, other in steps(node):
            if other not in came:
                came[other] = label, node
                queue.append(other)
        if len(came) >= most:
            break
    return None
