"""The bound of the search: the cheapest matching of boxes and goals, kept from one state to the next.

Most boxes are in the same places in one state and the next. They keep their partners, and the goals their prices (the dual variables of the assignment problem); each other
box gets a goal by one shortest augmenting path (R. Jonker and A. Volgenant, "A shortest augmenting
path algorithm for dense and sparse linear assignment problems", Computing 38, 1987): O(n^2) for n boxes.
The sum does not depend on earlier calls.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.sokoban.solver.board import FAR
from gridproof.kernels.compile import borrowing

HOPELESS = 1 << 28
"""More pushes than the boxes of any level need together: the bound when they cannot all have a goal."""
_MOST = 1 << 40
_LOWEST = -(1 << 38)  # prices only fall; below this all is begun anew

# The rows of an assignment, for goals (their prices, and the box on which square has each; within one path, how long
# it is up to here, from which box, and whether no shorter one can be found), of squares (the goal of
# the box there, and the side of it that the player was on), and of all.
PRICE, BOX, LENGTH, ORIGIN, SETTLED, GOAL, SIDE, OF_ALL = range(8)
STAGE, PLAYER, TOTAL, WORK = range(4)
NONE = -1


def empty_assignment(squares: int, goals: int) -> np.ndarray[Any, Any]:
    """Return an assignment without pairs."""
    assignment = np.zeros((8, max(squares, goals, 4)), np.int64)
    assignment[[BOX, GOAL]] = assignment[OF_ALL, STAGE] = assignment[OF_ALL, PLAYER] = NONE
    return assignment


@borrowing
def release_goals(
    distances: Any, sides: Any, occupied: Any, player: Any, stage: Any, assignment: Any
) -> None:
    """Take the goals from boxes that are gone, or to which the player is on another side."""
    boxes, goals, side, of_all = assignment[BOX], assignment[GOAL], assignment[SIDE], assignment[OF_ALL]
    same, stays = of_all[STAGE] == stage, of_all[PLAYER] == player
    for goal in range(distances.shape[2]):
        same = same and assignment[PRICE, goal] > _LOWEST
    for goal in range(distances.shape[2]):
        box = boxes[goal]
        if box < 0 or (same and occupied[box] and (stays or sides[box, player] == side[box])):
            continue
        if same:
            of_all[TOTAL] -= distances[box, side[box], goal]
        boxes[goal] = goals[box] = NONE
    if not same:
        of_all[STAGE], of_all[TOTAL] = stage, 0
        assignment[PRICE] = 0
    of_all[PLAYER] = player


@borrowing
def shortest_path(distances: Any, box: Any, assignment: Any) -> Any:
    """Return the free goal at the end of the cheapest exchange of goals from a box; NONE without one.

    The prices are updated so that they stay dual feasible.
    """
    price, boxes, length, origin, settled, side = (
        assignment[PRICE], assignment[BOX], assignment[LENGTH], assignment[ORIGIN], assignment[SETTLED], assignment[SIDE]
    )  # fmt: skip
    count = distances.shape[2]
    for goal in range(count):
        length[goal], settled[goal] = _MOST, 0
    offset = 0
    while True:
        least, nearest = _MOST, NONE
        row = distances[box, side[box]]
        assignment[OF_ALL, WORK] += count
        for goal in range(count):
            if settled[goal]:
                continue
            if row[goal] < FAR and row[goal] - price[goal] + offset < length[goal]:
                length[goal] = row[goal] - price[goal] + offset
                origin[goal] = box
            if length[goal] < least or (length[goal] == least < _MOST and boxes[goal] < 0):
                least, nearest = length[goal], goal
        if nearest < 0 or boxes[nearest] < 0:
            break
        settled[nearest] = 1
        box = boxes[nearest]
        offset = least - distances[box, side[box], nearest] + price[nearest]
    if nearest >= 0:
        assignment[OF_ALL, TOTAL] += least + price[nearest]
        for goal in range(count):
            if settled[goal]:
                price[goal] += length[goal] - least
    return nearest


@borrowing
def match_boxes(
    distances: Any, sides: Any, boxes: Any, occupied: Any, player: Any, stage: Any, assignment: Any
) -> Any:
    """Return the least sum of pushes when each box gets a goal of its own; HOPELESS without a matching.

    `occupied` tells where the boxes are, `stage` whose distances and sides these are. `assignment` is what
    `empty_assignment` made and earlier calls left; its WORK grows by the visited distances.
    """
    release_goals(distances, sides, occupied, player, stage, assignment)
    goals, side, origin = assignment[GOAL], assignment[SIDE], assignment[ORIGIN]
    for box in boxes:
        if goals[box] >= 0:
            continue
        side[box] = sides[box, player]
        goal = shortest_path(distances, box, assignment)
        if goal < 0:
            return HOPELESS
        while goal >= 0:  # each box on the path takes the goal it leads to, and leaves its own
            assignment[BOX, goal] = taker = origin[goal]
            goals[taker], goal = goal, goals[taker]
    return assignment[OF_ALL, TOTAL]
