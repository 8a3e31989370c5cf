"""Messages of errors."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from gridproof.core.errors import GridproofError, IllegalAction, InvalidLevel, ParseError, Problem

PROBLEMS = (
    Problem("K3-counts", None, "two boxes, one depot"),
    Problem("K2-player", (1, 2), "a second player"),
)


@pytest.mark.parametrize("kind", [ParseError, InvalidLevel, IllegalAction])
def test_errors_derive_from_gridproof_error(kind: type) -> None:
    assert issubclass(kind, GridproofError)
    assert issubclass(GridproofError, ValueError)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ParseError("no"), "no"),
        (ParseError("no", line=3), "line 3: no"),
        (ParseError("no", line=3, column=2), "line 3, column 2: no"),
        (ParseError("no", line=3, column=2, expected="yes"), "line 3, column 2: no (expected yes)"),
        (ParseError("no", line=1, path=Path("a.xsb")), "a.xsb: line 1: no"),
        (ParseError("no", path=Path("a.xsb"), expected="yes"), "a.xsb: no (expected yes)"),
        (InvalidLevel(PROBLEMS[:1]), "K3-counts: two boxes, one depot"),
        (
            InvalidLevel(PROBLEMS, line=4, path=Path("b.xsb")),
            "b.xsb: level at line 4: K3-counts: two boxes, one depot; K2-player at (1, 2): a second player",
        ),
        (IllegalAction("left"), "left: it cannot be executed here"),
        (IllegalAction("undo", "the game is won"), "undo: the game is won"),
    ],
)
def test_error_texts(error: GridproofError, text: str) -> None:
    assert str(error) == text


def test_invalid_level_keeps_every_problem_in_order() -> None:
    assert InvalidLevel(iter(PROBLEMS)).problems == PROBLEMS


def test_illegal_action_keeps_the_text_of_the_action() -> None:
    error = IllegalAction(17, "no")
    assert (error.action, error.reason) == ("17", "no")


@pytest.mark.parametrize(
    "error",
    [
        ParseError("no", line=3, column=2, expected="yes", path=Path("a.xsb")),
        InvalidLevel(PROBLEMS, line=3),
        IllegalAction("undo", "the game is won"),
    ],
)
def test_errors_can_be_pickled(error: GridproofError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), vars(again)) == (str(error), vars(error))
