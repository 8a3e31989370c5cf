"""The compiled search in the vicinity of a path: A* over pushes that never leaves it.

A state is K - 1 words of boxes, a bit a square, and a word for the player: the square itself, or the least
square of the region where walks are free. It is in the vicinity if at most a few of its boxes stand off some
arrangement of the path, and each of them near a square that this arrangement has and the state lacks.

The lower bound is the cheapest matching of boxes and target squares.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gridproof.games.sokoban.solver.flood_fill import (
    GROUP,
    QUEUE,
    STEPS,
    flood,
    list_boxes,
    move_box,
    update_region,
)
from gridproof.games.sokoban.solver.matching import OF_ALL, WORK, match_boxes
from gridproof.games.sokoban.solver.pruning import FROZEN, is_frozen
from gridproof.kernels.bits import count_ones
from gridproof.kernels.compile import borrowing
from gridproof.kernels.heap import pop, push
from gridproof.kernels.states import find

U = np.uint64
_ONE, _MASK, _NUMBER = U(1), U(63), U((1 << 32) - 1)
_HALF = U(32)

NONE = -1

# The counters of a search. BEST is the cost that a path must undercut, GOAL the last state of the best path so far,
# LEFT the work that may still be done, in squares, and FULL is set when a state was refused for lack of room.
STATES, SIZE, BEST, GOAL, LEFT, FULL, MOST = range(7)
COUNTERS = 7
# The columns of a state's figures: its parent, the pushes that it needs at least, and an arrangement of the path
# that it is near to.
PARENT, BOUND, ANCHOR = range(3)


class Tables(NamedTuple):
    """A board and the target of a search."""

    neighbours: Any
    """int16 (squares, 4)"""
    dead: Any
    """uint8 (squares,): a box there cannot reach a target square"""
    goal: Any
    """uint8 (squares,): the target squares"""
    distances: Any
    """int16 (squares, SIDES, boxes): the pushes of a single box to each target square, by the player's side"""
    sides: Any
    """uint8 (squares, squares), as of `Board`"""
    assignment: Any
    """The matching of the last state."""
    target: Any
    """uint64 (K - 1,): the boxes of the target"""
    won: Any
    """uint64 (K - 1,): the boxes on the depots, with which a level ends"""


class Vicinity(NamedTuple):
    """The path, and how far states may be from it."""

    path: Any
    """uint64 (arrangements, K - 1)"""
    near: Any
    """uint64 (squares, K - 1): the squares around each square"""
    most: Any
    """The most boxes that stand off an arrangement."""


class Prices(NamedTuple):
    """The costs that a search minimises."""

    push: Any
    step: Any
    """0 if walks are free."""
    end: Any
    """The player's square at the end; NONE for any."""


class Store(NamedTuple):
    """The states of a search, and those that wait."""

    words: Any
    """uint64 (n, K)"""
    table: Any
    """uint32, see `gridproof.kernels.states`"""
    costs: Any
    """int64 (n,)"""
    figures: Any
    """int32 (n, 3)"""
    heap: Any
    """uint64 (m,): bounds of costs above numbers of states"""


class Child(NamedTuple):
    """A state that a push leads to."""

    state: Any
    boxes: Any
    occupied: Any
    parent: Any
    anchor: Any


@borrowing
def count_off(vicinity: Vicinity, state: Any, anchor: Any) -> Any:
    """Return how many boxes of a state stand off an arrangement of the path."""
    path, off = vicinity.path, np.int64(0)
    for word in range(path.shape[1]):
        off += np.int64(count_ones(state[word] & ~path[anchor, word]))
    return off


@borrowing
def is_near(vicinity: Vicinity, state: Any, anchor: Any) -> Any:
    """Return whether each box that stands off an arrangement is near a square that this has and the state lacks."""
    path, near, _ = vicinity
    words = path.shape[1]
    for word in range(words):
        off = state[word] & ~path[anchor, word]
        square = word << 6
        while off:
            while not off & _ONE:
                off >>= _ONE
                square += 1
            close = False
            for other in range(words):
                close = close or (near[square, other] & path[anchor, other] & ~state[other]) != 0
            if not close:
                return False
            off >>= _ONE
            square += 1
    return True


@borrowing
def find_anchor(vicinity: Vicinity, state: Any, start: Any) -> Any:
    """Return an arrangement of the path in whose vicinity a state is, from `start` on or else before; NONE for no such.

    From one arrangement to the next, one box moves. So as many can be passed over as boxes stand off too many.
    """
    for direction in range(2):
        anchor = start if direction == 0 else start - 1
        while 0 <= anchor < vicinity.path.shape[0]:
            excess = count_off(vicinity, state, anchor) - vicinity.most
            if excess <= 0 and is_near(vicinity, state, anchor):
                return anchor
            anchor += max(excess, 1) if direction == 0 else -max(excess, 1)
    return NONE


@borrowing
def equals(words: Any, state: Any) -> Any:
    """Return whether a state has the boxes of these words."""
    same = True
    for word in range(words.shape[0]):
        same = same and words[word] == state[word]
    return same


@borrowing
def offer(tables: Tables, prices: Prices, store: Store, counters: Any, child: Child, total: Any) -> None:
    """Add or update a state at a total cost, if it can be part of a cheaper path."""
    words, table, costs, figures, heap = store
    state, boxes, occupied, parent, anchor = child
    number = find(words, table, state)
    if number >= 0:
        if total >= costs[number]:
            return
    else:
        if equals(tables.won, state) and not equals(tables.won, tables.target):
            return
        player = np.int64(state[words.shape[1] - 1])
        before = tables.assignment[OF_ALL, WORK]
        bound = match_boxes(tables.distances, tables.sides, boxes, occupied, player, 0, tables.assignment)
        counters[LEFT] -= tables.assignment[OF_ALL, WORK] - before
        if total + prices.push * bound >= counters[BEST]:
            return
        new = counters[STATES]
        if new >= counters[MOST]:
            counters[FULL] = 1
            return
        counters[STATES] += 1
        for word in range(words.shape[1]):
            words[new, word] = state[word]
        table[-1 - number] = new + 1
        number = new
        figures[number, BOUND], figures[number, ANCHOR] = bound, anchor
    costs[number] = total
    figures[number, PARENT] = parent
    priority = total + prices.push * np.int64(figures[number, BOUND])
    counters[SIZE] = push(heap, counters[SIZE], (U(priority) << _HALF) | U(number))


@borrowing
def expand(
    tables: Tables, vicinity: Vicinity, prices: Prices, store: Store, work: Any, counters: Any, number: Any
) -> None:
    """Offer the successors of a state, or note it as the end of a path."""
    neighbours, dead, goal = tables.neighbours, tables.dead, tables.goal
    boxes, occupied, marks, _, places, child = work
    state, last = store.words[number], child.shape[0] - 1
    player, cost, bound = np.int64(state[last]), store.costs[number], np.int64(store.figures[number, BOUND])
    lowest = flood(neighbours, occupied, player, places[STEPS], places[QUEUE])
    steps = places[STEPS]
    counters[LEFT] -= goal.shape[0]
    if equals(tables.target, state):
        if prices.end == NONE:
            counters[BEST], counters[GOAL] = cost, number
            return
        total = cost + prices.step * np.int64(steps[prices.end])
        if steps[prices.end] >= 0 and total < counters[BEST]:
            counters[BEST], counters[GOAL] = total, number
    for i in range(boxes.shape[0]):
        box = boxes[i]
        for direction in range(4):
            ahead, behind = neighbours[box, direction], neighbours[box, direction ^ 1]
            if ahead < 0 or behind < 0 or steps[behind] < 0 or occupied[ahead] or dead[ahead]:
                continue
            total = cost + prices.push + prices.step * np.int64(steps[behind])
            if total + prices.push * (bound - 1) >= counters[BEST]:
                continue
            move_box(state, box, ahead, child)
            counters[LEFT] -= last
            anchor = find_anchor(vicinity, child, np.int64(store.figures[number, ANCHOR]))
            if anchor == NONE:
                counters[LEFT] -= vicinity.path.shape[0]
                continue
            occupied[box], occupied[ahead] = 0, 1
            if not is_frozen(neighbours, dead, goal, occupied, ahead, places[GROUP], marks[FROZEN]):
                after = np.int64(box)
                if prices.step == 0:
                    after = update_region(neighbours, occupied, places, lowest, box, ahead, after)
                    counters[LEFT] -= goal.shape[0]
                child[last] = U(after)
                boxes[i] = ahead
                offer(tables, prices, store, counters, Child(child, boxes, occupied, number, anchor), total)
                boxes[i] = box
            occupied[box], occupied[ahead] = 1, 0


@borrowing
def advance(
    tables: Tables, vicinity: Vicinity, prices: Prices, store: Store, work: Any, counters: Any
) -> None:
    """Expand states while there is room, and work LEFT; nothing waits at the end of the search."""
    boxes, occupied = work[:2]
    room = 4 * boxes.shape[0] + 1
    words, _, costs, figures, heap = store
    while counters[LEFT] > 0 and counters[SIZE]:
        if counters[STATES] + room >= words.shape[0] or counters[SIZE] + room >= heap.shape[0]:
            return
        word = heap[0]
        bound, number = np.int64(word >> _HALF), np.int64(word & _NUMBER)
        if bound >= counters[BEST]:
            counters[SIZE] = 0
            return
        counters[SIZE] = pop(heap, counters[SIZE])
        if bound != costs[number] + prices.push * np.int64(figures[number, BOUND]):
            continue
        list_boxes(words[number], occupied.shape[0], boxes, occupied)
        expand(tables, vicinity, prices, store, work, counters, number)
