"""XSB: what a text means, and that nothing of it is lost when it is written again (K21)."""

from __future__ import annotations

import dataclasses
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from tests.games.sokoban.boards import after, level, levels, pack_contents, position, positions
from tests.measurement import lines_run

import gridproof as gp
from gridproof.core.errors import GridproofError, ParseError
from gridproof.core.game import Claim
from gridproof.core.text import recognition
from gridproof.core.text.pack import Pack
from gridproof.games.sokoban import GAME, Level, Position
from gridproof.games.sokoban.formats import xsb

CANONICAL = """\
Title: Two small ones
Author: Somebody
Bombs: 1
Date: 1982
Comment:
The first lines.

  An indented one.
Comment-End:
; a note of the collection

; a note of the first
; First
#####
#@$.#
#####

; not the title
  ###
### #
------
# +$ #
Title: Second
Author: Another
Bombs: 0
Solution: r
Solution: l
Comment: one line
; a note below
; another
"""


def both(source: str) -> Pack:
    return recognition.read(source, "sokoban")


# -- boards


@pytest.mark.clause("K21")
def test_characters_have_their_meaning() -> None:
    found = level("#@+$*. -_#".replace("@", "$") + "\n")
    assert found.player == (2, 0)
    assert found.boxes == {(1, 0), (3, 0), (4, 0)}
    assert found.depots == {(2, 0), (4, 0), (5, 0)}
    assert found.walls == {(0, 0), (9, 0)}
    assert level("@$.").player == (0, 0)


@pytest.mark.clause("K4", "K21")
@pytest.mark.parametrize(
    ("rows", "size"),
    [
        ("@$.   \n#", (3, 2)),
        ("@$.-  \n#", (4, 2)),
        ("#   \n@$._\n##", (4, 3)),
        ("-\n@$.\n------", (6, 3)),
        ("   @$.", (6, 1)),
    ],
)
def test_trailing_spaces_do_not_count_and_other_floor_does(rows: str, size: tuple[int, int]) -> None:
    assert level(rows).size == size


@pytest.mark.clause("K21")
@pytest.mark.parametrize(
    "rows",
    [
        "5#\n#@-$.#\n5#",
        "5#|#@-$.#|5#",
        "5#|#@-$.#|5#|",
        "3#2#|1#1@ 1$.#|5#",
        "005#|#@_$.#\n5#",
    ],
)
def test_run_lengths_and_separators(rows: str) -> None:
    assert level(rows) == level("#####\n#@ $.#\n#####")


@pytest.mark.clause("K21")
def test_row_between_separators_may_be_empty() -> None:
    assert level("@$.||#") == level("@$.\n-\n#")
    assert level("|@$.") == level("-\n@$.")


@pytest.mark.clause("K21")
def test_blank_lines_and_metadata_separate_levels() -> None:
    one, other = "@$.\n", ".$@\n"
    for between in ("\n", "   \n\t\n", "; a comment\n", "Title: one\n", "a line of words\n", "\n\n;\n\n"):
        assert both(one + between + other) == [level(one), level(other)]
    assert len(both(one + other.replace("@", "-"))[0].text().splitlines()) == 2


def test_line_ends_of_all_systems_are_the_same() -> None:
    for end in ("\r\n", "\r"):
        assert pack_contents(both(CANONICAL.replace("\n", end))) == pack_contents(both(CANONICAL))
    assert both("\ufeff@$.") == both("@$.")


# -- what is said of them


@pytest.mark.clause("K21")
def test_keys_before_the_first_board_belong_to_the_collection_and_others_to_the_level_above() -> None:
    pack = both(CANONICAL)
    assert (pack.title, pack.author, pack.notes) == (
        "Two small ones",
        "Somebody",
        ("a note of the collection",),
    )
    assert pack.keys == {
        "Bombs": "1",
        "Date": "1982",
        "Comment": "The first lines.\n\n  An indented one.",
    }
    first, second = pack
    assert isinstance(first, Level)
    assert isinstance(second, Level)
    assert (first.title, first.author, first.keys) == ("First", "", {})
    assert (second.title, second.author) == ("Second", "Another")
    assert second.keys == {"Solution": "r\nl", "Comment": "one line"}
    assert first.notes_above == ("a note of the first", "First")
    assert (second.notes_above, second.notes_below) == (("not the title",), ("a note below", "another"))


@pytest.mark.clause("K21")
def test_bombs_are_the_levels_own_or_the_collections_or_none() -> None:
    assert [item.start().text()[-9:] for item in both(CANONICAL)] == ["Bombs: 1\n", "Bombs: 0\n"]
    assert level("@$.").bombs == 0
    assert level("@$.\n\nBOMBS:  7 ").bombs == 7


@pytest.mark.clause("K21")
def test_comment_directly_above_board_is_its_title_when_it_has_no_other() -> None:
    assert level(";  1 \n@$.").title == "1"
    assert level("; no\n; yes\n@$.").title == "yes"
    assert level("; apart\n\n@$.").title == ""
    assert level("; above\nDate: a key between\n@$.").title == ""
    assert level("; above\n@$.\n\nTitle: below").title == "below"
    assert level("; above\n@$.\nTitle:").title == "above"
    assert level(";\n@$.").title == ""
    assert level("Level 1\n@$.").title == "Level 1"


@pytest.mark.clause("K21")
def test_lines_of_words_are_comments_that_need_no_mark() -> None:
    pack = both(":: by hand\nA set of levels\nhttp://example.org/levels\n\nÉtude\n@$.\nnot easy\n")
    assert pack.notes == (":: by hand", "A set of levels", "http://example.org/levels")
    assert pack_contents(both(pack.text())) == pack_contents(pack)


def test_keys_with_a_meaning_are_known_in_any_letter_case() -> None:
    found = level("@$.\ntitle: a\nAUTHOR : b\ncomment:\nc\nCOMMENT-END: \nDate: d\ndate: e")
    assert (found.title, found.author) == ("a", "b")
    assert found.keys == {"Comment": "c", "Date": "d", "date": "e"}


# -- writing


@pytest.mark.clause("K21")
def test_canonical_text_is_written_unchanged() -> None:
    assert both(CANONICAL).text() == CANONICAL


@pytest.mark.clause("K21")
@pytest.mark.parametrize(
    "source",
    [
        CANONICAL,
        "@$.",
        "\n\n  @$.-\n\n",
        ";;; loud\n;\n;quiet\n\n@$.\n;below\n\n;between\n\n;above\n.$@\n; last",
        "Comment:\nComment-End:\n@$.\nComment: \n\nComment-End:\nComment: again\n",
        "Title: a\nTitle: b\nX:\nX: 1\nX:\n@$.\nTitle: c\nTitle: d\nBombs: 3",
        "Bombs: 2\n@$.\nBombs: 2\n\n@$.\nBombs: 0\n\n@$.",
        "Key:value : with: colons\n@$.\nLong key (with more): yes\n",
        "; Title: in a comment\n@$.\nAuthor:   spaced   out   ",
        "3-|@$.\n4-",
    ],
)
def test_levels_are_written_without_loss(source: str) -> None:
    pack = both(source)
    written = pack.text()
    assert pack_contents(both(written)) == pack_contents(pack)
    assert both(written).text() == written


@pytest.mark.clause("K4", "K21")
@given(levels(title="A title", author="An author", keys={"Key": "value"}, notes_below=["a note"]))
def test_levels_survive_their_text(made: Level) -> None:
    (again,) = both(made.text())
    assert pack_contents(Pack([again])) == pack_contents(Pack([made]))


@pytest.mark.clause("K21")
def test_row_of_floor_is_written_with_dashes() -> None:
    made = Level((2, 1), 0, {(1, 1)}, {(0, 1)}, {(0, 3)}, (4, 5))
    assert made.text() == "----\n.$@\n----\n#\n----\n"


@pytest.mark.clause("K4", "K21")
def test_grid_wider_than_its_content_is_written_in_full_once() -> None:
    made = Level((0, 0), 0, {(1, 0)}, {(2, 0)}, {(0, 1)}, (5, 2))
    assert made.text() == "@$.--\n#\n"
    assert level(made.text()) == made


def test_changed_title_is_written() -> None:
    renamed = dataclasses.replace(level("; old\n@$."), title="new")
    assert renamed.text() == "; old\n@$.\nTitle: new\n"
    assert level(renamed.text()).title == "new"


def test_line_ends_inside_notes_and_titles_do_no_harm() -> None:
    made = dataclasses.replace(
        level("@$."),
        title="one\ntwo",
        keys={"K": "a\r\nb"},
        notes_above=("x\n####",),
        notes_below=("y\r@$.",),
    )
    assert made.text() == "; x ####\n@$.\nTitle: one\nTitle: two\nK: a\nK: b\n; y @$.\n"


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"Title": "x"}, "the key 'Title' cannot be written"),
        ({"bombs": "x"}, "the key 'bombs' cannot be written"),
        ({"Bombs": "2"}, "the key 'Bombs' cannot be written"),
        ({"Comment-End": ""}, "the key 'Comment-End' cannot be written"),
        ({"a:b": ""}, "the key 'a:b' cannot be written"),
        ({"#": ""}, "the key '#' cannot be written"),
        ({"": ""}, "the key '' cannot be written"),
        ({"two\nlines": ""}, "the key 'two\\nlines' cannot be written"),
        ({" spaced": ""}, "the key ' spaced' cannot be written"),
        ({"Comment": "a\ncomment-end:"}, "a comment with a line Comment-End: in it cannot be written"),
    ],
)
def test_keys_that_would_be_read_otherwise_are_not_written(keys: dict[str, str], message: str) -> None:
    with pytest.raises(GridproofError) as caught:
        dataclasses.replace(level("@$."), keys=keys).text()
    assert str(caught.value) == message


def test_levels_of_another_game_are_not_written() -> None:
    (other,) = recognition.read("@..o\n", "null")
    for form in ("xsb", "slc"):
        with pytest.raises(GridproofError):
            Pack([level("@$."), other]).text(form)
    with pytest.raises(GridproofError, match="levels of sokoban are needed"):
        xsb.write(Pack([other]))


def test_bombs_of_a_collection_must_be_a_number() -> None:
    with pytest.raises(ParseError, match="'many' is no number of bombs"):
        xsb.write(Pack([level("@$.")], keys={"Bombs": "many"}))


def test_files_are_recognised_by_content_and_written_by_their_ending(tmp_path: Path) -> None:
    pack = recognition.read(CANONICAL)
    assert pack.game is GAME
    recognition.write(pack, tmp_path / "levels.sok")
    assert (tmp_path / "levels.sok").read_text(encoding="utf-8") == CANONICAL
    assert not xsb.recognises("2 4 8\n- - -\n")
    assert xsb.recognises("@\n$\n.")
    assert xsb.recognises("#\n#@.\n#")
    assert xsb.recognises("3#|#-#|3#")
    assert not xsb.recognises("robots 3x2\nboard:\na . A\n# . #\n")


@pytest.mark.parametrize(
    "text",
    [
        "echo start\n##\n##\nls\n",
        "#!/bin/sh\n#####\n#\n#####\necho a\n",
        "A list\n======\n***\n---\n+--+\n",
        "one\n####\ntwo\n@\nthree\n$\n",
    ],
)
def test_scripts_with_lines_of_hashes_are_no_boards(text: str) -> None:
    assert xsb.recognises(text) is Claim.NONE


def test_unmarked_titles_and_a_broken_row_are_of_a_collection() -> None:
    board = "#####\n#@$.#\n#####\n"
    assert xsb.recognises(f"The first\n{board}\nThe second\n{board}") is Claim.FORM
    assert xsb.recognises(f"{board}\n#?#\n") is Claim.PART
    assert xsb.recognises("#####\n#@$x#\n#####\n") is Claim.PART


# -- positions


@pytest.mark.clause("K21")
def test_position_is_written_in_full() -> None:
    start = position("  ####\n###. #\n#@ $ #\n###*##\n  ###\nBombs: 2\n")
    there = after(start, "bomb", "right")
    assert there.text() == "--####\n#-#.-#\n--@$--\n#-#*##\n--###-\nBombs: 1\n"
    assert after(start, "bomb", "bomb").text().endswith("\nBombs: 0\n")


@pytest.mark.slow
@given(positions())
def test_positions_survive_their_text(there: Position) -> None:
    assert there.level.position(there.text()) == there


@given(positions())
def test_position_is_a_level_that_starts_there(there: Position) -> None:
    found = recognition.position(there.text(), "sokoban")
    assert found.text() == there.text()
    assert found == found.level.start()


@pytest.mark.parametrize(
    ("shown", "message"),
    [
        ("", "line 1: one board is needed, the text has 0"),
        ("#@$.#\n#--##\n\n#@$.#\n#--##\n", "line 1: one board is needed, the text has 2"),
        ("#@$.#\n#-x##\n", "line 2, column 3: 'x' in a row"),
        ("#@-.#\n#--##\n", "level at line 1: K3-counts: there are 0 boxes and 1 depot"),
        ("#@$.#\n#--##\n-----\n", "no position of this level: its grid has 5 x 3 cells, the level's 5 x 2"),
        ("#@.$#\n#--##\n", "no position of this level: its depots differ at (2, 0)"),
        ("#@$.#\n##-##\n", "no position of this level: the level has no wall at (1, 1)"),
        ("#@$.#\n#--##\nBombs: 2\n", "no position of this level: it has 2 bombs, the level 1"),
        (
            "#@$.#\n#---#\nBombs: 1\n",
            "no position of this level: the wall at (3, 1) is gone, but no bomb has been used",
        ),
        (
            "#@$.#\n#--#-\nBombs: 0\n",
            "no position of this level: no bomb deletes the wall at (4, 1) and leaves others in its row and column",
        ),
    ],
)
def test_foreign_positions_are_refused(shown: str, message: str) -> None:
    home = level("#@$.#\n#--##\nBombs: 1\n")
    with pytest.raises(GridproofError) as caught:
        home.position(shown)
    assert str(caught.value).startswith(message)


def test_keys_are_written_in_one_order_and_rows_without_runs() -> None:
    typed = "Zeta: 1\nAuthor: me\nTitle: T\n\n5#|#@$.#|5#\nAlpha: 3\nBombs: 2\nAuthor: you\nTitle: one\n"
    written = (
        "Title: T\nAuthor: me\nZeta: 1\n\n#####\n#@$.#\n#####\nTitle: one\nAuthor: you\nBombs: 2\nAlpha: 3\n"
    )
    assert recognition.read(typed).text() == written
    assert recognition.read(written).text() == written


def test_numbers_above_boards_are_titles_of_many_levels() -> None:
    """Boxoban's own files hold a thousand levels like this; the work grows with their number alone."""

    def text(levels: int) -> str:
        return "\n".join(f"; {number}\n#####\n#@$.#\n##{'#' * (number % 3)}###\n" for number in range(levels))

    pack = gp.read(text(1000))
    assert [level.title for level in pack] == [str(number) for number in range(1000)]
    few, many = (lines_run(partial(gp.read, text(levels))) for levels in (50, 100))
    assert many < 2.2 * few
