"""Obstacles: boxes in the way of the next step of the plan.

A box is brought to the next depot along the path on which the fewest others stand: on the squares of the box, on those from
which it is pushed, or in the way of the player to it. Boxes where the plan wants them are walls.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.sokoban.feature_search.macro_moves import Field, Work
from gridproof.games.sokoban.feature_search.packing_plan import PackingPlan, find_stage
from gridproof.games.sokoban.solver.board import AWAY
from gridproof.games.sokoban.solver.pruning import FROZEN
from gridproof.kernels.compile import borrowing

UNREACHABLE = 1 << 14
"""No box comes there however many are taken away: the plan cannot go on."""
_PLAYER = 4  # the column of the costs
_TARGETS, _COUNTERS = 2, 3  # the rows of the queues
_FEWEST = 2  # the counters: lengths of the first two rows, and the result so far


@borrowing
def mark_walls(plan: PackingPlan, work: Work) -> Any:
    """Mark the boxes that the plan keeps; list the squares that it fills next, and return their number."""
    occupied, walls, targets, count = work.occupied, work.marks[FROZEN], work.queues[_TARGETS], 0
    for chain in range(plan.chain_ends.shape[0] - 1):
        stage = find_stage(plan, occupied, chain)
        for i in range(plan.held_ends[stage], plan.held_ends[stage + 1]):
            walls[plan.held[i]] = occupied[plan.held[i]]
        for i in range(plan.following_ends[stage], plan.following_ends[stage + 1]):
            square = plan.following[i]
            walls[square] = occupied[square]
            if not occupied[square]:
                targets[count] = square
                count += 1
    return count


@borrowing
def find_player_costs(field: Field, work: Work, player: Any) -> None:
    """Find how many boxes the player would have to cross on the way to each square."""
    costs, occupied, walls = work.costs, work.occupied, work.marks[FROZEN]
    near, later = work.queues[0], work.queues[1]
    for square in range(costs.shape[0]):
        costs[square, _PLAYER] = UNREACHABLE
    near[0], costs[player, _PLAYER] = player, 0
    count, cost = 1, 0
    while count > 0:
        i, following = 0, 0
        while i < count:
            square = near[i]
            i += 1
            if costs[square, _PLAYER] < cost:
                continue
            for direction in range(4):
                other = field.neighbours[square, direction]
                if other < 0 or walls[other] or costs[other, _PLAYER] <= cost + occupied[other]:
                    continue
                costs[other, _PLAYER] = cost + occupied[other]
                if occupied[other]:
                    later[following] = other
                    following += 1
                else:
                    near[count] = other
                    count += 1
        near, later, count, cost = later, near, following, cost + 1


@borrowing
def pull_from(field: Field, work: Work, place: Any, near: Any, later: Any) -> None:
    """Pull a box from a place, which is a square and a side: add new places to those that cost as much, or one box more."""
    neighbours, costs, occupied, walls, counters = (
        field.neighbours, work.costs, work.occupied, work.marks[FROZEN], work.queues[_COUNTERS]
    )  # fmt: skip
    square, side = place // AWAY, place % AWAY
    cost = costs[square, side]
    for direction in range(4):
        origin = neighbours[square, direction]
        if origin < 0 or walls[origin] or field.sides[square, origin] != side:
            continue
        stand = neighbours[origin, direction]
        if stand < 0 or walls[stand]:
            continue
        if occupied[origin]:
            counters[_FEWEST] = min(counters[_FEWEST], cost + costs[stand, _PLAYER])
        before, more = field.sides[origin, stand], occupied[origin] | occupied[stand]
        if costs[origin, before] <= cost + more:
            continue
        costs[origin, before] = cost + more
        (later if more else near)[counters[more]] = origin * AWAY + before
        counters[more] += 1


@borrowing
def find_fewest(field: Field, work: Work, targets: Any) -> Any:
    """Return the fewest obstacles of any box on its way to one of so many targets: by pulls, from all of them."""
    costs, near, later, counters = work.costs, work.queues[0], work.queues[1], work.queues[_COUNTERS]
    for square in range(costs.shape[0]):
        for side in range(AWAY):
            costs[square, side] = UNREACHABLE
    for i in range(targets * AWAY):
        target, side = work.queues[_TARGETS, i // AWAY], i % AWAY
        near[i], costs[target, side] = target * AWAY + side, 0
    counters[0], counters[_FEWEST], cost = targets * AWAY, UNREACHABLE, 0
    while counters[0] > 0 and cost < counters[_FEWEST]:
        i, counters[1] = 0, 0
        while i < counters[0]:
            if costs[near[i] // AWAY, near[i] % AWAY] == cost:
                pull_from(field, work, near[i], near, later)
            i += 1
        near, later, counters[0], cost = later, near, counters[1], cost + 1
    return np.int64(counters[_FEWEST])


@borrowing
def count_obstacles(field: Field, plan: PackingPlan, work: Work, player: Any) -> Any:
    """Return the number of boxes in the way of the next step of the plan; `player` is any square of the region."""
    targets, fewest = mark_walls(plan, work), 0
    if targets > 0:
        find_player_costs(field, work, player)
        fewest = find_fewest(field, work, targets)
    for box in work.boxes:
        work.marks[FROZEN, box] = 0
    return fewest
