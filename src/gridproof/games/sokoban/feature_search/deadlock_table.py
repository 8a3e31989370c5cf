"""Two or three boxes alone: whether they can still reach targets, by the player's square.

One search for all groups of a size begins with the groups that are at their end, and takes moves back. What it does not
reach is a deadlock: other boxes can only hinder.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gridproof.games.sokoban.feature_search.macro_moves import BACKWARDS, KIND, NONE, Field
from gridproof.games.sokoban.solver.board import Array
from gridproof.games.sokoban.solver.group_table import (
    BOX,
    GroupSearch,
    label_groups,
    pull_layer,
    reach_group,
    replace_box,
    take_group,
)
from gridproof.games.sokoban.solver.pair_table import NO_LABEL
from gridproof.kernels.compile import borrowing

SIZES = 2, 3
_LARGEST = 1 << 25  # bytes of a table
_CHUNK = 1 << 13  # groups between two looks at the clock
_NOT_REACHED = (1 << 15) - 1


class Deadlocks(NamedTuple):
    """The deadlocks of a level in one direction; without groups of a size where there would be too many."""

    live: Any
    """int16 (squares,): the number of each square that is not dead, -1 elsewhere."""
    choose: Any
    """int64 (4, live): binomial coefficients, of which the number of a group is a sum."""
    pairs: Any
    """uint8 (pairs, squares): 1 for a deadlock with the player on a square."""
    triples: Any
    """uint8 (triples, squares)"""
    leads: Any
    """uint8 (live, live): 1 for two boxes that are a deadlock with some third one."""


@borrowing
def begin_groups(search: GroupSearch, ends: Any, player: Any) -> Any:
    """Put groups at their end, int64 (n, size), into the queue; return its end. The player is anywhere if NONE."""
    tail = np.int64(0)
    for i in range(ends.shape[0]):
        row = search.labels[take_group(search, ends[i])]
        for square in range(row.shape[0]):
            if row[square] != BOX and (player < 0 or square == player):
                tail = reach_group(search, square, 0, tail)
    return tail


@borrowing
def push_layer(search: GroupSearch, head: Any, end: Any) -> Any:
    """Find the states that follow some in the queue by pushes; return the end of the queue."""
    neighbours, live, squares, boxes = search.neighbours, search.live, search.squares, search.boxes
    size, tail = boxes.shape[0], end
    for at in range(head, end):
        state = search.queue[at]
        labels, label = search.labels[take_group(search, state)], state[size]
        for which in range(size):
            box = squares[state[which]]
            for direction in range(4):
                target, behind = neighbours[box, direction], neighbours[box, direction ^ 1]
                if target < 0 or behind < 0 or labels[behind] != label:
                    continue
                if labels[target] != BOX and live[target] >= 0:
                    replace_box(state, which, np.int64(live[target]), boxes)
                    tail = reach_group(search, np.int64(box), 0, tail)
    return tail


@borrowing
def mark_deadlocks(search: GroupSearch, begin: Any, end: Any) -> None:
    """Replace each label of some groups by whether the search has not reached it."""
    for number in range(begin, end):
        row = search.labels[number]
        for player in range(row.shape[0]):
            label = row[player]
            row[player] = label != BOX and search.depths[number, label] == _NOT_REACHED


@borrowing
def mark_leads(choose: Any, pairs: Any, triples: Any, leads: Any) -> None:
    """Mark the pairs of boxes within each triple that is a deadlock, while no two of them are."""
    number = 0
    for first in range(leads.shape[0]):
        for second in range(first):
            for third in range(second):
                one, other = choose[2, first] + second, choose[2, first] + third
                last = choose[2, second] + third
                for player in range(triples.shape[1]):
                    dead_pairs = pairs[one, player] | pairs[other, player] | pairs[last, player]
                    if triples[number, player] and not dead_pairs:
                        leads[first, second] = leads[second, first] = 1
                        leads[first, third] = leads[third, first] = 1
                        leads[second, third] = leads[third, second] = 1
                        break
                number += 1


@borrowing
def is_deadlock(deadlocks: Deadlocks, boxes: Any, moved: Any, player: Any) -> Any:
    """Return whether a box and one or two others are a deadlock, with the player on a square."""
    live, choose, pairs, triples, leads = deadlocks
    box = np.int64(live[moved])
    if box < 0 or pairs.shape[0] == 0:
        return False
    for i in range(boxes.shape[0]):
        one = np.int64(live[boxes[i]])
        if one < 0 or one == box:
            continue
        greater, less = max(box, one), min(box, one)
        if pairs[choose[2, greater] + less, player]:
            return True
        if triples.shape[0] == 0 or not leads[box, one]:
            continue
        for j in range(i):
            two = np.int64(live[boxes[j]])
            if two < 0 or two == box or not leads[box, two] or not leads[one, two]:
                continue
            most, least = max(greater, two), min(less, two)
            number = choose[3, most] + choose[2, greater + less + two - most - least] + least
            if triples[number, player]:
                return True
    return False


def no_deadlocks(squares: int) -> Deadlocks:
    """Return tables that know none."""
    none = np.zeros((0, squares), np.uint8)
    return Deadlocks(
        np.full(squares, NONE, np.int16),
        np.zeros((4, 0), np.int64),
        none,
        none,
        np.zeros((0, 0), np.uint8),
    )


def _sizes(field: Field, boxes: int) -> list[int]:
    """Return the sizes of the groups that are few enough, in a level with so many boxes."""
    squares, live = len(field.dead), np.count_nonzero(field.dead == 0)
    return [size for size in SIZES if size <= boxes and math.comb(live, size) * squares <= _LARGEST]


def deadlock_bytes(field: Field, boxes: int) -> int:
    """Return the most bytes that `find_deadlocks` needs."""
    squares, live = len(field.dead), np.count_nonzero(field.dead == 0)
    total = 0
    for size in _sizes(field, boxes):
        labels = 3 * size + 1
        total += math.comb(live, size) * (squares + 2 * labels + 2 * labels * (size + 1))
    return total


def find_deadlocks(field: Field, boxes: int, found: list[Deadlocks]) -> Iterator[None]:
    """Find the deadlocks of a level with so many boxes, in the direction of a field; yield now and then."""
    squares = np.flatnonzero(field.dead == 0)
    live = np.full(len(field.dead), NONE, np.int16)
    live[squares] = np.arange(len(squares))
    choose = np.array(
        [[math.comb(n, k) for n in range(len(squares))] for k in range(SIZES[-1] + 1)], np.int64
    )
    tables = no_deadlocks(len(live))._replace(live=live, choose=choose)
    for name, size in zip(("pairs", "triples"), _sizes(field, boxes), strict=False):
        for table in find_groups(field, size, live, choose):
            if table is not None:
                tables = tables._replace(**{name: table})
            yield
    if len(tables.triples):
        tables = tables._replace(leads=np.zeros((len(squares), len(squares)), np.uint8))
        mark_leads(choose, tables.pairs, tables.triples, tables.leads)
    found.append(tables)


def find_groups(field: Field, size: int, live: Array, choose: Array) -> Iterator[Array | None]:
    """Find the deadlocks of a size; yield None now and then, and the table in the end."""
    backwards = field.options[KIND] >= BACKWARDS
    squares = np.flatnonzero(live >= 0).astype(np.int16)
    count = math.comb(len(squares), size)
    search = GroupSearch(
        field.neighbours,
        live,
        squares,
        choose[: size + 1],
        np.full((count, len(live)), NO_LABEL, np.uint8),
        np.full((count, 3 * size + 1), _NOT_REACHED, np.int16),
        np.empty((0, size + 1), np.int16),
        np.zeros(size, np.int64),
        np.empty(len(live), np.int16),
    )
    chunks, regions = [(begin, min(begin + _CHUNK, count)) for begin in range(0, count, _CHUNK)], 0
    for begin, end in chunks:
        regions += label_groups(search, begin, end)
        yield None
    search = search._replace(queue=np.empty((regions, size + 1), np.int16))
    targets = np.sort(live[np.flatnonzero(field.target)])[::-1].astype(np.int64)
    ends = np.array([*itertools.combinations(targets[targets >= 0].tolist(), size)], np.int64)
    head, tail = 0, begin_groups(search, ends.reshape(-1, size), int(field.end[0]))
    while head < tail:
        end = tail
        tail = push_layer(search, head, end) if backwards else pull_layer(search, head, end, 0)
        head = end
        yield None
    for begin, end in chunks:
        mark_deadlocks(search, begin, end)
        yield None
    yield search.labels
