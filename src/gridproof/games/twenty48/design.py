"""Symmetry and ablations of levels of 2048, for designers."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterator

from gridproof.core.design import Ablation, images
from gridproof.games.twenty48.rules import Level


class Twenty48Design:
    """Functions of `gridproof.analysis.design.Design`."""

    def canonical(self, level: Level) -> Hashable:
        """Return the least image of the board, with spawn rule and target."""
        empty = [[0] * level.width] * level.height
        board = min(table for _, _, table in images(level.board or empty))
        return level.board is None, board, level.spawn, level.target

    def ablations(self, level: Level) -> Iterator[Ablation]:
        """List the level without each tile of its board; at least two stay (T3)."""
        board = level.board or ()
        cells = [(row, column) for row, line in enumerate(board) for column, tile in enumerate(line) if tile]
        for row, column in cells if len(cells) > 2 else ():
            fewer = [
                [0 if (y, x) == (row, column) else tile for x, tile in enumerate(line)]
                for y, line in enumerate(board)
            ]
            changed = dataclasses.replace(level, board=fewer, certificate=None)
            yield Ablation(
                f"the {board[row][column]} at {row, column}",
                (changed,),
                (column, row),
                f"the {board[row][column]}",
            )


DESIGN = Twenty48Design()
