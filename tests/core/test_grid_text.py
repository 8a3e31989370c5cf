"""Tests of `GridText`, the format of boards in characters, with a game of a walled room."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridproof as gp
from gridproof.core.game import Claim
from gridproof.core.text.grid_text import Characters, Grid, GridText
from gridproof.games.null import Level, Position
from gridproof.games.null.text import TEXT as ROWS

ROOM = Characters({"-": "", " ": "", "#": "wall", "@": "player", "+": "player depot", ".": "depot"})


def grid_text(**changes: Any) -> GridText[Position]:
    """null's format, with a mark."""
    fields = {name: getattr(ROWS, name) for name in ROWS.__dataclass_fields__}
    return GridText(**fields | {"mark": "null", "height": 0} | changes)


MARKED = grid_text()


def test_find_cells_is_in_reading_order() -> None:
    found = ROOM.cells(["#@ #", "", ".+"])
    assert found == {"wall": [(0, 0), (3, 0)], "player": [(1, 0), (1, 2)], "depot": [(0, 2), (1, 2)]}


def test_grid_text_writes_the_first_of_several_characters() -> None:
    assert ROOM.rows(3, 2, {"player": [(2, 1)], "depot": [(2, 1), (0, 0)]}) == [".--", "--+"]


def test_grid_text_refuses_pieces_without_character() -> None:
    with pytest.raises(gp.GridproofError, match="no character stands for wall and player on a cell"):
        ROOM.rows(1, 1, {"player": [(0, 0)], "wall": [(0, 0)]})


@given(st.lists(st.text("-#@+.", min_size=4, max_size=4), min_size=1))
def test_rows_round_trip(rows: list[str]) -> None:
    assert ROOM.rows(4, len(rows), ROOM.cells(rows)) == rows


@pytest.mark.parametrize("character", [" ", "\n", ";", ":", "ab", ""])
def test_grid_text_refuses_characters_that_rows_cannot_have(character: str) -> None:
    with pytest.raises(gp.GridproofError, match="rows cannot have"):
        grid_text(characters={character: "walker"})


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("once", ("wlaker",), "once has 'wlaker', which no character stands for; choose from walker, flag"),
        ("fixed", ("flags",), "fixed has 'flags', which no character stands for"),
        ("once", "walker", r"once is 'walker': it must be a tuple of names, as \('walker',\)"),
        ("fixed", "flag", "it must be a tuple of names"),
        ("characters", {}, "characters is {}: it must be a table of some"),
        ("characters", {"@": ("walker",)}, "names of pieces in one text for each character"),
        ("mark", "Snail", "mark is 'Snail': it must be a key in small letters"),
        ("mark", "a:b", "mark is 'a:b'"),
        ("mark", "snail ", "mark is 'snail '"),
        ("mark", "author", "not author"),
        ("height", -1, "height is -1: it must be a whole number, 0 or more"),
        ("height", 1.5, "height is 1.5"),
        ("extension", "snail", "extension is 'snail': it must be a dot and lower-case characters"),
        ("extension", ".Snail", "extension is '.Snail'"),
        ("name", "two words", "name is 'two words': it must be one word"),
    ],
)
def test_grid_text_checks_its_arguments(field: str, value: object, message: str) -> None:
    with pytest.raises(gp.GridproofError, match=message):
        grid_text(**{field: value})


@pytest.mark.parametrize(
    ("text", "line", "column", "reason", "expected"),
    [
        ("null: a\n", 1, 0, "a level without rows", "a row of . @ o *"),
        ("\nnull:\n\n;\nauthor: b\n", 2, 0, "a level without rows", "a row of . @ o *"),
        ("null: a\nnull: b\n.@o\n", 2, 0, "a second line 'null:'", "a row of . @ o *"),
        ("null: a\nauthor: b\nAuthor: c\n@o\n", 3, 0, "a second line 'author:'", "a row of . @ o *"),
        (".@o\n", 1, 0, "a level begins with its mark", "null:"),
        ("null:\n@o\n\n@o\n", 4, 0, "a level begins with its mark", "null:"),
        ("null:\n@.o\n..\n", 3, 3, "a row of 2 cells", "3 cells"),
        ("null:\n@\n;\n..\n", 4, 2, "a row of 2 cells", "1 cell"),
        ("null:\n .@o\n", 2, 1, "' ' in a row", "one of . @ o *"),
        ("null:\n.@o o\n", 2, 4, "' ' in a row", "one of . @ o *"),
        ("null: a\nauthor: b\n\nauthor.\n", 4, 1, "'a' in a row", "one of . @ o *"),
        ("null:\n..\n.o\n", 2, 0, "a board without walker", "one of @ *"),
        ("null:\n.@\no*\n", 3, 2, "a second walker", "one of @ * only"),
    ],
)
def test_grid_text_refuses_broken_texts(
    text: str, line: int, column: int, reason: str, expected: str
) -> None:
    with pytest.raises(gp.ParseError) as caught:
        MARKED.read(text)
    error = caught.value
    assert (error.line, error.column, error.expected) == (line, column, expected)
    assert reason in str(error)


def test_grid_text_splits_boards_of_fixed_height() -> None:
    tall = grid_text(height=2, level=lambda grid, **about: Level(grid.width, 0, 1, **about))
    assert [level.title for level in tall.read("null: a\n@.\n.o\nnull: b\n@.\no.\n")] == ["a", "b"]
    for text, line in (("null:\n@o\n", 3), ("null:\n@o\n\n..\n", 3), ("null:\n@o\nkey: a\n", 3)):
        with pytest.raises(gp.ParseError, match=r"1 row \(expected 2 rows\)") as caught:
            tall.read(text)
        assert caught.value.line == line


def test_grid_text_round_trips_titles_and_keys() -> None:
    text = "; One\n;Two\n\nnull: First\nauthor: me\ndate: 2024\n.@o\n\nnull:\n@o\n"
    pack = MARKED.read(text)
    assert pack == [Level(3, 1, 2), Level(2, 0, 1)]
    assert (pack[0].title, pack[0].author, pack[0].keys, pack[1].title) == (
        "First",
        "me",
        {"date": "2024"},
        "",
    )
    assert pack.notes == ("One", "Two")
    assert MARKED.write(pack) == text.replace(";Two", "; Two")
    assert MARKED.write(MARKED.read(MARKED.write(pack))) == MARKED.write(pack)


def test_grid_text_accepts_blank_lines() -> None:
    text = "\n  null: a \n;\nkey: b\n\n.@o  \n; null:\nnull: c\n@o"
    assert [(level.title, level.keys) for level in MARKED.read(text)] == [("a", {"key": "b"}), ("c", {})]


def test_grid_text_omits_keys_that_no_line_can_have() -> None:
    level = Level(
        2, 0, 1, title="two\nlines", author="\0", keys={"1": "a", "b:": "c", "d": "e\r\nf", "g": ""}
    )
    assert MARKED.level_text(level) == "null: two lines\nd: e f\ng:\n@o\n"
    assert ROWS.level_text(level) == "title: two lines\nd: e f\ng:\n@o\n"


def test_broken_levels_do_not_hide_the_others() -> None:
    with pytest.raises(gp.InvalidLevel, match="level 2 at line 4: N1-same") as caught:
        MARKED.read("null:\n@o\n\nnull:\n.*\n\nnull:\no@\n")
    assert caught.value.line == 4
    assert caught.value.pack == [Level(2, 0, 1), Level(2, 1, 0)]


@pytest.mark.parametrize(
    ("text", "claim", "unmarked"),
    [
        ("null: a\n", Claim.MARK, Claim.NONE),
        ("\n ; a\n  null:\n??", Claim.MARK, Claim.NONE),
        ("null a\n", Claim.NONE, Claim.NONE),
        ("nullify: a\n.@o", Claim.NONE, Claim.FORM),
        ("key: a\n  ; @\n\n.@o \n", Claim.NONE, Claim.FORM),
        ("@.\n.o", Claim.NONE, Claim.FORM),
        ("a: @o\n..\n", Claim.NONE, Claim.NONE),
        ("@ o\n", Claim.NONE, Claim.NONE),
        ("", Claim.NONE, Claim.NONE),
    ],
)
def test_grid_text_is_recognised_by_mark_or_characters(text: str, claim: Claim, unmarked: Claim) -> None:
    assert (MARKED.recognises(text), ROWS.recognises(text)) == (claim, unmarked)


def test_position_texts() -> None:
    level = Level(3, 0, 2, title="A title")
    position = Position(level, 1)
    assert MARKED.position_text(position) == "null:\n.@o\n"
    assert MARKED.position_of(level, "null:\n.@o\n") == position
    assert MARKED.position_of(level, "; said\nnull: Any\nkey: value\r\n.@o") == position


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("", 1, 0, "the text has 0 levels"),
        (".@o\n\n.@o\n", 1, 0, "the text has 2 levels"),
        ("key: a\n@o\n", 2, 0, "a board of 2x1 cells (expected 3x1 cells)"),
        ("o.@\n", 1, 1, "the flag of another level (expected @.o)"),
        ("*..\n", 1, 1, "the flag of another level (expected @.o)"),
    ],
)
def test_grid_text_refuses_texts_of_other_levels(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(gp.ParseError) as caught:
        ROWS.position_of(Level(3, 0, 2), text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert reason in str(caught.value)


def test_grid_of_one_piece() -> None:
    grid = Grid(3, 2, {"a": [(1, 0)], "b": [(0, 0), (2, 1)], "c": []})
    assert grid.cell("a") == (1, 0)
    assert [grid.bits(piece) for piece in "abc"] == [0b10, 0b100001, 0]


def test_boards_share_their_cells() -> None:
    first, second = (ROOM.cells(["####", "#@.#"])["wall"] for _ in range(2))
    assert first == second
    assert set(map(id, first)) == set(map(id, second))


def test_large_boards_do_not_share_cells() -> None:
    rows = ["#" * 1001, *["-#"] * 70]
    assert ROOM.cells(rows)["wall"] == [(x, 0) for x in range(1001)] + [(1, y) for y in range(1, 71)]
