"""Files with broken levels: commands report them, and use the others."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Run

GOOD, BAD = "#####\n#@$.#\n#####\n", "####\n#@$#\n####\n"
COUNTS = "K3-counts: there is 1 box and 0 depots"


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "three.xsb"
    path.write_text(f"; One\n{GOOD}\n; Two\n{BAD}\n; Three\n{GOOD}")
    return str(path)


def test_levels_lists_the_broken_ones_with_their_defects(run: Run, file: str) -> None:
    answer = run("levels", file)
    assert answer.status == 0
    assert answer.out.splitlines() == [
        f"{file}  3 levels, 1 broken",
        "       size  title",
        "  1     5x3  One",
        f"  2  broken  level 2 at line 7: {COUNTS}",
        "  3     5x3  Three",
    ]
    first, broken, third = run("levels", file, "--json").json
    assert [first["level"], broken["level"], third["level"]] == [f"{file}#{number}" for number in (1, 2, 3)]
    assert broken["problems"] == [
        {"code": "K3-counts", "where": None, "message": "there is 1 box and 0 depots"}
    ]


def test_valid_level_of_broken_file_can_be_named(run: Run, file: str) -> None:
    assert run("show", f"{file}#3", "--json").json["title"] == "Three"
    answer = run("show", f"{file}#2")
    assert (answer.status, answer.err) == (2, f"error: {file}: level 2 at line 7: {COUNTS}\n")


def test_first_level_of_a_file_may_be_broken(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "two.xsb"
    path.write_text(f"{BAD}\n; Two\n{GOOD}")
    answer = run("show", str(path), "--json")
    assert answer.json["level"] == f"{path}#2"
    assert f"note: {path}#1 is skipped: level 1 at line 1: {COUNTS}" in answer.err


def test_solve_reports_broken_levels_and_solves_the_others(run: Run, file: str) -> None:
    answer = run("solve", file)
    assert answer.status == 2
    assert [line.split(":")[0] for line in answer.out.splitlines()[::2]] == [
        f"{file}#1  One",
        f"{file}#3  Three",
    ]
    assert answer.err == f"error: {file}#2: level 2 at line 7: {COUNTS}\n"
    data = run("solve", file, "--json").lines
    assert [(item["level"], item.get("found")) for item in data] == [
        (f"{file}#1", True),
        (f"{file}#3", True),
        (f"{file}#2", None),
    ]
    assert data[2]["kind"] == "InvalidLevel"


def test_play_skips_broken_levels(run: Run, file: str) -> None:
    answer = run("play", file, "--plain", "--no-keep", input="right\nright\n")
    assert f"{file}#2 is skipped" in answer.err
    assert answer.status == 0


def test_convert_refuses_file_with_broken_levels(run: Run, file: str, tmp_path: Path) -> None:
    target = tmp_path / "three.slc"
    answer = run("convert", file, str(target))
    assert (answer.status, target.exists()) == (2, False)
    assert answer.err == f"error: {file}: level 2 at line 7: {COUNTS}\n"
