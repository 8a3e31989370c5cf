"""Macro moves against plain pushes and pulls."""

from __future__ import annotations

import numpy as np
import pytest
from tests.games.sokoban.boards import random_level

from gridproof.games.sokoban.feature_search.fields import backward_field, forward_field
from gridproof.games.sokoban.feature_search.macro_moves import (
    BACKWARDS,
    BEFORE,
    REGION,
    REGIONS,
    SQUARE,
    Field,
    Options,
    allocate_work,
    find_moves,
    label_position,
)
from gridproof.games.sokoban.solver.board import Board


def regions(board: Board, boxes: set[int]) -> list[int]:
    """The region of each square, by its least square; -1 for boxes."""
    labels = [-1] * len(board.cells)
    for first in range(len(labels)):
        if first in boxes or labels[first] >= 0:
            continue
        labels[first], found = first, [first]
        for square in found:
            for other in board.neighbours[0, square].tolist():
                if other >= 0 and other not in boxes and labels[other] < 0:
                    labels[other] = first
                    found.append(other)
    return labels


def places_by_single_moves(
    board: Board, others: set[int], box: int, region: int, backwards: bool
) -> set[tuple[int, int]]:
    """All squares and regions of the player that a box reaches, move by move."""
    found = [(box, region)]
    for square, player in found:
        labels = regions(board, others | {square})
        around = board.neighbours[0]
        for direction in range(4):
            ahead, behind = int(around[square, direction]), int(around[square, direction ^ 1])
            if ahead < 0 or ahead in others:
                continue
            if backwards:
                stand = int(around[ahead, direction])
                if labels[ahead] != player or stand < 0 or stand in others:
                    continue
            else:
                stand = square
                if behind < 0 or labels[behind] != player:
                    continue
            after = ahead, regions(board, others | {ahead})[stand]
            if after not in found:
                found.append(after)
    return set(found)


def check_moves(seed: int, backwards: bool) -> int:
    """Compare all macro moves from the start; return how many there are."""
    board = Board(random_level(seed).start())
    if not board.possible or not board.boxes:
        return 0
    none = np.zeros((1, 1), np.uint64)
    plain = backward_field(board, Options(BACKWARDS)) if backwards else forward_field(board, Options(), none)
    # A box on a dead square goes no further, so they are left out here; freezes only occur where some box is on no depot.
    field = Field(*plain)._replace(dead=np.zeros_like(plain.dead), target=np.ones_like(plain.target))
    work = allocate_work(len(board.cells), len(board.boxes))
    work.occupied[list(board.boxes)] = 1
    region = regions(board, set(board.boxes))[board.player]
    label_position(field, work)
    total = 0
    for box in board.boxes:
        count = find_moves(field, work, np.int64(box), np.int64(region))
        reached = work.reached[:count]
        others = set(board.boxes) - {box}
        assert {*map(tuple, reached[:, [SQUARE, REGION]].tolist())} == places_by_single_moves(
            board, others, box, region, backwards
        )
        assert len({*map(tuple, reached[:, [SQUARE, REGION]].tolist())}) == count
        for square, parts in reached[:, [SQUARE, REGIONS]].tolist():
            assert parts == len({*regions(board, others | {square})} - {-1})
        for square, before in reached[1:, [SQUARE, BEFORE]].tolist():
            assert square in board.neighbours[0, reached[before, SQUARE]]
        assert work.occupied.tolist() == [square in board.boxes for square in range(len(board.cells))]
        total += count
    return total


@pytest.mark.slow
@pytest.mark.plain
@pytest.mark.parametrize("backwards", [False, True])
def test_macro_moves_are_those_of_single_moves(backwards: bool) -> None:
    assert sum(check_moves(seed, backwards) for seed in range(150)) > 400
