"""Lines of text for people."""

from __future__ import annotations

import pytest

from gridproof.core.text.display import sentence, shorten


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
def test_shorten_marks_cut(text: str, columns: int, lines: int, shown: str) -> None:
    assert shorten(text, columns, lines) == shown


def test_sentence_has_capital_and_full_stop() -> None:
    assert [*map(sentence, ("go; then win", "Won!", ""))] == ["Go; then win.", "Won!", "."]
