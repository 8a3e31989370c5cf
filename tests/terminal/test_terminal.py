"""Without a terminal for the full screen, a game is played in lines of text."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from gridproof import terminal


class _Stream:
    def __init__(self, terminal: bool) -> None:
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize(
    ("streams", "name", "size", "possible"),
    [
        ((True, True, True), "xterm", (80, 24), True),
        ((True, True, True), "xterm", (30, 12), True),
        ((True, True, True), "xterm", (29, 24), False),
        ((True, True, True), "xterm", (80, 11), False),
        ((True, True, True), "dumb", (80, 24), False),
        ((False, True, True), "xterm", (80, 24), False),
        ((True, False, True), "xterm", (80, 24), False),
        ((True, True, False), "xterm", (80, 24), False),
    ],
)
def test_full_screen_needs_terminal_of_minimum_size(
    monkeypatch: pytest.MonkeyPatch, streams: tuple[bool, bool, bool], name: str, size: Any, possible: bool
) -> None:
    for stream, is_terminal in zip(("stdin", "stdout", "stderr"), streams, strict=True):
        monkeypatch.setattr(sys, stream, _Stream(is_terminal))
    monkeypatch.setenv("TERM", name)
    monkeypatch.setattr("shutil.get_terminal_size", lambda *_, **__: os.terminal_size(size))
    assert terminal.is_possible() == possible


@pytest.mark.slow
def test_plain_play_does_not_import_textual() -> None:
    code = "import sys; from gridproof.cli import main\ntry: main()\nfinally: print('textual' in sys.modules)"
    told = subprocess.run(
        [sys.executable, "-c", code, "play", "null/first/1", "--no-keep"],
        input="quit\n",
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert told.splitlines()[-1] == "False"
