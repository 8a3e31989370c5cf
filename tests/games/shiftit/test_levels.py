"""The boards that come with the game."""

from __future__ import annotations

import pytest
from tests.packs import each, pack

import gridproof as gp
from gridproof.games.shiftit import Level
from gridproof.search.solve import breadth_first

BOARDS = "shiftit/boards"
MEASURED = each(BOARDS)[:-1]
"""The last is too difficult for breadth-first search."""


def test_boards_range_from_2x2_to_4x4_with_locked_tiles() -> None:
    boards = [board for board in pack(BOARDS) if isinstance(board, Level)]
    assert len(boards) >= 25
    sizes = {(len(board.columns), len(board.rows)) for board in boards}
    assert {(2, 2), (3, 2), (3, 3), (4, 3), (5, 3), (4, 4)} <= sizes
    assert sum(any(tile.locked for tile in board.tiles) for board in boards) >= 5


def test_certificates_win() -> None:
    lengths = []
    for board in pack(BOARDS):
        assert board.certificate is not None
        assert board.certificate.start == board.start()
        assert board.certificate.replay().won
        lengths.append(len(board.certificate.steps))
    assert {1, 2, 3, 4, 5, 6, 7} <= set(lengths)


def test_pack_is_written_as_it_is_read() -> None:
    again = gp.read(gp.write(pack(BOARDS)))
    assert again == pack(BOARDS)
    assert [board.title for board in again] == [board.title for board in pack(BOARDS)]
    assert len({board.title for board in pack(BOARDS)}) == len(pack(BOARDS))


@pytest.mark.slow
@pytest.mark.parametrize("board", each(BOARDS))
def test_certificates_are_shortest_solutions(board: Level) -> None:
    assert board.certificate is not None
    solution = gp.solve(board)
    assert (solution.found, solution.optimal, solution.cost) == (True, True, len(board.certificate.steps))


@pytest.mark.slow
@pytest.mark.parametrize("board", MEASURED)
def test_breadth_first_search_agrees_with_the_keys(board: Level) -> None:
    solution = breadth_first(board.start())
    assert solution.optimal
    assert board.keys["Moves"] == str(solution.cost)
    assert board.keys["Difficulty"] == str(solution.states)


def test_keys_have_the_fewest_moves() -> None:
    for board in pack(BOARDS):
        assert board.certificate is not None
        assert board.keys["Moves"] == str(len(board.certificate.steps))
