"""The look of 2048."""

from __future__ import annotations

import pytest

from gridproof.core.look import PointedCell, board_text
from gridproof.games.twenty48 import GAME, Level
from gridproof.games.twenty48.look import TILES
from gridproof.games.twenty48.puzzles import PUZZLES

LOOK = GAME.look


def luminance(colour: str) -> float:
    """WCAG's relative luminance of "#rrggbb"."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.clause("T15")
def test_board_has_one_row_a_line() -> None:
    position = Level(3, 2, board=[[2, 0, 1024], [0, 4, 0]]).start()
    assert board_text(LOOK.board(position)) == "   2    . 1024\n   .    4    .\n"
    names = [[pile[-1].name for pile in row] for row in LOOK.board(position)]
    assert names == [["tile 2", "empty cell", "tile 1024"], ["empty cell", "tile 4", "empty cell"]]


def test_tile_colours_differ_and_numbers_are_readable() -> None:
    assert len(set(TILES)) == len(TILES)
    for colour in TILES:
        light = luminance(colour)
        assert max(1.05 / (light + 0.05), (light + 0.05) / 0.05) >= 4.5  # on it, white or black


def test_very_large_tiles_have_the_last_colour() -> None:
    position = Level(2, 2, board=[[2**17, 2**18], [2**200, 2]]).start()
    (first, second), (third, fourth) = (
        tuple(pile[-1].colours for pile in row) for row in LOOK.board(position)
    )
    assert first == second == third == (TILES[-1],)
    assert fourth == (TILES[0],)


def test_moves_have_keys() -> None:
    for keys in (["left", "right", "up", "down"], list("adws"), list("hlkj")):
        assert [LOOK.keys[key] for key in keys] == ["left", "right", "up", "down"]


@pytest.mark.clause("T15")
def test_messages() -> None:
    assert LOOK.goal(Level(3, 3, target=64)) == "Merge equal tiles until you make a 64. Each move adds a 2."
    assert (
        LOOK.goal(Level(4, 4, "classic", 8192))
        == "Merge equal tiles until you make an 8192. Each move adds a 2, or one time in ten a 4."
    )
    assert all(word in LOOK.prompt for word in ("left", "right", "up", "down"))
    assert "won" in LOOK.won
    assert "lost" in LOOK.lost
    assert LOOK.farewell


def test_counts_are_moves_and_target() -> None:
    position = Level(target=64).start()
    assert LOOK.counts(position, LOOK.tally.start) == (("moves", "0"), ("target", "64"))


def _target(board: list[list[int]]) -> str:
    position = Level(len(board[0]), len(board), target=16, board=board).start()
    return dict(LOOK.counts(position, LOOK.tally.start))["target"]


def test_count_of_target_is_the_next_tile_after_a_win() -> None:
    assert _target([[16, 2, 0], [0, 0, 0]]) == "32"


def test_count_of_target_is_that_of_the_line_at_the_end_and_without_room_for_more() -> None:
    assert _target([[16, 2], [0, 0]]) == "16"
    assert _target([[16, 2, 4], [2, 4, 2]]) == "16"


@pytest.mark.parametrize(
    ("at", "meant"),
    [
        (PointedCell(1, 1, (3, 2)), ("right",)),
        (PointedCell(1, 1, (1, 0)), ("up",)),
        (PointedCell(3, 1, (0, 1)), ("left",)),
        (PointedCell(0, 0, (0, 3)), ("down",)),
        (PointedCell(0, 0, (2, 2)), ()),
        (PointedCell(0, 0, (0, 0)), ()),
        (PointedCell(3, 1), ("right",)),
        (PointedCell(0, 2), ("left",)),
        (PointedCell(1, 0), ("up",)),
        (PointedCell(2, 3), ("down",)),
        (PointedCell(0, 0), ()),
    ],
)
def test_swipes_and_sides_of_the_board_are_moves(at: PointedCell, meant: tuple[str, ...]) -> None:
    position = Level(4, 4).start(1)
    assert LOOK.pointed(position, at) == meant


def test_goal_after_a_win_is_the_next_tile() -> None:
    def goal(*rows: list[int], spawn: str = "spec") -> str:
        level = Level(len(rows[0]), len(rows), target=16, spawn=spawn, board=list(rows))
        return LOOK.next_goal(level.start())

    assert goal([8, 2], [0, 0]) == ""
    assert goal([16, 2, 0], [0, 0, 0]) == "You have won; go on until you make a 32. Each move adds a 2."
    assert goal([16, 16], [0, 0]) == "You have won; go on until you make a 32. Each move adds a 2."
    assert goal([16, 2], [0, 0]) == "You have won; go on for points. Each move adds a 2."
    assert goal([16, 2], [0, 0], spawn="classic").startswith("You have won; go on until you make a 32.")
    assert goal([16, 2], [2, 4]) == ""  # no move is left


def test_sizes_of_new_puzzles_say_where_one_begins() -> None:
    assert {kind.meaning.partition("; ")[2] for kind in PUZZLES.kinds} == {
        "you begin up to 20 moves before the tile 64",
        "you begin up to 30 moves before the tile 2048",
    }
