"""Hotspots: boxes that, while they stay, take all goals from another box."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.sokoban.solver.board import AWAY, Array, Board, find_sides
from gridproof.kernels.compile import borrowing

U = np.uint64
_WORK = 1 << 25
"""The most squares, to the third power, for which hotspots are found."""


@borrowing
def mark_reaching(neighbours: Any, sides: Any, target: Any, reaching: Any, queue: Any) -> None:
    """Mark the squares and sides of the player from which a single box reaches a target: by pulls, from all of them.

    `reaching` is uint8 (squares, 5), 0 at first; `queue` int16 (5 * squares, 2).
    """
    tail = 0
    for square in range(target.shape[0]):
        for side in range(AWAY) if target[square] else range(0):
            reaching[square, side] = 1
            queue[tail, 0], queue[tail, 1] = square, side
            tail += 1
    head = 0
    while head < tail:
        square, side = queue[head, 0], queue[head, 1]
        head += 1
        for direction in range(4):
            origin = neighbours[square, direction]
            if origin < 0 or sides[square, origin] != side:
                continue
            behind = neighbours[origin, direction]
            if behind >= 0 and not reaching[origin, sides[origin, behind]]:
                reaching[origin, sides[origin, behind]] = 1
                queue[tail, 0], queue[tail, 1] = origin, sides[origin, behind]
                tail += 1


def hotspots_of(board: Board) -> Array:
    """Return, as bits for each square with a box as a wall, the other squares from which no box reaches a goal then.

    Without those that are dead anyway: uint64 (squares, words). None on large boards.
    """
    squares = len(board.cells)
    bits = np.zeros((squares, squares // 64 + 1), np.uint64)
    if squares**3 > _WORK:
        return bits
    sides, queue = np.zeros((squares, squares), np.uint8), np.zeros((5 * squares, 2), np.int16)
    alive = np.flatnonzero(board.dead[0] == 0)
    for wall in alive:
        neighbours, target = board.neighbours[0].copy(), board.goal.copy()
        neighbours[neighbours == wall], neighbours[wall], target[wall] = -1, -1, 0
        find_sides(neighbours, sides, queue[:, 0].copy())
        reaching = np.zeros((squares, AWAY + 1), np.uint8)
        mark_reaching(neighbours, sides, target, reaching, queue)
        for square in alive[~reaching[alive].any(axis=1)].tolist():
            if square != wall:
                bits[wall, square >> 6] |= U(1 << (square & 63))
    return bits


@borrowing
def count_hotspots(hotspots: Any, boxes: Any, row: Any) -> Any:
    """Return the number of boxes that take all goals from another one. `row` is uint64 (words,), of no meaning afterwards."""
    for word in range(row.shape[0]):
        row[word] = 0
    for box in boxes:
        row[box >> 6] |= U(1) << U(box & 63)
    count = 0
    for box in boxes:
        for word in range(row.shape[0]):
            if hotspots[box, word] & row[word]:
                count += 1
                break
    return count
