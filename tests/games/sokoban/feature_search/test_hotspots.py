"""Hotspots against what a single box reaches, push by push."""

from __future__ import annotations

import dataclasses

from tests.games.sokoban.boards import random_level

from gridproof.games.sokoban.feature_search.hotspots import hotspots_of
from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.solver.board import Board


def is_alone_dead(level: Level, board: Board, wall: int, box: int) -> bool:
    """Whether a single box reaches no depot, from any place of the player, with a wall on a square."""
    walls = level.walls | {board.cells[wall]}
    for player in range(len(board.cells)):
        if player in (wall, box):
            continue
        depots = [*level.depots - {board.cells[wall]} & board.number.keys()]
        if board.cells[box] in depots:
            return False
        for depot in depots:
            boxes = frozenset((board.cells[box],))
            alone = dataclasses.replace(
                level, player=board.cells[player], boxes=boxes, depots=frozenset((depot,)), walls=walls
            )
            made = Board(alone.start())
            if not made.possible or not made.boxes:
                continue
            goals = made.distances[0][made.boxes[0], made.sides[0][made.boxes[0], made.player]]
            if goals.min() < 1 << 14:
                return False
    return True


def test_hotspots_are_where_a_wall_would_take_all_goals() -> None:
    found = 0
    for seed in range(12):
        level = random_level(seed)
        board = Board(level.start())
        if not board.possible or len(board.cells) > 16 or not board.boxes:
            continue
        bits = hotspots_of(board)
        for wall in range(len(board.cells)):
            for box in range(len(board.cells)):
                hot = bool(int(bits[wall, box >> 6]) >> (box & 63) & 1)
                alive = wall != box and not board.dead[0, wall] and not board.dead[0, box]
                assert hot == (alive and is_alone_dead(level, board, wall, box))
                found += hot
    assert found > 5
