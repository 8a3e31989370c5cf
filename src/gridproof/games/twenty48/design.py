"""What designers ask of a level of 2048: the same one turned, and without a tile."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterator

from gridproof.core.game import Without
from gridproof.core.symmetry import images
from gridproof.games.twenty48.rules import Level


def canonical(level: Level) -> Hashable:
    """The least image of the board, and what else the rules need."""
    empty = [[0] * level.width] * level.height
    board = min(table for _, _, table in images(level.board or empty))
    return level.board is None, board, level.spawn, level.target


def without(level: Level) -> Iterator[Without]:
    """The level without each tile of the board that it starts with; two are left at least (T3)."""
    board = level.board or ()
    cells = [(row, column) for row, line in enumerate(board) for column, tile in enumerate(line) if tile]
    for row, column in cells if len(cells) > 2 else ():
        fewer = [
            [0 if (y, x) == (row, column) else tile for x, tile in enumerate(line)]
            for y, line in enumerate(board)
        ]
        changed = dataclasses.replace(level, board=fewer, certificate=None)
        yield Without(f"the {board[row][column]} at {row, column}", (changed,), (column, row))
