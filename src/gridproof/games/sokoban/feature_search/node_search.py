"""The common base of searches that keep a tree of nodes: their numbers, their ends, and the way to a node."""

from __future__ import annotations

import numpy as np

from gridproof.games.sokoban.feature_search.tree import (
    GOAL,
    NODES,
    NONE,
    OPEN,
    PARENT,
    PARTLY,
    REFUSED,
    refill,
)
from gridproof.games.sokoban.solver.board import Array


class NodeSearch:
    """A search without nodes, which has room for some.

    Parameters
    ----------
    size : int
        The nodes for which there is room: a power of two.
    columns, counters : int
        The columns of a node and the counters, which begin as those of `tree` do.
    """

    def __init__(self, size: int, columns: int, counters: int) -> None:
        self.most = (1 << 31) - 1
        """The most nodes."""
        self._counters = np.zeros(counters, np.int64)
        self._counters[[PARTLY, GOAL]] = NONE
        self._keys: Array = np.zeros(size, np.uint64)
        self._figures: Array = np.zeros((size, columns), np.int32)

    def _rebuild(self) -> None:
        """Let the keys of all nodes lead to them."""
        self._table = np.zeros(2 * len(self._keys), np.uint32)
        refill(self._keys, self.states, self._table)

    @property
    def states(self) -> int:
        """The number of nodes."""
        return int(self._counters[NODES])

    @property
    def goal(self) -> int | None:
        """The node at the end, once it is reached."""
        goal = int(self._counters[GOAL])
        return goal if goal >= 0 else None

    @property
    def is_exhausted(self) -> bool:
        """True if nothing is open."""
        return bool(self._counters[OPEN] == 0 and self._counters[PARTLY] < 0)

    @property
    def has_overflow(self) -> bool:
        """True if a node was left out because there were `most`."""
        return bool(self._counters[REFUSED])

    @property
    def is_done(self) -> bool:
        """True if the search has ended."""
        return self.goal is not None or self.is_exhausted or self.has_overflow

    def _nodes_to(self, node: int) -> list[int]:
        """Return the nodes from the first one to a node."""
        nodes = list[int]()
        while node >= 0:
            nodes.append(node)
            node = int(self._figures[node, PARENT])
        return nodes[::-1]
