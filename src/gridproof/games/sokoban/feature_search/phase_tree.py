"""The tree of a search by single pushes that follows the phases of a packing: nodes, their scores, and their expansion.

A node is the better the more targets of its phases are filled, and the nearer the box that went last is to the next
one. Pushes towards targets of the present phase cost nothing. A box that leaves a target too early takes the game back to
that phase. Without progress, boxes that were hardly pushed are preferred for a while. The scores are those of YASS
(B. Damgaard).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gridproof.games.sokoban.feature_search.deadlock_table import Deadlocks, is_deadlock
from gridproof.games.sokoban.feature_search.frozen import find_dead_squares
from gridproof.games.sokoban.feature_search.macro_moves import (
    GROUP,
    LABELS,
    QUEUE,
    STEPS,
    Field,
    Work,
    place_boxes,
)
from gridproof.games.sokoban.feature_search.packing_phases import PackingPhases
from gridproof.games.sokoban.feature_search.tree import (
    COUNTERS,
    GOAL,
    LEFT,
    MOST,
    NODES,
    OPEN,
    ORIGIN,
    PARENT,
    PICKS,
    PLAYER,
    REFUSED,
    TARGET,
    find_key,
)
from gridproof.games.sokoban.solver.board import FAR
from gridproof.games.sokoban.solver.flood_fill import flood
from gridproof.games.sokoban.solver.pruning import (
    CHOSEN,
    FROZEN,
    Surroundings,
    is_frozen,
    mark_cheapest_corral,
    mark_frozen,
)
from gridproof.kernels.compile import borrowing

# The columns of a node after those of `tree` up to PLAYER: the present phase, the pushes that cost something,
# the boxes that froze too early, and the node behind it in its bucket.
PHASE, COST, EARLY, BEHIND, COLUMNS = range(PLAYER + 1, PLAYER + 6)
# The counters after those of `tree`. HEAD: no bucket before has a node; ROVER: the last bucket that was chosen instead;
# PUSHES: since the last progress, or the last look for it.
HEAD, ROVER, LEAST_PHASE, LEAST_SCORE, PUSHES, PHASE_COUNTERS = range(COUNTERS, COUNTERS + 6)
# The rows of the boxes: how often each was pushed since then, and what a push of it is worth meanwhile.
PUSHED, BONUS = range(2)
BUCKETS = 1 << 15
_FILLED = 32  # what a filled target is worth, in pushes
_OUT_OF_REACH = 8  # what it costs to push a box that reaches no target of the phase
_INTERVAL = 10_000  # pushes between two looks for progress
_RARELY = 1  # percent of the pushes that the boxes with a bonus had together
_BONUS = 2  # what another push of them is worth then
_LOOSE = 2  # the last phases, in which parked boxes may go on too early


class PhaseTree(NamedTuple):
    """Nodes, where a key finds them, and the buckets in which they wait."""

    keys: Any
    """uint64 (nodes or more,)"""
    table: Any
    """uint32; its length is a power of two: the numbers of nodes, plus one"""
    figures: Any
    """int32 (nodes or more, COLUMNS)"""
    boards: Any
    """int16 (nodes or more, boxes)"""
    heads: Any
    """int32 (BUCKETS,)"""


class PhaseTables(NamedTuple):
    """All of a search."""

    field: Field
    phases: PackingPhases
    nearest: Any
    """int32 (squares,): the pushes of a single box to the nearest depot"""
    tree: PhaseTree
    work: Work
    deadlocks: Deadlocks
    counters: Any
    """int64 (PHASE_COUNTERS,)"""
    boxes: Any
    """int32 (2, boxes): PUSHED and BONUS"""


@borrowing
def phase_without(phases: PackingPhases, phase: Any, origin: Any) -> Any:
    """Return the phase to which the game goes back when a box leaves a square."""
    squares, numbers = phases.squares, phases.numbers
    least, place, next_one = np.int64(FAR), 0, np.int64(FAR)
    for number in range(squares.shape[0]):
        if squares[number] == origin:
            if phase <= numbers[number] < least:
                least, place = np.int64(numbers[number]), number
            if phase < numbers[number] < next_one:
                next_one = np.int64(numbers[number])
    if least == FAR:
        return phase
    if least > phase:
        until = phases.until[place]
        return least if until == 0 or (until < phase and phase > _LOOSE) else phase
    return phase if next_one == FAR else next_one


@borrowing
def worth_of(phases: PackingPhases, occupied: Any, phase: Any, origin: Any, target: Any) -> Any:
    """Return the phase after a push in a phase, what its position is worth, and whether the push is on the way to a target."""
    squares, begins, distances = phases.squares, phases.begins, phases.distances
    helps, passed = False, False
    while phase > 0:
        worth, nearest, is_full = np.int64(0), np.int64(FAR), True
        for number in range(begins[phase], begins[phase + 1]):
            if occupied[squares[number]]:
                worth += _FILLED
                if squares[number] == target and not passed:
                    helps, nearest, worth = True, np.int64(0), worth + 1
                continue
            is_full = False
            if not passed:
                nearest = min(nearest, np.int64(distances[number, target]))
                if distances[number, target] < distances[number, origin]:
                    helps, worth = True, worth + 2
        if not is_full:
            worth += _FILLED * (squares.shape[0] - begins[phase + 1])
            worth -= _OUT_OF_REACH if nearest == FAR else 2 * (nearest + 1)
            return np.int64(phase), worth, helps
        passed = True
        phase -= 1
    return np.int64(0), np.int64(_FILLED * squares.shape[0]), helps


@borrowing
def freezes_early(search: PhaseTables, phase: Any, square: Any) -> Any:
    """Return whether a box cannot leave a depot any more that is to be filled in a later phase."""
    phases, work, mark = search.phases, search.work, search.work.marks[FROZEN]
    is_early, freezes = False, False
    for number in range(phases.begins[1], phases.begins[phase]):
        is_early = is_early or (phases.squares[number] == square and phases.until[number] == 0)
    if is_early:
        mark_frozen(search.field.neighbours, search.field.dead, work.boxes, mark)
        freezes = mark[square] == 1
        for box in work.boxes:
            mark[box] = 0
    return freezes


@borrowing
def open_node(tree: PhaseTree, counters: Any, node: Any, score: Any) -> None:
    """Put a node into the bucket of its score."""
    bucket = max(0, min(score, tree.heads.shape[0] - 1))
    tree.figures[node, BEHIND], tree.heads[bucket] = tree.heads[bucket], node
    counters[OPEN] += 1
    counters[HEAD] = min(counters[HEAD], bucket)


@borrowing
def prefer_rare_boxes(search: PhaseTables) -> None:
    """Give the boxes that were hardly pushed without progress a bonus; none have one after progress."""
    boxes, counters = search.boxes, search.counters
    left = (_RARELY * counters[PUSHES] + 50) // 100 if counters[PUSHES] >= _INTERVAL else np.int64(0)
    for place in range(boxes.shape[1]):
        boxes[BONUS, place] = 0
    while left > 0:
        rarest = 0
        for place in range(1, boxes.shape[1]):
            if boxes[PUSHED, place] < boxes[PUSHED, rarest]:
                rarest = place
        left -= boxes[PUSHED, rarest]
        boxes[PUSHED, rarest], boxes[BONUS, rarest] = _INTERVAL * _INTERVAL, _BONUS
    for place in range(boxes.shape[1]):  # a slice would take seconds to compile
        boxes[PUSHED, place] = 0
    counters[PUSHES] = 0


@borrowing
def look_for_progress(search: PhaseTables, phase: Any, score: Any) -> None:
    """Note a new node; after progress, and after a time without, choose the boxes with a bonus."""
    counters = search.counters
    if phase < counters[LEAST_PHASE] or score < counters[LEAST_SCORE]:
        counters[LEAST_PHASE] = min(counters[LEAST_PHASE], phase)
        counters[LEAST_SCORE] = min(counters[LEAST_SCORE], score)
        counters[PUSHES] = 0
        prefer_rare_boxes(search)
    elif counters[PUSHES] >= _INTERVAL:
        prefer_rare_boxes(search)


@borrowing
def add_son(search: PhaseTables, node: Any, key: Any, place: Any, box: Any, region: Any, bound: Any) -> None:
    """Add the node with a key after a push of a box from a square; `bound` is the pushes left if no box were in the way."""
    field, phases, _, tree, work, _, counters, boxes = search
    target, bonus = np.int64(work.boxes[place]), np.int64(boxes[BONUS, place])
    figures, son = tree.figures, counters[NODES]
    if son >= counters[MOST]:
        counters[REFUSED] = 1
        return
    counters[NODES] += 1
    tree.keys[son] = key
    tree.table[-1 - find_key(tree.keys, tree.table, key)] = son + 1
    for other in range(work.boxes.shape[0]):
        tree.boards[son, other] = work.boxes[other]
    before = phase_without(phases, np.int64(figures[node, PHASE]), box)
    phase, worth, helps = worth_of(phases, work.occupied, before, box, target)
    early, cost = np.int64(figures[node, EARLY]), np.int64(figures[node, COST])
    score = cost + 1 + bound + _FILLED * phases.squares.shape[0] - worth - bonus
    if field.target[target] and freezes_early(search, phase, target):
        early += 1
        score += bound
    figures[son, PARENT], figures[son, ORIGIN], figures[son, TARGET] = node, box, target
    figures[son, PLAYER], figures[son, PHASE], figures[son, EARLY] = region, phase, early
    figures[son, COST] = cost if helps or bonus > 0 else cost + 1
    score += early * bound // 2
    open_node(tree, counters, son, score)
    look_for_progress(search, phase, score)
    is_won = bound == 0
    for other in work.boxes:
        is_won = is_won and field.target[other]
    if is_won:
        counters[GOAL] = son


@borrowing
def choose_node(search: PhaseTables, every: Any) -> Any:
    """Take the next node out of the best bucket; one time in `every`, which is a power of two, out of another one."""
    tree, counters = search.tree, search.counters
    heads = tree.heads
    while heads[counters[HEAD]] < 0:
        counters[HEAD] += 1
    bucket = counters[HEAD]
    counters[PICKS] += 1
    if counters[PICKS] & (every - 1) == 0:
        counters[ROVER] = max(counters[ROVER], bucket) + 1
        while counters[ROVER] < heads.shape[0] and heads[counters[ROVER]] < 0:
            counters[ROVER] += 1
        if counters[ROVER] < heads.shape[0]:
            bucket = counters[ROVER]
        else:
            counters[ROVER] = bucket
    node = np.int64(heads[bucket])
    heads[bucket] = tree.figures[node, BEHIND]
    counters[OPEN] -= 1
    return node


@borrowing
def push_box(search: PhaseTables, node: Any, place: Any, ahead: Any, bound: Any) -> None:
    """Add the node after a push of one of the boxes, unless it is known or a deadlock."""
    field, _, nearest, tree, work, deadlocks, counters, _ = search
    search.boxes[PUSHED, place] += 1
    counters[PUSHES] += 1
    boxes, occupied = work.boxes, work.occupied
    box = np.int64(boxes[place])
    occupied[box], occupied[ahead], boxes[place] = 0, 1, ahead
    group, mark = work.places[GROUP], work.marks[FROZEN]
    if not is_frozen(field.neighbours, work.dead, field.target, occupied, ahead, group, mark):
        region = flood(field.neighbours, occupied, box, work.places[LABELS], work.places[QUEUE])
        key = tree.keys[node] ^ field.keys[0, box] ^ field.keys[0, ahead]
        key ^= field.keys[1, tree.figures[node, PLAYER]] ^ field.keys[1, region]
        if find_key(tree.keys, tree.table, key) < 0 and not is_deadlock(deadlocks, boxes, ahead, region):
            after = bound + np.int64(nearest[ahead]) - np.int64(nearest[box])
            add_son(search, node, key, place, box, region, after)
    occupied[box], occupied[ahead], boxes[place] = 1, 0, box


@borrowing
def expand(search: PhaseTables, node: Any) -> None:
    """Add the nodes after all pushes of the cheapest corral, or of all boxes."""
    field, _, nearest, tree, work, _, counters, _ = search
    boxes, occupied, marks, steps = work.boxes, work.occupied, work.marks, work.places[STEPS]
    for place in range(boxes.shape[0]):
        boxes[place] = tree.boards[node, place]
    place_boxes(occupied, boxes, boxes.shape[0])
    if not find_dead_squares(field, work):
        return
    flood(field.neighbours, occupied, np.int64(tree.figures[node, PLAYER]), steps, work.places[QUEUE])
    around = Surroundings(field.neighbours, work.dead, field.target, occupied, steps, marks, work.lists, True)
    mark_cheapest_corral(around, boxes)
    bound = np.int64(0)
    for box in boxes:
        bound += nearest[box]
    for place in range(boxes.shape[0]):
        if not marks[CHOSEN, boxes[place]]:
            continue
        for direction in range(4):
            beside = field.neighbours[boxes[place]]
            ahead, behind = np.int64(beside[direction]), beside[direction ^ 1]
            if ahead < 0 or behind < 0 or steps[behind] < 0 or occupied[ahead] or work.dead[ahead]:
                continue
            counters[LEFT] -= occupied.shape[0]
            push_box(search, node, place, ahead, bound)


@borrowing
def advance(search: PhaseTables, every: Any) -> None:
    """Expand nodes while there is room, and work LEFT; end when a goal is found, nothing is open or a node is REFUSED."""
    counters, keys = search.counters, search.tree.keys
    room = 4 * search.work.boxes.shape[0]
    while counters[LEFT] > 0 and counters[OPEN] > 0 and counters[GOAL] < 0 and not counters[REFUSED]:
        if counters[NODES] + room >= keys.shape[0]:
            return
        counters[LEFT] -= 4 * search.work.occupied.shape[0]
        expand(search, choose_node(search, every))
