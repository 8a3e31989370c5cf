"""Obstacles against the cheapest path over all places of a box, by its definition."""

from __future__ import annotations

import heapq
import random

import numpy as np
import pytest
from tests.games.sokoban.boards import random_level

from gridproof.games.sokoban.feature_search.fields import forward_field
from gridproof.games.sokoban.feature_search.macro_moves import Options, allocate_work, region_of
from gridproof.games.sokoban.feature_search.obstacles import UNREACHABLE, count_obstacles
from gridproof.games.sokoban.feature_search.packing_plan import plan_of, stages_of
from gridproof.games.sokoban.solver.board import Board

Place = tuple[int, int]


def cheapest(starts: dict[Place, int], ends: dict[Place, int], edges: dict[Place, dict[Place, int]]) -> int:
    """The least cost from a start to an end, with what each of them costs itself."""
    least, queue = dict[Place, int](), sorted((cost, place) for place, cost in starts.items())
    while queue:
        cost, place = heapq.heappop(queue)
        if place in least:
            continue
        least[place] = cost
        for other, more in edges.get(place, {}).items():
            heapq.heappush(queue, (cost + more, other))
    return min((least[place] + cost for place, cost in ends.items() if place in least), default=UNREACHABLE)


def fewest_obstacles(board: Board, walls: set[int], boxes: set[int], targets: set[int], player: int) -> int:
    """The fewest boxes in the way, box by box and forwards."""
    around, sides = board.neighbours[0].tolist(), board.sides[0].tolist()
    free = [square for square in range(len(around)) if square not in walls]
    steps: dict[Place, dict[Place, int]] = {
        (square, 0): {(other, 0): int(other in boxes) for other in around[square] if other in free}
        for square in free
    }
    pushes: dict[Place, dict[Place, int]] = {}
    first: dict[Place, int] = {}
    for square in free:
        for direction in range(4):
            ahead, stand = around[square][direction], around[square][direction ^ 1]
            if ahead not in free or stand not in free:
                continue
            place = square, sides[square][stand]
            after = ahead, sides[ahead][square]
            cost = int(square in boxes or stand in boxes)
            edges = pushes.setdefault(place, {})
            edges[after] = min(cost, edges.get(after, cost))
            if square in boxes:
                walk = cheapest({(player, 0): 0}, {(stand, 0): 0}, steps)
                first[after] = min(walk, first.get(after, UNREACHABLE))
    ends = {(target, side): 0 for target in targets for side in range(4)}
    return min(cheapest(first, ends, pushes), UNREACHABLE)


@pytest.mark.slow
def test_obstacles_are_the_fewest_boxes_in_the_way() -> None:
    found = set[int]()
    for seed in range(400):
        chance, level = random.Random(seed), random_level(seed)
        board = Board(level.start())
        squares = len(board.cells)
        if not board.possible or len(board.boxes) < 2 or squares < len(board.boxes) + 4:
            continue
        *boxes, player, target = chance.sample(range(squares), len(board.boxes) + 2)
        held = boxes[: chance.randint(0, 1)]
        plan = plan_of([stages_of([held, [target]] if held else [[target]])], board.neighbours[0], [])
        work = allocate_work(squares, len(boxes))
        work.boxes[:], work.occupied[boxes] = boxes, 1
        field = forward_field(board, Options(opening=1), np.zeros((squares, 1), np.uint64))
        region = region_of(board.neighbours[0], boxes, player)
        count = count_obstacles(field, plan, work, np.int64(region))
        others = {*boxes} - {*held}
        assert count == fewest_obstacles(board, {*held}, others, {target}, player), level.text()
        assert not work.marks[4].any()
        found.add(count)
    assert {0, 1, 2, UNREACHABLE} <= found
