"""The template: a game copied from it begins with these tests."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridproof as gp
from gridproof.core.look import board_text
from gridproof.core.position import Outcome
from gridproof.core.proposition import propositions
from gridproof.games.null import GAME, Level, Move, Position
from gridproof.games.null.rules import Walked
from gridproof.testing import check_game


def test_keeps_what_every_front_end_relies_on() -> None:
    check_game(GAME)


@pytest.mark.clause("N1")
@pytest.mark.parametrize(
    ("width", "walker", "flag", "problems"),
    [
        (3, 3, 0, ["N1-outside at 3: the walker is outside the row"]),
        (3, 0, -1, ["N1-outside at -1: the flag is outside the row"]),
        (3, 1, 1, ["N1-same at 1: the walker starts on the flag"]),
        (
            1,
            7,
            7,
            [
                "N1-outside at 7: the walker is outside the row",
                "N1-outside at 7: the flag is outside the row",
                "N1-same at 7: the walker starts on the flag",
            ],
        ),
    ],
)
def test_level_problems_are_listed(width: int, walker: int, flag: int, problems: list[str]) -> None:
    with pytest.raises(gp.InvalidLevel) as caught:
        Level(width, walker, flag)
    assert [str(problem) for problem in caught.value.problems] == problems


@pytest.mark.clause("N2", "N3")
@pytest.mark.parametrize(
    ("walker", "moves"),
    [
        (0, [Move.RIGHT, Move.HOP]),
        (1, [Move.LEFT, Move.RIGHT, Move.HOP]),
        (2, [Move.LEFT, Move.RIGHT]),
    ],
)
def test_moves_that_stay_in_the_row_are_executable(walker: int, moves: list[Move]) -> None:
    position = Position(Level(4, 0, 3), walker)
    assert list(position.actions()) == list(position.actions("player")) == moves
    assert position.actions("nature") == ()
    for move in set(Move) - set(moves):
        with pytest.raises(gp.IllegalAction):
            position.outcomes(move)


@pytest.mark.clause("N2")
@pytest.mark.parametrize(("move", "to"), [(Move.LEFT, 1), (Move.RIGHT, 3)])
def test_step_goes_one_cell(move: Move, to: int) -> None:
    level = Level(6, 2, 5)
    (outcome,) = level.start().outcomes(move)
    assert outcome.position == Position(level, to)
    assert outcome == Outcome(Position(level, to), Fraction(1), 0, (Walked(to),), "")


@pytest.mark.clause("N3")
def test_hop_goes_one_or_two_cells_with_equal_probability() -> None:
    level = Level(6, 2, 5)
    assert list(level.start().outcomes(Move.HOP)) == [
        Outcome(Position(level, 3), Fraction(1, 2), 0, (Walked(3),), "by 1"),
        Outcome(Position(level, 4), Fraction(1, 2), 0, (Walked(4),), "by 2"),
    ]


@pytest.mark.clause("N4")
def test_won_on_the_flag() -> None:
    position = Position(Level(4, 0, 2), 2)
    assert position.won
    assert position.status is gp.Status.WON
    assert position.actions() == ()
    with pytest.raises(gp.IllegalAction):
        position.outcomes(Move.LEFT)


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        (".@x\n", 1, 3, "'x' in a row (expected one of . @ o *)"),
        ("title: a\n.@\n", 2, 0, "a board without flag (expected one of o *)"),
        ("@@o\n", 1, 2, "a second walker (expected one of @ * only)"),
    ],
)
def test_broken_texts(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(gp.ParseError) as caught:
        gp.read(text, "null")
    assert (caught.value.line, caught.value.column) == (line, column)
    assert message in str(caught.value)


def test_invalid_level_says_where_it_begins() -> None:
    with pytest.raises(gp.InvalidLevel, match="level at line 2: N1-same"):
        gp.read("\ntitle: a\n.*\n", "null")


@pytest.mark.parametrize(
    ("text", "recognised"),
    [("title: a\n.@o\n", True), ("*.\n", True), (".@.\n", False), ("title: a\n", False), ("x@o\n", False)],
)
def test_recognised_by_content(text: str, recognised: bool) -> None:
    assert bool(GAME.formats[0].claim(text)) is recognised


def test_titles_belong_to_the_next_level() -> None:
    pack = gp.read("title: First\n.@o\n@o\ntitle: Third\n@.o\n", "null")
    assert [level.title for level in pack] == ["First", "", "Third"]
    assert pack.text() == "title: First\n.@o\n\n@o\n\ntitle: Third\n@.o\n"


@pytest.mark.parametrize("text", ["..*\n", "@o\n", ".o@\n"])
def test_position_texts(text: str) -> None:
    level = Level(3, 0, 2)
    if text == "..*\n":
        assert level.position(text) == Position(level, 2)
        assert level.position(text).text() == text
        return
    with pytest.raises(gp.ParseError, match="2x1 cells" if len(text) == 3 else "the flag of another level"):
        level.position(text)


@given(st.integers(2, 20), st.data())
def test_positions_round_trip(width: int, data: st.DataObject) -> None:
    walker, flag = data.draw(st.permutations(range(width)))[:2]
    level = Level(width, walker, flag)
    position = Position(level, data.draw(st.integers(0, width - 1)))
    assert level.position(position.text()) == position
    assert board_text(GAME.look.board(position)) == position.text().replace("*", "@")


@pytest.mark.parametrize(("x", "stands"), [(0, False), (1, True)])
def test_at(x: int, stands: bool) -> None:
    assert propositions(GAME)["at"].value(Level(3, 1, 2).start(), x) is stands


@pytest.mark.parametrize("x", [3, -1, "a"])
def test_proposition_at_refuses_missing_cell(x: int | str) -> None:
    with pytest.raises(gp.GridproofError, match="the cells are 0 to 2"):
        propositions(GAME)["at"].value(Level(3, 1, 2).start(), x)
