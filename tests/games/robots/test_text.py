"""R33: the text format, read, written and refused."""

from __future__ import annotations

import contextlib
import dataclasses
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.robots.boards import after, board, random_board, rows_of, text_of

import gridproof as gp
from gridproof.core.look import board_text
from gridproof.games.robots.text import recognises

EXAMPLE = """\
robots 6x3
a: rule=A rotation=0
b: rule=B rotation=270
board:
a . > > v A
. # . ? v .
B . . . . b
"""


@pytest.mark.clause("R33")
def test_example_of_the_rules_round_trips() -> None:
    (level,) = gp.read(EXAMPLE)
    assert level.text() == EXAMPLE
    assert level.start().text() == EXAMPLE
    assert level.position(EXAMPLE) == level.start()
    assert gp.position(EXAMPLE) == level.start()


@pytest.mark.clause("R33")
def test_robots_on_other_tiles_are_written_before_them() -> None:
    rows = ("a? b> . cC B", ". . . . .", ". . d^ A D")
    position = board("a=A0 b=B0 c=A0 d=B90", *rows)
    assert rows_of(position) == list(rows)
    assert position.cell("c") == (3, 0)
    assert gp.position(position.text()) == position


@pytest.mark.clause("R33")
def test_robots_have_the_order_of_the_header() -> None:
    level: Any = gp.read(text_of("z=A0 b=B90 k=A180", "b . z k", "K Z B ."))[0]
    assert [robot.name for robot in level.robots] == ["z", "b", "k"]
    assert after(level.start(), "b:rotate(90)").text() == text_of("z=A0 b=B180 k=A180", "b . z k", "K Z B .")


PACK = f"""\
; Levels of a test
;  by nobody

robots 6x3
title: The first: a start
author: Nobody at all
; a comment among the lines
a: rule=A rotation=0
b: rule=B rotation=270
board:
a . > > v A
; another
. # . ? v .
  B  .\t.  . .   b


{EXAMPLE}; the end
"""


@pytest.mark.clause("R33")
def test_packs_titles_authors_and_comments() -> None:
    pack = gp.read(PACK)
    assert [(level.title, level.author) for level in pack] == [
        ("The first: a start", "Nobody at all"),
        ("", ""),
    ]
    assert pack.notes == ("Levels of a test", "by nobody")
    assert pack[0] == pack[1]
    again = gp.read(pack.text())
    assert again == pack
    assert again.text() == pack.text()
    assert again[0].title == "The first: a start"
    assert again.notes == pack.notes


@pytest.mark.clause("R33")
def test_keys_are_comments_beside_the_title() -> None:
    first, rest = EXAMPLE.split("\n", 1)
    told = "; Actions: 9\ntitle: Told\n;a remark\n;Set by:  a friend: Bo \n; Empty:\n"
    (level,) = gp.read(f"; Above: not a level's\n{first}\n{told}{rest}; Below: neither\n")
    assert level.keys == {"Actions": "9", "Set by": "a friend: Bo"}
    assert level.text() == f"{first}\ntitle: Told\n; Actions: 9\n; Set by: a friend: Bo\n{rest}"
    assert gp.read(level.text())[0].keys == level.keys
    assert gp.read(EXAMPLE)[0].keys == {}


def test_unreadable_keys_are_not_written() -> None:
    keys = {"Note": " two\nlines ", "": "x", "a;b": "x", "Empty": " ", "9": "x"}
    example: Any = gp.read(EXAMPLE)[0]
    level = dataclasses.replace(example, keys=keys)
    assert level.text() == EXAMPLE.replace("\n", "\n; Note: two lines\n", 1)
    assert gp.read(level.text()) == [level]


@pytest.mark.clause("R33")
def test_line_ends_and_marks_of_other_systems_are_read() -> None:
    assert gp.read("\ufeff" + EXAMPLE.replace("\n", "\r\n")) == gp.read(EXAMPLE)
    assert gp.read(EXAMPLE.rstrip("\n")) == gp.read(EXAMPLE)


def test_files_are_read_and_written(tmp_path: Path) -> None:
    path = tmp_path / "some.robots"
    gp.write(gp.read(PACK), path)
    assert gp.read(path) == gp.read(PACK)


@pytest.mark.parametrize(
    "text", [EXAMPLE, PACK, "robots\n", "robots 0x0", "; only\n\n robots".replace(" r", "r")]
)
def test_texts_of_the_game_are_recognised(text: str) -> None:
    assert recognises(text)


@pytest.mark.parametrize("text", ["", "\n", "; a comment\n", "robotsx", "4x4\n", "a: rule=A rotation=0"])
def test_texts_of_others_are_not(text: str) -> None:
    assert not recognises(text)


HEAD = "robots 3x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\n"
GOOD = HEAD + "a . A\nb . B\n"

BROKEN = [
    ("", 1, 0, "a level"),
    ("; nothing\n", 1, 0, "a level"),
    ("robots", 1, 1, "such as robots 6x3"),
    ("robots 3\n", 1, 1, "such as robots 6x3"),
    ("robots 0x3\n", 1, 1, "such as robots 6x3"),
    ("robots 3x-1\n", 1, 1, "such as robots 6x3"),
    ("robots 99999x99999\n", 1, 1, "such as robots 6x3"),
    ("robots 300x3\n", 1, 8, "at most 256x256"),
    ("a . A\n" + GOOD, 1, 1, "such as robots 6x3"),
    ("robots 3x2\n", 2, 1, "such as a: rule=A rotation=0, or board:"),
    (HEAD.replace("board:\n", ""), 4, 1, "such as a: rule=A rotation=0, or board:"),
    (GOOD.replace("a: rule=A", "A: rule=A"), 2, 1, "such as a: rule=A rotation=0, or board:"),
    (GOOD.replace("b: rule", "v: rule"), 3, 1, "such as a: rule=A rotation=0, or board:"),
    (GOOD.replace("a: rule=A rotation=0", "a: rotation=0"), 2, 1, "such as a: rule=A rotation=0, or board:"),
    (GOOD.replace("b: rule", "a: rule"), 3, 1, "another letter"),
    (GOOD.replace("rule=A", "rule=C"), 2, 9, "A or B"),
    (GOOD.replace("rule=B rotation=0", "rule=B rotation=45"), 3, 20, "0, 90, 180 or 270"),
    (GOOD.replace("rule=B rotation=0", "rule=B rotation=-90"), 3, 20, "0, 90, 180 or 270"),
    (HEAD + "a . A\n", 6, 1, "2 rows"),
    (HEAD, 5, 1, "2 rows"),
    (HEAD + "a . A\n\nb . B\n", 6, 1, "2 rows"),
    (HEAD + "a . A\nb .\n", 6, 4, "3 tokens"),
    (HEAD + "a . A .\nb . B\n", 5, 7, "3 tokens"),
    (GOOD + "c . C\n", 7, 1, "a blank line, or the end"),
    (GOOD + GOOD, 7, 1, "a blank line, or the end"),
    (GOOD + "\na . A\n", 8, 1, "such as robots 6x3"),
    (HEAD + "a x A\nb . B\n", 5, 3, "a declared robot"),
    (HEAD + "a . A\nb X B\n", 6, 3, "a declared robot"),
    (HEAD + "a . A\nb bX B\n", 6, 4, "a declared robot"),
    (HEAD + "a . A\nb V B\n", 6, 3, "a declared robot"),
    (
        HEAD + "a ! A\nb . B\n",
        5,
        3,
        "one of . ? # < v > ^, a robot, its home, or a robot and the tile under it",
    ),
    (
        HEAD + "a a. A\nb . B\n",
        5,
        3,
        "one of . ? # < v > ^, a robot, its home, or a robot and the tile under it",
    ),
    (
        HEAD + "a é A\nb . B\n",
        5,
        3,
        "one of . ? # < v > ^, a robot, its home, or a robot and the tile under it",
    ),
    (
        HEAD + "a vA A\nb . B\n",
        5,
        3,
        "one of . ? # < v > ^, a robot, its home, or a robot and the tile under it",
    ),
    (
        HEAD + "x" * 100_000 + "\n",
        5,
        1,
        "one of . ? # < v > ^, a robot, its home, or a robot and the tile under it",
    ),
    (GOOD.replace("a: rule", "title: x\ntitle: y\na: rule"), 3, 1, "a robot's line, or board:"),
    (GOOD.replace("board:", "author: x\nboard:"), 4, 1, "such as a: rule=A rotation=0, or board:"),
    (GOOD.replace("a . A", "a \0 A"), 5, 3, ""),
]


@pytest.mark.clause("R33")
@pytest.mark.parametrize(("text", "line", "column", "expected"), BROKEN)
def test_broken_texts_say_where_and_what_was_expected(
    text: str, line: int, column: int, expected: str
) -> None:
    with pytest.raises(gp.ParseError) as caught:
        gp.read(text, "robots")
    error = caught.value
    assert (error.line, error.column, error.expected) == (line, column, expected)
    assert len(str(error)) < 250


@pytest.mark.clause("R33")
def test_reasons_are_words() -> None:
    for text, reason in (
        (GOOD.replace("b: rule", "a: rule"), "the robot a is declared twice"),
        (HEAD + "a x A\nb . B\n", "the robot x is not declared"),
        (HEAD + "a . A\nb .\n", "the row has 2 tokens only"),
        (HEAD + "a . A\n", "the board has 1 row only"),
        (GOOD.replace("rule=A", "rule=C"), "the rule 'C' is unknown"),
    ):
        with pytest.raises(gp.ParseError) as caught:
            gp.read(text)
        assert caught.value.reason == reason


# -- positions of a level


@pytest.mark.clause("R33")
@pytest.mark.parametrize("seed", range(8))
def test_positions_of_a_level_round_trip(seed: int) -> None:
    rng = gp.Rng(seed, 4)
    position = random_board(rng, 4, 4, 3)
    for _ in range(15):
        if position.won:
            break
        position = position.step(rng.choice((*position.actions(), *position.actions("nature"))), rng).position
        assert position.level.position(position.text()) == position
        assert position.level.position(position.text()).text() == position.text()


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("", gp.ParseError, "one position is needed, the text has 0 levels"),
        (EXAMPLE + "\n" + EXAMPLE, gp.ParseError, "the text has 2 levels"),
        (EXAMPLE.replace("b: rule=B", "b: rule=A"), gp.InvalidLevel, "R8a-B"),
        (
            EXAMPLE.replace("rule=A", "rule=B").replace("b: rule=B", "b: rule=A"),
            gp.GridproofError,
            "not the level's robots",
        ),
        (EXAMPLE.replace("?", "."), gp.GridproofError, "not the level's board"),
        (EXAMPLE.replace("#", "."), gp.GridproofError, "not the level's board"),
        (EXAMPLE.replace("> >", "> ."), gp.GridproofError, "not the level's board"),
        (EXAMPLE.replace("A\n.", ".\nA"), gp.GridproofError, "not the level's board"),
        (text_of("a=A0 b=B0", "a A b B"), gp.GridproofError, "not the level's board"),
        ("?", gp.ParseError, "no first line of a level"),
    ],
)
def test_texts_of_no_position_of_the_level_are_refused(
    text: str, error: type[Exception], message: str
) -> None:
    level = gp.read(EXAMPLE)[0]
    with pytest.raises(error, match=message):
        level.position(text)


@pytest.mark.parametrize("text", ["robots 1x1", PACK, "; only a comment"])
def test_texts_of_no_position_are_refused(text: str) -> None:
    with pytest.raises(gp.ParseError):
        gp.position(text, "robots")


# -- readers raise nothing else

TOKENS = st.sampled_from(
    [*".?#<v>^abcABC!", "a?", "b>", "aA", "a#", "cv", "\n", "\n\n", " ", "robots 3x2\n", "board:\n"]
)
LINES = st.sampled_from([*PACK.splitlines(), *GOOD.splitlines(), "", ";", "title:", "robots 2x2", "board:"])


def check_reader(text: str) -> None:
    for reader in (gp.read, gp.position):
        with contextlib.suppress(gp.GridproofError):
            reader(text, "robots")


@pytest.mark.clause("R33")
@given(st.text(max_size=80))
def test_readers_handle_any_text(text: str) -> None:
    check_reader(text)
    check_reader(HEAD + text)


@given(st.lists(TOKENS, max_size=12).map(" ".join))
def test_readers_handle_any_tokens(text: str) -> None:
    check_reader(HEAD + text)


@given(st.lists(LINES, max_size=14).map("\n".join))
def test_readers_handle_any_lines(text: str) -> None:
    check_reader(text)


@given(st.integers(0, len(PACK)), st.integers(0, 6), st.text(max_size=3))
def test_readers_handle_any_change_of_a_pack(place: int, length: int, new: str) -> None:
    check_reader(PACK[:place] + new + PACK[place + length :])


@pytest.mark.parametrize("size", [100, pytest.param(256, marks=pytest.mark.slow)])
def test_boards_of_the_largest_size_are_read(size: int) -> None:
    free = ["."] * (size - 2)
    rows = [" ".join(["."] * size)] * (size - 2)
    text = text_of("a=A0 b=B0", " ".join(["a", "A", *free]), *rows, " ".join([*free, "b", "B"]))
    level = gp.read(text)[0]
    assert level.text() == text
    assert board_text(level.game.look.board(level.start())).count("\n") == size


def test_levels_may_be_separated_by_any_number_of_blank_lines() -> None:
    text = "robots 4x1\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na A b B\n"
    assert len(gp.read(f"{text}{chr(10) * 1000}  \n\n{text}\n\n\n")) == 2
    with pytest.raises(gp.ParseError) as refused:
        gp.read(f"{text}\n\n\n \nrobots 4x1\n\n\n", "robots")
    assert str(refused.value).startswith("line 11, column 1: no robot's line")
