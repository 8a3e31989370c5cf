"""Nodes that wait in heaps, one for each cell of the feature space.

A heap is a pairing heap: a tree of nodes, each with its first child and its next sibling, of which the root has the least order
(M. Fredman, R. Sedgewick, D. Sleator and R. Tarjan, Algorithmica 1, 1986).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gridproof.kernels.compile import borrowing

CHILD, SIBLING = range(2)
NONE = -1


class Heaps(NamedTuple):
    """All heaps."""

    orders: Any
    """int64 (nodes or more,)"""
    links: Any
    """int32 (nodes or more, 2)"""
    roots: Any
    """int32 (cells or more,)"""


@borrowing
def merge(heaps: Heaps, one: Any, other: Any) -> Any:
    """Return the root of two heaps together; of equal orders the first stays."""
    orders, links, _ = heaps
    if one < 0:
        return other
    if other < 0:
        return one
    if orders[other] < orders[one]:
        one, other = other, one
    links[other, SIBLING] = links[one, CHILD]
    links[one, CHILD] = other
    return one


@borrowing
def push(heaps: Heaps, cell: Any, node: Any) -> None:
    """Add a node to the heap of a cell."""
    heaps.links[node, CHILD] = heaps.links[node, SIBLING] = -1
    heaps.roots[cell] = merge(heaps, np.int64(node), np.int64(heaps.roots[cell]))


@borrowing
def pop(heaps: Heaps, cell: Any) -> Any:
    """Take the node with the least order out of the heap of a cell, which is not empty."""
    _, links, roots = heaps
    node = np.int64(roots[cell])
    pairs, rest = np.int64(-1), np.int64(links[node, CHILD])
    while rest >= 0:  # merge in pairs, and list the pairs backwards
        one, other = rest, np.int64(links[rest, SIBLING])
        rest = np.int64(links[other, SIBLING]) if other >= 0 else np.int64(-1)
        pair = merge(heaps, one, other)
        links[pair, SIBLING] = pairs
        pairs = pair
    root = np.int64(-1)
    while pairs >= 0:
        following = np.int64(links[pairs, SIBLING])
        root = merge(heaps, root, pairs)
        pairs = following
    if root >= 0:
        links[root, SIBLING] = -1
    roots[cell] = root
    return node
