"""The tree of a search by macro moves: nodes, their features, and the order in which they are expanded."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from gridproof.games.sokoban.feature_search.cells import Heaps, pop, push
from gridproof.games.sokoban.feature_search.deadlock_patterns import has_any_pattern, has_pattern
from gridproof.games.sokoban.feature_search.deadlock_proof import DeadlockProof
from gridproof.games.sokoban.feature_search.deadlock_table import Deadlocks, is_deadlock
from gridproof.games.sokoban.feature_search.frozen import find_dead_squares
from gridproof.games.sokoban.feature_search.hotspots import count_hotspots
from gridproof.games.sokoban.feature_search.macro_moves import (
    ADVISED,
    BACKWARDS,
    CLEARING,
    FARTHEST,
    KIND,
    LABELS,
    LINKS_APART,
    LOCKED_APART,
    OBSTACLES_APART,
    OPENING,
    PLANNED,
    QUEUE,
    REGION,
    REGIONS_APART,
    SQUARE,
    STEPS,
    UNPACKING,
    Field,
    Options,
    Work,
    find_moves,
    label_position,
    label_regions,
    mark_exits,
    place_boxes,
)
from gridproof.games.sokoban.feature_search.obstacles import UNREACHABLE, count_obstacles
from gridproof.games.sokoban.feature_search.packing_plan import PackingPlan, count_packed
from gridproof.games.sokoban.feature_search.rooms import count_blocked
from gridproof.games.sokoban.solver.flood_fill import flood
from gridproof.games.sokoban.solver.matching import HOPELESS, OF_ALL, WORK, match_boxes
from gridproof.games.sokoban.solver.pruning import CHOSEN, Surroundings, mark_cheapest_corral
from gridproof.kernels.compile import borrowing

U = np.uint64
_ONE = U(1)

# The columns of a node: its parent, the move to it, the player's region, the weight of the moves to it,
# and its row of the boards, NONE while it is not expanded. The weight is NONE if it is dead.
PARENT, ORIGIN, TARGET, PLAYER, WEIGHT, BOARD, COLUMNS = range(7)
# The features: in the order in which they count.
PACKED, OBSTACLES, PARTS, LINKS, LOCKED, HOT, DISTANCE = range(7)
# The counters.
NODES, BOARDS, PARTLY, TURN, FIRST, LEFT, GOAL, CELLS, NEXT, BEST, OPEN, PICKS, MOST, REFUSED = range(14)
PLACE, PLACES, MET, MET_IN, ROOTS, COUNTERS = range(14, 20)  # ROOTS: first nodes that are not scored yet
NONE = -1
OPPOSITES = 12
"""The searches from the other end that a search may meet."""
_MOST_FEATURE = 31
_DISTANCE = 17  # the bits of a distance
_MOST_DISTANCE = (1 << _DISTANCE) - 1
_WEIGHT = 52  # the bits of a score
_PARTS = 31  # the most regions that are told apart by cells


class Tree(NamedTuple):
    """Nodes, and where a key finds them."""

    keys: Any
    """uint64 (nodes or more,)"""
    features: Any
    """int32 (nodes or more, 7)"""
    figures: Any
    """int32 (nodes or more, COLUMNS)"""
    table: Any
    """uint32; its length is a power of two: the numbers of nodes, plus one"""
    boards: Any
    """int16 (expanded nodes or more, boxes)"""
    cells: Any
    """int32 (values of the features,): the cell of each; NONE where there is none yet"""


class Reached(NamedTuple):
    """The positions that a search from the other end has reached."""

    keys: Any
    """Array of `Tree` of this name."""
    table: Any


class Search(NamedTuple):
    """All of a search."""

    field: Field
    plan: PackingPlan
    tree: Tree
    heaps: Heaps
    work: Work
    assignment: Any
    """int64: the pairs of `matching`"""
    counters: Any
    """int64 (COUNTERS,)"""
    opposites: tuple[Reached, ...]
    """OPPOSITES of them, some of which may have no positions."""
    deadlocks: Deadlocks
    proof: DeadlockProof


@borrowing
def find_key(keys: Any, table: Any, key: Any) -> Any:
    """Return the number of the node with a key, or -1 - s when it is missing and belongs into slot s."""
    mask = U(table.shape[0] - 1)
    slot = key & mask
    while True:
        number = np.int64(table[slot]) - 1
        if number < 0:
            return -1 - np.int64(slot)
        if keys[number] == key:
            return number
        slot = (slot + _ONE) & mask


@borrowing
def set_key(keys: Any, table: Any, number: Any) -> None:
    """Let the key of a node lead to it, and to no other one with the same key."""
    place = find_key(keys, table, keys[number])
    if place < 0:
        table[-1 - place] = number + 1
        return
    slot = keys[number] & U(table.shape[0] - 1)
    while np.int64(table[slot]) - 1 != place:
        slot = (slot + _ONE) & U(table.shape[0] - 1)
    table[slot] = number + 1


@borrowing
def refill(keys: Any, count: Any, table: Any) -> None:
    """Fill an empty table with the first nodes; of those with the same key the last."""
    for number in range(count):
        set_key(keys, table, number)


@borrowing
def score_of(features: Any, node: Any) -> Any:
    """Return the score of a node: features in their order, more is better."""
    score = np.int64(features[node, PACKED])
    for feature in range(OBSTACLES, DISTANCE):
        score = (score << 5) | np.int64(max(0, _MOST_FEATURE - features[node, feature]))
    return (score << _DISTANCE) | np.int64(max(0, _MOST_DISTANCE - features[node, DISTANCE]))


def count_cells(steps: int, options: Options) -> int:
    """Return how many cells there can be with so many steps of the plan."""
    told_apart = options.links_apart, options.locked_apart, options.obstacles_apart
    return (1 + steps) * (_PARTS + 1) * math.prod(1 + most for most in told_apart)


@borrowing
def cell_of(search: Search, node: Any) -> Any:
    """Return the cell of a node, a new one for a new combination of features, which is served next."""
    features, cells, counters, roots = (
        search.tree.features, search.tree.cells, search.counters, search.heaps.roots
    )  # fmt: skip
    options = search.field.options
    links, locked, obstacles = options[LINKS_APART], options[LOCKED_APART], options[OBSTACLES_APART]
    place = features[node, PACKED] * (_PARTS + 1) + min(_PARTS, features[node, PARTS])
    place = place * (links + 1) + min(links, features[node, LINKS])
    place = place * (locked + 1) + min(locked, features[node, LOCKED])
    place = place * (obstacles + 1) + min(obstacles, features[node, OBSTACLES])
    if cells[place] < 0:
        cells[place] = counters[CELLS]
        roots[counters[CELLS]] = -1
        counters[NEXT] = counters[CELLS]
        counters[CELLS] += 1
    return np.int64(cells[place])


@borrowing
def set_boxes(tree: Tree, work: Work, counters: Any, node: Any) -> None:
    """Note the boxes of a node on the board, and in a row of the boards."""
    boxes, occupied, figures, boards = work.boxes, work.occupied, tree.figures, tree.boards
    board = figures[node, BOARD]
    if board < 0:
        board = counters[BOARDS]
        counters[BOARDS] += 1
        row = figures[figures[node, PARENT], BOARD]
        for i in range(boxes.shape[0]):
            box = boards[row, i]
            boards[board, i] = figures[node, TARGET] if box == figures[node, ORIGIN] else box
        figures[node, BOARD] = board
    for i in range(boxes.shape[0]):
        boxes[i] = boards[board, i]
    place_boxes(occupied, boxes, boxes.shape[0])


@borrowing
def begin_expansion(search: Search, node: Any) -> Any:
    """Prepare the arrays for expanding a node, whose turns are its boxes; return whether it may be won."""
    field, _, tree, _, work, _, counters, _, _, proof = search
    boxes, occupied, marks, steps = work.boxes, work.occupied, work.marks, work.places[STEPS]
    set_boxes(tree, work, counters, node)
    player = np.int64(tree.figures[node, PLAYER])
    if has_any_pattern(proof.patterns, occupied, boxes, player):
        tree.figures[node, WEIGHT] = NONE
        return False
    if field.options[KIND] >= BACKWARDS:
        for i in range(boxes.shape[0]):
            marks[CHOSEN, boxes[i]] = 1
    else:
        if not find_dead_squares(field, work):
            tree.figures[node, WEIGHT] = NONE
            return False
        flood(field.neighbours, occupied, player, steps, work.places[QUEUE])
        around = Surroundings(
            field.neighbours, work.dead, field.target, occupied, steps, marks, work.lists, True
        )
        mark_cheapest_corral(around, boxes)
    label_position(field, work)
    if field.options[CLEARING]:
        mark_exits(field, work, player)
    counters[PARTLY], counters[TURN], counters[FIRST] = node, 0, counters[NODES]
    return True


@borrowing
def evaluate(search: Search, player: Any) -> Any:
    """Return the least sum of pushes of all boxes, each by itself; NONE where they cannot all have a target."""
    field, _, _, _, work, assignment, counters, _, _, _ = search
    before = assignment[OF_ALL, WORK]
    least = match_boxes(
        field.distances, field.sides, work.boxes, work.occupied, player, np.int64(0), assignment
    )
    counters[LEFT] -= assignment[OF_ALL, WORK] - before
    return np.int64(NONE) if least >= HOPELESS else least


@borrowing
def has_plan(options: Any) -> Any:
    """Return whether a search follows a plan, or clears the depots: its nodes wait in the cells of their parents, and advisors propose some."""
    return options[KIND] < BACKWARDS or options[PLANNED] == 1 or options[CLEARING] == 1


@borrowing
def is_known(search: Search, key: Any) -> Any:
    """Return whether a son need not be added: it is expanded, or waits with as little weight."""
    (keys, _, figures, table, _, _), counters = search.tree, search.counters
    number = find_key(keys, table, key)
    if number < 0:
        return False
    if not has_plan(search.field.options) or figures[number, BOARD] >= 0 or number >= counters[FIRST]:
        return True
    return figures[number, WEIGHT] <= figures[counters[PARTLY], WEIGHT]


@borrowing
def count_gone(field: Field, work: Work) -> Any:
    """Return how many boxes have left the board."""
    count = 0
    for square in range(field.first_sink[0], work.occupied.shape[0]):
        count += work.occupied[square]
    return count


@borrowing
def is_complete(field: Field, region: Any, distance: Any) -> Any:
    """Return whether all boxes are where a search wants them, and the player in a region that it wants."""
    return distance == 0 and (field.end[0] < 0 or field.end[0] == region)


@borrowing
def has_ended(field: Field, square: Any, region: Any, distance: Any) -> Any:
    """Return whether a search has reached its end with a box on a square, and the player in a region."""
    if field.options[KIND] == UNPACKING:
        return field.target[square] == 1
    return is_complete(field, region, distance)


@borrowing
def find_meeting(search: Search, key: Any) -> None:
    """Note the node of a search from the other end that has the same position."""
    for number in range(OPPOSITES):
        reached = search.opposites[number]
        place = find_key(reached.keys, reached.table, key)
        if place >= 0:
            search.counters[MET], search.counters[MET_IN] = place, number


@borrowing
def is_hopeless(search: Search, square: Any, region: Any) -> Any:
    """Return whether a box that has gone to a square is part of a deadlock by tables or patterns."""
    boxes, occupied = search.work.boxes, search.work.occupied
    if is_deadlock(search.deadlocks, boxes, square, region):
        return True
    return has_pattern(search.proof.patterns, occupied, square, region)


@borrowing
def sum_distances(field: Field, work: Work) -> Any:
    """Return the sum of the boxes' distances to the nearest depots."""
    total = np.int64(0)
    for box in work.boxes:
        total += np.int64(field.depots[box])
    return min(total, np.int64(_MOST_DISTANCE))


@borrowing
def set_features(search: Search, node: Any, region: Any, parts: Any, distance: Any) -> None:
    """Set the features of a node whose boxes are those of the work."""
    field, plan, work, options = search.field, search.plan, search.work, search.field.options
    features, kind = search.tree.features, options[KIND]
    features[node, PARTS] = parts
    features[node, DISTANCE] = max(0, _MOST_DISTANCE - distance) if kind == FARTHEST else distance
    if kind < BACKWARDS:
        packed, locked = count_packed(plan, work)
        if options[OPENING]:
            features[node, OBSTACLES] = count_obstacles(field, plan, work, region)
            if features[node, OBSTACLES] == UNREACHABLE:
                packed = 0
        features[node, PACKED], features[node, LOCKED] = packed, locked * options[ADVISED]
        features[node, LINKS] = count_blocked(field.links, work.boxes) * options[ADVISED]
        features[node, HOT] = count_hotspots(field.hotspots, work.boxes, work.row) * options[ADVISED]
    elif options[PLANNED]:
        features[node, PACKED] = count_packed(plan, work)[0]
        features[node, LINKS] = count_blocked(field.links, work.boxes)
    elif options[LINKS_APART]:
        if options[CLEARING]:
            features[node, DISTANCE] = _MOST_DISTANCE - sum_distances(field, work)
        features[node, PACKED] = count_gone(field, work)
        features[node, LINKS] = count_blocked(field.links, work.boxes)


@borrowing
def add_son(search: Search, key: Any, origin: Any, place: Any) -> None:
    """Add the node with a key after a box has gone from its square to a place, unless it cannot win."""
    field, _, tree, _, work, _, counters, _, _, _ = search
    figures, kind, node = tree.figures, field.options[KIND], counters[PARTLY]
    square, region, _, parts = work.reached[place]
    if is_hopeless(search, np.int64(square), np.int64(region)):
        return
    weight = np.int64(figures[node, WEIGHT]) + 1
    distance = 2 * weight + parts if kind == UNPACKING else evaluate(search, np.int64(region))
    if distance < 0:
        return
    if counters[NODES] >= counters[MOST]:
        counters[REFUSED] = 1
        return
    son = counters[NODES]
    counters[NODES] += 1
    tree.keys[son] = key
    set_key(tree.keys, tree.table, son)
    figures[son, PARENT], figures[son, ORIGIN], figures[son, TARGET] = node, origin, square
    figures[son, PLAYER], figures[son, WEIGHT], figures[son, BOARD] = region, weight, -1
    set_features(search, son, np.int64(region), np.int64(parts), np.int64(distance))
    if counters[GOAL] >= 0:
        return
    find_meeting(search, key)
    if counters[MET] >= 0 or has_ended(field, np.int64(square), np.int64(region), np.int64(distance)):
        counters[GOAL] = son


@borrowing
def add_sons(search: Search) -> None:
    """Add the nodes to which the next box can go from the node that is being expanded, while there is work LEFT."""
    field, _, tree, _, work, _, counters, _, _, _ = search
    boxes, occupied, reached, turn = work.boxes, work.occupied, work.reached, counters[TURN]
    node, origin = counters[PARTLY], np.int64(boxes[turn])
    player = np.int64(tree.figures[node, PLAYER])
    if counters[PLACE] == 0:
        counters[PLACE], counters[PLACES] = 1, find_moves(field, work, origin, player)
        counters[LEFT] -= 2 * occupied.shape[0] * (1 + counters[PLACES] // 4)
    base = tree.keys[node] ^ field.keys[0, origin] ^ field.keys[1, player]
    while counters[PLACE] < counters[PLACES] and counters[LEFT] > 0:
        place = counters[PLACE]
        counters[PLACE] += 1
        square, region = np.int64(reached[place, SQUARE]), np.int64(reached[place, REGION])
        key = base ^ field.keys[0, square] ^ field.keys[1, region]
        if not is_known(search, key):
            occupied[origin], occupied[square], boxes[turn] = 0, 1, square
            add_son(search, key, origin, place)
            occupied[square] = 0  # it may be the origin: the player is on another side then
            occupied[origin], boxes[turn] = 1, origin
    if counters[PLACE] >= counters[PLACES]:
        counters[PLACE] = 0
        counters[TURN] += 1


@borrowing
def best_son(search: Search, packed: Any, feature: Any, most: Any) -> Any:
    """Return the son with the best score of those with at least `packed` steps done, and a feature of at most `most`."""
    features, counters = search.tree.features, search.counters
    best, score = np.int64(NONE), np.int64(NONE)
    for son in range(counters[FIRST], counters[NODES]):
        if features[son, PACKED] >= packed and features[son, feature] <= most:
            other = score_of(features, son)
            if other > score:
                best, score = np.int64(son), other
    return best


@borrowing
def advise(search: Search) -> None:
    """Give the sons that an advisor proposes the weight of the node that was expanded; the others weigh one more.

    One advisor proposes to pack a box, and one for each other feature proposes to improve it.
    """
    features, figures, counters = search.tree.features, search.tree.figures, search.counters
    node = counters[PARTLY]
    packed, weight = np.int64(features[node, PACKED]), figures[node, WEIGHT]
    son = best_son(search, packed + 1, DISTANCE, np.int64(1) << 30)
    if son >= 0:
        figures[son, WEIGHT] = weight
    for feature in range(OBSTACLES, DISTANCE):
        least = np.int64(features[node, feature])
        if least == 0:
            continue
        for son in range(counters[FIRST], counters[NODES]):
            if features[son, PACKED] >= packed:
                least = min(least, np.int64(features[son, feature]))
        son = best_son(search, packed, feature, least)
        if son >= 0 and least < features[node, feature]:
            figures[son, WEIGHT] = weight


@borrowing
def least_packed(search: Search) -> Any:
    """Return how much the sons of a node have to pack that clears the depots: one more if a box can leave the board."""
    features, counters = search.tree.features, search.counters
    packed = np.int64(features[counters[PARTLY], PACKED])
    if search.field.options[CLEARING]:
        for son in range(counters[FIRST], counters[NODES]):
            if features[son, PACKED] > packed:
                return packed + 1
    return np.int64(0)


@borrowing
def end_expansion(search: Search) -> None:
    """Put the sons of the node that was expanded into the heap of its cell; backwards of their own, or one for all."""
    features, figures, heaps, counters = (
        search.tree.features,
        search.tree.figures,
        search.heaps,
        search.counters,
    )
    planned, cell = has_plan(search.field.options), np.int64(0)
    least = least_packed(search)
    if planned:
        advise(search)
        cell = cell_of(search, counters[PARTLY])
    for son in range(counters[FIRST], counters[NODES]):
        if features[son, PACKED] < least:
            continue
        if not planned:
            heaps.orders[son] = features[son, DISTANCE]
            if search.field.options[LINKS_APART]:
                heaps.orders[son] += np.int64(figures[son, WEIGHT]) << _DISTANCE
            if search.field.options[REGIONS_APART]:
                cell = cell_of(search, np.int64(son))
        else:
            heaps.orders[son] = (np.int64(figures[son, WEIGHT]) << _WEIGHT) - score_of(features, son)
        push(heaps, cell, np.int64(son))
        counters[OPEN] += 1
    counters[PARTLY] = NONE


@borrowing
def choose_node(search: Search) -> Any:
    """Take the next node to expand out of its heap: in turns of the next cell, and of that of the best node."""
    heaps, counters = search.heaps, search.counters
    counters[PICKS] += 1
    counters[OPEN] -= 1
    if counters[PICKS] & 1 == 0 and counters[BEST] >= 0:
        cell = cell_of(search, counters[BEST])
        if heaps.roots[cell] >= 0:
            return pop(heaps, cell)
    while heaps.roots[counters[NEXT]] < 0:
        counters[NEXT] = (counters[NEXT] + 1) % counters[CELLS]
    cell = counters[NEXT]
    counters[NEXT] = (cell + 1) % counters[CELLS]
    return pop(heaps, cell)


@borrowing
def expand_next(search: Search) -> None:
    """Begin to expand the next node, unless another one has the same key or it cannot be won."""
    (keys, features, _, table, _, _), counters = search.tree, search.counters
    node = choose_node(search)
    if find_key(keys, table, keys[node]) != node:
        return
    counters[LEFT] -= 8 * search.work.occupied.shape[0]
    if not begin_expansion(search, node):
        return
    best = counters[BEST]
    if best < 0 or score_of(features, node) > score_of(features, best):
        counters[BEST] = node


@borrowing
def renew_best(search: Search, occupied: Any) -> None:
    """Choose the best one of the expanded nodes without a pattern; `occupied` is of no meaning afterwards."""
    figures, boards, counters = search.tree.figures, search.tree.boards, search.counters
    best, score = np.int64(NONE), np.int64(NONE)
    for node in range(counters[NODES]):
        if figures[node, BOARD] < 0 or figures[node, WEIGHT] < 0 or node == counters[PARTLY]:
            continue
        if score_of(search.tree.features, node) <= score:
            continue
        boxes = boards[figures[node, BOARD]]
        place_boxes(occupied, boxes, boxes.shape[0])
        if has_any_pattern(search.proof.patterns, occupied, boxes, np.int64(figures[node, PLAYER])):
            figures[node, WEIGHT] = NONE
        else:
            best, score = np.int64(node), score_of(search.tree.features, node)
    counters[BEST] = best


@borrowing
def open_root(search: Search, node: Any) -> None:
    """Score one of the first nodes, and put it into its heap, unless it cannot win."""
    field, _, tree, heaps, work, _, counters, _, _, _ = search
    set_boxes(tree, work, counters, node)
    region, kind = np.int64(tree.figures[node, PLAYER]), field.options[KIND]
    distance = np.int64(0) if kind == UNPACKING else evaluate(search, region)
    parts = label_regions(field.neighbours, work.occupied, work.places[LABELS], work.places[QUEUE])
    set_features(search, node, region, np.int64(parts), distance)
    tree.features[node, DISTANCE] = heaps.orders[node] = distance
    if distance < 0:
        counters[OPEN] -= 1
        return
    if kind != UNPACKING and is_complete(field, region, distance):
        counters[GOAL] = node
    cell = np.int64(0)
    if has_plan(field.options) or field.options[REGIONS_APART]:
        cell = cell_of(search, node)
    else:
        counters[CELLS] = 1
    push(heaps, cell, node)


@borrowing
def advance(search: Search, picks: Any) -> None:
    """Expand nodes until so many are taken out, while there is room, and work LEFT; end when a goal is found or nothing is open."""
    tree, work, counters = search.tree, search.work, search.counters
    boxes, room = work.boxes, work.reached.shape[0]
    for node in range(counters[ROOTS]):
        open_root(search, node)
    counters[ROOTS] = 0
    while counters[LEFT] > 0 and counters[GOAL] < 0 and not counters[REFUSED]:
        if counters[NODES] + room >= tree.keys.shape[0] or counters[BOARDS] + 1 >= tree.boards.shape[0]:
            return
        if counters[PARTLY] < 0:
            if counters[OPEN] == 0 or counters[PICKS] >= picks:
                return
            expand_next(search)
        elif counters[TURN] == boxes.shape[0]:
            end_expansion(search)
        elif work.marks[CHOSEN, boxes[counters[TURN]]]:
            add_sons(search)
        else:
            counters[TURN] += 1
