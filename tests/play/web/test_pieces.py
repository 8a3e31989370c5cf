"""Pieces by numbers: one that joins with its neighbours is another one beside them."""

from __future__ import annotations

from gridproof.core.look import Piece
from gridproof.play.web.pieces import PieceTable

FLOOR, BOX = Piece("floor", ".", "floor"), Piece("box", "$", "box")
WALL = Piece("wall", "#", "wall")
ROW = (FLOOR, WALL), (FLOOR, WALL), (FLOOR, BOX)


def test_walls_are_told_apart_by_their_neighbours_and_others_are_not() -> None:
    table = PieceTable()
    for _ in range(2):
        left, right, box = (table.pile((ROW,), x, 0) for x in range(3))
        assert left[0] == right[0] == box[0]
        assert len({left[1], right[1], box[1]}) == 3
    assert len(table) == 4


def test_pieces_are_news_once() -> None:
    table = PieceTable()
    table.number(FLOOR)
    assert [number for number, _ in table.news()] == [0]
    assert table.news() == []
    table.number(BOX)
    table.number(FLOOR)
    assert [(number, data["name"]) for number, data in table.news()] == [(1, "box")]
