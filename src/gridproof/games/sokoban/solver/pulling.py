"""The search backwards: from all boxes on depots, by pulls, breadth-first.

The depth of an arrangement is exactly the fewest pushes that win from it. A state is as in the search
forwards, without bombs: a bit a square for the boxes, and the least square of the player's region.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.sokoban.solver.board import Array, Board
from gridproof.games.sokoban.solver.search import boxes_of, flood
from gridproof.kernels.compile import kernel
from gridproof.kernels.states import find

U = np.uint64
_ONE, _SIX, _MASK = U(1), U(6), U(63)


@kernel
def take(words: Any, table: Any, depths: Any, count: Any, child: Any, depth: Any) -> Any:
    """Keep a state if it is new; how many there are then."""
    place = find(words, table, child)
    if place >= 0:
        return count
    for word in range(words.shape[1]):
        words[count, word] = child[word]
    depths[count] = depth
    table[-1 - place] = count + 1
    return count + 1


@kernel
def pull_all(neighbours: Any, goals: Any, words: Any, table: Any, depths: Any) -> Any:
    """Fill the store with states in the order of their depth, until it is full; how many they are."""
    squares, number = neighbours.shape[0], goals.shape[0]
    occupied = np.zeros(squares, np.uint8)
    steps, other_steps = np.empty(squares, np.int16), np.empty(squares, np.int16)
    queue, boxes = np.empty(squares, np.int16), np.empty(number, np.int16)
    last = words.shape[1] - 1
    child = np.zeros(words.shape[1], np.uint64)
    for goal in goals:
        child[goal >> 6] |= _ONE << U(goal & 63)
        occupied[goal] = 1
    count = 0
    for square in range(squares):  # the player may have ended in any region
        if not occupied[square]:
            child[last] = U(flood(neighbours, occupied, square, steps, queue))
            if count < words.shape[0]:
                count = take(words, table, depths, count, child, 0)
    head = 0
    while head < count and count + 4 * number <= words.shape[0]:
        boxes_of(words[head], squares, boxes, occupied)
        flood(neighbours, occupied, np.int64(words[head, last]), steps, queue)
        for i in range(number):
            box = boxes[i]
            for direction in range(4):
                target = neighbours[box, direction]
                if target < 0 or steps[target] < 0:
                    continue
                player = neighbours[target, direction]
                if player < 0 or steps[player] < 0:
                    continue
                occupied[box], occupied[target] = 0, 1
                for word in range(last):
                    child[word] = words[head, word]
                child[box >> 6] &= ~(_ONE << (U(box) & _MASK))
                child[target >> 6] |= _ONE << (U(target) & _MASK)
                child[last] = U(flood(neighbours, occupied, player, other_steps, queue))
                occupied[box], occupied[target] = 1, 0
                count = take(words, table, depths, count, child, depths[head] + 1)
        head += 1
    return count


class Pulled:
    """The arrangements that are nearest to all boxes on depots.

    Parameters
    ----------
    board : Board
        Of a position without bombs; where its boxes stand is of no meaning.
    most : int
        How many arrangements to find: a power of two.
    """

    def __init__(self, board: Board, most: int) -> None:
        self.board = board
        self._words = np.zeros((most, -(-len(board.cells) // 64) + 1), np.uint64)
        depths = np.zeros(most, np.int32)
        table = np.zeros(2 * most, np.uint32)
        count = pull_all(board.neighbours[0], board.goals, self._words, table, depths)
        self._depths: Array = depths[:count]

    @property
    def deepest(self) -> int:
        """The largest number of pushes."""
        return int(self._depths[-1])

    def at(self, depth: int) -> list[int]:
        """The arrangements from which so many pushes win; of these, those with the fewest boxes on depots."""
        first, end = np.searchsorted(self._depths, (depth, depth + 1))
        at_home = np.bitwise_count(self._words[first:end] & self._words[0]).astype(np.int64)
        counts = at_home[:, :-1].sum(axis=1)  # the first arrangement is all depots
        return (first + np.flatnonzero(counts == counts.min())).tolist()  # type: ignore[no-any-return]

    def arranged(self, number: int) -> tuple[tuple[int, ...], int]:
        """The boxes of an arrangement, and one of the player's squares."""
        words = self._words[number]
        squares = np.unpackbits(words[:-1].view(np.uint8), bitorder="little")
        return tuple(np.flatnonzero(squares).tolist()), int(words[-1])
