"""Where the player can go, and where the boxes of a packed state are: both searches ask it all the time."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.kernels.compile import kernel

U = np.uint64
_ONE, _MASK = U(1), U(63)


@kernel
def flood(neighbours: Any, occupied: Any, start: Any, steps: Any, queue: Any) -> Any:
    """Steps to each square the player can reach, -1 elsewhere; the least square of the region.

    Most of the search's time goes here: places are unsigned, so that none is looked at as negative.
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


@kernel
def boxes_of(state: Any, squares: Any, boxes: Any, occupied: Any) -> Any:
    """List the boxes of a state and mark them; how many."""
    occupied[:] = 0
    count = 0
    for square in range(squares):
        if (state[square >> 6] >> (U(square) & _MASK)) & _ONE:
            boxes[count] = square
            occupied[square] = 1
            count += 1
    return count


@kernel
def move_box(state: Any, box: Any, target: Any, child: Any) -> None:
    """The boxes of a state after one of them has gone to another square."""
    for word in range(state.shape[0] - 1):
        child[word] = state[word]
    child[box >> 6] &= ~(_ONE << (U(box) & _MASK))
    child[target >> 6] |= _ONE << (U(target) & _MASK)
