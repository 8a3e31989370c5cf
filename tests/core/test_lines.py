"""The lines of texts, by blocks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridproof as gp
from gridproof.core.text.lines import Line, Lines, Word, header_text, key_line, notes_text, one_line, single

TEXT = "; One\n\n ;two\na\n; no note\nb c\n\n \n;\n\nd\n"


def blocks(lines: Lines) -> list[list[str]]:
    found: list[list[str]] = []
    while lines.begin():
        found.append([])
        while lines.peek().text:
            found[-1].append(lines.take().text)
    return found


def test_lines_skip_comments_in_blocks() -> None:
    lines = Lines(TEXT)
    assert blocks(lines) == [["a", "b c"], ["d"]]
    assert lines.notes == ("One", "two")
    assert not lines.begin()
    assert blocks(Lines(TEXT, blocks=False)) == [["a", "b c", "d"]]
    assert blocks(Lines("")) == blocks(Lines("\n;\n")) == []


def test_lines_know_their_numbers() -> None:
    lines = Lines(TEXT)
    assert lines.take() == Line(4, "a", first=True)
    assert list(lines.peek_block()) == [Line(6, "b c")]
    assert lines.take() == Line(6, "b c")
    assert (lines.peek(), lines.take(), list(lines.peek_block())) == (Line(7, ""), Line(7, ""), [])
    assert lines.begin()
    assert lines.take() == Line(11, "d", first=True)
    assert lines.peek() == Line(12, "")
    assert (Lines("").peek(), Lines("a").take(), Lines("a\nb").peek()) == (
        Line(1, ""),
        Line(1, "a", first=True),
        Line(1, "a", first=True),
    )


def test_text_without_final_newline_ends_on_its_last_line() -> None:
    lines = Lines("a\nb")
    assert lines.begin()
    lines.take()
    lines.take()
    assert lines.peek() == Line(2, "")


def test_begin_skips_rest_of_block() -> None:
    lines = Lines("a\nb\n\nc\nd")
    lines.take()
    assert lines.begin()
    assert lines.peek().text == "c"


def test_words_with_their_columns() -> None:
    assert list(Line(1, " a\tbc ").words()) == [Word("a", 2), Word("bc", 4)]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (" Key : a: b ", ("Key ", "a: b")),
        ("k-e_y 1:", ("k-e_y 1", "")),
        ("1: a", None),
        ("key", None),
        ("http://x", ("http", "//x")),
    ],
)
def test_header_keys_are_parsed(text: str, key: tuple[str, str] | None) -> None:
    assert Line(1, text).key == key


def test_header_stands_above_rows() -> None:
    lines = Lines("TITLE: a\nAuthor:\nDate: b\ndate: c\nrow\n")
    assert lines.read_header("a row") == ("a", "", {"Date": "b", "date": "c"})
    assert lines.peek().text == "row"
    assert Lines("row").read_header("a row") == ("", "", {})
    assert Lines("mark: a\ntitle: b").read_header("a row", title="mark") == ("a", "", {"title": "b"})


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("title: a\nTitle: b\n", 2, "a second line 'title:' (expected a row)"),
        ("a: a\n\nb: b\na: c\n", 4, "a second line 'a:'"),
        ("a: a\nNames: b\n", 2, "names: stands after the rows (expected a row)"),
    ],
)
def test_invalid_header_keys_are_refused(text: str, line: int, message: str) -> None:
    with pytest.raises(gp.ParseError) as caught:
        Lines(text, blocks=False).read_header("a row", foreign=("names",))
    assert caught.value.line == line
    assert message.lower() in str(caught.value).lower()


@pytest.mark.slow
@given(st.text(), st.dictionaries(st.from_regex(r"[A-Za-z][A-Za-z0-9 _-]*", fullmatch=True), st.text()))
def test_written_text_reads_back(title: str, keys: dict[str, str]) -> None:
    keys = {name: one_line(value) for name, value in keys.items() if name.lower() not in ("title", "author")}
    text = header_text(title, "me", keys)
    assert Lines(text).read_header("") == (one_line(title), "me", keys)


def test_header_leaves_out_forbidden_characters() -> None:
    assert header_text("\0", "a\r\nb", {"1": "c", "d:": "e", "f": ""}) == "author: a b\nf:\n"
    assert key_line("a ", "b") == "a : b\n"
    assert notes_text(["a\nb", ""]) == "; a b\n;\n"


def test_single_refuses_several_levels() -> None:
    assert single(["a"]) == "a"
    for found in ([], ["a", "b"]):
        with pytest.raises(gp.ParseError, match=f"one position is needed, the text has {len(found)} levels"):
            single(found)
