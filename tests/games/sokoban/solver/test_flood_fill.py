"""The player's region after a push or a pull, as by flooding it; and how often it need not be flooded."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.games.sokoban.boards import random_level

from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.flood_fill import AFTER, QUEUE, STEPS, flood, update_region

UNTOUCHED = -7


def regions(board: Board, boxes: list[int], player: int) -> tuple[int, int]:
    """Compare all pushes and pulls of a position; how many there are, and how many were not flooded."""
    around, squares = board.neighbours[0], len(board.cells)
    occupied = np.zeros(squares, np.uint8)
    occupied[boxes] = 1
    places, flooded = np.empty((4, squares), np.int16), np.empty(squares, np.int16)
    before, after, queue = places[STEPS], places[AFTER], places[QUEUE]
    least = flood(around, occupied, player, before, queue)
    looked_at, spared = 0, 0
    for box in boxes:
        for direction in range(4):
            ahead, behind = int(around[box, direction]), int(around[box, direction ^ 1])
            ends = []
            if ahead >= 0 and behind >= 0 and not occupied[ahead] and before[behind] >= 0:
                ends.append(box)  # where a push leaves the player
            if ahead >= 0 and before[ahead] >= 0 and (beyond := int(around[ahead, direction])) >= 0:
                ends += [beyond] if before[beyond] >= 0 else []  # and a pull
            for start in ends:
                occupied[box], occupied[ahead] = 0, 1
                after[:] = UNTOUCHED
                told = update_region(around, occupied, places, least, box, ahead, start)
                assert told == flood(around, occupied, start, flooded, queue), (board.cells, boxes, player)
                occupied[box], occupied[ahead] = 1, 0
                looked_at += 1
                spared += bool((after == UNTOUCHED).all())
    return looked_at, spared


def examine(seeds: range) -> tuple[int, int]:
    looked_at = spared = 0
    for seed in seeds:
        level, chance = random_level(seed), random.Random(seed)
        board = Board(level.start())
        if len(board.cells) < 4:
            continue
        for _ in range(10):
            player, *boxes = chance.sample(range(len(board.cells)), chance.randint(2, len(board.cells) // 2))
            counts = regions(board, boxes, player)
            looked_at, spared = looked_at + counts[0], spared + counts[1]
    return looked_at, spared


def test_regions_agree_with_flood_fill() -> None:
    looked_at, spared = examine(range(60))
    assert looked_at > 1000
    assert spared > looked_at // 3


@pytest.mark.slow
def test_regions_agree_with_flood_fill_on_more_levels() -> None:
    examine(range(100, 1500))
