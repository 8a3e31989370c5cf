"""Piece table: numbers the pieces on boards, so that a page receives each drawing once.

Walls join with their neighbours, so that one wall of a look is several pieces here.
"""

from __future__ import annotations

import functools
from collections.abc import Hashable
from typing import Any

from gridproof.analysis.json_data import Data
from gridproof.core.look import Board, Cell, Piece
from gridproof.pictures.drawn_board import WallNeighbours, draw_piece, visible_pieces
from gridproof.pictures.shapes import Brush

Pile = list[int]


class PieceTable:
    """The pieces known to a session's pages, each with a number; the table only grows."""

    def __init__(self) -> None:
        self.pieces: list[Data] = []
        self._numbers: dict[Hashable, int] = {}
        self._by_identity: dict[int, tuple[Piece, int]] = {}
        """Id -> piece that is not a wall, number: looks create most pieces once, and hashing is slow."""
        self._sent_count = 0

    def __len__(self) -> int:
        return len(self.pieces)

    def number(self, piece: Piece, near: WallNeighbours | None = None) -> int:
        """Return the number of a piece, which may be new; walls depend on their neighbours."""
        numbered = self._by_identity.get(id(piece)) if near is None else None
        if numbered is not None:
            return numbered[1]
        key = piece, near and (near.walls, near.below_left)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.pieces)
            self.pieces.append(piece_data(piece, near))
            if piece.shape != "wall":
                self._by_identity[id(piece)] = piece, number
        return number

    def pile(self, board: Board, x: int, y: int) -> Pile:
        """Return the numbers of a cell's pieces."""
        cell, numbered = board[y][x], self._by_identity
        try:
            return [numbered[id(piece)][1] for piece in cell]
        except KeyError:
            if not is_wall(cell):
                return [self.number(piece) for piece in cell]
        return [self.number(piece, near) for piece, near in visible_pieces(board, x, y)]

    def board(self, board: Board, beside: Cell) -> Data:
        """Return a whole board as JSON."""
        rows = [[self.pile(board, x, y) for x in range(len(row))] for y, row in enumerate(board)]
        return {
            "width": max(map(len, board), default=0),
            "height": len(board),
            "cells": rows,
            "beside": [self.number(piece) for piece in beside],
        }

    def take_new(self) -> list[tuple[int, Data]]:
        """Return the pieces added since the last call."""
        first = self._sent_count
        if first == len(self.pieces):
            return []
        self._sent_count = len(self.pieces)
        return list(enumerate(self.pieces[first:], first))


def is_wall(cell: Cell) -> bool:
    """Return whether a cell has a wall, which joins with its neighbours."""
    for piece in cell:  # noqa: SIM110  # half the time of `any`, for each changed cell
        if piece.shape == "wall":
            return True
    return False


@functools.lru_cache(maxsize=4096)
def piece_data(piece: Piece, near: WallNeighbours | None) -> Data:
    """Return a piece with its drawing, for a wall with its neighbours; defaults are left out."""
    data: dict[str, Any] = {"name": piece.name, "shape": piece.shape, "colours": piece.colours}
    if piece.text:
        data["text"] = piece.text
    if piece.turn:
        data["turn"] = piece.turn
    return {**data, "glyph": piece.glyph, "svg": draw_piece(piece, near, Brush("auto"))}
