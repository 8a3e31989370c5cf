"""The heaps of the cells."""

from __future__ import annotations

import random

import numpy as np

from gridproof.games.sokoban.feature_search.cells import Heaps, pop, push


def test_heaps_return_the_least_order_first() -> None:
    chance, size = random.Random(5), 300
    orders = np.array([chance.randrange(100) for _ in range(size)], np.int64)
    heaps = Heaps(orders, np.zeros((size, 2), np.int32), np.full(2, -1, np.int32))
    waiting: list[list[int]] = [[], []]
    for node in range(size):
        cell = chance.randrange(2)
        push(heaps, np.int64(cell), np.int64(node))
        waiting[cell].append(node)
        if chance.random() < 0.4 and waiting[cell]:
            first = int(pop(heaps, np.int64(cell)))
            assert orders[first] == min(orders[one] for one in waiting[cell])
            waiting[cell].remove(first)
    for cell in range(2):
        while waiting[cell]:
            waiting[cell].remove(int(pop(heaps, np.int64(cell))))
        assert heaps.roots[cell] < 0
