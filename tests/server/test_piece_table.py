"""Pieces by numbers: one that joins with its neighbours is another one beside them."""

from __future__ import annotations

from gridproof.core.look import Piece
from gridproof.server.live.piece_table import PieceTable

FLOOR, BOX = Piece("floor", ".", "floor"), Piece("box", "$", "box")
WALL = Piece("wall", "#", "wall")
ROW = (FLOOR, WALL), (FLOOR, WALL), (FLOOR, BOX)


def test_piece_table_distinguishes_walls_by_neighbours() -> None:
    table = PieceTable()
    for _ in range(2):
        left, right, box = (table.pile((ROW,), x, 0)[-1] for x in range(3))
        assert len({left, right, box}) == 3
        assert table.pile((ROW,), 2, 0) == [table.number(FLOOR), table.number(BOX)]
    assert {data["name"] for data in table.pieces} == {"floor", "box", "wall"}


def test_piece_table_joins_wall_that_was_numbered_alone() -> None:
    table = PieceTable()
    alone = table.number(WALL)
    left, right = (table.pile((ROW,), x, 0)[-1] for x in (0, 1))
    assert len({alone, left, right}) == 3


def test_piece_table_lists_new_pieces_once() -> None:
    table = PieceTable()
    table.number(FLOOR)
    assert [number for number, _ in table.take_new()] == [0]
    assert table.take_new() == []
    table.number(BOX)
    table.number(FLOOR)
    assert [(number, data["name"]) for number, data in table.take_new()] == [(1, "box")]
