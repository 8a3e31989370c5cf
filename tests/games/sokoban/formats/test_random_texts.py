"""Random and damaged texts: whatever a reader is given, it answers with levels or a GridproofError."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.sokoban.boards import level, levels, pack_contents
from tests.games.sokoban.formats.test_slc import CANONICAL_XML
from tests.games.sokoban.formats.test_xsb import CANONICAL

from gridproof.core.errors import GridproofError, InvalidLevel, ParseError
from gridproof.core.text import recognition
from gridproof.core.text.pack import Pack
from gridproof.games.sokoban import Level

ANYTHING = st.text(st.characters(), max_size=200)
PARTS = st.sampled_from(
    [
        "\n", "\n\n", "####", "#@$.#", "-", " ", "|", "3#", "0", "99999999999", "; note", ";", "Title: a", "Bombs: 2",
        "Bombs: -1", "Bombs", "Comment:", "Comment-End:", "word", "K:", "\t", "\0", "\r", "\x85", "\ud800", "é", ":",
    ]
)  # fmt: skip
TAGS = st.sampled_from(
    [
        "<SokobanLevels>", "</SokobanLevels>", "<LevelCollection Bombs='1'>", "</LevelCollection>", "<Level Id='1'>",
        "</Level>", "<L>", "</L>", "@$.", "#", "<Note>", "</Note>", "<Key Name='a'>", "</Key>", "<Title/>", "\n", "&lt;",
        "&#1;", "&x;", "<!--", "-->", "<![CDATA[", "]]>", "<?xml version='1.0'?>", "<!DOCTYPE a [", "]>", "\ud800", "\0",
    ]
)  # fmt: skip
DAMAGE = st.tuples(st.integers(0, 2000), st.integers(0, 20), ANYTHING.map(lambda text: text[:5]))


def lossless(text: str, form: str) -> None:
    """Read a text, and check that writing it loses nothing."""
    with contextlib.suppress(ParseError, InvalidLevel):
        pack = recognition.read(text, "sokoban")
        written = pack.text(form)
        again = recognition.read(written, "sokoban")
        assert pack_contents(again) == pack_contents(pack)
        assert again.text(form) == written


@pytest.mark.clause("K21")
@given(
    st.one_of(
        ANYTHING, st.lists(PARTS, max_size=40).map("".join), st.lists(PARTS, max_size=30).map("\n".join)
    )
)
def test_any_text_is_read_without_loss_or_refused(text: str) -> None:
    lossless(text, "xsb")


@pytest.mark.clause("K21")
@given(DAMAGE)
def test_damaged_text_is_read_without_loss_or_refused(damage: tuple[int, int, str]) -> None:
    place, length, put = damage
    lossless(CANONICAL[:place] + put + CANONICAL[place + length :], "xsb")


@given(st.lists(TAGS, max_size=30).map("".join).map("<SokobanLevels>".__add__))
def test_any_xml_is_read_or_refused(text: str) -> None:
    lossless(text, "slc")


@pytest.mark.slow
@given(DAMAGE)
def test_damaged_xml_is_read_or_refused(damage: tuple[int, int, str]) -> None:
    place, length, put = damage
    lossless(CANONICAL_XML[:place] + put + CANONICAL_XML[place + length :], "slc")


@given(
    st.one_of(ANYTHING, DAMAGE.map(lambda d: CANONICAL[: d[0]] + d[2] + CANONICAL[d[0] + d[1] :])), levels()
)
def test_any_text_of_a_position_is_read_or_refused(text: str, home: Level) -> None:
    with contextlib.suppress(GridproofError):
        assert home.position(text).level is home


SAID = st.text(st.characters(exclude_characters="\0\r\n", codec="utf-8"), max_size=10).map(str.strip)
TITLES = st.lists(SAID, min_size=1, max_size=3).map("\n".join).map(str.strip)
NOTES = st.lists(SAID, max_size=3).map(tuple)
KEYS = st.dictionaries(st.sampled_from(["Date", "A b", "Étude", "Solution"]), TITLES, max_size=3)


@pytest.mark.clause("K21")
@given(TITLES, TITLES, KEYS, NOTES, NOTES, NOTES, st.sampled_from([{}, {"Bombs": "2"}]))
def test_keys_and_notes_of_levels_are_written_without_loss(
    title: str,
    author: str,
    keys: dict[str, str],
    above: tuple[str, ...],
    below: tuple[str, ...],
    notes: tuple[str, ...],
    bombs: dict[str, str],
) -> None:
    plain = level("#@$.#")
    about = {"author": author, "keys": keys, "notes_above": above, "notes_below": below}
    made = [
        Level((1, 0), number, plain.boxes, plain.depots, plain.walls, title=title or "a title", **about)  # type: ignore[arg-type]  # what is tried
        for number in (0, 2)
    ]
    pack = Pack(made, title=title, author=author, keys=bombs | keys, notes=notes)
    assert pack_contents(recognition.read(pack.text(), "sokoban")) == pack_contents(pack)
