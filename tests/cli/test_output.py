"""Output of commands: whole lines in pipes, errors for full disks, a progress line that hides for other output."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gridproof as gp
from gridproof.cli import app, output
from gridproof.cli import progress as showing
from gridproof.cli.progress import Progress
from gridproof.core.extension import function_table
from gridproof.core.lazy_import import compile_listeners

from .conftest import Run, Terminal

FULL = Path("/dev/full")
USES = {
    "games": (),
    "levels": ("null/first",),
    "play": ("null/first/1", "--no-keep"),
    "watch": ("null/first/1",),
    "show": ("null/first/1",),
    "replay": ("null/first/1", "right"),
    "solve": ("null/first/1",),
    "explore": ("null/first/1",),
    "check": ("null/first/1", "EF won"),
    "model": ("-",),
    "generate": ("twenty48",),
    "convert": ("null/first/1",),
    "warm": (),
    "bench": ("null", "--seconds", "0.1"),
}
"""Arguments with which each command prints something."""
STRUCTURE = "structure S : ShiftItVoc { Time = {0..1} }"


@pytest.mark.parametrize(
    ("command", "result"),
    [
        (("solve", "null/first/1", "--minimise", "actions"), lambda: gp.solve("null/first/1", "actions")),
        (("explore", "null/first/1"), lambda: gp.explore("null/first/1")),
        (("check", "null/first/1", "AG !won"), lambda: gp.check("null/first/1", "AG !won")),
        (("value", "null/first/1"), lambda: gp.value("null/first/1")),
        (("analyse", "null/first/1"), lambda: gp.analyse("null/first/1")),
    ],
    ids=["solve", "explore", "check", "value", "analyse"],
)
def test_json_of_commands_contains_data_of_results(
    run: Run, command: tuple[str, ...], result: Callable[[], Any]
) -> None:
    printed = run(*command, "--json").json
    expected = json.loads(json.dumps(result().to_dict()))
    assert {name: printed[name] for name in expected if name != "seconds"} == {
        name: value for name, value in expected.items() if name != "seconds"
    }


@pytest.mark.parametrize(
    "arguments",
    [
        *((command, *USES[command]) for command in USES if command != "warm"),
        ("solve", "null/first/1", "--json"),
        ("show", "null/first/1", "--svg", "-"),
        ("solve", "--help"),
        ("--version",),
        (),
    ],
    ids=" ".join,
)
@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
def test_full_disk_is_an_error(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(STRUCTURE.encode())))
    with FULL.open("w") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        with pytest.raises(SystemExit) as ended:
            app(list(arguments))
    assert ended.value.code == 2
    assert capsys.readouterr().err == "error: standard output: No space left on device\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("redirection", "told"),
    [
        (">/dev/full", "error: standard output: No space left on device\n"),
        (">/dev/full 2>/dev/full", ""),
        (">&-", "error: standard output: not writable\n"),
        (">&- 2>&-", ""),
    ],
)
def test_failing_output_is_an_error_in_a_process(redirection: str, told: str) -> None:
    command = f"'{sys.executable}' -m gridproof games {redirection}"
    done = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, text=True, check=False, timeout=600)
    assert (done.returncode, done.stderr) == (2, told)


def test_unwritable_notes_do_not_fail_the_command(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("typer.echo", refuse)
    output.print_note("it is the first of two")


LONG = "#####\n#@$.#\n#####\nTitle: " + "long " * 100 + "\n"


def test_lines_are_not_wrapped_in_a_pipe(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    for command in ("show", "levels", "solve", "explore"):
        assert "long " * 99 + "long" in run(command, "-", input=LONG).out
    lines = sum(4 + bool(function_table(gp.game(name), "exports")) for name in gp.game_names())
    assert len(run("games").out.splitlines()) == lines
    typed = run("play", "null/first/1", "--no-keep", input="?\nright\n").out
    assert "a hop carries you one cell or two, as chance has it.\n" in typed


@pytest.mark.slow
def test_lines_are_wrapped_at_terminal_width(terminal: Callable[..., Terminal]) -> None:
    shown = terminal("games", columns=40)
    assert shown.end() == 0
    assert max(map(len, shown.output.splitlines())) <= 40
    assert len(shown.output.splitlines()) > 4 * len(gp.game_names())


class Screen(io.StringIO):
    """One terminal for standard error and output."""

    def isatty(self) -> bool:
        return True

    def visible_lines(self) -> list[str]:
        """Return the lines at the end; the cursor moves as rich moves it."""
        lines, row = [""], 0
        for part in re.findall(r"\x1b\[(?:1A|2K|\?25[hl])|\r|\n|[^\x1b\r\n]+", self.getvalue()):
            if part == "\n":
                row += 1
                lines += [""] * (row + 1 - len(lines))
            elif part == "\x1b[1A":
                row -= 1
            elif part == "\x1b[2K":
                lines[row] = ""
            elif not part.startswith(("\x1b", "\r")):
                lines[row] += part
        return lines


@pytest.fixture
def on_screen(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Screen]:
    """Replace the streams by a terminal from the call on, after pytest's capture; progress never shows by itself."""

    def begin() -> Screen:
        shown = Screen()
        monkeypatch.setattr(sys, "stderr", shown)
        monkeypatch.setattr(sys, "stdout", shown)
        monkeypatch.setenv("TERM", "xterm-256color")
        monkeypatch.setattr(showing, "DELAY", 3600)
        return shown

    return begin


def test_output_never_shares_a_line_with_progress(on_screen: Callable[[], Screen]) -> None:
    screen = on_screen()
    with Progress("Solving", "levels", 3) as progress:
        progress._show()
        for number in range(1, 4):
            progress(number)
            output.print_paragraph(f"level {number}: 5 moves")
            assert screen.visible_lines()[:number] == [
                f"level {one}: 5 moves" for one in range(1, number + 1)
            ]
            assert progress._line is not None
        output.print_note("the last")
    assert [line for line in screen.visible_lines() if line] == [
        "level 1: 5 moves",
        "level 2: 5 moves",
        "level 3: 5 moves",
        "note: the last",
    ]
    assert screen.getvalue().count("\x1b[?25l") == screen.getvalue().count("\x1b[?25h")
    assert screen.getvalue().rindex("\x1b[?25h") > screen.getvalue().rindex("\x1b[?25l")


def test_redirected_output_does_not_hide_progress(
    on_screen: Callable[[], Screen], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = on_screen()
    file = io.StringIO()
    monkeypatch.setattr(sys, "stdout", file)
    with Progress("Solving") as progress:
        progress._show()
        output.print_json({"found": True})
        sys.stdout.write("and what others print\n")
    assert file.getvalue() == '{"found": true}\nand what others print\n'
    assert "found" not in screen.getvalue()


def test_progress_shows_names_unchanged(on_screen: Callable[[], Screen]) -> None:
    screen = on_screen()
    with Progress("Solving odd[/red].xsb#1") as progress:
        progress(5)
        progress._show()
    assert "Solving odd[/red].xsb#1: 5 positions, 0 s" in screen.getvalue()


def test_progress_shows_compilation_at_once(on_screen: Callable[[], Screen]) -> None:
    screen = on_screen()

    def tell(begins: bool) -> None:
        for told in compile_listeners:
            told(begins)

    with Progress("Solving one") as progress:
        assert progress._line is None
        tell(True)
        assert progress._line is not None
        assert progress.line() == "Compiling (once)... Solving one: 0 s"
        progress(7)
        tell(False)
        assert progress.line() == "Solving one: 7 positions, 0 s"
    assert "Compiling (once)... Solving one: 0 s" in screen.getvalue()
    assert not compile_listeners


def test_progress_shows_compilation_of_workers() -> None:
    compiles = [True]
    progress = Progress("Solving", "levels", 2, lambda: compiles[-1])
    assert progress.line().startswith("Compiling (once)... ")
    compiles.append(False)
    assert not progress.line().startswith("Compiling (once)... ")


def test_progress_line_appears_when_work_reports_nothing(
    on_screen: Callable[[], Screen], monkeypatch: pytest.MonkeyPatch
) -> None:
    on_screen()
    monkeypatch.setattr(showing, "DELAY", 0)
    came = threading.Event()
    monkeypatch.setattr(Progress, "_show", lambda self: came.set())
    with Progress("Solving"):
        assert came.wait(30)


def test_progress_is_hidden_without_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("Solving") as progress:
        progress(3)
        assert not compile_listeners
        progress._show()
    assert capsys.readouterr().err == ""
