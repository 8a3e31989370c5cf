"""Defects of a level or a board of 2048: every broken clause at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gridproof.core.errors import Problem
from gridproof.games.twenty48.tiles import SPAWN_RULES, is_tile

SIZES = range(2, 7)
"""The numbers of rows and columns of a board (T1)."""
LEAST_TARGET = 8
LARGEST = 2**255
"""The largest tile at the start and the largest target: its exponent fits a byte."""


def find_defects(width: int, height: int, spawn: str, target: int, board: object) -> list[Problem]:
    """Return the defects of a level; its board is None for a random start (T1, T3, T10, T12)."""
    problems = []
    sized = all(type(length) is int and length in SIZES for length in (width, height))
    if not sized:
        problems.append(Problem("T1-size", None, "a board has 2 to 6 columns and rows"))
    if not (is_tile(target) and LEAST_TARGET <= target <= LARGEST):
        problems.append(Problem("T1-target", None, "the target is a power of two from 8 to 2^255"))
    if not (isinstance(spawn, str) and spawn in SPAWN_RULES):
        problems.append(Problem("T10-spawn", None, f"the spawn rules are {' and '.join(SPAWN_RULES)}"))
    if board is not None:
        problems += find_board_problems(board, (width, height) if sized else None, LARGEST)
    return problems


def find_board_problems(
    board: object, size: tuple[int, int] | None, largest: int | None = None
) -> Iterator[Problem]:
    """Yield the defects of rows of cells, for (width, height) and the largest tile, if any (T12)."""
    rows = _to_rows(board)
    if rows is None:
        yield Problem("T12-form", None, "a board is a sequence of rows, and a row one of numbers")
        return
    if size and [len(row) for row in rows] != [size[0]] * size[1]:
        yield Problem("T12-size", None, f"the board has not {size[1]} rows of {size[0]} cells")
    cells = [((row, column), tile) for row, line in enumerate(rows) for column, tile in enumerate(line)]
    for cell, tile in cells:
        if not is_tile(tile) and (type(tile) is not int or tile):
            yield Problem("T12-value", cell, "a cell is 0 or a power of two from 2 on")
        elif largest and tile > largest:
            yield Problem("T1-large", cell, "no level starts with a tile above 2^255")
    if sum(is_tile(tile) for _, tile in cells) < 2:
        yield Problem("T3-two-tiles", None, "at least two cells hold a tile")


def _to_rows(board: object) -> list[list[Any]] | None:
    if not isinstance(board, list | tuple) or not all(isinstance(row, list | tuple) for row in board):
        return None
    return [list(row) for row in board]
