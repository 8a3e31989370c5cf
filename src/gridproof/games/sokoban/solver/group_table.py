"""Three or four boxes alone: what they need beyond their cheapest goals, each at its price.

Any prices of the goals give a bound: each box takes the goal that is cheapest after its price, and the prices
of all goals are added in the end, since each goal is taken once. With the prices of the cheapest matching
this is the cheapest matching itself (the dual of the assignment problem). A group of boxes needs at least
what a search by pulls finds that begins with the group on any goals, each at its price; the excess of the
group is the difference. One such search finds all groups of a size. The excesses of groups without a
common box add up.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gridproof.games.sokoban.solver.board import FAR, Array, Board
from gridproof.games.sokoban.solver.matching import HOPELESS
from gridproof.games.sokoban.solver.pair_table import DEADLOCK, LARGEST_EXCESS, NO_LABEL
from gridproof.kernels.compile import borrowing, specialise

SIZES = 3, 4
_LARGEST = 1 << 28  # bytes of the labels
_DEEPEST = (1 << 15) - 1  # the depth of states that are not reached
_MOST_LISTED = 256  # groups of a state that are compared
_CHUNK = 1 << 12  # groups between two looks at the clock
BOX = 254
"""The label of a square with a box."""


class GroupSearch(NamedTuple):
    """The arrays of the search by pulls; boxes have the numbers of live squares, the greatest first."""

    neighbours: Any
    live: Any
    squares: Any
    choose: Any
    """int64 (size + 1, live): binomial coefficients, of which the number of a group is a sum."""
    labels: Any
    """uint8 (groups, squares): the label of the player's region; in the end the excess."""
    depths: Any
    """int16 (groups, labels)"""
    queue: Any
    """int16 (states, size + 1): the boxes and the label."""
    boxes: Any
    """int64 (size,): of a group that is looked at."""
    floor: Any
    """int16 (squares,): a queue of squares."""


class Groups(NamedTuple):
    """The tables of the compiled search; empty until they are made."""

    prices: Any
    """int64 (squares, sides): the pushes of a box to its cheapest goal less the price."""
    total: Any
    """int64 (1,): the prices of all goals."""
    choose: Any
    triples: Any
    """int32 (groups,): the excess, or -1 less the row of it."""
    triple_rows: Any
    """uint8 (rows, squares): the excess by the player's square."""
    fours: Any
    four_rows: Any
    pair_leads: Any
    """uint8 (pairs,): true if a pair has the greatest boxes of a larger group with an excess."""
    triple_leads: Any
    """uint8 (triples,)"""
    listed: Any
    """int64 (groups, 5): the groups of a state by the places of their boxes, the last repeated, and the excess."""


@borrowing
def next_group(boxes: Any) -> None:
    """Write the group with the next number; before the first stand 0, ..., 0."""
    size = boxes.shape[0]
    at = size - 1
    while at > 0 and boxes[at] + 1 >= boxes[at - 1]:
        at -= 1
    boxes[at] += 1
    for later in range(at + 1, size):
        boxes[later] = size - 1 - later


@borrowing
def label_groups(search: GroupSearch, begin: Any, end: Any) -> Any:
    """Label the regions of the floor around some groups; return how many regions there are."""
    neighbours, squares, boxes, floor, count = (
        search.neighbours,
        search.squares,
        search.boxes,
        search.floor,
        0,
    )
    if begin == 0:
        for i in range(boxes.shape[0]):
            boxes[i] = boxes.shape[0] - 1 - i
    for number in range(begin, end):
        labels, label = search.labels[number], 0
        for box in boxes:
            labels[squares[box]] = BOX
        for start in range(neighbours.shape[0]):
            if labels[start] != NO_LABEL:
                continue
            labels[start], floor[0], head, tail = label, start, 0, 1
            while head < tail:
                square = floor[head]
                head += 1
                for direction in range(4):
                    beside = neighbours[square, direction]
                    if beside >= 0 and labels[beside] == NO_LABEL:
                        labels[beside], floor[tail] = label, beside
                        tail += 1
            label += 1
        count += label
        next_group(boxes)
    return count


@borrowing
def group_number(choose: Any, boxes: Any) -> Any:
    """Return the number of a group, the greatest box first."""
    number = np.int64(0)
    for i in range(boxes.shape[0]):
        number += choose[boxes.shape[0] - i, boxes[i]]
    return number


@borrowing
def take_group(search: GroupSearch, state: Any) -> Any:
    """Make the boxes of a state those that are looked at, and return the number of their group."""
    for i in range(search.boxes.shape[0]):
        search.boxes[i] = state[i]
    return group_number(search.choose, search.boxes)


@borrowing
def reach_group(search: GroupSearch, player: Any, depth: Any, tail: Any) -> Any:
    """Add the state of the group and a player to the queue if it is new; return the end of the queue."""
    boxes, queue = search.boxes, search.queue
    number = group_number(search.choose, boxes)
    label = search.labels[number, player]
    if search.depths[number, label] < _DEEPEST:
        return tail
    search.depths[number, label] = depth
    for i in range(boxes.shape[0]):
        queue[tail, i] = boxes[i]
    queue[tail, boxes.shape[0]] = label
    return tail + 1


@borrowing
def begin_at_goals(search: GroupSearch, goals: Any, depth: Any, tail: Any) -> Any:
    """Put groups of goals, int64 (n, size), into the queue, each with all regions; return the end of the queue."""
    for i in range(goals.shape[0]):
        for j in range(goals.shape[1]):
            search.boxes[j] = goals[i, j]
        row = search.labels[group_number(search.choose, search.boxes)]
        for player in range(row.shape[0]):
            if row[player] != BOX:
                tail = reach_group(search, player, depth, tail)
    return tail


@borrowing
def replace_box(source: Any, which: Any, moved: Any, boxes: Any) -> None:
    """Write the group in which a box has moved, the greatest first."""
    at, waits = 0, True
    for i in range(boxes.shape[0]):
        if i == which:
            continue
        if waits and moved > source[i]:
            boxes[at] = moved
            at, waits = at + 1, False
        boxes[at] = source[i]
        at += 1
    if waits:
        boxes[at] = moved


@borrowing
def pull_layer(search: GroupSearch, head: Any, end: Any, depth: Any) -> Any:
    """Find the states at a depth from those of the layer before; return the end of the queue."""
    neighbours, live, squares, boxes = search.neighbours, search.live, search.squares, search.boxes
    size, tail = boxes.shape[0], end
    for at in range(head, end):
        state = search.queue[at]
        labels, label = search.labels[take_group(search, state)], state[size]
        for which in range(size):
            box = squares[state[which]]
            for direction in range(4):
                target = neighbours[box, direction]
                if target < 0 or labels[target] != label:
                    continue
                player = neighbours[target, direction]
                if player >= 0 and labels[player] == label:
                    replace_box(state, which, np.int64(live[target]), boxes)
                    tail = reach_group(search, player, depth, tail)
    return tail


@borrowing
def decode(excess: Any, rows: Any, number: Any, player: Any) -> Any:
    """Return the excess of a group by the player's square."""
    code = excess[number]
    return np.int64(code) if code >= 0 else np.int64(rows[-1 - code, player])


@borrowing
def greatest_within(groups: Groups, pair_excess: Any, boxes: Any, player: Any) -> Any:
    """Return the greatest excess of the smaller groups within a group of three or four."""
    size, greatest = boxes.shape[0], np.int64(0)
    for i in range(size):
        for j in range(i):
            greatest = max(greatest, np.int64(pair_excess[player, boxes[i], boxes[j]]))
    for left_out in range(size if size > 3 else 0):
        number, rank = np.int64(0), 3
        for i in range(size):
            if i != left_out:
                number += groups.choose[rank, boxes[i]]
                rank -= 1
        greatest = max(greatest, decode(groups.triples, groups.triple_rows, number, player))
    return greatest


@borrowing
def compute_excess(
    search: GroupSearch, groups: Groups, pair_excess: Any, sides: Any, begin: Any, end: Any
) -> None:
    """Replace each label by the excess, or 0 if a smaller group has as much, for some groups."""
    squares, boxes = search.squares, search.boxes
    if begin == 0:
        for i in range(boxes.shape[0]):
            boxes[i] = boxes.shape[0] - 1 - i
    for number in range(begin, end):
        row, free = search.labels[number], 0
        for player in range(row.shape[0]):
            if row[player] == BOX:
                continue
            more = np.int64(search.depths[number, row[player]])
            if more == _DEEPEST:
                more = np.int64(DEADLOCK)
            else:
                for box in boxes:
                    more -= groups.prices[squares[box], sides[squares[box], player]]
                more = min(more, np.int64(LARGEST_EXCESS))
            if more > 0 and more <= greatest_within(groups, pair_excess, boxes, player):
                more = np.int64(0)
            row[player], free = more, player
        for box in boxes:
            row[squares[box]] = row[free]
        next_group(boxes)


@borrowing
def list_group(listed: Any, count: Any, places: tuple[Any, Any, Any, Any], excess: Any) -> Any:
    """Add a group to those of a state while there is room; return their number."""
    if count == listed.shape[0]:
        return count
    listed[count, 0], listed[count, 1], listed[count, 2], listed[count, 3] = places
    listed[count, 4] = excess
    return count + 1


@borrowing
def list_groups(groups: Groups, pairs: Any, boxes: Any, player: Any) -> Any:
    """List the groups with an excess; return how many, or -1 at a deadlock.

    The boxes are in the order of their squares.
    """
    (live, of_pairs), choose, listed, count = pairs, groups.choose, groups.listed, np.int64(0)
    for i in range(boxes.shape[0]):
        first = np.int64(live[boxes[i]])
        row = of_pairs[player, first]
        for j in range(i):
            second = np.int64(live[boxes[j]])
            two = np.int64(row[second])
            if two == DEADLOCK:
                return np.int64(-1)
            if two > 0:
                count = list_group(listed, count, (i, j, j, j), two)
            if not groups.pair_leads[choose[2, first] + second]:
                continue
            for k in range(j):
                third = np.int64(live[boxes[k]])
                number = choose[3, first] + choose[2, second] + third
                three = decode(groups.triples, groups.triple_rows, number, player)
                if three == DEADLOCK:
                    return np.int64(-1)
                if three > 0:
                    count = list_group(listed, count, (i, j, k, k), three)
                if not groups.triple_leads[number]:
                    continue
                number = choose[4, first] + choose[3, second] + choose[2, third]
                for m in range(k):
                    fourth = np.int64(live[boxes[m]])
                    four = decode(groups.fours, groups.four_rows, number + fourth, player)
                    if four == DEADLOCK:
                        return np.int64(-1)
                    if four > 0:
                        count = list_group(listed, count, (i, j, k, m), four)
    return count


@borrowing
def group_value(group: Any, by_size: Any) -> Any:
    """Return by what groups are ordered: the excess, or that of a box if they count by their size."""
    if not by_size:
        return group[4]
    if group[1] == group[2]:
        return 6 * group[4]
    return 4 * group[4] if group[2] == group[3] else 3 * group[4]


@borrowing
def choose_groups(listed: Any, count: Any, by_size: Any, chosen: Any) -> Any:
    """Return the sum of the excesses of groups without a common box, in the order of their value.

    `chosen` is int16 (boxes or more,), 0 before and afterwards.
    """
    total, greatest = np.int64(0), np.int64(6 * DEADLOCK)
    while greatest > 0:
        following = np.int64(0)
        for i in range(count):
            group = listed[i]
            if chosen[group[0]] or chosen[group[1]] or chosen[group[2]] or chosen[group[3]]:
                continue
            value = group_value(group, by_size)
            if value >= greatest:
                chosen[group[0]] = chosen[group[1]] = chosen[group[2]] = chosen[group[3]] = 1
                total += group[4]
            else:
                following = max(following, value)
        greatest = following
    for i in range(count):
        for j in range(4):
            chosen[listed[i, j]] = 0
    return total


@borrowing
def group_bound(groups: Groups, pairs: Any, sides: Any, boxes: Any, player: Any, chosen: Any) -> Any:
    """Return the bound of boxes by the prices of the goals and the excesses of groups; HOPELESS at a deadlock."""
    for i in range(boxes.shape[0]):
        chosen[i] = 0
    count = list_groups(groups, pairs, boxes, player)
    if count < 0:
        return HOPELESS
    bound = groups.total[0]
    for box in boxes:
        bound += groups.prices[box, sides[box, player]]
    large, small = (
        choose_groups(groups.listed, count, False, chosen),
        choose_groups(groups.listed, count, True, chosen),
    )
    return bound + max(large, small)


def find_leads(is_found: Array, size: int, live: int) -> Array:
    """Return, for each group of a size, whether some groups with a smaller box besides are found.

    Such groups have consecutive numbers: as many as the least number of the leading group.
    """
    least = np.arange(live)
    for greater in range(1, size):
        least = np.concatenate([least[: math.comb(first, greater)] for first in range(live)])
    counts, ends = np.concatenate([[0], np.cumsum(is_found)]), np.cumsum(least)
    leads: Array = (counts[ends] > counts[ends - least]).astype(np.uint8)
    return leads


class GroupTable:
    """The excess of each group of three boxes, and of four, above that of smaller groups, of a board without bombs; empty until it is built.

    Parameters
    ----------
    board : Board
    prices : int64 (goals,)
        Of a cheapest matching: what a box pays less at each goal.
    """

    def __init__(self, board: Board, prices: Array) -> None:
        self._board, self._goal_prices = board, prices.astype(np.int64)
        self._squares = np.flatnonzero(board.dead[0] == 0).astype(np.int16)
        none, no_rows = np.zeros(0, np.int32), np.zeros((0, 0), np.uint8)
        prices, choose = np.zeros((0, 0), np.int64), np.zeros((0, 0), np.int64)
        total, listed = np.array([self._goal_prices.sum()]), np.zeros((_MOST_LISTED, 5), np.int64)
        self.tables = Groups(prices, total, choose, none, no_rows, none, no_rows, none, none, listed)
        self.size = 2
        """The greatest size of groups that the tables have."""

    @property
    def next_work(self) -> int:
        """The number of groups of the next size; 0 if there is none, or the table would be too large."""
        size, board = self.size + 1, self._board
        if size not in SIZES or len(board.goals) < size:
            return 0
        count = math.comb(len(self._squares), size)
        deepest = 4 * len(board.cells) * size - size * int(self._goal_prices.min(initial=0))
        return count if count * len(board.cells) <= _LARGEST and deepest < _DEEPEST else 0

    @property
    def growth(self) -> int:
        """The number of bytes that building the table of the next size may hold."""
        return self.next_work * (2 * len(self._board.cells) + 80)

    def build(self, pair_excess: Array) -> Iterator[None]:
        """Build the table of the next size above pairs; yield now and then, so that the caller can check its limit."""
        size, count, regions = self.size + 1, self.next_work, 0
        self._begin()
        chunks = [(begin, min(begin + _CHUNK, count)) for begin in range(0, count, _CHUNK)]
        search = self._allocate(size, count)
        for begin, end in chunks:
            regions += label_groups(search, begin, end)
            yield
        search = search._replace(queue=np.empty((regions, size + 1), np.int16))
        yield from self._pull(search)
        for begin, end in chunks:
            compute_excess(search, self.tables, pair_excess, self._board.sides[0], begin, end)
            yield
        various = (search.labels != search.labels[:, :1]).any(axis=1)
        excess = np.where(various, -np.cumsum(various), search.labels[:, 0]).astype(np.int32)
        rows = search.labels[various]
        leads = find_leads(excess != 0, size - 1, len(self._squares))
        if size == SIZES[0]:
            self.tables = self.tables._replace(
                triples=excess, triple_rows=rows, pair_leads=leads, triple_leads=np.zeros(count, np.uint8)
            )
        else:
            pair_leads = self.tables.pair_leads | find_leads(leads > 0, size - 2, len(self._squares))
            self.tables = self.tables._replace(
                fours=excess, four_rows=rows, pair_leads=pair_leads, triple_leads=leads
            )
        self.size = size

    def _begin(self) -> None:
        """Compute what the tables of all sizes share."""
        distances, live = self._board.distances[0], range(len(self._squares))
        costs = np.where(distances < FAR, distances.astype(np.int64) - self._goal_prices, FAR)
        choose = np.array([[math.comb(n, k) for n in live] for k in range(SIZES[-1] + 1)], np.int64)
        self.tables = self.tables._replace(prices=costs.min(axis=2), choose=choose)

    def _pull(self, search: GroupSearch) -> Iterator[None]:
        goals, depths = self._sources(search)
        head = tail = depth = begun = 0
        while head < tail or begun < len(depths):
            if head == tail:
                depth = int(depths[begun])
            ready = int(np.searchsorted(depths, depth, side="right"))
            end = begin_at_goals(search, goals[begun:ready], depth, tail)
            depth, begun = depth + 1, ready
            head, tail = end, pull_layer(search, head, end, depth)
            yield

    def _sources(self, search: GroupSearch) -> tuple[Array, Array]:
        """Return all groups of goals, by the numbers of their squares, and their depths, the least first."""
        size = len(search.boxes)
        groups = np.array([*itertools.combinations(range(len(self._board.goals)), size)], np.int64)[:, ::-1]
        depths = -self._goal_prices[groups].sum(axis=1)
        order = np.argsort(depths, kind="stable")
        return search.live[self._board.goals[groups[order]]].astype(np.int64), depths[order]

    def _allocate(self, size: int, count: int) -> GroupSearch:
        squares, live = len(self._board.cells), np.full(len(self._board.cells), -1, np.int16)
        live[self._squares] = np.arange(len(self._squares))
        return GroupSearch(
            self._board.neighbours[0],
            live,
            self._squares,
            self.tables.choose,
            np.full((count, squares), NO_LABEL, np.uint8),
            np.full((count, 3 * size + 1), _DEEPEST, np.int16),
            np.empty((0, size + 1), np.int16),
            np.zeros(size, np.int64),
            np.empty(squares, np.int16),
        )

    def prepare(self, pair_excess: Array) -> None:
        """Load or compile the kernels of `build`, which may take seconds."""
        search = self._allocate(SIZES[0], 0)
        specialise(label_groups, search, 0, 0)
        specialise(begin_at_goals, search, np.zeros((0, SIZES[0]), np.int64), 0, 0)
        specialise(pull_layer, search, 0, 0, 0)
        specialise(compute_excess, search, self.tables, pair_excess, self._board.sides[0], 0, 0)
