"""Distances of single boxes from the goals, by the side that the player stands on."""

from __future__ import annotations

from typing import Any

from gridproof.kernels.compile import borrowing

FAR = 1 << 14
"""Greater than any number of pushes, which is below squares times sides: the goal cannot be reached."""
AWAY = 4
"""The side of a player who cannot reach the box: it has 4 at most."""
SIDES = AWAY + 1


@borrowing
def find_sides(neighbours: Any, sides: Any, queue: Any) -> None:
    """Label, for each square as if a box stood there, the parts that the rest falls into.

    `queue` is int16 (squares,), of no meaning afterwards.
    """
    count = neighbours.shape[0]
    for box in range(count):
        sides[box, :] = AWAY
        label = 0
        for direction in range(4):
            first = neighbours[box, direction]
            if first < 0 or sides[box, first] != AWAY:
                continue
            sides[box, first] = label
            queue[0] = first
            head, tail = 0, 1
            while head < tail:
                square = queue[head]
                head += 1
                for way in range(4):
                    other = neighbours[square, way]
                    if other >= 0 and other != box and sides[box, other] == AWAY:
                        sides[box, other] = label
                        queue[tail] = other
                        tail += 1
            label += 1


@borrowing
def find_distances(neighbours: Any, sides: Any, goals: Any, distances: Any, queue: Any) -> None:
    """Breadth-first search by pulls, from each goal and every side of it.

    `queue` is int16 (4 * squares, 2), of no meaning afterwards.
    """
    for number in range(goals.shape[0]):
        goal, head, tail = goals[number], 0, 0
        distances[goal, AWAY, number] = 0
        for side in range(AWAY):
            distances[goal, side, number] = 0
            queue[tail, 0], queue[tail, 1] = goal, side
            tail += 1
        while head < tail:
            square, side = queue[head, 0], queue[head, 1]
            head += 1
            for direction in range(4):
                # The box came here from `origin`, pushed by a player on `behind`, who now stands there.
                origin = neighbours[square, direction]
                if origin < 0 or sides[square, origin] != side:
                    continue
                behind = neighbours[origin, direction]
                if behind < 0:
                    continue
                before = sides[origin, behind]
                if distances[origin, before, number] == FAR:
                    distances[origin, before, number] = distances[square, side, number] + 1
                    queue[tail, 0], queue[tail, 1] = origin, before
                    tail += 1
