"""Tests of `solve --out`: a table of results that later runs continue."""

from __future__ import annotations

import csv
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

import gridproof as gp
from gridproof.cli import result_table

from .conftest import COMMAND, OPEN, Run


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_out_writes_row_for_each_level_and_prints_summary(
    run: Run, sokoban_file: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    answer = run("solve", str(sokoban_file), "--minimise", "pushes", "--out", str(out))
    assert answer.status == 1
    head, numbers, end = answer.out.splitlines()
    assert head.split() == [
        "levels", "solved", "optimal", "refuted", "open", "failed", "seconds", "longest",
    ]  # fmt: skip
    assert numbers.split()[:6] == ["3", "2", "2", "1", "0", "0"]
    assert end == f"results in {out}, 3 of them new"
    first, second, third = rows_of(out)
    assert list(first) == list(result_table.COLUMNS)
    assert first.pop("seconds") >= 0
    assert len(first.pop("digest")) == 64
    states = first.pop("states")
    assert states > 0
    assert first == {
        "level": f"{sokoban_file}#1", "game": "sokoban", "title": None, "goal": "won", "minimise": "pushes",
        "actors": None, "solver": None, "seconds_limit": None, "states_limit": None, "verdict": "solved", "cost": 1,
        "optimal": True, "engine": first["engine"], "stopped": None, "reason": None, "solution": "R",
    }  # fmt: skip
    assert (second["verdict"], second["solution"]) == ("solved", "rR")
    assert (third["verdict"], third["cost"], third["optimal"], third["solution"]) == (
        "refuted",
        None,
        True,
        None,
    )
    assert third["reason"]


def test_out_solves_only_levels_without_row(run: Run, sokoban_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    command = ("solve", str(sokoban_file), "--out", str(out))
    assert run(*command).status == 1
    text = out.read_text()
    data = run(*command, "--json").json
    assert data.pop("seconds") >= data.pop("longest") >= 0
    assert data == {
        "levels": 3, "solved": 2, "optimal": 2, "refuted": 1, "open": 0, "failed": 0, "new": 0, "out": str(out),
    }  # fmt: skip
    assert out.read_text() == text
    first, second, _ = text.splitlines(keepends=True)
    out.write_text(first + second[:-5])
    data = run(*command, "--json").json
    assert data["new"] == 2
    assert [row["verdict"] for row in rows_of(out)] == ["solved", "solved", "refuted"]
    assert out.read_text().startswith(first)


def test_out_solves_changed_level_again(run: Run, tmp_path: Path) -> None:
    (file := tmp_path / "one.xsb").write_text("#####\n#@$.#\n#####\n")
    out = tmp_path / "out.csv"
    assert run("solve", str(file), "--out", str(out)).status == 0
    file.write_text("######\n#@ $.#\n######\n")
    assert "1 of them new" in run("solve", str(file), "--out", str(out)).out
    with out.open() as lines:
        assert [row["solution"] for row in csv.DictReader(lines)] == ["R", "rR"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--minimise", "any"), "minimise actions, not any"),
        (("--seconds", "9"), "seconds_limit none, not 9.0"),
        (("--states", "9"), "states_limit none, not 9"),
        (("--goal", "at(2,1)"), "goal won, not at(2,1)"),
        (("--actors", "player"), "actors none, not player"),
        (("--solver", "rules"), "solver none, not rules"),
    ],
)
def test_out_refuses_results_of_another_question(
    run: Run, sokoban_file: Path, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    out = tmp_path / "out.jsonl"
    assert run("solve", f"{sokoban_file}#1", "--out", str(out)).status == 0
    answer = run("solve", f"{sokoban_file}#1", "--out", str(out), *options)
    assert (answer.status, answer.out) == (2, "")
    expected = f"error: {out} has results of another question: {message}; use --force to overwrite it\n"
    assert answer.err == expected
    assert run("solve", f"{sokoban_file}#1", "--out", str(out), *options, "--force").status == 0
    assert len(rows_of(out)) == 1


def test_out_counts_open_and_failed_levels(run: Run, tmp_path: Path) -> None:
    bombed = "#####\n#@$.#\n#####\nBombs: 1\n"
    (file := tmp_path / "three.xsb").write_text(f"{bombed}\n{OPEN}\n#####\n#@$.#\n#####\nBombs: 0\n")
    out = tmp_path / "out.jsonl"
    command = ("solve", str(file), "--solver", "fewest-moves", "--states", "10", "--out", str(out), "--json")
    answer = run(*command)
    assert answer.status == 2
    error, data = answer.lines
    assert (error["level"], error["kind"]) == (f"{file}#1", "Declined")
    assert (data["solved"], data["open"], data["failed"]) == (1, 1, 1)
    failed, stopped, solved = rows_of(out)
    assert failed["reason"].endswith("bombs are actions, but free for this solver")
    assert (stopped["verdict"], stopped["stopped"], solved["verdict"]) == ("open", "states", "solved")
    assert run(*command).status == 2


def test_out_reads_robots_as_their_own_actions(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert (
        run("solve", "robots/races/2", "--goal", "won(a)", "--actors", "b,a", "--out", str(out)).status == 0
    )
    (row,) = rows_of(out)
    assert (row["actors"], row["cost"]) == ("b,a", 4)
    level = gp.level("robots/races/2")
    assert level.game.own_format.split_actions(row["solution"]) == ["a:walk(1,0)"] * 4


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("out.txt", "tables of results end in .jsonl, .csv, .parquet"),
        ("missing/out.csv", "there is no folder"),
    ],
)
def test_out_refuses_wrong_files(run: Run, tmp_path: Path, name: str, message: str) -> None:
    answer = run("solve", "null/first/1", "--out", str(tmp_path / name))
    assert (answer.status, answer.out) == (2, "")
    assert message in answer.err


def test_out_says_that_pyarrow_is_missing(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    answer = run("solve", "null/first/1", "--out", str(tmp_path / "out.parquet"))
    assert answer.status == 2
    assert "Parquet needs pyarrow" in answer.err


@pytest.mark.slow
def test_out_gives_same_rows_in_processes(run: Run, sokoban_file: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    import pyarrow.parquet

    def rows(*options: str) -> dict[str, dict[str, Any]]:
        out = tmp_path / f"out{len(options)}.parquet"
        assert run("solve", str(sokoban_file), "--out", str(out), *options).status == 1
        found = pyarrow.parquet.read_table(out).to_pylist()
        return {row["level"]: row | {"seconds": 0} for row in found}

    assert rows("--jobs", "2") == rows()


@pytest.mark.long
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_rows(tmp_path: Path, jobs: str) -> None:
    (path := tmp_path / "open.xsb").write_text(f"#####\n#@$.#\n#####\n\n{OPEN}\n{OPEN}")
    out = tmp_path / "out.jsonl"
    command = [*COMMAND, "solve", str(path), "--jobs", jobs, "--out", str(out)]
    done = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    first = psutil.Process(done.pid)

    def work() -> float:
        return sum(one.cpu_times().user for one in [first, *first.children(recursive=True)])

    while not (out.is_file() and out.read_text().endswith("\n")):
        assert done.poll() is None
    before = work()
    while work() < before + 0.5:  # then the next level is being solved: Python may lose Ctrl-C in an import
        assert done.poll() is None
        time.sleep(0.02)
    done.send_signal(signal.SIGINT)
    _, err = done.communicate(timeout=600)
    assert done.returncode == 130
    assert [row["level"] for row in rows_of(out)] == [f"{path}#1"]
    assert re.search(r"note: \S+ has 1 level; the same command solves the others\n", err), err
