"""Solutions as LURD (K22)."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.sokoban.boards import after, level, positions

from gridproof.core.errors import IllegalAction, ParseError
from gridproof.core.trace import Step, Trace
from gridproof.games.sokoban import Action, Position
from gridproof.games.sokoban.formats.lurd import read_actions, read_solution, split_actions, write_solution

UP, DOWN, LEFT, RIGHT, BOMB = Action
HALL = """
#########
#@  $#  .
#########
Bombs: 1
"""
LETTERS = "one of l u r d L U R D !, or a number before one or before a group in brackets"


@pytest.mark.clause("K22")
def test_letters_are_steps_pushes_and_bombs() -> None:
    assert read_actions("udlr!") == (UP, DOWN, LEFT, RIGHT, BOMB)
    assert read_actions("UDLR") == (UP, DOWN, LEFT, RIGHT)
    assert read_actions("") == ()


@pytest.mark.clause("K22")
def test_run_lengths_and_white_space() -> None:
    assert read_actions("3r2U\n 10!\tl ") == (RIGHT,) * 3 + (UP,) * 2 + (BOMB,) * 10 + (LEFT,)
    assert read_actions("003d") == (DOWN,) * 3


@pytest.mark.clause("K22")
@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("3(ru)", "rururu"),
        ("d2(r3(lU)2d)!", "drlululuddrlululudd!"),
        ("(lu)d", "lud"),
        ("2( l\n u )", "lulu"),
        ("2(2(2(l)))", "l" * 8),
        (f"{'(' * 5000}r{')' * 5000}", "r"),
        ("1000(1000(u))", "u" * 1_000_000),
        ("(1000000u)", "u" * 1_000_000),
    ],
)
def test_groups_are_repeated(text: str, letters: str) -> None:
    assert read_actions(text) == read_actions(letters)


@pytest.mark.clause("K22")
def test_solution_round_trips_through_a_trace() -> None:
    trace = read_solution(level(HALL), "!2rRRRR")
    assert trace.replay().won
    assert write_solution(trace) == "!rrRRRR"
    assert write_solution(trace, run_lengths=True) == "!2r4R"


@pytest.mark.clause("K22")
def test_letter_case_is_ignored_in_reading_and_right_in_writing() -> None:
    assert write_solution(read_solution(level(HALL), "!RRrrrr")) == "!rrRRRR"


@pytest.mark.clause("K22")
def test_solution_may_begin_at_a_position() -> None:
    there = after(level(HALL).start(), "bomb", "right")
    trace = read_solution(there, "rr")
    assert trace.start == there
    assert trace.replay() == after(there, "r", "r")


def test_impossible_action_is_named_with_its_place() -> None:
    with pytest.raises(IllegalAction) as caught:
        read_solution(level(HALL), "3r!")
    assert (
        str(caught.value) == "right: step 3: the box in row 2, column 5 cannot be pushed to row 2, column 6"
    )


@pytest.mark.clause("K22")
@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("uxd", 1, 2, "'x' in a solution"),
        ("lurd\nlu;d", 2, 3, "';' in a solution"),
        ("2(lu", 1, 2, "'(' without its other bracket"),
        ("r(l(u)", 1, 2, "'(' without its other bracket"),
        ("2(lu))", 1, 6, "')' without its other bracket"),
        ("u\n2()", 2, 2, "a group of no actions"),
        ("0(lu)", 1, 1, "a run of no actions"),
        ("2(lu3)", 1, 5, "a number without a letter"),
        ("2(lux)", 1, 5, "'x' in a solution"),
        ("2[lu]", 1, 2, "'[' in a solution"),
        ("3 (lu)", 1, 2, "' ' in a solution"),
        ("1001(1000(u))", 1, 5, "more than 1000000 actions"),
        ("9999999(u)", 1, 1, "more than 1000000 actions"),
        ("r\0", 1, 2, "'\\x00' in a solution"),
        ("r\u0662u", 1, 2, "'\u0662' in a solution"),
        ("3 r", 1, 2, "' ' in a solution"),
        ("x\nd", 1, 1, "'x' in a solution"),
        ("\nx", 2, 1, "'x' in a solution"),
        ("l\nd\nux\nd", 3, 2, "'x' in a solution"),
        ("u  0r", 1, 4, "a run of no actions"),
        ("999999r 2r", 1, 9, "more than 1000000 actions"),
        ("rr12", 1, 3, "a number without a letter"),
        ("u\n  7  ", 2, 3, "a number without a letter"),
        ("u0r", 1, 2, "a run of no actions"),
        ("u999999999r", 1, 2, "more than 1000000 actions"),
        (f"u{'9' * 5000}r", 1, 2, "more than 1000000 actions"),
        ("1000000r!", 1, 9, "more than 1000000 actions"),
    ],
)
def test_broken_text_is_refused_with_its_place(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_actions(text)
    error = caught.value
    assert (error.reason, error.line, error.column, error.expected) == (reason, line, column, LETTERS)


@pytest.mark.clause("K22")
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("2rU!", ["right", "right", "up", "bomb"]),
        ("left, 2d R", ["left", "down", "down", "right"]),
        ("2(rU)", ["right", "up", "right", "up"]),
        ("left, 2(d R)", ["left", "down", "right", "down", "right"]),
        ("up;jump", ["up", "jump"]),
        ("und lly", ["und", "lly"]),
        ("undoo 3", ["undoo", "3"]),
        ("", []),
    ],
)
def test_typed_actions_are_letters_or_names(text: str, names: list[str]) -> None:
    assert split_actions(text) == names


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("LLLX", 1, 4), ("xLLL", 1, 1), ("up, 2dxr", 1, 7), ("lurd\n3rUxD", 2, 4), ("2(rUx)", 1, 5)],
)
def test_wrong_letter_among_typed_letters_is_named(text: str, line: int, column: int) -> None:
    with pytest.raises(ParseError, match=f"line {line}, column {column}: '[xX]' in a solution"):
        split_actions(text)


@given(st.text("lurdLURD!0123456789() \nx"))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(ParseError):
        assert len(read_actions(text)) <= 1_000_000


@pytest.mark.clause("K22")
@given(positions(), st.lists(st.integers(0, 4), max_size=30), st.booleans())
def test_traces_survive_their_letters(start: Position, choices: list[int], run_lengths: bool) -> None:
    steps, there = [], start
    for choice in choices:
        if actions := there.actions():
            steps.append(Step(actions[choice % len(actions)]))
            there = there.outcomes(actions[choice % len(actions)])[0].position
    trace = Trace(start, tuple(steps))
    assert read_solution(start, write_solution(trace, run_lengths)) == trace
