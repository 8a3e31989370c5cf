"""S26: pictures, and what front ends read."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.games.shiftit.boards import level, positions, runs, start, unwinnable_board

import gridproof as gp
from gridproof.core.look import COLOURS, PointedCell, board_text
from gridproof.games.shiftit import GAME, Level, Move, Position, Tile
from gridproof.games.shiftit.look import SCREWS, board, marks, paint, words
from gridproof.games.shiftit.runs import Run
from gridproof.games.shiftit.text_picture import position_picture, run_picture
from gridproof.table.keys import keys_on


@pytest.mark.clause("S26")
def test_cell_has_four_coloured_quarters_and_screws_when_locked() -> None:
    ((first, second),) = board(start("rgbt* y"))
    (quarters, screws) = first
    assert (quarters.shape, quarters.glyph) == ("quarters", "rgbt*")
    assert screws == SCREWS._replace(name=quarters.name)  # the top piece is read aloud
    assert quarters.colours[:3] == ("red", "green", "blue")
    assert quarters.name == "t1: up red, right green, down blue, left t, locked"
    assert [piece.name for piece in second] == ["t2: yellow"]
    assert second[0].colours == ("yellow",) * 4


@pytest.mark.clause("S26")
@pytest.mark.parametrize(
    ("move", "place", "turn"),
    [
        (Move("RM", 5, "right"), (3, 0), 0),
        (Move("RM", 4, "left"), (-1, 1), 180),
        (Move("CM", -1, "up"), (0, -1), 270),
        (Move("CM", 1, "down"), (2, 2), 90),
    ],
)
def test_arrow_stands_beside_the_line_and_points_where_it_moves(
    move: Move, place: tuple[int, int], turn: int
) -> None:
    tiles = [Tile(f"t{x + 1}{y}", x, y, ["x", *[f"c{x}{y}"] * 3]) for x in (-1, 0, 1) for y in (4, 5)]
    position = Level(tiles).start()
    assert move in position.actions()
    (mark,) = marks(position, move)
    assert ((mark.x, mark.y), mark.piece.shape, mark.piece.turn) == (place, "arrow", turn)


@pytest.mark.parametrize(
    ("at", "meant"),
    [
        (PointedCell(-1, 0), ("RM(1,left)",)),
        (PointedCell(3, 1), ("RM(0,right)",)),
        (PointedCell(1, -1), ("CM(1,up)",)),
        (PointedCell(2, 2), ("CM(2,down)",)),
        (PointedCell(0, 0), ()),
        (PointedCell(0, 0, (2, 0)), ("RM(1,right)",) * 2),
        (PointedCell(2, 1, (1, 1)), ("RM(0,left)",)),
        (PointedCell(1, 0, (1, 1)), ("CM(1,down)",)),
        (PointedCell(1, 1, (1, 0)), ("CM(1,up)",)),
        (PointedCell(0, 0, (1, 1)), ()),
        (PointedCell(0, 0, (0, 0)), ()),
        (PointedCell(0, 9, (1, 9)), ()),
        (PointedCell(9, 0, (9, 1)), ()),
    ],
)
def test_gestures_on_arrows_and_lines_are_moves(at: PointedCell, meant: tuple[str, ...]) -> None:
    position = unwinnable_board(3, 2).start()
    assert GAME.look.pointed(position, at) == meant
    for text in meant[:1]:
        position.action(text)


@pytest.mark.clause("S26")
def test_run_picture_shows_boards_and_moves() -> None:
    run = Run(level("xrgb b\nr    xggg*\nnames: a b c d"), 1, [Move("CM", 0, "up")])
    assert (
        run_picture(run)
        == """\
time 0: CM(0,up), column 1 up
      ^
   +-----+-----+
   |  x  |     |
   |b   r|  b  |
   |  g  |     |
   +-----+-----+
   |     |* x *|
   |  r  |g   g|
   |     |* g *|
   +-----+-----+

time 1
   +-----+-----+
   |     |     |
   |  r  |  b  |
   |     |     |
   +-----+-----+
   |  x  |* x *|
   |b   r|g   g|
   |  g  |* g *|
   +-----+-----+
"""
    )


@pytest.mark.clause("S26")
@pytest.mark.parametrize(
    ("move", "line", "column", "arrow"),
    [
        ("RM(1,left)", 2, 0, "<"),
        ("RM(0,right)", 6, 24, ">"),
        ("CM(2,up)", 0, 18, "^"),
        ("CM(1,down)", 9, 12, "v"),
    ],
)
def test_position_picture_has_one_arrow_for_the_move(move: str, line: int, column: int, arrow: str) -> None:
    position = unwinnable_board(3, 2).start()
    plain, marked = (
        position_picture(position, chosen).split("\n") for chosen in (None, position.action(move))
    )
    assert marked[line][column] == arrow
    assert sum(text.count(arrow) for text in marked) == 1
    assert sum(text.count(arrow) for text in plain) == 0


@pytest.mark.clause("S26")
def test_run_picture_names_the_end() -> None:
    run = Run(level("b r\nr b"), 2, [Move("RM", 0, "left")])
    assert [line for line in run_picture(run).split("\n") if "time" in line] == [
        "time 0: RM(0,left), row 2 left", "time 1: won", "time 2: won",
    ]  # fmt: skip
    assert "time 0: ended\n" in run_picture(Run(level("r* g\nb r*"), 0))


@pytest.mark.slow
@given(runs(horizon=2))
def test_run_picture_shows_every_time(run: Run) -> None:
    lines = run_picture(run).split("\n")
    assert sum(line.startswith("time ") for line in lines) == run.horizon + 1


@given(positions())
def test_boards_have_colours_of_the_pictures(position: Position) -> None:
    for row in GAME.look.board(position):
        for pile in row:
            for colour in pile[0].colours:
                assert colour in COLOURS or (len(colour) == 7 and int(colour[1:], 16) >= 0)
    assert board_text(board(position)).count("\n") == len(position.level.rows)


def test_other_colours_have_shades_of_their_own() -> None:
    assert paint("red") == "red"
    assert len({paint(letter) for letter in "acdefhijklmnqstuvwxz"}) == 20


def test_moves_have_words_and_keys() -> None:
    level = unwinnable_board(4, 4)
    assert words(level, Move("CM", 2, "down")) == "column 3 down"
    assert words(level, Move("RM", 0, "right")) == "row 4 right"
    moves = {str(move) for move in level.moves}
    assert set(GAME.look.keys.values()) == moves
    assert len(GAME.look.keys) == len(moves)


@pytest.mark.clause("S5")
@pytest.mark.parametrize(("columns", "rows"), [(range(2), range(3)), (range(5, 7), range(-1, 2))])
def test_keys_count_rows_from_the_top_as_the_board_does(columns: range, rows: range) -> None:
    tiles = [Tile(f"t{x}_{y - rows[0]}", x, y, ("red",) * 4, False) for x in columns for y in rows]
    level = Level(tiles)
    moves = {str(move): move for move in level.moves}
    described = {key: words(level, moves[text]) for key, text in keys_on(level).items()}
    rows_shown = {"f": "row 1 left", "g": "row 2 left", "h": "row 3 left", "F": "row 1 right"}
    columns_shown = {"1": "column 1 up", "2": "column 2 up", "z": "column 1 down", "x": "column 2 down"}
    assert described == {**rows_shown, "G": "row 2 right", "H": "row 3 right", **columns_shown}


@pytest.mark.clause("S1", "S5")
def test_rows_and_columns_are_numbered_from_1_at_the_upper_left_whatever_their_coordinates() -> None:
    tiles = [Tile(f"t{x}{y + 1}", x, y, ("red",) * 4, False) for x in (5, 6) for y in (-1, 0, 1)]
    position = Level(tiles).start()
    assert GAME.look.numbers
    numbers = GAME.look.numbers(position)
    assert ([*numbers.rows], [*numbers.columns]) == ([1, 2, 3], [1, 2])
    for move in position.level.moves:
        (mark,) = GAME.look.marks(position, move)
        beside = numbers.rows[mark.y] if move.kind == "RM" else numbers.columns[mark.x]
        assert words(position.level, move).split()[1] == str(beside)


@pytest.mark.slow
def test_goal_explains_screws_on_levels_with_screws() -> None:
    for board_level in gp.levels_at("shiftit/boards"):
        assert isinstance(board_level, Level)
        has_screws = any(tile.locked for tile in board_level.tiles)
        assert ("screws" in board_level.game.look.goal(board_level)) == has_screws
