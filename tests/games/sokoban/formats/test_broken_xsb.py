"""Broken XSB texts, and exactly what is said about each."""

from __future__ import annotations

import re

import pytest

from gridproof.core.errors import GridproofError, InvalidLevel, ParseError
from gridproof.core.text import pack, recognition
from gridproof.games.sokoban.formats import rows as board_rows

ROW = "one of # @ + $ * . - _, a space, a number before one of them, or |"
NUMBER = "a whole number of at most 9 digits"

PARSE_ERRORS = {
    "nothing": ("", 1, 0, "no level in this text: it is empty", "a level"),
    "white space": (" \n\t\n", 1, 0, "no level in this text: it is empty", "a level"),
    "only metadata": ("Title: levels\n; none yet\n", 1, 0, "no level in this text", "a level"),
    "a foreign character": ("#####\n#@$x#\n#####\n", 2, 4, "'x' in a row", ROW),
    "a foreign character first": ("####\n%@$.\n", 2, 1, "'%' in a row", ROW),
    "a foreign character after run lengths": ("12#|@$.=\n", 1, 8, "'=' in a row", ROW),
    "a letter of another alphabet": ("#@$.\u042f#\n", 1, 5, "'\u042f' in a row", ROW),
    "digits of another alphabet": ("\u0663#@$.\n", 1, 1, "'\u0663' in a row", ROW),
    "a tab in a row": ("#@$.#\n#\t#\n", 2, 2, "'\\t' in a row", ROW),
    "a grouped run length": ("#@$.#\n2(#-)\n", 2, 2, "'(' in a row", ROW),
    "a surrogate": ("#@$.#\n#\ud800\n", 2, 2, "half of a surrogate pair, '\\ud800'", ""),
    "a NUL": ("#@$.#\n##\0##\n", 2, 3, "a NUL character", ""),
    "a number at the end of a row": ("#####\n#@$.3\n", 2, 5, "a number without a character", ROW),
    "a number before a separator": ("5#|#@$.2|5#\n", 1, 8, "a number without a character", ROW),
    "a number alone": ("1\n\n#@$.#\n", 1, 1, "a number without a character", ROW),
    "a run of none": ("#@$.#\n#00-#\n", 2, 2, "a run of no characters", "a number from 1"),
    "an endless run": ("@$.999999999#\n", 1, 4, "a row of more than 1000 cells", ""),
    "a run longer than numbers are": (f"@$.{'9' * 5000}#\n", 1, 4, "a row of more than 1000 cells", ""),
    "many runs": (f"@$.{'999#' * 3}\n", 1, 4, "a row of more than 1000 cells", ""),
    "an enormous line": (f"@$.{'#' * 100_000}\n", 1, 1001, "a row of more than 1000 cells", ""),
    "enormously many rows": ("@$.\n" + "#\n" * 1000, 1001, 1, "a board of more than 1000 rows", ""),
    "enormously many separators": (f"@$.{'|' * 100_000}\n", 1, 1, "a board of more than 1000 rows", ""),
    "bombs in words": ("@$.\nBombs: two\n", 2, 0, "'two' is no number of bombs", NUMBER),
    "bombs without a number": ("@$.\nBombs:\n", 2, 0, "'' is no number of bombs", NUMBER),
    "half a bomb": ("Bombs: 0.5\n\n@$.\n", 1, 0, "'0.5' is no number of bombs", NUMBER),
    "bombs beyond counting": ("@$.\nBombs: 1234567890\n", 2, 0, "'1234567890' is no number of bombs", NUMBER),
    "bombs given twice": ("@$.\nBombs: 1\nbombs: 2\n", 3, 0, "the bombs are given twice", ""),
    "bombs of the collection given twice": ("Bombs: 1\nBombs: 1\n@$.\n", 2, 0, "the bombs are given twice", ""),
    "a comment without end": ("@$.\n\nComment:\n#\n", 3, 0, "the Comment: that begins here has no end", "Comment-End:"),
    "an end without a comment": ("@$.\nComment-End:\n", 2, 0, "Comment-End: without a Comment: before it", ""),
}  # fmt: skip

INVALID_LEVELS = {
    "no player": ("#.$ #\n", 1, "K2-no-player: there is no player"),
    "truncated": ("#####\n#@$", 1, "K3-counts: there is 1 box and 0 depots"),
    "two players": (
        "@$.@\n",
        1,
        "K2-many-players at (3, 0): another player; the first is at (0, 0)",
    ),
    "negative bombs": ("@$.\nBombs: -1\n", 1, "K2-bombs at -1: the number of bombs is negative"),
    "negative bombs of the collection": (
        "Bombs: -3\n@$.\n",
        2,
        "K2-bombs at -3: the number of bombs is negative",
    ),
    "too many boxes": ("@$$.\n", 1, "K3-counts: there are 2 boxes and 1 depot"),
    "too many depots": ("+.$\n", 1, "K3-counts: there is 1 box and 2 depots"),
    "no box": ("#@ #\n", 1, "K3-no-box: there is no box"),
    "the third level": ("@$.\n\n@$.\n\n; 3\n@$\n", 6, "K3-counts: there is 1 box and 0 depots"),
    "a blank row inside": (
        "#@ #\n\n#$.#\n",
        1,
        "K3-no-box: there is no box; level at line 3: K2-no-player: there is no player",
    ),
    "all at once": (
        "\n###\n+.@\nBombs: -2",
        2,
        "K2-many-players at (2, 1): another player; the first is at (0, 1); "
        "K2-bombs at -2: the number of bombs is negative; "
        "K3-counts: there are 0 boxes and 2 depots; K3-no-box: there is no box",
    ),
}


@pytest.mark.clause("K21")
@pytest.mark.parametrize("name", PARSE_ERRORS)
def test_broken_text_is_refused_with_its_place(name: str) -> None:
    text, line, column, reason, expected = PARSE_ERRORS[name]
    with pytest.raises(GridproofError) as caught:
        recognition.read(text, "sokoban")
    error = caught.value
    assert isinstance(error, ParseError)
    assert (error.reason, error.line, error.column, error.expected) == (reason, line, column, expected)


@pytest.mark.clause("K2", "K3", "K21")
@pytest.mark.parametrize("name", INVALID_LEVELS)
def test_invalid_level_is_refused_with_all_problems(name: str) -> None:
    text, line, problems = INVALID_LEVELS[name]
    with pytest.raises(InvalidLevel) as caught:
        recognition.read(text, "sokoban")
    value = re.sub(r"level [0-9]+ at", "level at", str(caught.value))  # where it is not the only one
    assert value == f"level at line {line}: {problems}"


@pytest.mark.parametrize("board", ["#@$$*$.#", "#@..*$+#"])
def test_board_has_a_bounded_number_of_boxes_and_depots(board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_rows, "MOST_BOXES", 3)
    text = f"#@$.#\n\n{board}\n"
    with pytest.raises(
        InvalidLevel, match="level 2 at line 3: K3-counts: a board has at most 3 boxes and as"
    ):
        recognition.read(text, "sokoban")
    assert len(recognition.read(text, "sokoban", lenient=True)) == 1


@pytest.mark.slow
def test_text_has_a_bounded_number_of_cells_and_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, place in (
        ("999#\n" * 1000, "line 126, column 1"),
        ("5#|" + "999#|" * 999, "line 1, column 629"),
    ):
        with pytest.raises(ParseError) as caught:
            recognition.read(text, "sokoban")
        most = 20_000 + 21 * len(text)
        assert str(caught.value) == f"{place}: more than {most} cells in a text of this length"
    walls, rows = "200#|", "#198-#|" * 197
    assert recognition.read(f"{walls}#@$.195-#|{rows}{walls}", "sokoban")[0].size == (200, 200)  # type: ignore[attr-defined]  # Sokoban's
    monkeypatch.setattr(board_rows, "CELLS", 3)
    monkeypatch.setattr(board_rows, "MOST_CELLS", 0)
    with pytest.raises(ParseError) as caught:
        recognition.read("#@$.#\n9#\n9#\n", "sokoban")
    assert str(caught.value) == "line 3, column 1: more than 15 cells in a text of this length"
    monkeypatch.setattr(pack, "MOST_LEVELS", 3)
    assert len(recognition.read("@$.\n\n" * 3, "sokoban")) == 3
    with pytest.raises(ParseError) as caught:
        recognition.read("@$.\n\n" * 4, "sokoban")
    assert str(caught.value) == "line 7: more than 3 levels in a text of this length"
