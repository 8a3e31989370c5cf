"""Tests of `solve --out FOLDER`: results in a dataset folder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from functools import partial
from pathlib import Path
from random import Random

import pytest
from tests.sizes import size

import gridproof as gp
from gridproof.cli import result_folder, solve
from gridproof.cli.parallel_map import Workers
from gridproof.cli.result_folder import complete_rows
from gridproof.core.errors import GridproofError
from gridproof.store.dataset import MANIFEST, DatasetWriter
from gridproof.store.parquet import Row

from .conftest import COMMAND, Run

PACK = "null/first"


def test_out_folder_has_rows_levels_and_question(run: Run, sokoban_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "results"
    answer = run("solve", str(sokoban_file), "--minimise", "pushes", "--out", str(out))
    assert answer.status == 1
    assert answer.out.splitlines()[-1] == f"results in {out}, 3 of them new"
    dataset = gp.dataset(out)
    table = tmp_path / "out.jsonl"
    run("solve", str(sokoban_file), "--minimise", "pushes", "--out", str(table))
    rows = dataset.table().drop_columns(["text", "seconds"]).to_pylist()
    expected = [json.loads(line) for line in table.read_text().splitlines()]
    assert rows == [{name: row[name] for name in row if name != "seconds"} for row in expected]
    assert dataset.levels() == gp.read(sokoban_file)
    assert (len(dataset), len(dataset.parts)) == (3, 3)
    assert dataset.content["minimise"] == "pushes"


def test_out_folder_solves_only_levels_without_row(run: Run, tmp_path: Path) -> None:
    out = str(tmp_path / "results")
    assert run("solve", f"{PACK}/1", "--out", out).status == 0
    before = (tmp_path / "results" / MANIFEST).read_text()
    answer = run("solve", PACK, "--out", out)
    count = len(gp.levels_at(PACK))
    assert answer.out.splitlines()[-1] == f"results in {out}, {count - 1} of them new"
    assert (tmp_path / "results" / MANIFEST).read_text().startswith(before)
    assert run("solve", PACK, "--out", out).out.endswith(", 0 of them new\n")
    assert len(gp.dataset(out)) == count


def test_out_folder_refuses_another_question_and_other_files(run: Run, tmp_path: Path) -> None:
    out = str(tmp_path / "results")
    run("solve", PACK, "--out", out)
    refused = run("solve", PACK, "--out", out, "--states", "5")
    assert refused.status == 2
    assert "has results of another question: states_limit None, not 5; use --force" in refused.err
    assert run("solve", PACK, "--out", out, "--states", "5", "--force").status != 2
    assert gp.dataset(out).content["states_limit"] == 5
    refused = run("solve", PACK, "--out", out, "--save", str(tmp_path / "x.json"))
    assert "--save does not apply with a folder of results" in refused.err


def test_out_folder_has_failed_levels(run: Run, tmp_path: Path) -> None:
    (file := tmp_path / "two.xsb").write_text(
        "#####\n#@$.#\n#####\nBombs: 1\n\n#####\n#@$.#\n#####\nBombs: 0\n"
    )
    out = tmp_path / "results"
    command = ("solve", str(file), "--solver", "fewest-moves", "--out", str(out), "--json")
    answer = run(*command)
    assert answer.status == 2
    error, data = answer.lines
    assert (error["level"], data["solved"], data["failed"]) == (f"{file}#1", 1, 1)
    rows = gp.dataset(out).table().to_pylist()
    assert [row["verdict"] for row in rows] == ["failed", "solved"]
    assert rows[0]["reason"].endswith("bombs are actions, but free for this solver")
    assert run(*command).status == 2


@pytest.mark.parametrize("name", ["results", "results.jsonl"])
def test_out_tries_levels_again_that_had_not_enough_memory(
    name: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhaust(*_: object) -> None:
        raise MemoryError

    out = tmp_path / name
    command = "solve", f"{PACK}/1", "--out", str(out)
    with monkeypatch.context() as patch:
        patch.setattr(solve, "solution_of", exhaust)
        answer = run(*command)
    assert (answer.status, answer.err) == (2, f"error: {PACK}/1: not enough memory\n")
    assert answer.out.splitlines()[-1] == f"results in {out}, 0 of them new"
    assert run(*command).out.endswith(", 1 of them new\n")
    assert run(*command).out.endswith(", 0 of them new\n")


@pytest.mark.slow
@pytest.mark.parametrize("options", [("--jobs", "2"), ("--where", "processes")])
def test_out_folder_is_written_by_workers(options: tuple[str, ...], run: Run, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    run("solve", PACK, "--out", str(here))
    assert run("solve", PACK, "--out", str(there), *options).status == 0
    one, two = (
        gp.dataset(path).table().drop_columns(["seconds"]).sort_by("level").to_pylist()
        for path in (here, there)
    )
    assert one == two


@pytest.mark.slow
def test_certificates_are_written_by_workers(
    run: Run, sokoban_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = "solve", str(sokoban_file), "--minimise", "pushes", "--certificate"
    here = run(*arguments, str(tmp_path / "here.json"))
    monkeypatch.setattr(solve, "_certify", None)  # in this process alone
    there = run(*arguments, str(tmp_path / "there.json"), "--jobs", "2")
    assert (there.status, there.err) == (here.status, here.err) == (1, "")
    assert there.out.count("certificate in") == 3
    for number in (1, 2, 3):
        assert gp.verify(tmp_path / f"there-{number}.json").holds
        texts = [(tmp_path / f"{name}-{number}.json").read_text() for name in ("here", "there")]
        assert texts[0] == texts[1]


def test_out_folder_names_certificates(run: Run, sokoban_file: Path, tmp_path: Path) -> None:
    out, proof = str(tmp_path / "results"), str(tmp_path / "proof.json")
    arguments = "solve", str(sokoban_file), "--minimise", "pushes", "--out", out, "--certificate", proof
    answer = run(*arguments)
    assert (answer.status, answer.out.splitlines()[0].split()[-3]) == (1, "certified")
    names = gp.dataset(out).table()["certificate"].to_pylist()
    assert names == [str(tmp_path / f"proof-{number}.json") for number in (1, 2, 3)]
    assert all(gp.verify(name).holds for name in names)
    assert run(*arguments).out.endswith(", 0 of them new\n")
    assert run(*arguments[:-2]).status == 2  # rows without certificates are others


def test_out_folder_has_no_certificate_after_a_limit(run: Run, sokoban_file: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "results")
    arguments = "--out", out, "--certificate", str(tmp_path / "proof.json"), "--states", "1"
    assert run("solve", "sokoban/first-steps/1", *arguments).status == 3
    assert gp.dataset(out).table()["certificate"].to_pylist() == [None]


def test_out_goes_on_where_certificates_were_left(run: Run, sokoban_file: Path, tmp_path: Path) -> None:
    out, proof = tmp_path / "out.jsonl", tmp_path / "proof.json"
    arguments = "solve", str(sokoban_file), "--out", str(out), "--certificate", str(proof)
    assert run(*arguments).status == 1
    first, *_ = out.read_text().splitlines(keepends=True)
    out.write_text(first)  # as if it was killed before the second row
    assert run(*arguments).status == 1
    assert len(out.read_text().splitlines()) == 3
    out.unlink()
    assert "exists" in run(*arguments).err


def test_workers_refuse_jobs_beside_another_place(run: Run) -> None:
    assert (
        "--jobs does not apply with --where here" in run("solve", PACK, "--jobs", "2", "--where", "here").err
    )
    assert "where='far': say here, processes, ray" in run("solve", PACK, "--where", "far").err


def die_at_three(folder: str, row: Row) -> Row:
    """End the process at the third row; note the others."""
    if row["number"] == 3:
        os._exit(1)
    Path(folder, str(row["number"])).touch()
    return {"square": int(row["number"] or 0) ** 2}


def fail(error: GridproofError) -> Row:
    return {"square": -1}


@pytest.mark.long
def test_dead_process_costs_one_row_of_its_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_folder, "MOST_PARTS", 2)
    notes = tmp_path / "notes"
    notes.mkdir()
    rows: list[Row] = [{"number": number} for number in range(10)]
    columns = {"number": int, "square": int}
    with DatasetWriter(tmp_path / "rows", columns, {}) as writer:
        done = complete_rows(
            writer, rows, partial(die_at_three, str(notes)), fail, Workers("processes", 2), "Squaring"
        )
        yielded = {row["number"]: row["square"] for row in done}
    assert yielded == {number: -1 if number == 3 else number**2 for number in range(10)}
    found = gp.dataset(tmp_path / "rows")
    assert sorted(part.rows for part in found.parts) == [
        1,
        1,
        1,
        1,
        5,
    ]  # the next run tries the other row again
    squares = {row["number"]: row["square"] for row in found.table().to_pylist()}
    assert squares == {number: number**2 for number in range(10) if number != 3}


@pytest.mark.long
def test_out_folder_loses_and_repeats_nothing_when_the_command_is_killed(tmp_path: Path) -> None:
    """The command is killed again and again, each time a few parts further on."""
    random, out = Random(5), tmp_path / "results"
    level = "######\n#@$ .#\n######\n"
    pack = tmp_path / "many.xsb"
    pack.write_text("\n".join(f"; {number}\n\n{level}" for number in range(600)))
    command = [*COMMAND, "solve", str(pack), "--jobs", "2", "--out", str(out)]

    def count_parts() -> int:
        manifest = out / MANIFEST
        return manifest.read_bytes().count(b"\n") if manifest.exists() else 0

    for _ in range(size("kills", 12)):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        most = count_parts() + random.randrange(12)
        while count_parts() < most and process.poll() is None:
            time.sleep(0.001)
        time.sleep(random.uniform(0, 0.02))
        assert process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert len(gp.dataset(out)) < 600
    assert subprocess.run(command, check=False, timeout=600, capture_output=True).returncode == 0
    names = gp.dataset(out).table()["level"].to_pylist()
    assert sorted(names) == sorted(f"{pack}#{number}" for number in range(1, 601))
