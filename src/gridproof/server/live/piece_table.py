"""Boards as lists of numbered pieces, each with its drawing: a page learns each piece once.

Walls join with their neighbours, so that one wall of a look is several pieces here.
"""

from __future__ import annotations

import functools
from collections.abc import Hashable
from typing import Any

from gridproof.core.look import Board, Cell, Piece
from gridproof.pictures.drawing import Around, drawn, fragment
from gridproof.pictures.shapes import Brush
from gridproof.play.data import Data

Pile = list[int]


class PieceTable:
    """The pieces that a session's pages have been told of, each by its number; it only grows."""

    def __init__(self) -> None:
        self.known: list[Data] = []
        self._numbers: dict[Hashable, int] = {}
        self._same: dict[int, tuple[Piece, int]] = {}
        """By identity, of those that are not walls: looks make most pieces once, and a hash of one takes long."""
        self._told = 0

    def __len__(self) -> int:
        return len(self.known)

    def number(self, piece: Piece, near: Around | None = None) -> int:
        """The number of a piece, which may be new; of a wall with what is around it."""
        same = self._same.get(id(piece)) if near is None else None
        if same is not None:
            return same[1]
        key = piece, near and (near.walls, near.below_left)
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self.known)
            self.known.append(piece_data(piece, near))
            if piece.shape != "wall":
                self._same[id(piece)] = piece, found
        return found

    def pile(self, board: Board, x: int, y: int) -> Pile:
        """The numbers of a cell's pieces."""
        cell, same = board[y][x], self._same
        try:
            return [same[id(piece)][1] for piece in cell]
        except KeyError:
            if not is_wall(cell):
                return [self.number(piece) for piece in cell]
        return [self.number(piece, near) for piece, near in drawn(board, x, y)]

    def board(self, board: Board, beside: Cell) -> Data:
        """A whole board, as pages are told of it."""
        rows = [[self.pile(board, x, y) for x in range(len(row))] for y, row in enumerate(board)]
        return {
            "width": max(map(len, board), default=0),
            "height": len(board),
            "cells": rows,
            "beside": [self.number(piece) for piece in beside],
        }

    def news(self) -> list[tuple[int, Data]]:
        """The pieces that have come since this was asked last."""
        first = self._told
        if first == len(self.known):
            return []
        self._told = len(self.known)
        return list(enumerate(self.known[first:], first))


def is_wall(cell: Cell) -> bool:
    """Whether a cell has a piece that joins with its neighbours."""
    for piece in cell:  # noqa: SIM110  # half the time of `any`, and each cell that changes is asked
        if piece.shape == "wall":
            return True
    return False


@functools.lru_cache(maxsize=4096)
def piece_data(piece: Piece, near: Around | None) -> Data:
    """A piece with its drawing, of a wall beside its neighbours; what is as usual is left out."""
    data: dict[str, Any] = {"name": piece.name, "shape": piece.shape, "colours": piece.colours}
    if piece.text:
        data["text"] = piece.text
    if piece.turn:
        data["turn"] = piece.turn
    return {**data, "glyph": piece.glyph, "svg": fragment(piece, near, Brush("auto"))}
