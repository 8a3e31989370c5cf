"""S1 to S8, S14, S15 and S23: boards, moves and the end."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from tests.games.shiftit.boards import (
    NEVER_WON,
    after,
    level,
    names,
    positions,
    start,
    unwinnable_board,
)
from tests.packs import late

import gridproof as gp
from gridproof.core.errors import GridproofError, IllegalAction, InvalidLevel
from gridproof.core.position import Status
from gridproof.core.proposition import parse_goal
from gridproof.games.shiftit import GAME, Level, Move, Position, Shifted, Tile
from gridproof.games.shiftit.elements import Real, parse_name


def problems(*tiles: Tile, **about: Any) -> list[str]:
    with pytest.raises(InvalidLevel) as error:
        Level(tiles, **about)
    return [str(problem) for problem in error.value.problems]


# -- boards


@pytest.mark.clause("S1")
def test_x_grows_to_the_right_and_y_upwards() -> None:
    board = level(NEVER_WON)
    where = {tile.name: (tile.x, tile.y) for tile in board.tiles}
    assert where == {"a": (0, 1), "b": (1, 1), "c": (2, 1), "d": (0, 0), "e": (1, 0), "f": (2, 0)}


@pytest.mark.clause("S1")
def test_tiles_are_kept_in_reading_order_and_any_interval_will_do() -> None:
    tiles = [Tile(f"t{x}_{y + 1}", x, y, "red") for x in (4, 5) for y in (-1, 0)]
    board = Level(reversed(tiles))
    assert [(tile.x, tile.y) for tile in board.tiles] == [(4, 0), (5, 0), (4, -1), (5, -1)]
    assert (board.columns, board.rows) == (range(4, 6), range(-1, 1))
    assert board == Level(tiles, [5, 4], range(-1, 1))
    assert [board.place(*board.coordinates(place)) for place in range(4)] == [0, 1, 2, 3]


@pytest.mark.clause("S1")
def test_level_problems_of_positions_are_listed() -> None:
    assert problems() == ["S1-empty: there is no tile"]
    assert problems(Tile("a", 0, 0, "red"), Tile("b", 2, 0, "red")) == [
        "S1-interval at x: the x coordinates are no interval: after 0 comes 2"
    ]
    (gap,) = problems(*(Tile(f"t{x + 2}", x, 0, "red") for x in (3, -1, 0, 5)))
    assert gap == "S1-interval at x: the x coordinates are no interval: after 0 comes 3"
    assert problems(Tile("a", 0, 0, "red"), Tile("b", 0, 0, "red"), Tile("c", 1, 1, "red")) == [
        "S1-missing at (0, 1): no tile lies on P(0,1)",
        "S1-occupied at (0, 0): a, b lie on P(0,0)",
        "S1-missing at (1, 0): no tile lies on P(1,0)",
    ]
    assert problems(Tile("a", 0, 0, "red"), Tile("b", 1, 5, "red"), columns=range(2), rows=[0]) == [
        "S1-outside at b: P(1,5) is no position of the board",
        "S1-missing at (1, 0): no tile lies on P(1,0)",
    ]
    assert problems(Tile("a", 0, 0, "red"), columns=[], rows=[0]) == [
        "S1-interval at x: there is no x coordinate",
        "S1-outside at a: P(0,0) is no position of the board",
    ]


@pytest.mark.clause("S1")
def test_board_size_is_limited_also_for_endless_coordinates() -> None:
    one = Tile("a", 0, 0, "red")
    assert problems(one, columns=range(10**18), rows=[0]) == ["S1-size: a board has at most 4096 positions"]
    assert problems(*[one] * 5000) == ["S1-size: a board has at most 4096 positions"]


@pytest.mark.clause("S2", "S3")
def test_level_problems_of_colours_and_names_are_all_listed() -> None:
    bare = Tile("a", 0, 0, ["red", None, "blue", None])
    assert problems(bare, Tile("b", 1, 0, ['"', "", "x\ny", "fine"]), Tile("b", 2, 0, "red")) == [
        "S17-same-name at b: two tiles have this name",
        "S3-uncoloured at S(a,right): neither the side nor its tile is given a colour",
        "S3-uncoloured at S(a,left): neither the side nor its tile is given a colour",
        "S2-colour at S(b,up): '\"' is no colour: a text without quotation marks or breaks",
        "S2-colour at S(b,right): '' is no colour: a text without quotation marks or breaks",
        "S2-colour at S(b,down): 'x\\ny' is no colour: a text without quotation marks or breaks",
    ]


@pytest.mark.clause("S2")
def test_tile_takes_one_colour_for_four_sides() -> None:
    assert Tile("a", 0, 0, "red") == Tile("a", 0, 0, ["red"] * 4)
    assert Tile("a", 0, 0, "red").colours == ("red",) * 4


@pytest.mark.clause("S17")
@pytest.mark.parametrize(
    "name", ["", "a b", "up", "true", '"plain"', "007", "1.0", '"a"b"', "a-b", "'c'", "-0"]
)
def test_tile_name_must_be_the_spelling_of_an_element(name: str) -> None:
    (problem,) = problems(Tile(name, 0, 0, "red"))
    assert problem.startswith(f"S17-name at {name}: a tile's name is")


def test_invalid_spelling_is_no_tile_name() -> None:
    assert [parse_name(text) for text in ("a", '"a b"', "-3", "1.5")] == ["a", "a b", -3, Real("1.5")]
    with pytest.raises(GridproofError, match="'up' is no name of a tile"):
        parse_name("up")


@pytest.mark.clause("S17")
@pytest.mark.parametrize("name", ["a", "_x'1", "12", "-3", "1.5", '"up"', '"a b"', '""', '"7"'])
def test_names_of_every_kind_survive_both_formats(name: str) -> None:
    board = Level([Tile(name, 0, 0, "red"), Tile("other", 1, 0, "blue")])
    for form in ("shiftit", "structure"):
        assert gp.read(gp.write(board, format=form)) == [board]


@pytest.mark.parametrize(
    "values",
    [
        ("a", 0, 0, ["red"] * 3),
        ("a", 0.5, 0, "red"),
        (1, 0, 0, "red"),
        ("a", 0, True, "red"),
        ("a", 0, 0, [1] * 4),
    ],
)
def test_tile_refuses_wrong_values(values: tuple[object, ...]) -> None:
    with pytest.raises(GridproofError, match="no tile"):
        Tile(*values)  # type: ignore[arg-type]  # what is tried


# -- moves


@pytest.mark.clause("S5")
@pytest.mark.parametrize(
    ("move", "rows"),
    [
        ("RM(1,left)", ["b c a", "d e f"]),
        ("RM(1,right)", ["c a b", "d e f"]),
        ("RM(0,left)", ["a b c", "e f d"]),
        ("RM(0,right)", ["a b c", "f d e"]),
        ("CM(0,up)", ["d b c", "a e f"]),
        ("CM(2,down)", ["a b f", "d e c"]),
    ],
)
def test_line_shifts_by_one_and_wraps_around(move: str, rows: list[str]) -> None:
    assert names(after(start(NEVER_WON), move)) == rows


@pytest.mark.clause("S5")
def test_up_is_towards_the_larger_y_in_a_column_of_three() -> None:
    tower = start("xrrr\nxggg\nxbbb\nnames: a b c")
    assert names(after(tower, "CM(0,up)")) == ["b", "c", "a"]
    assert names(after(tower, "CM(0,down)")) == ["c", "a", "b"]


@pytest.mark.clause("S5")
def test_known_run_ends_at_its_known_placement() -> None:
    end = after(
        start("xrrr xggg xbbb\nxyyy xooo xppp\nxaaa xccc xddd\nnames: a b c d e f g h i"),
        "RM(2,left)",
        "CM(0,down)",
        "CM(2,up)",
        "RM(1,right)",
    )
    assert names(end) == ["g c f", "i b e", "d h a"]


@pytest.mark.clause("S5")
def test_moves_are_listed_in_a_fixed_order_and_read_by_their_texts() -> None:
    position = start(NEVER_WON)
    texts = [str(move) for move in position.actions()]
    assert texts == [
        "RM(0,left)", "RM(0,right)", "RM(1,left)", "RM(1,right)",
        "CM(0,up)", "CM(0,down)", "CM(1,up)", "CM(1,down)", "CM(2,up)", "CM(2,down)",
    ]  # fmt: skip
    assert [position.action(text) for text in texts] == list(position.actions("player"))
    assert position.actions("nature") == ()


@pytest.mark.clause("S5")
def test_lines_are_named_by_their_coordinates() -> None:
    places = {"a": (7, -2), "b": (8, -2), "c": (7, -1), "d": (8, -1)}
    board = Level(Tile(name, x, y, ["x", *[name] * 3]) for name, (x, y) in places.items())
    position = board.start()
    assert names(after(position, "RM(-2,left)")) == ["c d", "b a"]
    assert names(after(position, "CM(8,up)")) == ["c b", "a d"]


@pytest.mark.clause("S4", "S6")
def test_line_with_locked_tile_cannot_move() -> None:
    position = start("xrrr xggg xbbb*\nxyyy xooo xppp\nnames: a b c d e f")
    assert [str(move) for move in position.actions()] == [
        "RM(0,left)", "RM(0,right)", "CM(0,up)", "CM(0,down)", "CM(1,up)", "CM(1,down)",
    ]  # fmt: skip
    with pytest.raises(IllegalAction, match=r"RM\(1,left\): the tile in column 3 is locked"):
        position.outcomes(Move("RM", 1, "left"))
    with pytest.raises(IllegalAction, match=r"CM\(2,up\): the tile in row 1 is locked"):
        position.action("CM(2,up)")


@pytest.mark.clause("S6")
@pytest.mark.parametrize(
    "move", [("RM", 0, "up"), ("CM", 0, "left"), ("RM", 2, "left"), ("CM", -1, "up"), ("XM", 0, "up")]
)
def test_outcomes_refuse_other_moves(move: tuple[str, int, str]) -> None:
    with pytest.raises(IllegalAction, match="this board has no such move"):
        start(NEVER_WON).outcomes(Move(*move))


@pytest.mark.clause("S8")
def test_row_move_is_valid_and_changes_nothing_when_width_is_1() -> None:
    position = start("r\ng\nr")
    assert Move("RM", 1, "left") in position.actions()
    (outcome,) = position.outcomes(Move("RM", 1, "left"))
    assert outcome.position == position
    assert outcome.events == (Shifted(Move("RM", 1, "left")),)
    flat = start("r g r")
    assert [after(flat, f"CM(1,{way})") == flat for way in ("up", "down")] == [True, True]


@pytest.mark.clause("S6", "S8")
def test_locked_tile_blocks_its_row_when_width_is_1() -> None:
    assert start("r*\ng\nr").actions() == tuple(
        Move("RM", y, way) for y in (0, 1) for way in ("left", "right")
    )


@pytest.mark.slow
@given(positions())
@pytest.mark.clause("S5", "S24")
def test_move_and_its_opposite_restore_the_board(position: Position) -> None:
    effects = position.level.effects
    for move, (shift, _) in effects.items():
        assert effects[move.opposite][0](shift(position.tiles)) == position.tiles


@pytest.mark.slow
@given(positions())
@pytest.mark.clause("S4", "S5", "S6")
def test_move_shifts_only_the_tiles_of_its_line_by_one(position: Position) -> None:
    board = position.level
    steps = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}
    for move, (shift, _) in board.effects.items():
        then = shift(position.tiles)
        for place, tile in enumerate(position.tiles):
            x, y = board.coordinates(place)
            if move.line == (y if move.kind == "RM" else x):
                dx, dy = steps[move.direction]
                x = board.columns[(x + dx - board.columns[0]) % len(board.columns)]
                y = board.rows[(y + dy - board.rows[0]) % len(board.rows)]
            assert then[board.place(x, y)] == tile
        assert all(then[index] == index for index, tile in enumerate(board.tiles) if tile.locked)


# -- the end


@pytest.mark.clause("S7", "S14", "S15")
def test_won_game_has_ended_and_allows_no_move() -> None:
    won = after(start("b r\nr b"), "RM(0,left)")
    assert (won.won, won.ended, won.status, won.actions()) == (True, True, Status.WON, ())
    with pytest.raises(IllegalAction, match="the game has ended"):
        won.outcomes(Move("RM", 0, "left"))


@pytest.mark.clause("S14")
def test_board_without_moves_has_ended_without_a_win() -> None:
    stuck = start("r* g\nb r*")
    assert (stuck.won, stuck.ended, stuck.status) == (False, True, Status.LOST)


@pytest.mark.clause("S7", "S15")
def test_session_refuses_move_but_allows_undo_after_the_end() -> None:
    session = gp.Session(level("b r\nr b"))
    session.act("RM(0,left)")
    with pytest.raises(IllegalAction):
        session.act("RM(0,left)")
    session.undo()
    assert session.status is Status.PLAYING


@pytest.mark.clause("S23")
def test_near_is_the_start_or_one_of_its_four_neighbours_without_wrap_around() -> None:
    near = parse_goal(GAME, "near")
    position = unwinnable_board(3, 3).start()
    assert near(position)
    assert not near(after(position, "RM(1,left)"))  # the first tile of the row has gone round
    small = unwinnable_board(2, 2).start()
    assert near(after(small, "RM(0,left)"))
    assert not near(after(small, "RM(0,left)", "CM(0,up)"))  # one tile lies across a corner now
    assert near(start("r"))


@pytest.mark.clause("S23")
@pytest.mark.parametrize(("columns", "rows"), [(range(3), range(3)), (range(4, 5), range(-2, 3))])
def test_neighbours_differ_by_one_in_one_coordinate(columns: range, rows: range) -> None:
    board = Level([Tile(f"t{x}_{y + 9}", x, y, "red") for x in columns for y in rows])
    cells = [board.coordinates(place) for place in range(len(board.tiles))]
    assert [{cells[place] for place in near} for near in board.neighbourhoods] == [
        {cell for cell in cells if abs(cell[0] - x) + abs(cell[1] - y) <= 1} for x, y in cells
    ]


# -- counts


def reachable(board: Level) -> int:
    found = {board.start()}
    frontier = list(found)
    while frontier:
        reached = {
            outcome.position
            for position in frontier
            for move in position.actions()
            for outcome in position.outcomes(move)
        }
        frontier = list(reached - found)
        found |= reached
    return len(found)


@pytest.mark.clause("S5", "S6", "S25")
@pytest.mark.parametrize(
    ("board", "count"),
    [
        (late(unwinnable_board, 2, 2), 24),
        (late(unwinnable_board, 3, 2), 720),
        (late(unwinnable_board, 2, 3), 720),
    ],
)
def test_unwinnable_boards_reach_every_placement(board: Level, count: int) -> None:
    assert reachable(board) == count


@pytest.mark.slow
@pytest.mark.clause("S5", "S6", "S25")
@pytest.mark.parametrize(
    ("board", "count"),
    [
        (late(unwinnable_board, 3, 3), 181_440),
        (late(unwinnable_board, 4, 2), 40_320),
        (late(unwinnable_board, 3, 3, locked=(4,)), 20_160),
    ],
)
def test_larger_boards_reach_the_known_number_of_placements(board: Level, count: int) -> None:
    assert reachable(board) == count


# -- values


@pytest.mark.slow
@given(positions())
def test_positions_are_values(position: Position) -> None:
    copy = pickle.loads(pickle.dumps(position))
    assert copy == position
    assert hash(copy) == hash(position)
    assert position.level.position(position.text()) == position
    assert (position == 1) is False


def test_level_has_one_start() -> None:
    board = level("r g")
    assert [outcome.position for outcome in board.starts()] == [board.start()] == [board.start(7)]


def test_placement_of_another_level_is_another_position() -> None:
    assert start("r g") != start("g r")
    assert start("r g") == Position(level("r g"), (0, 1))
