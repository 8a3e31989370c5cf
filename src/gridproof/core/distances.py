"""Breadth-first search over small graphs in Python, such as the cells of a board."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def distances(
    origins: Iterable[T], neighbours: Callable[[T], Iterable[T]], most: float = math.inf
) -> dict[T, int]:
    """How many steps every node that can be reached lies from the nearest origin, in breadth-first order.

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
