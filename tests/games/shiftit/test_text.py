"""The text format: what it means, what is written, and what is refused."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.shiftit.boards import (
    LETTERS,
    LINES,
    NAMES,
    level,
    levels,
    names,
    positions,
    start,
    unwinnable_board,
)
from tests.measurement import lines_run
from tests.packs import late

import gridproof as gp
from gridproof.core.errors import GridproofError, InvalidLevel, ParseError
from gridproof.core.game import Claim
from gridproof.core.text.lines import one_line
from gridproof.core.text.pack import Pack
from gridproof.games.shiftit import Level, Position, Tile, text
from gridproof.games.shiftit.idp import format as idp_format

TWO = """\
; a note of the pack
title: A pack
author: Somebody
Year: 2017

shiftit 3x2
title: The document's own
author: Somebody else
Origin: the rules
; a comment
rrgb r  bbgr*
g    b  rrrg

shiftit 1x2
a
b*
names: top "the bottom"
"""


def test_rows_mean_the_highest_y_first_and_sides_up_right_down_left() -> None:
    board = gp.read(TWO)[0]
    assert isinstance(board, Level)
    first, last = board.tiles[0], board.tiles[-1]
    assert (first.name, first.x, first.y, first.colours) == ("t1", 0, 1, ("red", "red", "green", "blue"))
    assert (last.name, last.x, last.y, last.colours) == ("t6", 2, 0, ("red", "red", "red", "green"))
    assert [tile.name for tile in board.tiles if tile.locked] == ["t3"]
    assert board.tiles[1].colours == ("red",) * 4


def test_letters_are_colours_and_six_have_names() -> None:
    board = level("b r g y o p a z")
    assert [tile.colours[0] for tile in board.tiles] == [
        "blue", "red", "green", "yellow", "orange", "purple", "a", "z",
    ]  # fmt: skip


def test_pack_is_read_with_title_keys_and_notes() -> None:
    pack = gp.read(TWO)
    assert (pack.title, pack.author, pack.keys, pack.notes) == (
        "A pack", "Somebody", {"Year": "2017"}, ("a note of the pack",),
    )  # fmt: skip
    first, second = pack
    assert (first.title, first.author, first.keys) == (
        "The document's own", "Somebody else", {"Origin": "the rules"},
    )  # fmt: skip
    assert isinstance(second, Level)
    assert [tile.name for tile in second.tiles] == ["top", '"the bottom"']


def test_written_pack_is_canonical() -> None:
    written = gp.write(gp.read(TWO))
    assert written == TWO.replace("; a comment\n", "").replace("r  bbgr*", "r bbgr*").replace(
        "b  rrrg", "b rrrg"
    )
    assert gp.write(gp.read(written)) == written


def test_white_space_and_comments_do_not_matter() -> None:
    loose = "\ufeff; first\r\n\r\n  shiftit\t2x1  \r\n\r\n;a\r\n  r*\t bbbb \r\n ; b\r\n\r\n names:  x   y\r\n;\r\n"
    assert gp.read(loose) == gp.read("shiftit 2x1\nr* b\nnames: x y\n")


def test_level_may_follow_without_a_blank_line() -> None:
    assert len(gp.read("shiftit 1x1\nr\nshiftit 1x1\nb\nnames: a\nshiftit 1x1\ng\n")) == 3


@pytest.mark.slow
@given(levels(LETTERS))
def test_level_reads_back_from_its_text(board: Level) -> None:
    (again,) = gp.read(board.text())
    assert again == board
    on_one_line = tuple(one_line(said) for said in (board.title, board.author))
    assert (again.title, again.author) == on_one_line


@pytest.mark.slow
@given(levels())
def test_levels_that_letters_cannot_write_are_written_as_structures(board: Level) -> None:
    assert gp.read(board.text()) == [board]


@pytest.mark.slow
@given(st.lists(levels(LETTERS), min_size=1, max_size=3), LINES, LINES, st.lists(LINES, max_size=2))
def test_packs_read_back(boards: list[Level], title: str, author: str, notes: list[str]) -> None:
    writable = [board for board in boards if not board.columns[0] and not board.rows[0]]
    pack = Pack(writable, title=title, author=author, notes=tuple(notes))
    if writable:
        again = gp.read(gp.write(pack), "shiftit")
        assert again == pack
        assert again.notes == pack.notes


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        (late(Level, [Tile("a", 1, 0, "red")]), "coordinates x that begin at 1, not at 0"),
        (late(Level, [Tile("a", 0, -2, "red")]), "coordinates y that begin at -2, not at 0"),
        (late(Level, [Tile("a", 0, 0, "turquoise")]), "the colour 'turquoise'"),
        (late(Level, [Tile("a", 0, 0, "b")]), "the colour 'b'"),
        (late(Level, [Tile("a", 0, 0, "B")]), "the colour 'B'"),
    ],
)
def test_write_names_what_the_format_cannot_express(board: Level, reason: str) -> None:
    with pytest.raises(GridproofError) as error:
        gp.write(board, format="shiftit")
    assert str(error.value) == f"the format shiftit cannot write {reason}; the format structure can"
    assert gp.read(gp.write(board, format="structure")) == [board]


# -- positions


def test_position_text_is_rows_and_names() -> None:
    position = start("rrgb r  bbgr*\ng    b  rrrg\nnames: a b c d e f")
    (outcome,) = position.outcomes(position.action("RM(0,left)"))
    assert outcome.position.text() == "rrgb r    bbgr*\nb    rrrg g\nnames: a b c e f d\n"


@pytest.mark.slow
@given(positions())
def test_positions_read_back_and_equal_ones_have_equal_texts(position: Position) -> None:
    again = position.level.position(position.text())
    assert again == position
    assert again.text() == position.text()


@pytest.mark.slow
@given(levels(most=2))
def test_positions_of_any_colours_read_back(board: Level) -> None:
    assert board.position(board.start().text()) == board.start()


def test_colours_without_a_letter_are_shown_by_capitals() -> None:
    colours = ["Tan", "turquoise", "teal", "b", "dark blue", "blue"]
    board = Level(Tile(f"t{x}", x, 0, colour) for x, colour in enumerate(colours))
    assert board.start().text() == "T A B C D b\nnames: t0 t1 t2 t3 t4 t5\n"
    many = Level(Tile(f"t{x}", x, 0, f"colour {x}") for x in range(28))
    assert set(many.start().text().split("\n")[0][-3:]) == {"?", " "}
    assert many.position(many.start().text()) == many.start()


def test_level_text_is_read_as_its_start() -> None:
    board = level("r g\nb r")
    assert board.position(board.text()) == board.start()
    assert board.position("shiftit 2x2\ntitle: any\nr g\nb r\n") == board.start()


def test_mid_game_position_is_a_level_of_its_own() -> None:
    position = unwinnable_board(2, 2).start()
    (outcome,) = position.outcomes(position.action("CM(1,up)"))
    found = gp.position(start("r* g\nb r").text())
    assert isinstance(found, Position)
    assert names(found) == ["t1 t2", "t3 t4"]
    assert found.level == level("r* g\nb r")
    assert gp.position("shiftit 2x1\nr g\n") == start("r g")
    assert gp.position("r g\nb r\nnames: a b c d\n").text() == "r g\nb r\nnames: a b c d\n"
    assert gp.position(gp.write(outcome.position.level, format="structure")) == position
    assert gp.position("r g\nb r\n", "shiftit") == start("r g\nb r")


SMALL = "r g*\nb rrgb\nnames: a b c d\n"


@pytest.mark.parametrize(
    ("shown", "error"),
    [
        ("r g*\nb rrgb\nnames: a b c e\n", "line 3, column 14: 'e' is no tile of the level, or named twice"),
        ("r g*\nb rrgb\nnames: a b c c\n", "line 3, column 14: 'c' is no tile of the level, or named twice"),
        ("r g*\nb rrgg\nnames: a b c d\n", "line 2, column 3: the tile d is not 'rrgg' (expected rrgb)"),
        ("r g\nb rrgb\nnames: a b c d\n", "line 1, column 3: the tile b is not 'g' (expected g*)"),
        ("g* r\nb rrgb\nnames: b a c d\n", "line 1, column 1: the locked tile b has moved"),
        ("r g*\nb rrgb\nnames: a b c\n", "line 3: 3 names (expected 4 names)"),
        ("r g*\nb rrgb\n", "'t1' is no tile of the level, or named twice"),
        ("r g*\nnames: a b c d\n", "line 2: 1 row of tiles (expected 2 rows)"),
        ("r g*\nb\nnames: a b c d\n", "line 2: a row of 1 tile (expected 2 tiles)"),
        (f"shiftit 1x4\n{SMALL}", "line 1: a board of another size (expected 2x2)"),
        (f"{SMALL}r g*\n", "line 4: 'r g*' after the position"),
        ("", "line 1: 0 rows of tiles (expected 2 rows)"),
    ],
)
def test_position_of_another_level_is_refused(shown: str, error: str) -> None:
    with pytest.raises(ParseError) as refused:
        level(SMALL).position(shown)
    assert str(refused.value) == error


@pytest.mark.parametrize(
    ("shown", "error"),
    [
        ("shiftit 1x1\nr\n\nshiftit 1x1\nb\n", "line 1: one position is needed, the text has 2 levels"),
        ("r g\nb\nnames: a b c\n", "line 2: a row of 1 tile (expected 2 tiles)"),
        ("names: a b\n", "line 1: 0 rows of tiles (expected 1 row)"),
        ("r g\nnames: a b\nr g\n", "line 3: 'r g' after the position"),
    ],
)
def test_broken_positions(shown: str, error: str) -> None:
    with pytest.raises(ParseError) as refused:
        gp.position(shown, "shiftit")
    assert str(refused.value) == error


# -- broken files

TILE = "one letter a-z, or four for up, right, down, left; then * for a locked tile"

BROKEN = {
    "empty": ("", "line 1: no level in this text: it is empty (expected a level)"),
    "blank": ("\n \n\t\n", "line 1: no level in this text: it is empty (expected a level)"),
    "comments alone": ("; one\n; two\n", "line 1: no level in this text (expected a level)"),
    "keys alone": ("title: x\n", "line 1: no level in this text (expected a level)"),
    "no size": ("shiftit\nr\n", "line 1, column 1: no first line of a level (expected shiftit 3x2)"),
    "half a size": ("shiftit 3\nr g b\n", "line 1, column 1: no first line of a level (expected shiftit 3x2)"),
    "a size of words": ("shiftit axb\nr\n", "line 1, column 1: no first line of a level (expected shiftit 3x2)"),
    "a negative size": ("shiftit -1x2\nr\n", "line 1, column 1: no first line of a level (expected shiftit 3x2)"),
    "a foreign digit": ("shiftit ²x1\nr\n", "line 1, column 1: no first line of a level (expected shiftit 3x2)"),
    "no width": ("shiftit 0x1\n\n", "line 1: a board has a width and a height of at least 1"),
    "no height": ("shiftit 3x0\n", "line 1: a board has a width and a height of at least 1"),
    "rows alone": ("r g\nb r\n", "line 1, column 1: no first line of a level (expected shiftit 3x2)"),
    "no rows": ("shiftit 2x2\n", "line 2: 0 rows of tiles (expected 2 rows)"),
    "truncated": ("shiftit 2x2\nr g\n", "line 3: 1 row of tiles (expected 2 rows)"),
    "truncated in a row": ("shiftit 2x2\nr g\nb", "line 3: a row of 1 tile (expected 2 tiles)"),
    "cut off by the next": ("shiftit 1x2\nr\nshiftit 1x1\nb\n", "line 3: 1 row of tiles (expected 2 rows)"),
    "cut off by names": ("shiftit 1x2\nr\nnames: a b\n", "line 3: 1 row of tiles (expected 2 rows)"),
    "a long row": ("shiftit 2x1\nr g b\n", "line 2: a row of 3 tiles (expected 2 tiles)"),
    "many rows": (
        "shiftit 2x1\nr g\nb r\n",
        "line 3: more rows than the first line says (expected names:, or another level)",
    ),
    "something else": ("shiftit 1x1\nr\n???\n", "line 3: a line after the rows (expected names:, or another level)"),
    "two letters": ("shiftit 2x1\nr rg\n", f"line 2, column 3: 'rg' is no tile (expected {TILE})"),
    "five letters": ("shiftit 1x1\nrrggb\n", f"line 2, column 1: 'rrggb' is no tile (expected {TILE})"),
    "a capital": ("shiftit 1x1\nR\n", f"line 2, column 1: 'R' is no tile (expected {TILE})"),
    "two locks": ("shiftit 1x1\nr**\n", f"line 2, column 1: 'r**' is no tile (expected {TILE})"),
    "a lock alone": ("shiftit 2x1\nr *\n", f"line 2, column 3: '*' is no tile (expected {TILE})"),
    "a lock too early": ("shiftit 1x1\n*r\n", f"line 2, column 1: '*r' is no tile (expected {TILE})"),
    "a foreign letter": ("shiftit 1x1\n é\n", f"line 2, column 2: 'é' is no tile (expected {TILE})"),
    "a NUL": ("shiftit 1x1\nr\0\n", "line 2, column 2: a NUL character"),
    "one enormous line": (
        "shiftit 1x1\n" + "r" * 100_000,
        f"line 2, column 1: {'r' * 40 + '...'!r} is no tile (expected {TILE})",
    ),
    "few names": ("shiftit 2x1\nr g\nnames: a\n", "line 3: 1 name (expected 2 names)"),
    "many names": ("shiftit 1x1\nr\nnames: a b\n", "line 3: 2 names (expected 1 name)"),
    "names twice": (
        "shiftit 1x1\nr\nnames: a\nnames: a\n",
        "line 4: a line after the rows (expected names:, or another level)",
    ),
    "names before rows": (
        "shiftit 1x1\nnames: a\nr\n", "line 2: names: stands after the rows (expected a row of tiles)",
    ),
    "title twice": ("shiftit 1x1\ntitle: a\nTitle: b\nr\n", "line 3: a second line 'title:' (expected a row of tiles)"),
    "a title after the rows": (
        "shiftit 1x1\nr\ntitle: a\n",
        "line 3: a line after the rows (expected names:, or another level)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", BROKEN)
def test_broken_files(kind: str) -> None:
    broken, error = BROKEN[kind]
    with pytest.raises(ParseError) as refused:
        gp.read(broken, "shiftit")
    assert str(refused.value) == error


INVALID = {
    "too large": ("shiftit 65x64\n", "level at line 1: S1-size: a board has at most 4096 positions"),
    "far too large": (
        f"shiftit {'9' * 5000}x1\n", "level at line 1: S1-size: a board has at most 4096 positions",
    ),
    "one name twice": (
        "\nshiftit 2x1\nr g\nnames: a a\n", "level at line 2: S17-same-name at a: two tiles have this name",
    ),
    "no names": (
        "shiftit 2x1\nr g\nnames: up a-b\n",
        "level at line 1: S17-name at up: a tile's name is an identifier, a number, or a string in quotation"
        " marks where those are needed; S17-name at a-b: a tile's name is an identifier, a number, or a string"
        " in quotation marks where those are needed",
    ),
}  # fmt: skip


@pytest.mark.clause("S1", "S17")
@pytest.mark.parametrize("kind", INVALID)
def test_invalid_files(kind: str) -> None:
    broken, error = INVALID[kind]
    with pytest.raises(InvalidLevel) as refused:
        gp.read(broken, "shiftit")
    assert str(refused.value) == error


CHARACTERS = st.text(st.sampled_from("shiftx 0123\n\n\trgbz*;:names\"'é"), max_size=60)


@given(CHARACTERS | st.text(max_size=30), st.booleans())
def test_readers_raise_nothing_but_errors_of_their_own(shown: str, headed: bool) -> None:
    shown = f"shiftit 2x1\n{shown}" if headed else shown
    for reader in (gp.read, gp.position, lambda text, game: level("r g").position(text)):
        try:
            reader(shown, "shiftit")
        except GridproofError:
            continue


@pytest.mark.slow
@given(levels(LETTERS), st.data())
def test_damaged_file_is_refused_or_read(board: Level, data: st.DataObject) -> None:
    whole = board.text()
    at = data.draw(st.integers(0, len(whole) - 1))
    damaged = whole[:at] + data.draw(st.sampled_from(["", "x", "\n", "*", "?", " ", '"'])) + whole[at + 1 :]
    with contextlib.suppress(GridproofError):
        assert all(isinstance(found, Level) for found in gp.read(damaged, "shiftit"))


@given(st.lists(NAMES, min_size=1, max_size=4, unique=True))
def test_names_round_trip(called: list[str]) -> None:
    board = Level(Tile(name, x, 0, "red") for x, name in enumerate(called))
    (again,) = gp.read(gp.write(board, format="shiftit"))
    assert isinstance(again, Level)
    assert [tile.name for tile in again.tiles] == called


# -- recognising


@pytest.mark.parametrize(
    ("shown", "answer"),
    [
        ("shiftit 2x2\n", True),
        ("; x\ntitle: y\n\n  shiftit\n", True),
        ("r g\nb r\nnames: a b c d\n", True),
        ("shiftitup 2x2", False),
        ("robots 2x2\nnames: x\nr\n", False),
        ("#####\n", False),
        ("", False),
    ],
)
def test_format_is_recognised_by_content(shown: str, answer: bool) -> None:
    assert bool(text.recognises(shown)) is answer
    assert not idp_format.recognises(shown)


def test_header_with_a_size_is_the_surer_claim() -> None:
    claims = [text.recognises(shown) for shown in ("shiftit 2x2\n", "shiftit\n", "r g\nnames: a b\n", "")]
    assert claims == [Claim.MARK, Claim.PART, Claim.FORM, Claim.NONE]


def test_large_board_is_read_at_once_and_not_tile_by_tile() -> None:
    rows = ("r " * 64 + "\n") * 64
    assert lines_run(lambda: text.read(f"shiftit 64x64\n{rows}")) < 16 * 64 * 64
    with pytest.raises(InvalidLevel, match="at most 4096 positions"):
        text.read_position("r g\n" * 2049)
