"""Corrals on every position of small boards that can be won: a push that is left must be one of the best."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from tests.games.sokoban.boards import random_level

from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.flood_fill import flood
from gridproof.games.sokoban.solver.pruning import CHOSEN, Surroundings, mark_cheapest_corral
from gridproof.games.sokoban.solver.pull_search import PullSearch
from gridproof.kernels.states import find


class Examined:
    """A board with the fewest pushes of its nearest positions, by pulls, and what corrals leave of each."""

    def __init__(self, board: Board, most: int) -> None:
        self.board = board
        self.pulled = PullSearch(board, most)
        squares = len(board.cells)
        self.steps, self.queue = np.empty(squares, np.int16), np.empty(squares, np.int16)
        self.marks, self.lists = np.zeros((5, squares), np.uint8), np.empty((2, squares), np.int16)

    def boxes_to_push(self, boxes: tuple[int, ...], player: int) -> set[int]:
        """The boxes that corrals leave to be pushed."""
        board = self.board
        occupied = self.occupied(boxes)
        flood(board.neighbours[0], occupied, player, self.steps, self.queue)
        tables = board.neighbours[0], board.dead[0], board.goal, occupied, self.steps
        around = Surroundings(*tables, self.marks, self.lists, True)
        mark_cheapest_corral(around, np.array(boxes, np.int16))
        return {box for box in boxes if self.marks[CHOSEN, box]}

    def occupied(self, boxes: tuple[int, ...]) -> Any:
        occupied = np.zeros(len(self.board.cells), np.uint8)
        occupied[list(boxes)] = 1
        return occupied

    def after(self, boxes: tuple[int, ...], player: int) -> dict[int, int]:
        """The least number of pushes that win after a push of each box, where some do."""
        around = self.board.neighbours[0]
        occupied, least = self.occupied(boxes), dict[int, int]()
        flood(around, occupied, player, self.steps, self.queue)
        for box in boxes:
            for direction in range(4):
                ahead, behind = around[box, direction], around[box, direction ^ 1]
                if ahead >= 0 and behind >= 0 and not occupied[ahead] and self.steps[behind] >= 0:
                    depth = self.depth({*boxes, int(ahead)} - {box}, box)
                    if depth is not None:
                        least[box] = min(least.get(box, depth), depth)
        return least

    def depth(self, boxes: set[int], player: int) -> int | None:
        words, table, depths, _ = self.pulled.tables
        scratch = np.empty(len(self.board.cells), np.int16)
        occupied = self.occupied(tuple(boxes))
        state = np.zeros(words.shape[1], np.uint64)
        for box in boxes:
            state[box >> 6] |= np.uint64(1 << (box & 63))
        state[-1] = flood(self.board.neighbours[0], occupied, player, scratch, scratch.copy())
        place = find(words, table, state)
        return int(depths[place]) if place >= 0 else None


def check(level: Level, pulled: int, most: int) -> int:
    """Look at some of the positions of a level; in how many of them a corral leaves some boxes out."""
    board = Board(level.start())
    if not board.possible:
        return 0
    examined, chance = Examined(board, pulled), random.Random(7)
    numbers = range(examined.pulled.states)
    narrowed = 0
    for number in chance.sample(numbers, min(most, len(numbers))):
        boxes, player = examined.pulled.arrangement(number)
        depth = int(examined.pulled.tables[2][number])
        left = examined.boxes_to_push(boxes, player)
        narrowed += len(left) < len(boxes)
        if depth and len(left) < len(boxes):
            after = examined.after(boxes, player)
            assert min(after.values()) == depth - 1
            assert min((after[box] for box in left if box in after), default=None) == depth - 1, (
                boxes,
                player,
            )
    return narrowed


def test_corrals_keep_the_best_pushes_on_many_boards() -> None:
    narrowed = [check(random_level(seed), 1 << 10, 40) for seed in range(80)]
    assert sum(narrowed) > 100
    assert sum(map(bool, narrowed)) > 20


@pytest.mark.slow
def test_corrals_keep_the_best_pushes_on_more_boards() -> None:
    assert sum(check(random_level(seed), 1 << 15, 400) for seed in range(80, 900)) > 5000
