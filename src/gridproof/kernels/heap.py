"""A binary heap of words: the least comes out first. An array holds them, a number counts them.

A key above and an item below in one word, as in `key << 32 | item`, keep both together.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.kernels.compile import kernel

_ONE = np.uint64(1)
_TWO = np.uint64(2)

Heap = Any
"""uint64 array of shape (room,)."""


@kernel
def push(heap: Heap, size: int, word: Any) -> Any:
    """Put a word into a heap of that size, which has room for it; return the new size."""
    place = np.uint64(size)
    while place > 0:
        above = (place - _ONE) // _TWO
        if heap[above] <= word:
            break
        heap[place] = heap[above]
        place = above
    heap[place] = word
    return size + 1


@kernel
def pop(heap: Heap, size: int) -> Any:
    """Take out the least word, which was `heap[0]`, of a heap that is not empty; return the new size."""
    left = np.uint64(size - 1)
    word = heap[left]
    place = np.uint64(0)
    while True:
        below = place * _TWO + _ONE
        if below >= left:
            break
        if below + _ONE < left and heap[below + _ONE] < heap[below]:
            below += _ONE
        if heap[below] >= word:
            break
        heap[place] = heap[below]
        place = below
    heap[place] = word
    return size - 1
