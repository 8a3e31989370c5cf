"""The compiled part of A*, which expands states in the order of their bounds, and offers their successors.

An expansion can pause between two of the bombs and pushes that it tries, its turns, and go on later with
the arrays that it has prepared. So a limit is noticed in time on levels of every size.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gridproof.games.sokoban.solver.flood_fill import (
    AFTER,
    GROUP,
    QUEUE,
    STEPS,
    flood,
    list_boxes,
    move_box,
    update_region,
)
from gridproof.games.sokoban.solver.frozen_walls import FrozenWalls, find_slot, match_among_walls
from gridproof.games.sokoban.solver.group_table import Groups, group_bound
from gridproof.games.sokoban.solver.matching import HOPELESS, OF_ALL, WORK, match_boxes
from gridproof.games.sokoban.solver.pair_table import add_excesses, is_pair_deadlock
from gridproof.games.sokoban.solver.pruning import (
    CHOSEN,
    FROZEN,
    Surroundings,
    is_frozen,
    mark_cheapest_corral,
)
from gridproof.games.sokoban.solver.pull_search import perimeter_bound
from gridproof.kernels.compile import borrowing
from gridproof.kernels.states import find, mix

U = np.uint64
_STAGE = U(16)  # the bits of the player's square
_PLAYER = U((1 << 16) - 1)
_DIVE = 1 << 6  # expansions between two draws
_MOST_SEEN = 1 << 12  # states that take part in a draw

# The counters of a search; PARTLY is the state whose expansion has begun but not ended, TURN what is next
# in it, LEAST the least square of its region, and LEFT the work that may still be done, in squares and
# distances. PRICE is what a push costs, in steps, WEIGHT that of the bound, the same where the
# cheapest way is wanted, FIRST the priority of the first bucket, SLOT that of its frozen boxes, and DIVE the number of expansions.
HEAD, STATES, ENTRIES, OPEN, GOAL, WANTED, MOST, REFUSED = range(8)
PARTLY, TURN, LEAST, LEFT, PRICE, WEIGHT, FIRST, SLOT, DIVE = range(8, 17)
# The columns of a state's figures, and what may be noted of one: that it has been expanded, and that its
# bound is the one of the state before, as the tables of its stage were not made when it was found, and that
# its bound has been refined.
COST, BOUND, PARENT, NOTES = range(4)
CLOSED, GUESSED, REFINED = 1, 2, 4
DEAD = -1  # a bound: no goal from here
NONE = -1


class StageTables(NamedTuple):
    """Distances of the goals among the walls of a stage."""

    distances: Any
    sides: Any
    place: Any
    """The place of the stage in the tables; NONE without tables."""


class Arrangement(NamedTuple):
    """A state, and the places of its boxes."""

    state: Any
    boxes: Any
    occupied: Any


class Refinement(NamedTuple):
    """Tables for better bounds, without bombs: empty until they are made."""

    pulls: Any
    """The states of the backward search."""
    pairs: Any
    """The excess of two boxes."""
    walls: FrozenWalls
    groups: Groups


class Mode(NamedTuple):
    """The costs and the pruning of a search."""

    by_moves: bool
    corrals: bool


@borrowing
def priority(figures: Any, counters: Any, number: Any) -> Any:
    """Return the priority of a state: the least is expanded first."""
    return np.int64(figures[number, COST]) + counters[WEIGHT] * np.int64(figures[number, BOUND])


@borrowing
def open_state(heads: Any, entries: Any, figures: Any, counters: Any, number: Any) -> None:
    """Put a state into the bucket of its priority; the last bucket takes all greater ones.

    A priority below that of the first bucket comes from a bound that is lower than the parent's, whose
    priority is a lower bound, too; so the first bucket takes it.
    """
    f = max(0, min(priority(figures, counters, number) - counters[FIRST], heads.shape[0] - 1))
    fresh = counters[ENTRIES]
    counters[ENTRIES] += 1
    counters[OPEN] += 1
    entries[fresh, 0], entries[fresh, 1] = number, heads[f]
    heads[f] = fresh
    counters[HEAD] = min(counters[HEAD], f)


@borrowing
def refill_buckets(heads: Any, entries: Any, figures: Any, counters: Any) -> None:
    """Distribute the states of the last bucket when all others are empty: the first takes the least of them."""
    last = heads.shape[0] - 1
    entry, heads[last] = heads[last], -1
    waiting, least = entry, np.int64(1) << 62
    while waiting >= 0:
        number = np.int64(entries[waiting, 0])  # as `open_state` has it: `priority` is compiled once
        if not figures[number, NOTES] & CLOSED:
            least = min(least, priority(figures, counters, number))
        waiting = entries[waiting, 1]
    counters[FIRST], counters[HEAD] = least, last
    while entry >= 0:
        number, following = np.int64(entries[entry, 0]), entries[entry, 1]
        counters[OPEN] -= 1
        if not figures[number, NOTES] & CLOSED:
            f = min(priority(figures, counters, number) - least, last)
            entries[entry, 1], heads[f] = heads[f], entry
            counters[HEAD] = min(counters[HEAD], f)
            counters[OPEN] += 1
        entry = following


@borrowing
def draw_state(entries: Any, figures: Any, first: Any, chance: Any) -> None:
    """Bring a state that is drawn by lot to the front of a bucket."""
    entry, drawn, count, seen = np.int64(entries[first, 1]), first, U(1), 0
    while entry >= 0 and seen < _MOST_SEEN:
        if not figures[np.int64(entries[entry, 0]), NOTES] & CLOSED:
            count += U(1)
            chance = mix(chance)
            if chance % count == U(0):
                drawn = entry
        entry, seen = np.int64(entries[entry, 1]), seen + 1
    entries[first, 0], entries[drawn, 0] = entries[drawn, 0], entries[first, 0]


@borrowing
def compute_bound(stage: StageTables, found: Arrangement, counters: Any, player: Any, assignment: Any) -> Any:
    """Return a lower bound of the pushes left; DEAD when no goal can be reached."""
    (distances, sides, place), (_, boxes, occupied) = stage, found
    before = assignment[OF_ALL, WORK]
    bound = match_boxes(distances, sides, boxes, occupied, player, place, assignment)
    counters[LEFT] -= assignment[OF_ALL, WORK] - before
    return DEAD if bound >= HOPELESS else bound


@borrowing
def offer(stage: StageTables, found: Arrangement, store: Any, counters: Any, parent: Any, total: Any) -> None:
    """Add or update a state that can be reached at a total cost, if that is less than before.

    Where there are no tables of its stage, its bound is that of its parent: a bomb moves no box. A new state is
    REFUSED when there are as many as may be kept.
    """
    child, place = found.state, stage.place
    words, table, figures, heads, entries, assignment = store
    number = find(words, table, child)
    fresh = number < 0
    if fresh:
        new = counters[STATES]
        if new >= counters[MOST]:
            counters[REFUSED] = 1
            return
        counters[STATES] += 1
        for word in range(words.shape[1]):
            words[new, word] = child[word]
        table[-1 - number] = new + 1
        number = new
        figures[number, NOTES] = GUESSED if place < 0 else 0
        if place < 0:
            figures[number, BOUND] = figures[parent, BOUND]
        else:
            player = np.int64(child[words.shape[1] - 1] & _PLAYER)
            figures[number, BOUND] = compute_bound(stage, found, counters, player, assignment)
    cheaper = total < figures[number, COST] and counters[WEIGHT] == counters[PRICE]
    if figures[number, BOUND] != DEAD and (fresh or cheaper):
        figures[number, COST] = total
        figures[number, NOTES] &= ~CLOSED
        figures[number, PARENT] = parent
        open_state(heads, entries, figures, counters, number)


@borrowing
def begin_expansion(
    tables: Any, store: Any, walls: FrozenWalls, work: Any, counters: Any, number: Any, corrals: Any
) -> None:
    """Prepare the arrays for expanding a state. Its turns are the bombs, and four pushes of each box."""
    all_neighbours, _, _, _, all_dead, all_bomb_stages, stages, _, goal = tables
    boxes, occupied, marks, lists, places, _ = work
    state, squares = store[0][number], goal.shape[0]
    stage, player = np.int64(stages[np.int64(state[-1] >> _STAGE)]), np.int64(state[-1] & _PLAYER)
    neighbours, following = all_neighbours[stage], all_bomb_stages[stage]
    list_boxes(state, squares, boxes, occupied)
    counters[LEAST] = flood(neighbours, occupied, player, places[STEPS], places[QUEUE])
    dead = all_dead[stage]
    counters[SLOT] = find_slot(walls, neighbours, dead, boxes, marks[FROZEN])
    if counters[SLOT] >= 0:
        dead = walls.dead[counters[SLOT]]
    turn = 0
    while turn < squares and following[turn] < 0:
        turn += 1
    if corrals and turn == squares:  # the walls last
        steps = places[STEPS]
        around = Surroundings(neighbours, dead, goal, occupied, steps, marks, lists, True)
        mark_cheapest_corral(around, boxes)
    else:
        marks[CHOSEN, :] = 1
    counters[PARTLY], counters[TURN] = number, turn
    counters[LEFT] -= squares


@borrowing
def expand_bombs(tables: Any, store: Any, work: Any, counters: Any, by_moves: Any) -> None:
    """Offer the successors by bombs, as long as there is work left."""
    all_neighbours, _, all_sides, all_distances, _, all_bomb_stages, stages, _, goal = tables
    boxes, occupied, _, _, places, child = work
    number, squares = counters[PARTLY], goal.shape[0]
    state, last = store[0][number], child.shape[0] - 1
    stage = np.int64(stages[np.int64(state[last] >> _STAGE)])
    following, steps = all_bomb_stages[stage], places[STEPS]
    for word in range(last):
        child[word] = state[word]
    while counters[TURN] < squares and counters[LEFT] > 0:
        square = counters[TURN]
        counters[TURN] += 1
        after = following[square]
        if after < 0 or steps[square] < 0:
            continue
        total, player, place = np.int64(store[2][number, COST]), square, np.int64(stages[after])
        if by_moves:
            total += steps[square]
        elif place < 0:
            player = counters[LEAST]  # the same for all bombs that lead there
        else:
            player = flood(all_neighbours[place], occupied, square, places[AFTER], places[QUEUE])
            counters[LEFT] -= squares
        child[last] = U(player) | (U(after) << _STAGE)
        distances, sides = all_distances[max(place, 0)], all_sides[max(place, 0)]
        after_stage, found = StageTables(distances, sides, place), Arrangement(child, boxes, occupied)
        offer(after_stage, found, store, counters, number, total)


@borrowing
def expand_pushes(
    tables: Any, store: Any, refinement: Refinement, work: Any, counters: Any, by_moves: Any
) -> None:
    """Offer the successors by pushes, as long as there is work left."""
    all_neighbours, all_open_neighbours, all_sides, all_distances, all_dead, _, stages, _, goal = tables
    boxes, occupied, marks, _, places, child = work
    number, squares = counters[PARTLY], goal.shape[0]
    state, last = store[0][number], child.shape[0] - 1
    number_of_stage = np.int64(state[last] >> _STAGE)
    stage, least = np.int64(stages[number_of_stage]), counters[LEAST]
    cost = np.int64(store[2][number, COST])
    neighbours, open_neighbours = all_neighbours[stage], all_open_neighbours[stage]
    dead, steps, pairs = all_dead[stage], places[STEPS], refinement.pairs
    if counters[SLOT] >= 0:
        dead = refinement.walls.dead[counters[SLOT]]
    chosen, found = marks[CHOSEN], Arrangement(child, boxes, occupied)
    here = StageTables(all_distances[stage], all_sides[stage], stage)
    while counters[TURN] < squares + 4 * boxes.shape[0] and counters[LEFT] > 0:
        i, direction = (counters[TURN] - squares) >> 2, (counters[TURN] - squares) & 3
        counters[TURN] += 1
        box = boxes[i]
        ahead, behind = neighbours[box, direction], neighbours[box, direction ^ 1]
        if not chosen[box] or ahead < 0 or behind < 0:
            continue
        if steps[behind] < 0 or occupied[ahead] or dead[ahead]:
            continue
        occupied[box], occupied[ahead] = 0, 1
        boxes[i] = ahead
        if not (
            is_pair_deadlock(pairs, boxes, ahead, box)
            or is_frozen(open_neighbours, dead, goal, occupied, ahead, places[GROUP], marks[FROZEN])
        ):
            move_box(state, box, ahead, child)
            total, player = cost + counters[PRICE], np.int64(box)
            if by_moves:
                total += steps[behind]
            else:
                player = update_region(neighbours, occupied, places, least, box, ahead, player)
                counters[LEFT] -= squares
            child[last] = U(player) | (U(number_of_stage) << _STAGE)
            offer(here, found, store, counters, number, total)
        boxes[i] = box
        occupied[box], occupied[ahead] = 1, 0


@borrowing
def refine_bound(
    tables: Any, store: Any, refinement: Refinement, work: Any, counters: Any, number: Any
) -> Any:
    """Return the bound of a state when its turn has come: also by the tables of its stage, pairs and pulls."""
    (words, _, figures, _, _, assignment), (boxes, occupied) = store, work[:2]
    state, bound = words[number], np.int64(figures[number, BOUND])
    pulls, pairs, walls, groups = refinement
    if figures[number, NOTES] & GUESSED:
        figures[number, NOTES] &= ~GUESSED
        last, squares = state[words.shape[1] - 1], tables[8].shape[0]
        place, player = np.int64(tables[6][np.int64(last >> _STAGE)]), np.int64(last & _PLAYER)
        list_boxes(state, squares, boxes, occupied)
        counters[LEFT] -= squares
        stage = StageTables(tables[3][place], tables[2][place], place)
        bound = compute_bound(stage, Arrangement(state, boxes, occupied), counters, player, assignment)
    if bound == DEAD:
        return bound
    if pairs[1].shape[0] and not figures[number, NOTES] & REFINED:
        squares = tables[8].shape[0]
        list_boxes(state, squares, boxes, occupied)
        counters[LEFT] -= squares + boxes.shape[0] ** 2
        player = np.int64(state[words.shape[1] - 1] & _PLAYER)
        bound += add_excesses(pairs, boxes, player, work[4][GROUP])
        entered = walls.numbers[-1]
        slot = find_slot(walls, tables[0][0], tables[4][0], boxes, work[2][FROZEN])
        counters[LEFT] -= squares**2 * (walls.numbers[-1] - entered)
        if slot >= 0:
            bound = max(bound, match_among_walls(walls, slot, boxes, occupied, player))
        if groups.triples.shape[0]:
            other = group_bound(groups, pairs, tables[2][0], boxes, player, work[4][GROUP])
            counters[LEFT] -= boxes.shape[0] ** 3
            if other > bound:
                bound = other + ((other - bound) & 1)
    figures[number, NOTES] |= REFINED
    bound = perimeter_bound(pulls, state, bound)
    return DEAD if bound >= HOPELESS else bound


@borrowing
def advance(
    tables: Any, store: Any, refinement: Refinement, work: Any, counters: Any, mode: Mode, most: Any
) -> None:
    """Expand up to `most` states, or put them back, while there is room, and work LEFT.

    Ends early when a goal is found, nothing is open, a state is REFUSED, or it is WANTED to know of a
    stage.
    """
    ready, (words, _, figures, heads, entries, _) = tables[7], store
    by_moves, corrals = mode
    last = words.shape[1] - 1
    turns = work[1].shape[0] + 4 * work[0].shape[0]
    expanded = 0
    while counters[LEFT] > 0:
        if counters[PARTLY] >= 0:
            expand_bombs(tables, store, work, counters, by_moves)
            expand_pushes(tables, store, refinement, work, counters, by_moves)
            if counters[TURN] == turns:
                counters[PARTLY] = NONE
            continue
        if (
            expanded == most
            or counters[OPEN] == 0
            or counters[REFUSED]
            or counters[STATES] + turns + 1 >= words.shape[0]
            or counters[ENTRIES] + turns + 1 >= entries.shape[0]
        ):
            return
        while heads[counters[HEAD]] < 0:
            counters[HEAD] += 1
        if counters[HEAD] == heads.shape[0] - 1:
            refill_buckets(heads, entries, figures, counters)
            continue
        entry = heads[counters[HEAD]]
        if counters[DIVE] >= _DIVE and refinement.pairs[1].shape[0]:
            counters[DIVE] = 0
            draw_state(entries, figures, np.int64(entry), U(counters[STATES]))
        number = np.int64(entries[entry, 0])
        stage = np.int64(words[number, last] >> _STAGE)
        if not ready[stage]:
            counters[WANTED] = stage
            return
        heads[counters[HEAD]] = entries[entry, 1]
        counters[OPEN] -= 1
        if figures[number, NOTES] & CLOSED:
            continue
        expanded += 1
        counters[DIVE] += 1
        bound = refine_bound(tables, store, refinement, work, counters, number)
        if bound != figures[number, BOUND]:
            figures[number, BOUND] = bound
            if bound != DEAD:
                open_state(heads, entries, figures, counters, number)
            continue
        figures[number, NOTES] |= CLOSED
        if figures[number, BOUND] == 0:
            counters[GOAL] = number
            return
        begin_expansion(tables, store, refinement.walls, work, counters, number, corrals)
