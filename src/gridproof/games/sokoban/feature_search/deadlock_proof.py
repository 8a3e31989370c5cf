"""A small search for a win of some boxes alone: what it cannot win is a deadlock, whatever other boxes there are."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gridproof.games.sokoban.feature_search.cells import Heaps, pop, push
from gridproof.games.sokoban.feature_search.deadlock_patterns import (
    MOST_BOXES,
    Patterns,
    add_pattern,
    has_any_pattern,
    has_pattern,
    no_patterns,
)
from gridproof.games.sokoban.feature_search.deadlock_table import Deadlocks, is_deadlock, no_deadlocks
from gridproof.games.sokoban.feature_search.frozen import find_dead_squares
from gridproof.games.sokoban.feature_search.macro_moves import (
    BASE,
    COUNTS,
    LABELS,
    QUEUE,
    SEEN,
    STEPS,
    Field,
    Work,
    allocate_work,
    label_regions,
    place_boxes,
)
from gridproof.games.sokoban.solver.board import Array
from gridproof.games.sokoban.solver.flood_fill import flood
from gridproof.games.sokoban.solver.matching import HOPELESS, empty_assignment, match_boxes
from gridproof.games.sokoban.solver.pruning import (
    CHOSEN,
    FROZEN,
    Surroundings,
    is_frozen,
    mark_cheapest_corral,
)
from gridproof.kernels.compile import borrowing

U = np.uint64
_ONE = U(1)
DEAD, WON, OPEN = range(3)
"""Verdicts of a search; OPEN at its limit of nodes."""
BOARD, ORIGIN, TARGET, PLAYER = range(4)
NODES, GOAL, VISITED, COUNTERS = range(4)
NONE = -1
_WORK = 1 << 22
"""Squares, times nodes of all searches for one pattern."""


class DeadlockProof(NamedTuple):
    """The arrays of the search."""

    field: Field
    work: Work
    assignment: Any
    boards: Any
    """int16 (room, boxes)"""
    figures: Any
    """int32 (room, 4): the parent, the push to it, and the player's region"""
    keys: Any
    """uint64 (room,)"""
    path: Any
    """int32 (room,)"""
    table: Any
    """int32; its length is a power of two: the numbers of nodes, plus one"""
    heaps: Heaps
    counters: Any
    """int64 (COUNTERS,)"""
    groups: Any
    """int16 (2, boxes): of a pattern, and with one box less"""
    others: Any
    """uint8 (squares,): 1 for the boxes that are left out, 2 for those that must be added"""
    deadlocks: Deadlocks
    patterns: Patterns


@borrowing
def add_node(proof: DeadlockProof, work: Work, parent: Any, origin: Any, target: Any, player: Any) -> Any:
    """Add the node whose boxes are those of the work, unless it is known or dead; return whether all are on targets."""
    field, _, assignment, boards, figures, keys, _, table, heaps, counters, _, _, deadlocks, patterns = proof
    boxes, occupied = work.boxes, work.occupied
    key = field.keys[1, player]
    for box in boxes:
        key ^= field.keys[0, box]
    mask = U(table.shape[0] - 1)
    slot = key & mask
    while table[slot]:
        if keys[table[slot] - 1] == key:
            return False
        slot = (slot + _ONE) & mask
    node = counters[NODES]
    if is_deadlock(deadlocks, boxes, np.int64(target), player) or has_pattern(
        patterns, occupied, target, player
    ):
        return False
    least = match_boxes(field.distances, field.sides, boxes, occupied, player, np.int64(0), assignment)
    if least >= HOPELESS:
        return False
    counters[NODES] = node + 1
    table[slot], keys[node] = node + 1, key
    left = 0
    for i in range(boxes.shape[0]):
        boards[node, i] = boxes[i]
        left += field.target[boxes[i]] == 0
    figures[node, BOARD], figures[node, ORIGIN], figures[node, TARGET] = parent, origin, target
    figures[node, PLAYER] = player
    heaps.orders[node] = least
    push(heaps, np.int64(0), np.int64(node))
    if left == 0:
        counters[GOAL] = node
    return left == 0


@borrowing
def expand(proof: DeadlockProof, work: Work, node: Any, fills_all: Any) -> None:
    """Add the sons of a node by single pushes, up to so many nodes."""
    field, boards, counters = proof.field, proof.boards, proof.counters
    boxes, occupied, places, marks = work.boxes, work.occupied, work.places, work.marks
    neighbours, steps, chosen = field.neighbours, places[STEPS], work.marks[CHOSEN]
    for i in range(boxes.shape[0]):
        boxes[i] = boards[node, i]
    place_boxes(occupied, boxes, boxes.shape[0])
    if not find_dead_squares(field, work):
        return
    flood(neighbours, occupied, np.int64(proof.figures[node, PLAYER]), steps, places[QUEUE])
    around = Surroundings(neighbours, work.dead, field.target, occupied, steps, marks, work.lists, fills_all)
    mark_cheapest_corral(around, boxes)
    for i in range(boxes.shape[0]):
        box = np.int64(boxes[i])
        for direction in range(4):
            target, behind = np.int64(neighbours[box, direction]), neighbours[box, direction ^ 1]
            if not chosen[box] or target < 0 or behind < 0 or steps[behind] < 0:
                continue
            if occupied[target] or work.dead[target]:
                continue
            occupied[box], occupied[target], boxes[i] = 0, 1, target
            done = False
            if not is_frozen(
                neighbours, work.dead, field.target, occupied, target, places[BASE], marks[FROZEN]
            ):
                player = flood(neighbours, occupied, box, places[LABELS], places[QUEUE])
                done = add_node(proof, work, node, box, target, player)
            occupied[box], occupied[target], boxes[i] = 1, 0, box
            if done or counters[NODES] >= proof.keys.shape[0]:
                return


@borrowing
def prove(proof: DeadlockProof, group: Any, count: Any, player: Any) -> Any:
    """Search for a win of the first boxes of a group from a player's square; return DEAD, WON or OPEN."""
    all_work, table, heaps, counters = proof.work, proof.table, proof.heaps, proof.counters
    work = Work(
        all_work.boxes[:count], all_work.occupied, all_work.dead, all_work.places, all_work.regions, all_work.around,
        all_work.reached, all_work.row, all_work.marks, all_work.lists, all_work.costs, all_work.queues,
    )  # fmt: skip
    for slot in range(table.shape[0]):
        table[slot] = 0
    for place in range(count):
        work.boxes[place] = group[place]
    place_boxes(work.occupied, group, count)
    counters[NODES], counters[GOAL], heaps.roots[0] = 0, NONE, NONE
    region = flood(proof.field.neighbours, work.occupied, player, work.places[LABELS], work.places[QUEUE])
    if has_any_pattern(proof.patterns, work.occupied, work.boxes, region):
        return DEAD
    add_node(proof, work, NONE, work.boxes[0], np.int64(work.boxes[0]), region)
    fills_all = count == proof.groups.shape[1]
    while heaps.roots[0] >= 0 and counters[GOAL] < 0 and counters[NODES] < proof.keys.shape[0]:
        expand(proof, work, pop(heaps, np.int64(0)), fills_all)
    counters[VISITED] += counters[NODES]
    if counters[GOAL] >= 0:
        return WON
    return OPEN if heaps.roots[0] >= 0 else DEAD


@borrowing
def reach_square(neighbours: Any, occupied: Any, others: Any, player: Any, end: Any, work: Work) -> None:
    """Mark in `others`, with 2, the boxes on a walk through fewest of them, where they are 1; `occupied` is not passed."""
    before, now, later = work.places[BASE], work.lists[0], work.lists[1]
    for square in range(before.shape[0]):
        before[square] = NONE
    before[player], now[0], tail = player, player, 1
    while tail > 0:
        head, after = 0, 0
        while head < tail:
            here = np.int64(now[head])
            head += 1
            for direction in range(4):
                other = np.int64(neighbours[here, direction])
                if other < 0 or occupied[other] or before[other] >= 0:
                    continue
                before[other] = here
                if others[other]:
                    later[after] = other
                    after += 1
                else:
                    now[tail] = other
                    tail += 1
        for i in range(after):
            now[i] = later[i]
        tail = after
    while end != player:
        if others[end]:
            others[end] = 2
        end = np.int64(before[end])


@borrowing
def mark_conflicts(proof: DeadlockProof, count: Any, player: Any) -> Any:
    """Follow the win that was found; mark with 2 the first other boxes in its way. Return whether there are some."""
    work, figures, others = proof.work, proof.figures, proof.others
    neighbours, occupied, path = proof.field.neighbours, work.occupied, proof.path
    length, node = 0, proof.counters[GOAL]
    while figures[node, BOARD] >= 0:
        path[length] = node
        length += 1
        node = np.int64(figures[node, BOARD])
    place_boxes(occupied, proof.boards[node], count)
    for place in range(length - 1, -1, -1):
        box, target = np.int64(figures[path[place], ORIGIN]), np.int64(figures[path[place], TARGET])
        behind = np.int64(NONE)
        for direction in range(4):
            if neighbours[box, direction] == target:
                behind = np.int64(neighbours[box, direction ^ 1])
        reach_square(neighbours, occupied, others, player, behind, work)
        if others[target]:
            others[target] = 2
        for square in range(others.shape[0]):
            if others[square] == 2:
                return True
        occupied[box], occupied[target], player = 0, 1, box
    return False


def shrink(proof: DeadlockProof, count: int, player: int) -> int:
    """Take boxes out of a group of so many while it stays dead; return the number of those that are left."""
    (group, fewer), place = proof.groups, 0
    while place < count and count > 1:
        fewer[: count - 1] = np.delete(group[:count], place)
        if prove(proof, fewer, count - 1, player) == DEAD:
            count -= 1
            group[:count] = fewer[:count]
        else:
            place += 1
    return count


def learn(proof: DeadlockProof, count: int, player: int) -> None:
    """Learn the group of so many boxes, and with the player on which squares it is dead."""
    group, work, patterns = proof.groups[0], proof.work, proof.patterns
    labels, players = work.places[SEEN], patterns.players[patterns.count[0]]
    work.occupied[:] = 0
    work.occupied[group[:count]] = 1
    label_regions(proof.field.neighbours, work.occupied, labels, work.places[QUEUE])
    for region in np.unique(labels[labels >= 0]).tolist():
        lost = labels[player] == region or prove(proof, group, count, region) == DEAD
        players[labels == region] = lost
    add_pattern(patterns, group[:count].tolist())


def find_pattern(proof: DeadlockProof, boxes: Array, seed: int, player: int) -> bool:
    """Learn a pattern with a box, of boxes and a player's square; return whether one is found.

    The box is solved alone, then with the boxes in its way, with those in their way. All boxes of a
    group that is won while the others stay are marked in COUNTS.
    """
    group, others, count = proof.groups[0], proof.others, 1
    group[0] = seed
    while True:
        verdict = prove(proof, group, count, player)
        if verdict == DEAD:
            learn(proof, shrink(proof, count, player), player)
        if verdict != WON:
            return bool(verdict == DEAD)
        others[:] = 0
        others[boxes] = 1
        others[group[:count]] = 0
        if not mark_conflicts(proof, count, player):
            proof.work.places[COUNTS, group[:count]] = 1
            return False
        found = boxes[others[boxes] == 2]
        if count + len(found) > MOST_BOXES:
            return False
        group[count : count + len(found)] = found
        count += len(found)


def find_any_pattern(proof: DeadlockProof, boxes: Array, player: int) -> bool:
    """Learn a pattern of boxes and a player's square, with little work; return whether one is found."""
    won, visited, squares = proof.work.places[COUNTS], proof.counters[VISITED], len(proof.others)
    won[:] = 0
    for seed in boxes.tolist():
        has_room = proof.patterns.count[0] < len(proof.patterns.boxes)
        if not has_room or (proof.counters[VISITED] - visited) * squares > _WORK:
            return False
        if not won[seed] and find_pattern(proof, boxes, seed, player):
            return True
    return False


def allocate_proof(field: Field, boxes: int, most: int) -> DeadlockProof:
    """Return the arrays for searches of up to so many nodes, and no patterns yet."""
    squares = len(field.neighbours)
    return DeadlockProof(
        field,
        allocate_work(squares, boxes),
        empty_assignment(squares, field.distances.shape[2]),
        np.zeros((most, boxes), np.int16),
        np.zeros((most, 4), np.int32),
        np.zeros(most, np.uint64),
        np.zeros(most, np.int32),
        np.zeros(1 << (2 * most).bit_length(), np.int32),
        Heaps(np.zeros(most, np.int64), np.zeros((most, 2), np.int32), np.zeros(1, np.int32)),
        np.zeros(COUNTERS, np.int64),
        np.zeros((2, boxes), np.int16),
        np.zeros(squares, np.uint8),
        no_deadlocks(squares),
        no_patterns(squares) if most else no_patterns(squares, 0),
    )
