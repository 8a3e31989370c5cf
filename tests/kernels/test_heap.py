"""The heap against Python's."""

from __future__ import annotations

import heapq

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gridproof.kernels.heap import pop, push

_WORDS = st.integers(0, 2**64 - 1) | st.integers(0, 5)


@given(st.lists(st.none() | _WORDS, max_size=60))
def test_heap_agrees_with_sorted_list(does: list[int | None]) -> None:
    """A word is put in; None takes the least out."""
    heap, size = np.zeros(61, np.uint64), 0
    twin: list[int] = []
    for word in does:
        if word is not None:
            heapq.heappush(twin, word)
            size = push(heap, size, np.uint64(word))
        elif twin:
            assert int(heap[0]) == heapq.heappop(twin)
            size = pop(heap, size)
        assert size == len(twin)
    while twin:
        assert int(heap[0]) == heapq.heappop(twin)
        size = pop(heap, size)
