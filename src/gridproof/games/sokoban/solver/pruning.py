"""What cuts a search short: the cheapest matching of boxes and goals, and freeze deadlocks."""

from __future__ import annotations

from typing import Any

from gridproof.games.sokoban.solver.distances import FAR
from gridproof.kernels.compile import kernel

HOPELESS = 1 << 20
"""More pushes than the boxes of any level need together: what a pairing that cannot be costs."""
_MOST = 1 << 30


@kernel
def matching(distances: Any, sides: Any, boxes: Any, player: Any, work: Any) -> Any:
    """The least sum of pushes when each box gets a goal of its own; HOPELESS or more when none can.

    The Hungarian method by shortest augmenting paths (Kuhn 1955, Munkres 1957): O(n^3) for n boxes.
    `work` is int32 (5, n + 1) at least.
    """
    count = boxes.shape[0]
    above, beside, match, way, least = work[0], work[1], work[2], work[3], work[4]
    for j in range(count + 1):
        above[j] = beside[j] = match[j] = 0
    for i in range(1, count + 1):
        match[0] = i
        free = 0
        for j in range(count + 1):
            least[j] = _MOST
            way[j] = 0
        while True:
            way[free] |= 1 << 20  # visited
            row = match[free]
            box = boxes[row - 1]
            side = sides[box, player]
            step, following = _MOST, 0
            for j in range(1, count + 1):
                if way[j] >> 20:
                    continue
                distance = distances[j - 1, box, side]
                cost = (HOPELESS if distance == FAR else distance) - above[row] - beside[j]
                if cost < least[j]:
                    least[j] = cost
                    way[j] = free
                if least[j] < step:
                    step, following = least[j], j
            for j in range(count + 1):
                if way[j] >> 20:
                    above[match[j]] += step
                    beside[j] -= step
                else:
                    least[j] -= step
            free = following
            if match[free] == 0:
                break
        while free:
            previous = way[free] & ((1 << 20) - 1)
            match[free] = match[previous]
            free = previous
        if -beside[0] >= HOPELESS:
            break
    return -beside[0]


@kernel
def blocked(neighbours: Any, dead: Any, mark: Any, box: Any, direction: Any) -> Any:
    """Whether a box cannot move along the axis of a direction, when marked boxes cannot move."""
    one, other = neighbours[box, direction], neighbours[box, direction + 1]
    if one < 0 or other < 0 or mark[one] or mark[other]:
        return True
    return dead[one] and dead[other]


@kernel
def frozen(neighbours: Any, dead: Any, goal: Any, occupied: Any, pushed: Any, group: Any, mark: Any) -> Any:
    """Whether the box just pushed belongs to boxes that none can ever be moved, not all on goals.

    Of the boxes that touch, those that can move are taken away until none is left that can: a box
    is blocked along an axis by a wall or a blocked box on either side, or by dead squares on both.
    """
    group[0], count = pushed, 1
    mark[pushed] = 1
    i = 0
    while i < count:
        for direction in range(4):
            other = neighbours[group[i], direction]
            if other >= 0 and occupied[other] and not mark[other]:
                mark[other] = 1
                group[count] = other
                count += 1
        i += 1
    changed = True
    while changed and mark[pushed]:
        changed = False
        for i in range(count):
            box = group[i]
            if mark[box] and not (
                blocked(neighbours, dead, mark, box, 0) and blocked(neighbours, dead, mark, box, 2)
            ):
                mark[box] = 0
                changed = True
    stuck = False
    still = mark[pushed] == 1
    for i in range(count):
        if mark[group[i]] and not goal[group[i]]:
            stuck = True
        mark[group[i]] = 0
    return still and stuck
