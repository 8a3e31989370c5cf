"""Rooms, and the links between them."""

from __future__ import annotations

import numpy as np
from tests.games.sokoban.boards import position

from gridproof.games.sokoban.feature_search.rooms import count_blocked, links_of, rooms_of
from gridproof.games.sokoban.solver.board import Board

ROOMS = """
###########
#   ###   #
#@$     . #
#   ###   #
#########-#
"""


def test_rooms_are_linked_by_a_corridor() -> None:
    board = Board(position(ROOMS))
    rooms = dict(zip(board.cells, rooms_of(board.neighbours[0]), strict=True))
    assert (rooms[1, 1], rooms[3, 3], rooms[7, 1], rooms[9, 3]) == (0, 0, 1, 1)
    assert rooms[5, 2] == -1
    links = links_of(board.neighbours[0])
    blocked = {
        cell for square, cell in enumerate(board.cells) if count_blocked(links, np.array([square], np.int16))
    }
    assert blocked == {(4, 2), (5, 2), (6, 2)}
    both = np.array([board.number[4, 2], board.number[6, 2]], np.int16)
    assert count_blocked(links, both) == 1


def test_rooms_do_not_hang_together_by_a_corner() -> None:
    rows = "######\n#@$###\n#   ##\n#    #\n##   #\n###. #\n######\n"
    rooms = rooms_of(Board(position(rows)).neighbours[0])
    assert max(rooms) == 0
