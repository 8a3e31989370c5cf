"""Counts in messages; several actions in one text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridproof.core.errors import ParseError
from gridproof.core.text.phrases import format_count, join_actions, join_names, split_actions, suggestion
from gridproof.core.trace import Step, Trace
from gridproof.games.null import Level, Move


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        (" ,; \n", []),
        ("left", ["left"]),
        ("left right\tup\ndown", ["left", "right", "up", "down"]),
        ("left,right;up , down", ["left", "right", "up", "down"]),
        ("RM(0, left) CM(1,\tup)", ["RM(0,left)", "CM(1,up)"]),
        ("a:walk( 1 , [2; 3] ),b", ["a:walk(1,[2;3])", "b"]),
        ("press(1,2)press(3,4)", ["press(1,2)press(3,4)"]),
    ],
)
def test_split_actions(text: str, parts: list[str]) -> None:
    assert split_actions(text) == parts


@pytest.mark.parametrize(
    ("text", "line", "column", "character"),
    [
        ("press(1,2", 1, 6, "("),
        ("left)", 1, 5, ")"),
        ("a(1]", 1, 4, "]"),
        ("left\n\n a{(1)", 3, 3, "{"),
        (")(", 1, 1, ")"),
    ],
)
def test_split_actions_refuses_unmatched_brackets(text: str, line: int, column: int, character: str) -> None:
    with pytest.raises(ParseError, match="without its other bracket") as caught:
        split_actions(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert repr(character) in str(caught.value)


@pytest.mark.slow
@given(
    st.lists(st.from_regex(r"\A[a-z]+(\([a-z0-9]+(,[a-z0-9]+)?\))?\Z")), st.sampled_from([" ", ", ", "\n;"])
)
def test_split_actions_reads_joined_actions(actions: list[str], between: str) -> None:
    assert split_actions(between.join(actions)) == actions


def test_join_actions() -> None:
    steps = (Step(Move.HOP, "by 2"), Step(Move.LEFT))
    assert join_actions(Trace(Level(6, 1, 5).start(), steps)) == "hop left"


@pytest.mark.parametrize(
    ("number", "things", "words"),
    [
        (0, "levels", "0 levels"),
        (1, "levels", "1 level"),
        (2, "levels", "2 levels"),
        (1234567, "positions", "1,234,567 positions"),
        (1, "pushes", "1 push"),
        (1, "moves", "1 move"),
        (1, "boxes", "1 box"),
        (1, "presses", "1 press"),
        (1, "switches", "1 switch"),
        (1, "exchanges", "1 exchange"),
        (11, "pushes", "11 pushes"),
        (-1, "points", "-1 point"),
        (-2, "points", "-2 points"),
    ],
)
def test_format_count(number: int, things: str, words: str) -> None:
    assert format_count(number, things) == words


def test_format_count_of_points_has_sign() -> None:
    assert [format_count(number, "points", "+") for number in (1, 4, -1)] == [
        "+1 point",
        "+4 points",
        "-1 point",
    ]


@pytest.mark.parametrize(
    ("names", "text"), [((), ""), (("a",), "a"), (("a", "b"), "a and b"), (("a", "b", "c"), "a, b and c")]
)
def test_join_names(names: tuple[str, ...], text: str) -> None:
    assert join_names(names) == text


def test_join_names_with_another_word() -> None:
    assert join_names(["a", "b", "c"], "or") == "a, b or c"


@pytest.mark.parametrize(
    ("name", "meant"), [("Won", "won"), ("UP", "up"), ("LOSt", "lost"), ("wom", "won"), ("tile", None)]
)
def test_suggestion_ignores_capital_letters(name: str, meant: str | None) -> None:
    assert suggestion(name, ["won", "lost", "up"]) == (f"; did you mean {meant}?" if meant else "")
    assert suggestion("rm(0,Left)", ["RM(0,left)", "RM(0,right)"]) == "; did you mean RM(0,left)?"
