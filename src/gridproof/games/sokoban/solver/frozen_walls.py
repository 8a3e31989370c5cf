"""Boxes that are frozen on goals, taken as walls: longer distances, and more dead squares, for the other boxes.

The tables of a set of frozen boxes are kept in a slot, until another set that belongs into the same slot
needs it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gridproof.games.sokoban.solver.board import FAR, SIDES, Board, find_distances, find_sides
from gridproof.games.sokoban.solver.matching import empty_assignment, match_boxes
from gridproof.games.sokoban.solver.pruning import mark_frozen
from gridproof.kernels.compile import borrowing
from gridproof.kernels.states import hash_of

U = np.uint64
NO_SLOT = -1
MEMORY = 1 << 26  # bytes of all slots, roughly
_MOST_SLOTS = 1 << 12


class FrozenWalls(NamedTuple):
    """A slot for each of some sets of frozen boxes; no slots until they are wanted."""

    keys: Any
    """uint64 (slots, words): the frozen boxes, a bit a square."""
    numbers: Any
    """int64 (slots + 1,): the number of the set, counted as they come; the last is the count."""
    neighbours: Any
    """int16 (squares, 4): of the set that is being entered."""
    sides: Any
    distances: Any
    dead: Any
    queue: Any
    key: Any
    """uint64 (words,)"""
    assignment: Any
    goals: Any


@borrowing
def enter_walls(walls: FrozenWalls, slot: Any, neighbours: Any, mark: Any) -> None:
    """Make the tables of a slot for the marked boxes."""
    around, sides, distances, goals = walls.neighbours, walls.sides[slot], walls.distances[slot], walls.goals
    for square in range(around.shape[0]):
        for direction in range(4):
            beside = neighbours[square, direction]
            around[square, direction] = -1 if mark[square] or (beside >= 0 and mark[beside]) else beside
    find_sides(around, sides, walls.queue[:, 0])
    for square in range(around.shape[0]):
        for side in range(SIDES):
            for goal in range(goals.shape[0]):
                distances[square, side, goal] = FAR
    find_distances(around, sides, goals, distances, walls.queue)
    for square in range(around.shape[0]):
        alive = False
        for side in range(SIDES):
            for goal in range(goals.shape[0]):
                alive |= distances[square, side, goal] < FAR
        walls.dead[slot, square] = not alive


@borrowing
def find_slot(walls: FrozenWalls, neighbours: Any, dead: Any, boxes: Any, mark: Any) -> Any:
    """Return the slot of the frozen boxes with its tables made; NO_SLOT without any.

    `mark` is 0 before and afterwards.
    """
    keys, numbers, key = walls.keys, walls.numbers, walls.key
    if keys.shape[0] == 0 or mark_frozen(neighbours, dead, boxes, mark) == 0:
        return NO_SLOT
    for word in range(key.shape[0]):
        key[word] = 0
    for box in boxes:
        if mark[box]:
            key[box >> 6] |= U(1) << U(box & 63)
    slot = np.int64(hash_of(key) & U(keys.shape[0] - 1))
    same = numbers[slot] > 0
    for word in range(key.shape[0]):
        same = same and keys[slot, word] == key[word]
    if not same:
        for word in range(key.shape[0]):
            keys[slot, word] = key[word]
        numbers[-1] += 1
        numbers[slot] = numbers[-1]
        enter_walls(walls, slot, neighbours, mark)
    for box in boxes:
        mark[box] = 0
    return slot


@borrowing
def match_among_walls(walls: FrozenWalls, slot: Any, boxes: Any, occupied: Any, player: Any) -> Any:
    """Return the cheapest matching of boxes and goals among the walls of a slot; HOPELESS without one."""
    tables = walls.distances[slot], walls.sides[slot]
    return match_boxes(tables[0], tables[1], boxes, occupied, player, walls.numbers[slot], walls.assignment)


def allocate_walls(board: Board, wanted: bool) -> FrozenWalls:
    """Return empty slots: none unless they are wanted."""
    squares, goals = len(board.cells), len(board.goals)
    words = -(-squares // 64)
    one = squares * (squares + 2 * SIDES * goals + 1)
    slots = min(_MOST_SLOTS, 1 << max(4, (MEMORY // one).bit_length() - 1)) if wanted else 0
    return FrozenWalls(
        np.zeros((slots, words), np.uint64),
        np.zeros(slots + 1, np.int64),
        np.empty((squares, 4), np.int16),
        np.empty((slots, squares, squares), np.uint8),
        np.empty((slots, squares, SIDES, goals), np.int16),
        np.empty((slots, squares), np.uint8),
        np.empty((4 * squares, 2), np.int16),
        np.zeros(words, np.uint64),
        empty_assignment(squares, goals),
        board.goals,
    )
