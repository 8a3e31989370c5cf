"""Macro moves: all squares to which a single box can go while the others stay, with the player's region after each.

Regions of free squares have the number of their least square.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gridproof.games.sokoban.solver.flood_fill import is_connected
from gridproof.games.sokoban.solver.pruning import is_frozen
from gridproof.kernels.compile import borrowing

# The columns of a place that a box reaches: its square, the player's region, the place before,
# and the number of regions.
SQUARE, REGION, BEFORE, REGIONS = range(4)
# The rows of the arrays of squares. HERE are the regions of a position, BASE those without the box that moves.
# Boxes do not leave the board on CLOSED squares.
HERE, BASE, LABELS, QUEUE, GROUP, COUNTS, SEEN, STEPS, CLOSED, ROWS = range(10)
# What is known of a square with the box on it.
UNKNOWN, OPEN, STUCK = range(3)
NONE = -1
FORWARDS, FARTHEST, BACKWARDS, UNPACKING = range(4)
"""Kinds of searches: by pushes, the nearest boxes first or the farthest; by pulls, to where the boxes start, or until one is there."""
KIND, LINKS_APART, LOCKED_APART, ADVISED, REGIONS_APART, OPENING, OBSTACLES_APART, PLANNED, CLEARING = range(
    9
)
"""The options of a search."""


class Options(NamedTuple):
    """The differences between searches of the same level."""

    kind: int = FORWARDS
    links_apart: int = 0
    """Up to how many blocked links are told apart by cells."""
    locked_apart: int = 0
    """Up to how many locked boxes are told apart by cells."""
    advised: int = 1
    """1 if links and locked boxes count at all."""
    regions_apart: int = 0
    """Backwards: 1 if numbers of regions are told apart by cells."""
    opening: int = 0
    """1 if obstacles count."""
    obstacles_apart: int = 0
    """Up to how many obstacles are told apart by cells."""
    planned: int = 0
    """Backwards: 1 if the search follows a plan, as those forwards do."""
    clearing: int = 0
    """Backwards: 1 if the fewest boxes on depots and the farthest from them come first, and boxes leave only where `mark_exits` lets them."""


class Field(NamedTuple):
    """A level, forwards or backwards."""

    neighbours: Any
    """int16 (squares, 4)"""
    dead: Any
    """uint8 (squares,): where a box can reach no target"""
    target: Any
    """uint8 (squares,): depots; backwards the squares on which boxes start"""
    distances: Any
    """int16 (squares, sides, targets): pushes of a single box; backwards pulls"""
    sides: Any
    """uint8 (squares, squares), as in `Board`"""
    keys: Any
    """uint64 (2, squares): random keys of boxes and of the player's region"""
    end: Any
    """int64 (1,): the player's region at the end; NONE where any will do"""
    depots: Any
    """int16 (squares,): pushes of a single box to the nearest depot; 0 where it does not count"""
    links: Any
    """uint64 (squares,): the links of rooms that a box on a square blocks"""
    hotspots: Any
    """uint64 (squares, words): the squares from which a box reaches no target while another stays on a square"""
    sinks: Any
    """int16 (squares, 2): the first and last square where a box goes when it leaves the board on one; the first free one counts"""
    first_sink: Any
    """int64 (1,): the number of squares on the board"""
    options: Any
    """int64 (9,): `Options`"""


class Work(NamedTuple):
    """Arrays for one expansion."""

    boxes: Any
    """int16 (boxes,)"""
    occupied: Any
    """uint8 (squares,)"""
    dead: Any
    """uint8 (squares,): to which no box is pushed"""
    places: Any
    """int16 (ROWS, squares)"""
    regions: Any
    """int64 (1,): the number of regions of a position"""
    around: Any
    """int16 (squares, 4): the regions beside a square, with the box on it"""
    reached: Any
    """int32 (4 * squares + 2, 4): the places that a box reaches"""
    row: Any
    """uint64 (words,)"""
    marks: Any
    """uint8 (5, squares), all 0 between two calls but for CHOSEN and SEEN of `pruning`"""
    lists: Any
    """int16 (2, squares)"""
    costs: Any
    """int16 (squares, 5), of `obstacles`"""
    queues: Any
    """int32 (4, 8 * squares)"""


def allocate_work(squares: int, boxes: int) -> Work:
    """Return the arrays for expansions of a level."""
    return Work(
        np.zeros(boxes, np.int16),
        np.zeros(squares, np.uint8),
        np.zeros(squares, np.uint8),
        np.zeros((ROWS, squares), np.int16),
        np.zeros(1, np.int64),
        np.zeros((squares, 4), np.int16),
        np.zeros((4 * squares + 2, 4), np.int32),
        np.zeros(squares // 64 + 1, np.uint64),
        np.zeros((5, squares), np.uint8),
        np.zeros((2, squares), np.int16),
        np.zeros((squares, 5), np.int16),
        np.zeros((4, 8 * squares), np.int32),
    )


@borrowing
def place_boxes(occupied: Any, boxes: Any, count: Any) -> None:
    """Mark the squares of the first boxes of a row as occupied, and no others."""
    for square in range(occupied.shape[0]):
        occupied[square] = 0
    for place in range(count):
        occupied[boxes[place]] = 1


@borrowing
def label_regions(neighbours: Any, occupied: Any, labels: Any, queue: Any) -> Any:
    """Label each free square with the least square of its region, others with NONE; return the number of regions."""
    squares, regions = labels.shape[0], 0
    for square in range(squares):
        labels[square] = -1
    for first in range(squares):
        if occupied[first] or labels[first] >= 0:
            continue
        regions += 1
        labels[first] = queue[0] = first
        head, tail = 0, 1
        while head < tail:
            square = queue[head]
            head += 1
            for direction in range(4):
                other = neighbours[square, direction]
                if other >= 0 and labels[other] < 0 and not occupied[other]:
                    labels[other] = first
                    queue[tail] = other
                    tail += 1
    return regions


def region_of(neighbours: Any, boxes: list[int], player: int) -> int:
    """Return the region of the player; NONE for the square of a box."""
    occupied = np.zeros(len(neighbours), np.uint8)
    occupied[boxes] = 1
    labels, queue = np.zeros((2, len(neighbours)), np.int16)
    label_regions(neighbours, occupied, labels, queue)
    return int(labels[player])


@borrowing
def label_position(field: Field, work: Work) -> None:
    """Label the regions of a position, before `find_moves` finds the moves of its boxes."""
    here, queue = work.places[HERE], work.places[QUEUE]
    work.regions[0] = label_regions(field.neighbours, work.occupied, here, queue)


@borrowing
def lift_box(field: Field, work: Work, box: Any) -> Any:
    """Join the regions around a box, as if it were not there; return the number of regions then."""
    here, base, around = work.places[HERE], work.places[BASE], work.around[box]
    joined, count = np.int64(box), work.regions[0] + 1
    for direction in range(4):
        beside = field.neighbours[box, direction]
        around[direction] = NONE if beside < 0 or work.occupied[beside] else here[beside]
        if around[direction] >= 0:
            joined, count = min(joined, np.int64(around[direction])), count - 1
            for other in range(direction):
                if around[other] == around[direction]:
                    count += 1
                    break
    one, two, three, four = around[0], around[1], around[2], around[3]
    for square in range(base.shape[0]):
        label = here[square]
        is_around = (label == one) | (label == two) | (label == three) | (label == four)
        base[square] = joined if label >= 0 and is_around else label
    base[box] = joined
    return count


@borrowing
def enter_square(field: Field, work: Work, square: Any, regions: Any) -> None:
    """Note the regions around a square with the box on it; `regions` is their number without the box."""
    neighbours, occupied, places, around = field.neighbours, work.occupied, work.places, work.around
    labels, count = places[BASE], regions
    if labels[square] == square or not is_connected(neighbours, occupied, square):
        labels = places[LABELS]
        occupied[square] = 1
        count = label_regions(neighbours, occupied, labels, places[QUEUE])
        occupied[square] = 0
    places[COUNTS, square] = count
    for direction in range(4):
        beside = neighbours[square, direction]
        around[square, direction] = -1 if beside < 0 or occupied[beside] else labels[beside]


@borrowing
def see_region(work: Work, square: Any, region: Any) -> Any:
    """Note that the box is on a square with the player in a region; return whether that is new."""
    seen, around, bits = work.places[SEEN], work.around, 0
    for direction in range(4):
        if around[square, direction] == region:
            bits |= 1 << direction
    fresh = seen[square] & bits == 0
    seen[square] |= bits
    return fresh


@borrowing
def can_enter(field: Field, work: Work, square: Any, regions: Any) -> Any:
    """Return whether the box may be pushed to a square, or pulled; prepare the square if it is the first time."""
    occupied, places, marks = work.occupied, work.places, work.marks
    steps = places[STEPS]
    if steps[square] == UNKNOWN:
        steps[square] = OPEN
        if field.options[KIND] < BACKWARDS:
            occupied[square] = 1
            if work.dead[square] or is_frozen(
                field.neighbours, work.dead, field.target, occupied, square, places[GROUP], marks[4]
            ):
                steps[square] = STUCK
            occupied[square] = 0
        if steps[square] == OPEN:
            enter_square(field, work, square, regions)
    return steps[square] == OPEN


@borrowing
def find_sink(field: Field, work: Work, square: Any) -> Any:
    """Return where a box goes when it leaves the board on a square; NONE if it cannot."""
    sink, last = np.int64(field.sinks[square, 0]), field.sinks[square, 1]
    if work.places[CLOSED, square]:
        return np.int64(NONE)
    while sink <= last and work.occupied[sink]:
        sink += 1
    return sink if sink <= last else np.int64(NONE)


@borrowing
def reach_by_pushes(field: Field, work: Work, start: Any) -> None:
    """Mark in COUNTS where a box comes from a square by pushes, with the other boxes as walls and the player anywhere."""
    neighbours, occupied, reached, queue = (
        field.neighbours, work.occupied, work.places[COUNTS], work.places[QUEUE]
    )  # fmt: skip
    for square in range(reached.shape[0]):
        reached[square] = 0
    queue[0], reached[start], head, tail = start, 1, 0, 1
    while head < tail:
        square = queue[head]
        head += 1
        for direction in range(4):
            ahead, behind = np.int64(neighbours[square, direction]), neighbours[square, direction ^ 1]
            if ahead < 0 or behind < 0 or occupied[ahead] or occupied[behind] or reached[ahead]:
                continue
            reached[ahead] = 1
            queue[tail] = ahead
            tail += 1


@borrowing
def list_sinks(field: Field, work: Work) -> Any:
    """List in GROUP the free squares with a sink that is free; return their number."""
    starts, occupied, count = work.places[GROUP], work.occupied, 0
    for square in range(np.int64(field.first_sink[0])):
        sink = field.sinks[square, 0]
        if sink <= field.sinks[square, 1] and not occupied[square] and not occupied[sink]:
            starts[count] = square
            count += 1
    return count


@borrowing
def find_group(field: Field, work: Work, first: Any, count: Any) -> Any:
    """Label in LABELS those of so many squares of GROUP that a box reaches from one of them, and from which it reaches that one.

    Those with another label stay as they are. Returns the number of those that are labelled.
    """
    starts, labels, reached = work.places[GROUP], work.places[LABELS], work.places[COUNTS]
    reach_by_pushes(field, work, np.int64(starts[first]))
    for i in range(first, count):
        if labels[i] == NONE and reached[starts[i]]:
            labels[i] = first
    size = 1
    for i in range(first + 1, count):
        if labels[i] == first:
            reach_by_pushes(field, work, np.int64(starts[i]))
            if reached[starts[first]]:
                size += 1
            else:
                labels[i] = NONE
    return size


@borrowing
def mark_exits(field: Field, work: Work, region: Any) -> None:
    """Let boxes leave the board in the largest group of sinks alone, and only if the player reaches all of it.

    A group are squares among which a box can be pushed to and fro. `label_position` comes before.
    """
    starts, labels, closed, here = (
        work.places[GROUP], work.places[LABELS], work.places[CLOSED], work.places[HERE]
    )  # fmt: skip
    count, most, largest = list_sinks(field, work), 0, NONE
    for i in range(count):
        labels[i] = NONE
    for square in range(closed.shape[0]):
        closed[square] = 1
    for i in range(count):
        if labels[i] == NONE:
            size = find_group(field, work, i, count)
            if size > most:
                most, largest = size, i
    for i in range(count):
        if labels[i] == largest and here[starts[i]] != region:
            return
    for i in range(count):
        if labels[i] == largest:
            closed[starts[i]] = 0


@borrowing
def leave_board(field: Field, work: Work, regions: Any, count: Any) -> Any:
    """Let a box leave the board where it can, of so many places that it reaches; return their number then.

    `regions` is the number of regions without the box.
    """
    reached, labels = work.reached, work.places[BASE]
    if find_sink(field, work, reached[0, SQUARE]) >= 0:
        for column in range(reached.shape[1]):
            reached[count, column] = reached[0, column]
        count += 1
    for place in range(1, count):
        sink = find_sink(field, work, reached[place, SQUARE])
        if sink >= 0:
            reached[place, SQUARE], reached[place, REGIONS] = sink, regions - 1
            reached[place, REGION] = labels[reached[place, REGION]]
    return count


@borrowing
def find_moves(field: Field, work: Work, box: Any, region: Any) -> Any:
    """Find all places that a box reaches, with the player in a region; return their number, with the first.

    In breadth-first order; the first is where it stands. `label_position` comes before.
    """
    neighbours, occupied, places, around, reached = (
        field.neighbours, work.occupied, work.places, work.around, work.reached
    )  # fmt: skip
    backwards, steps, seen = field.options[KIND] >= BACKWARDS, places[STEPS], places[SEEN]
    for square in range(steps.shape[0]):
        steps[square], seen[square] = UNKNOWN, 0
    regions = lift_box(field, work, box)
    occupied[box], steps[box], places[COUNTS, box] = 0, OPEN, work.regions[0]
    see_region(work, box, region)
    reached[0, SQUARE], reached[0, REGION], reached[0, BEFORE] = box, region, -1
    reached[0, REGIONS] = work.regions[0]
    head, tail = 0, 1
    while head < tail:
        square, label = reached[head, SQUARE], reached[head, REGION]
        for direction in range(4):
            ahead = np.int64(neighbours[square, direction])
            if ahead < 0 or occupied[ahead]:
                continue
            if backwards:
                stand = np.int64(neighbours[ahead, direction])
                if around[square, direction] != label or stand < 0 or occupied[stand]:
                    continue
            elif around[square, direction ^ 1] != label:
                continue
            if not can_enter(field, work, ahead, regions):
                continue
            after = around[ahead, direction] if backwards else around[ahead, direction ^ 1]
            if see_region(work, ahead, after):
                reached[tail, SQUARE], reached[tail, REGION], reached[tail, BEFORE] = ahead, after, head
                reached[tail, REGIONS] = places[COUNTS, ahead]
                tail += 1
        head += 1
    tail = leave_board(field, work, regions, tail)
    occupied[box] = 1
    return tail


def places_of(field: Field, work: Work, boxes: list[int], box: int, region: int) -> list[list[int]]:
    """Return where one of some boxes can go, each place with the player's region there; the player is in `region` before."""
    work.occupied[:] = 0
    work.occupied[boxes] = 1
    label_position(field, work)
    if field.options[CLEARING]:
        mark_exits(field, work, np.int64(region))
    count = find_moves(field, work, np.int64(box), np.int64(region))
    return work.reached[1:count, :2].tolist()  # type: ignore[no-any-return]  # numpy's types say no more
