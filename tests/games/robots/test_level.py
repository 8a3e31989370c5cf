"""R8 and R9: every defect of a level, and levels from data."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.robots.boards import board, problems, rows_of, text_of

import gridproof as gp
from gridproof.games.robots import Kind, Level, Robot, Rule, Tile

A, B = Robot("a", Rule.A), Robot("b", Rule.B, 90)
FLOOR = Tile()


@pytest.mark.clause("R8", "R9")
@pytest.mark.parametrize(
    ("robots", "rows", "expected"),
    [
        ("", [". ."], [("R8a-two", None), ("R8a-A", None), ("R8a-B", None)]),
        ("a=A0", ["a A"], [("R8a-two", None), ("R8a-B", None)]),
        ("b=B0", ["b B"], [("R8a-two", None), ("R8a-A", None)]),
        ("a=A0 c=A0", ["a A c C", ". . . ."], [("R8a-B", None)]),
        ("b=B0 c=B0", ["b B c C", ". . . ."], [("R8a-A", None)]),
        ("a=A0 b=B0", ["a A B ."], [("R8b-none", "b")]),
        ("a=A0 b=B0", ["a A B b a"], [("R8b-many", "a")]),
        ("a=A0 b=B0", ["a A B b#"], [("R8b-broken", (3, 0))]),
        ("a=A0 b=B0", ["a A . b"], [("R8c-none", "b")]),
        ("a=A0 b=B0", ["a A A b B"], [("R8c-many", "a")]),
        ("a=A0 b=B0", ["a # A b B"], [("R8d", "a")]),
        ("a=A0 b=B0", ["a b A B ."], [("R8d", "a")]),
        ("a=A0 b=B0", ["a A aB b"], [("R8b-many", "a"), ("R8d", "b")]),
        ("a=A0 b=B0", ["a> A b B"], [("R9-conveyor", (0, 0))]),
        ("a=A0 b=B0", ["aA . b B"], [("R9-home", (0, 0))]),
        ("a=A0 b=B0", ["aA . bB"], [("R9-home", (0, 0)), ("R9-home", (2, 0))]),
        ("b=B0 a=A0", ["# #"], [("R8b-none", "b"), ("R8b-none", "a"), ("R8c-none", "b"), ("R8c-none", "a")]),
        ("a=A0 b=B0", ["bA . aB"], [("R8d", "a"), ("R8d", "b")]),
    ],
)
def test_level_problems_are_listed_in_order(robots: str, rows: list[str], expected: list[Any]) -> None:
    assert problems(text_of(robots, *rows)) == expected


@pytest.mark.clause("R9")
def test_level_problems_of_all_kinds_are_listed_at_once() -> None:
    text = text_of("a=A0 c=A0 d=A0 e=A0 f=A0", "a# A A . c c> C", "# . # . # . .", "d # D . eE . F")
    found = problems(text)
    assert found == [
        ("R8a-B", None),
        ("R8b-none", "f"),
        ("R8b-many", "c"),
        ("R8b-broken", (0, 0)),
        ("R8c-many", "a"),
        ("R8d", "d"),
        ("R9-conveyor", (5, 0)),
        ("R9-home", (4, 2)),
    ]


@pytest.mark.clause("R9")
def test_invalid_level_message_names_problems_and_line() -> None:
    with pytest.raises(gp.InvalidLevel) as caught:
        gp.read("; a comment\n\n" + text_of("a=A0 b=B0", "a> A . b"), "robots")
    assert caught.value.line == 3
    assert str(caught.value) == (
        "level at line 3: R8c-none at b: the robot b has no home; "
        "R9-conveyor at (0, 0): the robot a starts on a belt"
    )


@pytest.mark.clause("R8", "R9")
def test_mid_game_position_needs_r8_only() -> None:
    text = text_of("a=A0 b=B0", "aA b> . B")
    assert [code for code, _ in problems(text)] == ["R9-conveyor", "R9-home"]
    position: Any = gp.position(text)
    assert position.text() == text
    assert position.level.start() == position
    with pytest.raises(gp.InvalidLevel, match="R8d"):
        gp.position(text_of("a=A0 b=B0", "a # A b B"))


@pytest.mark.clause("R8")
def test_unwinnable_level_is_valid() -> None:
    # the belt carries a past its home, b can only jump over its own: plain connection is all R8d asks
    level = gp.read(text_of("a=A0 b=B0", "a > . B", ". # . b", "A # . .", "# # . ."), "robots")[0]
    assert level.start().status is gp.Status.PLAYING


def test_levels_from_data_are_those_of_texts() -> None:
    row = (Tile(occupier="a"), FLOOR, Tile(Kind.HOME, target="a"), Tile(Kind.HINT))
    other = (Tile(occupier="b"), Tile(Kind.CONVEYOR, rotation=180), Tile(Kind.HOME, target="b"), FLOOR)
    level = Level((A, B), (row, other), title="Data")
    start: Any = level.start()
    assert rows_of(start) == ["a . A ?", "b > B ."]
    assert gp.read(level.text()) == [level]
    assert Level([A, B], [list(row), list(other)]) == level  # type: ignore[arg-type]  # what is tried


@pytest.mark.clause("R1", "R2", "R3", "R33")
@pytest.mark.parametrize(
    ("robots", "tiles", "expected"),
    [
        ((A, B), (), [("R1-size", None)]),
        ((A, B), ((),), [("R1-size", None)]),
        ((A, B), ((FLOOR,), (FLOOR, FLOOR)), [("R1-size", None)]),
        ((A, B), ((FLOOR,),) * 257, [("R1-size", None)]),
        ((A, B, A), ((FLOOR,),), [("R33-twice", "a"), ("R33-twice", "a")]),
        ((A, Robot("v", Rule.B)), ((FLOOR,),), [("R33-name", "v")]),
        ((A, Robot("", Rule.B)), ((FLOOR,),), [("R33-name", "")]),
        ((A, Robot("b", "B")), ((FLOOR,),), [("R10-rule", "b")]),  # type: ignore[arg-type]  # what is tried
        ((A, Robot("b", Rule.B, 45)), ((FLOOR,),), [("R3-rotation", "b")]),
        ((A, B), ((Tile(occupier="c"),),), [("R2-tile", (0, 0))]),
        ((A, B), ((FLOOR, Tile(Kind.HOME)),), [("R2-tile", (1, 0))]),
        ((A, B), ((Tile(Kind.HINT, target="a"),),), [("R2-tile", (0, 0))]),
        ((A, B), ((Tile(Kind.CONVEYOR, rotation=45),),), [("R2-tile", (0, 0))]),
        ((A, B), ((Tile(rotation=90),),), [("R2-tile", (0, 0))]),
        ((A, B), ((Tile("?"),),), [("R2-tile", (0, 0))]),  # type: ignore[arg-type]  # what is tried
    ],
)
def test_data_that_no_text_could_give_is_refused(robots: Any, tiles: Any, expected: list[Any]) -> None:
    with pytest.raises(gp.InvalidLevel) as caught:
        Level(robots, tiles)
    assert [(problem.code, problem.where) for problem in caught.value.problems] == expected


@pytest.mark.parametrize(("robots", "tiles"), [(None, ()), ((), None), ((A, B), ((1,),)), ((1, 2), ())])
def test_data_of_other_types_is_refused(robots: Any, tiles: Any) -> None:
    with pytest.raises(gp.GridproofError, match="a level is made of robots and rows of tiles"):
        Level(robots, tiles)


@pytest.mark.parametrize("title", [" Padded", "Two\nlines", "No\0l"])
def test_titles_are_one_line(title: str) -> None:
    level = board("a=A0 b=B0", "a . A", "b . B").level
    with pytest.raises(gp.InvalidLevel, match="the title is one line"):
        Level(level.robots, level.tiles, title=title)
    with pytest.raises(gp.InvalidLevel, match="the author is one line"):
        Level(level.robots, level.tiles, author=title)


def test_actors_are_the_robots_in_their_order_and_nature() -> None:
    level = board("c=A0 b=B0", "c . C", "b . B").level
    assert level.game.actors(level) == ("c", "b", "nature")
    with pytest.raises(gp.GridproofError, match="no robot 'z'; choose from c, b"):
        level.number("z")
