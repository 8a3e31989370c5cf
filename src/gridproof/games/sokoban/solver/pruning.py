"""Pruning by freeze deadlocks and by PI-corrals.

A corral is floor that the player cannot reach, with its fence: the boxes that, together with walls, shut
the player out, and perhaps more boxes. In a PI-corral every push that could ever be the first of a fence
box can be made now, and goes into the corral. Then every solution that pushes a fence box can be reordered
to begin with that push: the pushes before it stay outside, where it does not disturb them, and it finds
the fence as it is now. The number of pushes stays the same, not that of steps. Some fence box must be pushed
when one of them is on no goal, or a goal inside is empty; if then no push can be made, the position is
lost. All this holds while the walls stay as they are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

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


@borrowing
def mark_frozen(neighbours: Any, dead: Any, boxes: Any, mark: Any) -> Any:
    """Mark all boxes that can never move: they lose those that can move, until none can. Return their number.

    `mark` is 0 before.
    """
    count, changed = boxes.shape[0], True
    for box in boxes:
        mark[box] = 1
    while changed and count > 0:
        changed = False
        for box in boxes:
            beside = neighbours[box]
            if mark[box] and not (
                is_blocked(dead, mark, beside[0], beside[1]) and is_blocked(dead, mark, beside[2], beside[3])
            ):
                mark[box] = 0
                count -= 1
                changed = True
    return count


INSIDE, FENCE, SEEN, CHOSEN, FROZEN = range(5)
"""Marks of squares: floor of the corral, boxes of its fence, ..."""
_MOST = 1 << 30


class Surroundings(NamedTuple):
    """A board, and arrays to mark corrals on it."""

    neighbours: Any
    dead: Any
    goal: Any
    occupied: Any
    steps: Any
    """-1 where the player cannot come."""
    marks: Any
    """uint8 (5, squares), all 0 but for SEEN and CHOSEN"""
    lists: Any
    """int16 (2, squares)"""
    fills_all: Any
    """True if all goals take a box in the end."""


@borrowing
def join(around: Surroundings, count: Any, square: Any) -> Any:
    """Add a box to the fence, or floor to the corral, with all connected floor and the boxes beside it."""
    neighbours, _, _, occupied, _, marks, lists, _ = around
    inside, fence, corral = marks[INSIDE], marks[FENCE], lists[0]
    first = count
    corral[count] = square
    count += 1
    (fence if occupied[square] else inside)[square] = 1
    while first < count:
        square = np.int64(corral[first])
        first += 1
        if inside[square]:
            for direction in range(4):
                other = neighbours[square, direction]
                if other >= 0 and not inside[other] and not fence[other]:
                    (fence if occupied[other] else inside)[other] = 1
                    corral[count] = other
                    count += 1
    return count


@borrowing
def grow_corral(around: Surroundings, count: Any) -> Any:
    """Grow a corral to a PI-corral; return its numbers of squares and of pushes, -1 if it becomes none.

    The first push of a fence box comes from no fence box nor from inside, goes to no fence box nor dead
    square, and does not freeze fence boxes. When it need not go inside or cannot be made yet, what is in
    its way may be taken in: a box, or other floor that the player cannot reach.
    """
    neighbours, dead, goal, _, steps, marks, lists, _ = around
    inside, fence, corral = marks[INSIDE], marks[FENCE], lists[0]
    pushes, at = 0, 0
    while at < count:
        box = corral[at]
        at += 1
        if not fence[box]:
            continue
        for direction in range(4):
            ahead, behind = neighbours[box, direction], neighbours[box, direction ^ 1]
            if ahead < 0 or behind < 0 or dead[ahead] or fence[ahead] or fence[behind] or inside[behind]:
                continue
            fence[box], fence[ahead] = 0, 1
            stuck = is_frozen(neighbours, dead, goal, fence, ahead, lists[1], marks[FROZEN])
            fence[box], fence[ahead] = 1, 0
            if stuck:
                continue
            if steps[behind] < 0:
                count = join(around, count, np.int64(behind))
            elif inside[ahead]:
                pushes += 1
            elif steps[ahead] < 0:
                count = join(around, count, np.int64(ahead))
                pushes += inside[ahead]
            else:
                return count, -1
    return count, pushes


@borrowing
def mark_cheapest_corral(around: Surroundings, boxes: Any) -> None:
    """Mark as CHOSEN the boxes to push: the fence of a PI-corral that needs work, with fewest pushes.

    All squares where there is none.
    """
    neighbours, _, goal, occupied, steps, marks, lists, fills_all = around
    inside, fence, seen, chosen, corral = marks[INSIDE], marks[FENCE], marks[SEEN], marks[CHOSEN], lists[0]
    for square in range(seen.shape[0]):
        seen[square], chosen[square] = 0, 1
    fewest = _MOST
    for box in boxes:
        for direction in range(4):
            start = neighbours[box, direction]
            if start < 0 or occupied[start] or steps[start] >= 0 or seen[start]:
                continue
            count = join(around, np.int64(0), np.int64(start))
            for i in range(count):
                seen[corral[i]] = 1
            count, pushes = grow_corral(around, count)
            needed = False
            for i in range(count):
                member = np.int64(corral[i])
                needed |= fills_all and inside[member] and goal[member]
                needed |= fence[member] and not goal[member]
            if needed and 0 <= pushes < fewest:
                fewest = pushes
                for square in range(fence.shape[0]):  # a slice would take seconds to compile
                    chosen[square] = fence[square]
            for i in range(count):
                inside[corral[i]] = fence[corral[i]] = 0
            if fewest == 0:
                return
