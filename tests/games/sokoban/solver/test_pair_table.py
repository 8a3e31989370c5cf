"""Pairs of boxes against the definition of their excess, and against the fewest pushes of all boxes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.games.sokoban.boards import random_level, winnable

from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.solver.board import Board
from gridproof.games.sokoban.solver.matching import empty_assignment, match_boxes
from gridproof.games.sokoban.solver.pair_table import DEADLOCK, PairTable, add_excesses, is_pair_deadlock
from gridproof.games.sokoban.solver.pull_search import PullSearch

Pair = tuple[int, int, int]
"""The squares of two boxes and of the player."""


def build_table(board: Board) -> PairTable:
    table = PairTable(board)
    assert [*table.build()]
    return table


def fewest_pushes(board: Board, goals: tuple[int, int]) -> dict[Pair, int]:
    """The fewest pushes of one box to one goal and of another to the other, by pulls square by square."""
    around = board.neighbours[0].tolist()

    def pulls(boxes: list[int], player: int) -> list[Pair]:
        found = []
        for which, direction in itertools.product(range(2), range(4)):
            behind = around[player][direction]
            if around[boxes[which]][direction] == player and behind >= 0 and behind != boxes[1 - which]:
                first, second = (player, boxes[1]) if which == 0 else (boxes[0], player)
                found.append((first, second, behind))
        return found

    depths, layer, depth = dict[Pair, int](), [(*goals, player) for player in range(len(around))], 0
    while layer:
        following, walks = list[Pair](), layer
        for first, second, player in walks:
            if player < 0 or player in (first, second) or (first, second, player) in depths:
                continue
            depths[first, second, player] = depth
            walks += [(first, second, other) for other in around[player]]
            following += pulls([first, second], player)
        layer, depth = following, depth + 1
    return depths


def defined_excess(board: Board) -> dict[Pair, int]:
    """The least excess of two boxes over all pairs of goals."""
    least = dict[Pair, int]()
    distances, sides = board.distances[0], board.sides[0]
    for numbers in itertools.permutations(range(len(board.goals)), 2):
        one, other = (int(board.goals[number]) for number in numbers)
        for pair, pushes in fewest_pushes(board, (one, other)).items():
            player = pair[2]
            alone = [
                int(distances[box, sides[box, player], goal])
                for box, goal in zip(pair, numbers, strict=False)
            ]
            least[pair] = min(least.get(pair, DEADLOCK), pushes - sum(alone))
    return least


def check_excess(level: Level) -> int:
    """Compare all pairs with the definition; return how many are deadlocks or need more pushes."""
    board = Board(level.start())
    table, defined = build_table(board), defined_excess(board)
    live = np.flatnonzero(table.live >= 0).tolist()
    for first, second in itertools.permutations(live, 2):
        for player in set(range(len(board.cells))) - {first, second}:
            excess = table.excess[player, table.live[first], table.live[second]]
            assert excess == defined.get((first, second, player), DEADLOCK), level.text()
    return int((table.excess > 0).sum())


def possible_levels(seeds: range) -> list[Level]:
    levels = [random_level(seed) for seed in seeds]
    return [level for level in levels if (board := Board(level.start())).possible and len(board.goals) > 1]


@pytest.mark.slow
@pytest.mark.plain
def test_pair_table_is_as_defined() -> None:
    assert sum(map(check_excess, possible_levels(range(12)))) > 100


@pytest.mark.long
def test_pair_table_is_as_defined_on_more_boards() -> None:
    assert sum(map(check_excess, possible_levels(range(12, 300)))) > 5000


def check_bounds(level: Level, most: int) -> int:
    """Check that no bound of the positions nearest to the goal is too large; return how many excesses raise."""
    board = Board(level.start())
    table, pulls = build_table(board), PullSearch(board, most)
    assignment = empty_assignment(len(board.cells), len(board.goals))
    raised = 0
    for number in range(pulls.states):
        listed, player = pulls.arrangement(number)
        boxes, occupied = np.array(listed, np.int16), np.zeros(len(board.cells), np.uint8)
        occupied[boxes] = 1
        bound = match_boxes(board.distances[0], board.sides[0], boxes, occupied, player, 0, assignment)
        excess = add_excesses(table.tables, boxes, player, np.zeros(len(boxes), np.int16))
        assert bound + excess <= pulls.tables[2][number], level.text()
        assert not any(is_pair_deadlock(table.tables, boxes, box, player) for box in listed)
        raised += excess > 0
    return raised


def test_excesses_are_never_too_much() -> None:
    levels = [level for level in map(winnable, range(60)) if len(Board(level.start()).goals) > 1]
    assert sum(check_bounds(level, 1 << 8) for level in levels) > 100


@pytest.mark.long
def test_excesses_are_never_too_much_on_more_boards() -> None:
    levels = [level for level in map(winnable, range(60, 900)) if len(Board(level.start()).goals) > 1]
    assert sum(check_bounds(level, 1 << 13) for level in levels) > 5000


def test_single_box_has_no_table() -> None:
    level = next(level for level in map(random_level, range(100)) if len(Board(level.start()).goals) == 1)
    assert not PairTable(Board(level.start())).is_wanted
