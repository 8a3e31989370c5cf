"""The player's region and the boxes of a packed state: the inner loops of both searches."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.kernels.compile import borrowing

U = np.uint64
_ONE, _MASK = U(1), U(63)

# The arrays of squares while a state is expanded: steps to it, now and afterwards, ...
STEPS, AFTER, QUEUE, GROUP = range(4)


def allocate_scratch(squares: int, boxes: int, words: int) -> tuple[np.ndarray[Any, Any], ...]:
    """Return the arrays of an expansion: boxes, occupied squares, marks, lists, places, and a state of `words` words."""
    return (
        np.empty(boxes, np.int16),
        np.zeros(squares, np.uint8),
        np.zeros((5, squares), np.uint8),
        np.empty((2, squares), np.int16),
        np.empty((4, squares), np.int16),
        np.zeros(words, np.uint64),
    )


@borrowing
def flood(neighbours: Any, occupied: Any, start: Any, steps: Any, queue: Any) -> Any:
    """Find the steps to each square of the region, -1 elsewhere; return the least square of the region.

    Much of the search's time goes here, so indices are unsigned, which saves the test for negative ones.
    """
    for place in range(steps.shape[0]):
        steps[place] = -1
    steps[start] = 0
    queue[0] = start
    head, tail = U(0), _ONE
    least = np.int64(start)
    while head < tail:
        square = U(queue[head])
        head += _ONE
        least = min(least, np.int64(square))
        following = steps[square] + 1
        for direction in range(4):
            number = neighbours[square, direction]
            other = U(number)
            if number >= 0 and steps[other] < 0 and not occupied[other]:
                steps[other] = following
                queue[tail] = number
                tail += _ONE
    return least


@borrowing
def is_connected(neighbours: Any, occupied: Any, square: Any) -> Any:
    """Return whether the squares at its corners connect all free squares next to a square."""
    free, links = 0, 0
    for direction in range(4):
        beside = neighbours[square, direction]
        free += beside >= 0 and not occupied[beside]
    for direction in range(2):
        beside = neighbours[square, direction]
        if beside < 0 or occupied[beside]:
            continue
        for across in range(2, 4):
            corner, other = neighbours[beside, across], neighbours[square, across]
            links += corner >= 0 and other >= 0 and not occupied[corner] and not occupied[other]
    return links >= free - 1  # around a circle


@borrowing
def update_region(
    neighbours: Any, occupied: Any, places: Any, least: Any, origin: Any, target: Any, start: Any
) -> Any:
    """Return the least square of the player's region after a box has gone to a square beside its own.

    STEPS of the places are those to each square of the region that the player was in, -1 elsewhere, and `least`
    is its least square. When the squares around show that nothing is cut off or opened, the
    region stays the same but for the two squares. Otherwise it is flooded again.
    """
    before = places[STEPS]
    same = target != least and (before[target] < 0 or is_connected(neighbours, occupied, target))
    for direction in range(4):
        beside = neighbours[origin, direction]
        same = same and (beside < 0 or occupied[beside] or before[beside] >= 0)
    if same:
        return min(least, np.int64(origin))
    return flood(neighbours, occupied, start, places[AFTER], places[QUEUE])


@borrowing
def list_boxes(state: Any, squares: Any, boxes: Any, occupied: Any) -> Any:
    """List the boxes of a state and mark them; return their number."""
    occupied[:] = 0
    count = 0
    for square in range(squares):
        if (state[square >> 6] >> (U(square) & _MASK)) & _ONE:
            boxes[count] = square
            occupied[square] = 1
            count += 1
    return count


@borrowing
def move_box(state: Any, box: Any, target: Any, child: Any) -> None:
    """Write the boxes of a state after one of them has gone to another square."""
    for word in range(state.shape[0] - 1):
        child[word] = state[word]
    child[box >> 6] &= ~(_ONE << (U(box) & _MASK))
    child[target >> 6] |= _ONE << (U(target) & _MASK)
