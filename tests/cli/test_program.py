"""All commands: help, exit statuses, errors, pipes, encodings."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

import gridproof as gp
from gridproof.cli import program
from gridproof.cli.program import COMMANDS

from .conftest import COMMAND, Run


def test_program_prints_help_without_command(run: Run) -> None:
    answer = run()
    assert answer.status == 0
    assert answer.out == run("--help").out
    for command in (*COMMANDS, "model"):
        assert f"\n  {command} " in answer.out


@pytest.mark.parametrize("command", [*COMMANDS, "model"])
def test_commands_have_help_and_json(run: Run, command: str) -> None:
    answer = run(command, "-h")
    assert answer.status == 0
    assert answer.out.startswith(f"Usage: gridproof {command} ")
    assert "--json" in answer.out
    assert not re.search(r" <[a-z]", answer.out)  # no types of Python


def test_help_summaries_fit_80_columns(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    told = run("--help").out
    assert re.search(r"^  generate +Generate new levels", told, re.MULTILINE)
    assert not [line for line in told.splitlines()[1:] if line.endswith("...")]


@pytest.mark.slow
def test_help_fits_narrow_terminals(process: Run) -> None:
    assert max(map(len, process("solve", "--help", COLUMNS="40").out.splitlines())) <= 50


def test_program_prints_version(run: Run) -> None:
    assert run("--version").out == f"gridproof {gp.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("shwo",), "no command 'shwo'; choose from games, levels, play, "),
        (("--nonsense",), "No such option: --nonsense"),
        (("show",), "Missing argument 'LEVEL|TRACE'."),
        (("show", "a", "b"), "Got unexpected extra argument(s) (b)"),
        (
            ("show", "nowhere.xsb"),
            "nowhere.xsb: no such file, and no pack by that name (see `gridproof levels`)",
        ),
        (("show", "nowhere.xsb#2"), "nowhere.xsb: No such file or directory"),
        (("show", "null/first/4"), "null/first/4: choose a level from 1 to 3"),
        (("show", "null/first/0"), "null/first/0: choose a level from 1 to 3"),
        (("show", "null/first/" + "9" * 5000), "choose a level from 1 to 3"),
        (("show", "null/second/1"), "null has no pack 'second': it has first"),
        (("show", "x" * 5000), "no such file"),
        (("show", "null/first/1", "--seed", "-1"), "seed -1: it must be a whole number from 0 to 2**64 - 1"),
        (("show", "null/first/1", "--seed", "1.5"), "--seed"),
        (("replay", "null/first/1", "left", "--seed", "-1"), "seed -1"),
        (("show", "-", "--game", "chess"), "no game 'chess'; choose from "),
        (("play", "nowhere.xsb"), "no such file"),
    ],
)
def test_errors_are_printed_on_one_line(run: Run, arguments: tuple[str, ...], message: str) -> None:
    answer = run(*arguments, input=".@o\n")
    assert answer.status == 2
    assert answer.out == ""
    assert answer.err.startswith("error: ")
    assert message in answer.err
    assert answer.err.count("\n") == 1


def test_errors_are_json_with_option_json(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.xsb"
    path.write_text("#####\n#@ .#\n#####\n")
    answer = run("show", str(path), "--json")
    assert answer.status == 2
    assert answer.err.startswith("error: ")
    assert answer.json["kind"] == "InvalidLevel"
    assert {item["code"] for item in answer.json["problems"]} == {"K3-counts", "K3-no-box"}
    assert answer.json["path"] == str(path)
    path.write_text("#####\n#@$?#\n#####\n")
    answer = run("show", str(path), "--game", "sokoban", "--json")
    assert (answer.json["kind"], answer.json["line"]) == ("ParseError", 2)
    usage = run("show", "--json")
    assert usage.status == 2
    assert usage.json["error"] == "Missing argument 'LEVEL|TRACE'."


def test_foreign_bytes_on_standard_input_are_an_error_or_a_level(run: Run) -> None:
    assert run("show", "-", input=b"\xff\xfe\x00\x01").status == 2
    latin = run("show", "-", "--json", input="; Füße\n#####\n#@$.#\n#####\n".encode("latin-1"))
    assert latin.json["title"] == "Füße"


def test_control_characters_never_reach_a_terminal(run: Run, tmp_path: Path) -> None:
    answer = run("show", "evil\x1b[2J\x07name")
    assert "\x1b" not in answer.err
    assert answer.err.count("\n") == 1


@pytest.mark.slow
def test_json_is_plain_ascii_whatever_the_terminal(process: Run) -> None:
    answer = process("show", "-", "--json", input="; Füße\n#####\n#@$.#\n#####\n", PYTHONIOENCODING="ascii")
    assert answer.status == 0
    assert answer.out.isascii()


@pytest.mark.slow
def test_text_is_printed_on_terminal_without_unicode(process: Run) -> None:
    text = "; Fuss \u2605\n#####\n#@$.#\n#####\n"
    plain = process("show", "-", input=text.replace("\u2605", "*"), PYTHONIOENCODING="ascii")
    assert plain.status == 0
    path = process("levels", "null", PYTHONIOENCODING="ascii")
    assert path.status == 0


@pytest.mark.slow
def test_closed_pipe_ends_program_quietly() -> None:
    reader = subprocess.Popen(["true"], stdin=subprocess.PIPE)
    reader.wait()
    done = subprocess.run(
        [*COMMAND, "games", "--json"], stdout=reader.stdin, stderr=subprocess.PIPE, check=False, timeout=600
    )
    assert done.stderr == b""
    assert done.returncode == 141


def test_unexpected_error_has_its_own_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("nobody thought of this")

    monkeypatch.setattr(program, "app", broken)
    with pytest.raises(SystemExit) as end:
        program.main()
    assert end.value.code == 70
    assert "nobody thought of this" in capsys.readouterr().err


def test_ctrl_c_while_commands_are_built_has_its_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(program, "app", interrupt)
    with pytest.raises(SystemExit) as end:
        program.main()
    assert end.value.code == 130
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_head_closes_pipe_without_error() -> None:
    command = f"'{COMMAND[0]}' -m gridproof replay null/first/3 '{'left right ' * 5000}' --json | head -n 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False, timeout=600)
    assert done.stderr == b""
    assert json.loads(done.stdout)["action"] == "left"


def test_directory_gives_error_without_traceback(run: Run, tmp_path: Path) -> None:
    for command in ("show", "solve", "play", "convert"):
        answer = run(command, str(tmp_path))
        assert answer.status == 2
        assert answer.err.startswith("error: ")


@pytest.mark.parametrize(
    ("command", "usage"),
    [("bench", "[GAME]"), ("watch", "[LEVEL]"), ("replay", "[ACTIONS|TRACE]")],
)
def test_usage_has_optional_arguments_in_brackets_once(run: Run, command: str, usage: str) -> None:
    line = run(command, "--help").out.splitlines()[0]
    assert line.endswith(f" {usage}")
    assert "[[" not in line


def test_solve_help_names_the_files_of_a_pack(run: Run) -> None:
    assert "NAME-1.json, NAME-2.json" in " ".join(run("solve", "--help").out.split())
