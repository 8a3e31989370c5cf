"""Boxes that can never move again: as walls, they make more squares dead."""

from __future__ import annotations

from typing import Any

from gridproof.games.sokoban.feature_search.macro_moves import QUEUE, Field, Work
from gridproof.games.sokoban.solver.pruning import FROZEN, mark_frozen
from gridproof.kernels.compile import borrowing


@borrowing
def mark_reaching(field: Field, work: Work) -> None:
    """Set `work.dead` where a box reaches no target without frozen boxes, as if the player could be everywhere."""
    neighbours, mark, dead, queue = field.neighbours, work.marks[FROZEN], work.dead, work.places[QUEUE]
    head, tail = 0, 0
    for square in range(dead.shape[0]):
        dead[square] = 1
        if field.target[square] and not mark[square]:
            dead[square], queue[tail] = 0, square
            tail += 1
    while head < tail:
        square = queue[head]
        head += 1
        for direction in range(4):
            origin = neighbours[square, direction]
            if origin < 0 or mark[origin] or not dead[origin]:
                continue
            stand = neighbours[origin, direction]
            if stand >= 0 and not mark[stand]:
                dead[origin], queue[tail] = 0, origin
                tail += 1
    for square in range(dead.shape[0]):
        dead[square] |= field.dead[square]


@borrowing
def find_dead_squares(field: Field, work: Work) -> Any:
    """Set `work.dead`, with frozen boxes as walls; return False if some box is frozen or cut off without a target."""
    mark, dead, feasible = work.marks[FROZEN], work.dead, True
    if mark_frozen(field.neighbours, field.dead, work.boxes, mark):
        mark_reaching(field, work)
    else:
        for square in range(dead.shape[0]):
            dead[square] = field.dead[square]
    for box in work.boxes:
        if (mark[box] and not field.target[box]) or (not mark[box] and dead[box]):
            feasible = False
    for box in work.boxes:
        mark[box] = 0
    return feasible
