"""Tests of the editor of levels of Shift It."""

from __future__ import annotations

from gridproof.games.shiftit.editor import EDITOR


def test_tools_have_different_pictures() -> None:
    pictures = [
        tuple((piece.shape, piece.colours) for piece in tool.picture) for tool in EDITOR.tools(EDITOR.first)
    ]
    assert len(set(pictures)) == len(pictures)
