"""Where there is no terminal for the full screen, a game is in lines of text."""

from __future__ import annotations

import contextlib
import os
import pty
import signal
import subprocess
import sys
import termios
from typing import Any

import pytest

from gridproof.play import terminal


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
def test_the_full_screen_needs_a_terminal_of_some_size(
    monkeypatch: pytest.MonkeyPatch, streams: tuple[bool, bool, bool], name: str, size: Any, possible: bool
) -> None:
    for stream, is_terminal in zip(("stdin", "stdout", "stderr"), streams, strict=True):
        monkeypatch.setattr(sys, stream, _Stream(is_terminal))
    monkeypatch.setenv("TERM", name)
    monkeypatch.setattr("shutil.get_terminal_size", lambda *_, **__: os.terminal_size(size))
    assert terminal.is_possible() == possible


def test_lines_of_text_need_nothing_of_the_full_screen() -> None:
    code = "import sys; from gridproof.cli import main\ntry: main()\nfinally: print('textual' in sys.modules)"
    told = subprocess.run(
        [sys.executable, "-c", code, "play", "null/first/1", "--no-keep"],
        input="quit\n",
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert told.splitlines()[-1] == "False"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_it_ends_with_its_terminal(number: signal.Signals) -> None:
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (30, 90))
    command = [sys.executable, "-m", "gridproof", "play", "null/first/1", "--no-keep"]
    reset = "import os,signal,sys; signal.signal(signal.SIGHUP, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
    process = subprocess.Popen(
        [sys.executable, "-c", reset, *command],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
        start_new_session=True,
    )
    os.close(theirs)
    shown = b""
    while b"moves" not in shown and b"actions" not in shown:
        shown += os.read(ours, 4096)
    process.send_signal(number)
    if number is signal.SIGHUP:
        os.close(ours)
    else:
        with contextlib.suppress(OSError):
            while os.read(ours, 4096):
                pass
    assert process.wait(timeout=600) == -number
