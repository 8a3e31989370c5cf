"""No command overwrites a file without --force."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .conftest import STUCK, Run

SMALL = ("--set", "width=7", "--set", "height=7", "--set", "boxes=1")
LEVEL = "sokoban/first-steps/1"


@pytest.mark.parametrize(
    ("command", "target"),
    [
        (("convert", LEVEL, "{}"), "out.xsb"),
        (("convert", "shiftit/boards/1", "{}", "--horizon", "1"), "out.fodot"),
        (("show", LEVEL, "--svg", "{}"), "out.svg"),
        (("solve", LEVEL, "--save", "{}"), "out.json"),
        (("solve", "{stuck}", "--certificate", "{}"), "out.gz"),
        (("check", LEVEL, "EF won", "--save", "{}"), "out.json"),
        (("check", LEVEL, "AG !(bombs = 3)", "--certificate", "{}"), "out.gz"),
        (("improve", LEVEL, "dRR", "--save", "{}"), "out.json"),
        (("explore", LEVEL, "--graph", "{}"), "out.tra"),
        (("analyse", LEVEL, "--html", "{}"), "out.html"),
        (("generate", "sokoban", *SMALL, "--save", "{}"), "out.xsb"),
        (("play", LEVEL, "--plain", "--no-keep", "--save", "{}"), "out.json"),
    ],
)
def test_commands_refuse_to_overwrite_a_file(
    run: Run, tmp_path: Path, command: tuple[str, ...], target: str
) -> None:
    path, stuck = tmp_path / target, tmp_path / "stuck.xsb"
    stuck.write_text(STUCK.split("\n\n")[-1])
    path.write_text("mine")
    arguments = [word.format(path, stuck=stuck) for word in command]
    refused = run(*arguments, input="quit\n")
    assert (refused.status, refused.out) == (2, "")
    assert refused.err == f"error: {path} exists already; use --force to overwrite it\n"
    assert path.read_text() == "mine"
    run(*arguments, "--force", input="quit\n")
    assert path.read_bytes() != b"mine"


@pytest.mark.parametrize(
    ("command", "second"),
    [
        (("solve", "{pack}", "--save", "{}/out.json"), "out-2.json"),
        (("play", "{pack}", "--plain", "--no-keep", "--save", "{}/out.json"), "out-3.json"),
        (("explore", LEVEL, "--graph", "{}/out.tra"), "out.lab"),
        (("convert", "shiftit/boards/1", "{}/out.shiftit"), "out.shiftit.certificates.json"),
    ],
)
def test_commands_refuse_to_overwrite_any_of_several_files(
    run: Run, tmp_path: Path, sokoban_file: Path, command: tuple[str, ...], second: str
) -> None:
    (tmp_path / second).write_text("mine")
    refused = run(*(word.format(tmp_path, pack=sokoban_file) for word in command), input="quit\n")
    assert refused.status == 2
    assert refused.err == f"error: {tmp_path / second} exists already; use --force to overwrite it\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted((second, sokoban_file.name))


def test_analyse_refuses_a_folder_of_proofs_that_is_not_empty(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "proofs"
    folder.mkdir()
    assert run("analyse", LEVEL, "--proofs", str(folder)).status == 0
    refused = run("analyse", LEVEL, "--proofs", str(folder))
    assert (refused.status, refused.out) == (2, "")
    assert refused.err == f"error: {folder} is not empty; use --force to overwrite its files\n"
    assert run("analyse", LEVEL, "--proofs", str(folder), "--force").status == 0


@pytest.mark.parametrize(
    "command",
    [
        ("convert", LEVEL, "{}"),
        ("show", LEVEL, "--svg", "{}"),
        ("solve", LEVEL, "--save", "{}"),
        ("analyse", LEVEL, "--html", "{}"),
        ("generate", "sokoban", *SMALL, "--save", "{}"),
    ],
)
def test_commands_refuse_a_folder_as_a_file_before_any_work(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    refused = run(*(word.format(tmp_path) for word in command), "--force")
    assert (refused.status, refused.out) == (2, "")
    assert refused.err == f"error: {tmp_path} is a folder; give a file\n"


def test_analyse_refuses_a_file_as_a_folder_of_proofs(run: Run, tmp_path: Path) -> None:
    (tmp_path / "proofs").write_text("mine")
    refused = run("analyse", LEVEL, "--proofs", str(tmp_path / "proofs"), "--force")
    assert (refused.status, refused.out) == (2, "")
    assert refused.err == f"error: {tmp_path}/proofs is a file; give a folder\n"


def test_play_does_not_overwrite_files_of_levels_that_were_opened_later(
    run: Run, tmp_path: Path, sokoban_file: Path
) -> None:
    taken = tmp_path / "out-2.json"
    taken.write_text("mine")
    typed = f"open {sokoban_file}\nright\nright\nquit\n"
    answer = run("play", LEVEL, "--plain", "--no-keep", "--save", str(tmp_path / "out.json"), input=typed)
    assert taken.read_text() == "mine"
    assert f"{taken} exists already; your actions are not saved in it" in answer.out
    assert (tmp_path / "out-1.json").is_file()


def test_convert_writes_to_what_is_no_file(run: Run, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.xsb"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert run("convert", LEVEL, str(pipe)).status == 0
    assert b"@" in os.read(reader, 65536)
    os.close(reader)
    assert run("show", LEVEL, "--svg", os.devnull).status == 0
