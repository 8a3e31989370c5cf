"""Fixtures that run commands: inside this process, as processes of their own, and on a terminal."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import gridproof.cli
from gridproof.cli import app

for _module in pkgutil.iter_modules(
    gridproof.cli.__path__
):  # a later import would keep what a test has replaced
    importlib.import_module(f"gridproof.cli.{_module.name}")

PATIENCE = 600.0
"""Seconds until a busy machine shows the next text."""


@dataclass(frozen=True)
class Answer:
    """The answer of a command."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The only printed document."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """The printed documents, one a line."""
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Answer]


@pytest.fixture
def run() -> Run:
    """Run a command inside this process, as in a pipe."""

    def invoke(*arguments: str, input: str | bytes = "") -> Answer:
        result = CliRunner().invoke(app, list(arguments), input=input)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Answer(result.exit_code, result.stdout, result.stderr)

    return invoke


@pytest.fixture
def columns(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Return a function that sets the width of lines as on a terminal."""

    def set_columns(count: int) -> None:
        monkeypatch.setattr("gridproof.cli.output.terminal_width", lambda stream: count)

    return set_columns


COMMAND = (sys.executable, "-m", "gridproof")


@pytest.fixture
def process() -> Run:
    """Run a command as a process of its own."""

    def invoke(*arguments: str, input: str = "", **environment: str) -> Answer:
        done = subprocess.run(
            [*COMMAND, *arguments],
            input=input,
            capture_output=True,
            text=True,
            env={**os.environ, **environment},
            timeout=600,
            check=False,
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    return invoke


class Terminal:
    """A command in a terminal of its own."""

    def __init__(self, *arguments: str, columns: int = 80) -> None:
        self.output = ""
        self._status: int | None = None
        environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm-256color"}
        environment.pop("NO_COLOR", None)
        self._pid, self._handle = pty.fork()
        if self._pid == 0:
            os.execve(sys.executable, [*COMMAND, *arguments], environment)

    def until(self, text: str, seconds: float = PATIENCE) -> str:
        """Wait for a text, and return the output before it."""
        end = time.monotonic() + seconds
        while text not in self.output:
            assert time.monotonic() < end, f"{text!r} did not come: {self.output!r}"
            assert self._read(), f"{text!r} did not come before the end: {self.output!r}"
        before, _, self.output = self.output.partition(text)
        return before

    def type(self, text: str) -> None:
        """Type on the keyboard."""
        os.write(self._handle, text.encode())

    def signal(self, number: int) -> None:
        """Send a signal to the command."""
        os.kill(self._pid, number)

    def end(self, seconds: float = PATIENCE) -> int:
        """Wait for the end, and return the exit status."""
        end = time.monotonic() + seconds
        while self._read():
            assert time.monotonic() < end, f"it does not end: {self.output!r}"
        if self._status is None:
            self._status = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        return self._status

    def close(self) -> None:
        """Kill the process if it runs, and close the terminal."""
        if self._status is None:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
        os.close(self._handle)

    def _read(self) -> bool:
        if not select.select([self._handle], [], [], PATIENCE)[0]:
            return False
        try:
            data = os.read(self._handle, 4096)
        except OSError:  # the other side is closed
            return False
        self.output += data.decode()
        return bool(data)


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    """Run a command on a terminal."""
    opened: list[Terminal] = []

    def open_one(*arguments: str, columns: int = 80) -> Terminal:
        opened.append(Terminal(*arguments, columns=columns))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


OPEN = """\
#############
#@          #
# $ $ $ $ $ #
#  $ $ $ $  #
# $ $ $ $ $ #
#           #
##### ## ####
#           #
# . . . . . #
#  . . . .  #
# . . . . . #
#           #
#############
"""
"""Sokoban with far more positions than a test has time for: all boxes pass one door."""

STUCK = "#####\n#@$.#\n#####\n\n######\n#@ $.#\n######\n\n#####\n##$ #\n# @.#\n#####\n"
"""Two easy levels of Sokoban and one that nobody can win, without bombs."""


@pytest.fixture
def sokoban_file(tmp_path: Path) -> Path:
    """Return a file of three levels, the last of them impossible."""
    path = tmp_path / "three.xsb"
    path.write_text(STUCK)
    return path
