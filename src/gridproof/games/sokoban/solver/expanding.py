"""The compiled part of A*: states are taken in the order of their bounds, and what follows is offered.

An expansion can stop between two of the bombs and pushes that it tries, its turns, and go on later: what
it stands on is kept meanwhile. So no level is too large to look at the clock.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.sokoban.solver.corrals import CHOSEN, FROZEN, cheapest_corral
from gridproof.games.sokoban.solver.flooding import (
    AFTER,
    GROUP,
    QUEUE,
    STEPS,
    boxes_of,
    flood,
    flood_after,
    move_box,
)
from gridproof.games.sokoban.solver.matching import HOPELESS, OF_ALL, WORK, matching
from gridproof.games.sokoban.solver.pruning import frozen
from gridproof.games.sokoban.solver.pulling import bound_by_pulls
from gridproof.kernels.compile import borrowing
from gridproof.kernels.states import find

U = np.uint64
_STAGE = U(16)  # the bits of the player's square
_PLAYER = U((1 << 16) - 1)

# The counters of a search; PARTLY is the state whose expansion has begun but not ended, TURN what is next
# in it, and LEFT the work that may still be done, in squares and distances that are looked at.
HEAD, STATES, ENTRIES, OPEN, GOAL, WANTED, MOST, REFUSED, PARTLY, TURN, LEFT = range(11)
# The columns of a state's figures
COST, BOUND, PARENT, CLOSED = range(4)
DEAD = -1  # a bound: no goal from here
NONE = -1


@borrowing
def open_state(heads: Any, entries: Any, counters: Any, place: Any, total: Any) -> None:
    """Let a state wait to be expanded, when those are done from which less than the total may win."""
    f = min(total, heads.shape[0] - 1)
    fresh = counters[ENTRIES]
    counters[ENTRIES] += 1
    counters[OPEN] += 1
    entries[fresh, 0], entries[fresh, 1] = place, heads[f]
    heads[f] = fresh
    counters[HEAD] = min(counters[HEAD], f)


@borrowing
def offer(
    distances: Any,
    sides: Any,
    store: Any,
    counters: Any,
    child: Any,
    boxes: Any,
    occupied: Any,
    parent: Any,
    total: Any,
) -> None:
    """Take a state that can be reached at a total cost, if that is less than is known.

    A new one is REFUSED when there are as many as may be kept.
    """
    words, table, figures, heads, entries, kept = store
    place = find(words, table, child)
    if place < 0:
        found = counters[STATES]
        if found >= counters[MOST]:
            counters[REFUSED] = 1
            return
        counters[STATES] += 1
        for word in range(words.shape[1]):
            words[found, word] = child[word]
        table[-1 - place] = found + 1
        last = child[words.shape[1] - 1]
        player, stage = np.int64(last & _PLAYER), np.int64(last >> _STAGE)
        before = kept[OF_ALL, WORK]
        bound = matching(distances, sides, boxes, occupied, player, stage, kept)
        counters[LEFT] -= kept[OF_ALL, WORK] - before
        figures[found, BOUND] = DEAD if bound >= HOPELESS else bound
        figures[found, COST] = total + 1
        place = found
    if figures[place, BOUND] != DEAD and total < figures[place, COST]:
        figures[place, COST] = total
        figures[place, CLOSED] = 0
        figures[place, PARENT] = parent
        open_state(heads, entries, counters, place, total + figures[place, BOUND])


@borrowing
def begin(tables: Any, store: Any, work: Any, counters: Any, number: Any, corrals: Any) -> None:
    """Set out what the expansion of a state stands on. Its turns: the bombs, and four pushes of each box."""
    all_neighbours, _, _, _, all_dead, all_following, _, goal = tables
    boxes, occupied, marks, lists, places, _ = work
    state, squares = store[0][number], goal.shape[0]
    stage, player = np.int64(state[-1] >> _STAGE), np.int64(state[-1] & _PLAYER)
    neighbours, following = all_neighbours[stage], all_following[stage]
    boxes_of(state, squares, boxes, occupied)
    flood(neighbours, occupied, player, places[STEPS], places[QUEUE])
    turn = 0
    while turn < squares and following[turn] < 0:
        turn += 1
    if corrals and turn == squares:  # the walls last
        cheapest_corral(neighbours, all_dead[stage], goal, occupied, places[STEPS], boxes, marks, lists)
    else:
        marks[CHOSEN, :] = 1
    counters[PARTLY], counters[TURN] = number, turn
    counters[LEFT] -= squares


@borrowing
def set_off(tables: Any, store: Any, work: Any, counters: Any, by_moves: Any) -> None:
    """Offer what the bombs lead to, as long as there is work left."""
    all_neighbours, _, all_sides, all_distances, _, all_following, _, goal = tables
    boxes, occupied, _, _, places, child = work
    number, squares = counters[PARTLY], goal.shape[0]
    state, last = store[0][number], child.shape[0] - 1
    following, steps = all_following[np.int64(state[last] >> _STAGE)], places[STEPS]
    for word in range(last):
        child[word] = state[word]
    while counters[TURN] < squares and counters[LEFT] > 0:
        square = counters[TURN]
        counters[TURN] += 1
        after = following[square]
        if after < 0 or steps[square] < 0:
            continue
        total, place = np.int64(store[2][number, COST]), square
        if by_moves:
            total += steps[square]
        else:
            place = flood(all_neighbours[after], occupied, square, places[AFTER], places[QUEUE])
            counters[LEFT] -= squares
        child[last] = U(place) | (U(after) << _STAGE)
        offer(all_distances[after], all_sides[after], store, counters, child, boxes, occupied, number, total)


@borrowing
def push(tables: Any, store: Any, work: Any, counters: Any, by_moves: Any) -> None:
    """Offer what the pushes lead to, as long as there is work left."""
    all_neighbours, all_openly, all_sides, all_distances, all_dead, _, _, goal = tables
    boxes, occupied, marks, _, places, child = work
    number, squares = counters[PARTLY], goal.shape[0]
    state, last = store[0][number], child.shape[0] - 1
    stage, least = np.int64(state[last] >> _STAGE), np.int64(state[last] & _PLAYER)
    cost = np.int64(store[2][number, COST])
    neighbours, openly, dead, steps = all_neighbours[stage], all_openly[stage], all_dead[stage], places[STEPS]
    distances, sides, chosen = all_distances[stage], all_sides[stage], marks[CHOSEN]
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
        if not frozen(openly, dead, goal, occupied, ahead, places[GROUP], marks[FROZEN]):
            move_box(state, box, ahead, child)
            total, place = cost + 1, np.int64(box)
            if by_moves:
                total += steps[behind]
            else:
                place = flood_after(
                    neighbours, occupied, steps, least, box, ahead, place, places[AFTER], places[QUEUE]
                )
                counters[LEFT] -= squares
            child[last] = U(place) | (U(stage) << _STAGE)
            boxes[i] = ahead
            offer(distances, sides, store, counters, child, boxes, occupied, number, total)
            boxes[i] = box
        occupied[box], occupied[ahead] = 1, 0


@borrowing
def advance(
    tables: Any, store: Any, pulled: Any, work: Any, counters: Any, most: Any, by_moves: Any, corrals: Any
) -> None:
    """Expand up to `most` states, or put them back, while there is room, and work LEFT.

    Ends early when a goal is found, nothing is open, a state is REFUSED, or it is WANTED to know where
    the bombs of a stage lead to.
    """
    known, (words, _, figures, heads, entries, _) = tables[6], store
    last = words.shape[1] - 1
    turns = work[1].shape[0] + 4 * work[0].shape[0]
    expanded = 0
    while counters[LEFT] > 0:
        if counters[PARTLY] >= 0:
            set_off(tables, store, work, counters, by_moves)
            push(tables, store, work, counters, by_moves)
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
        entry = heads[counters[HEAD]]
        number = np.int64(entries[entry, 0])
        stage = np.int64(words[number, last] >> _STAGE)
        if not known[stage]:
            counters[WANTED] = stage
            return
        heads[counters[HEAD]] = entries[entry, 1]
        counters[OPEN] -= 1
        if figures[number, CLOSED]:
            continue
        expanded += 1
        bound = bound_by_pulls(pulled, words[number], figures[number, BOUND])
        if bound > figures[number, BOUND]:
            figures[number, BOUND] = DEAD if bound >= HOPELESS else bound
            if bound < HOPELESS:
                open_state(heads, entries, counters, number, figures[number, COST] + bound)
            continue
        figures[number, CLOSED] = 1
        if figures[number, BOUND] == 0:
            counters[GOAL] = number
            return
        begin(tables, store, work, counters, number, corrals)
