"""Pruning by freeze deadlocks."""

from __future__ import annotations

from typing import Any

from gridproof.kernels.compile import borrowing


@borrowing
def is_blocked(dead: Any, mark: Any, one: Any, other: Any) -> Any:
    """Return whether a box between two squares is blocked along their axis, if marked boxes cannot move."""
    if one < 0 or other < 0 or mark[one] or mark[other]:
        return True
    return dead[one] and dead[other]


@borrowing
def is_frozen(
    neighbours: Any, dead: Any, goal: Any, occupied: Any, pushed: Any, group: Any, mark: Any
) -> Any:
    """Return whether a pushed box is part of a freeze deadlock: boxes that can never move, not all on goals.

    The boxes that touch lose those that can move, until none can: a box
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
            beside = neighbours[box]
            if mark[box] and not (
                is_blocked(dead, mark, beside[0], beside[1]) and is_blocked(dead, mark, beside[2], beside[3])
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
