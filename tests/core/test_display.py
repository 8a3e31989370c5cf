"""Lines of text for people."""

from __future__ import annotations

import pytest

from gridproof.play.text import sentence, shortened


@pytest.mark.parametrize(
    ("text", "columns", "lines", "shown"),
    [
        ("one two three", 7, 2, "one two three"),
        ("one two three", 7, 1, "one t …"),
        ("one two three four", 9, 2, "one two\nthree …"),
        ("x" * 9, 4, 2, "xxxx\nxx …"),
        ("one two three", 0, 0, "one two three"),
    ],
)
def test_what_has_no_room_is_cut_off_where_one_sees_it(
    text: str, columns: int, lines: int, shown: str
) -> None:
    assert shortened(text, columns, lines) == shown


def test_a_sentence_has_a_capital_and_a_full_stop() -> None:
    assert [*map(sentence, ("go; then win", "Won!", ""))] == ["Go; then win.", "Won!", "."]
