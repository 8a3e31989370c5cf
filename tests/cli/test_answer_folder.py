"""Tests of `--out FOLDER` of explore, analyse, check and verify."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import gridproof as gp
from gridproof.cli import explore, generate, result_folder
from gridproof.core.errors import GridproofError

from .conftest import Run

PACK = "null/first"
COMMANDS = [("explore", PACK), ("analyse", PACK), ("check", PACK, "AG EF won")]


def rows_of(out: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = gp.dataset(out).table().to_pylist()
    return sorted(rows, key=lambda row: str(next(iter(row.values()))))


def facts(data: dict[str, Any]) -> dict[str, Any]:
    """Return data without what differs between runs and what only the printed line has."""
    left_out = ("seconds", "level", "game", "title", "more", "actors")
    return {name: value for name, value in data.items() if name not in left_out}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_out_folder_has_what_json_prints(command: tuple[str, ...], run: Run, tmp_path: Path) -> None:
    out = tmp_path / "results"
    answer = run(*command, "--out", str(out))
    assert (answer.status, answer.out.splitlines()[-1]) == (0, f"results in {out}, 3 of them new")
    lines = [json.loads(line) for line in run(*command, "--json").out.splitlines()][:3]
    rows = rows_of(out)
    assert [facts(json.loads(row["result"])) for row in rows] == [facts(line) for line in lines]
    assert [row["level"] for row in rows] == [line["level"] for line in lines]
    assert {row["answer"] for row in rows} == {"holds" if command[0] == "check" else "done"}
    assert gp.dataset(out).levels() == gp.levels_at(PACK)
    assert gp.dataset(out).content["command"] == command[0]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_out_folder_goes_on_with_the_same_question(
    command: tuple[str, ...], run: Run, tmp_path: Path
) -> None:
    out = tmp_path / "results"
    name, _, *rest = command
    assert run(name, f"{PACK}/1", *rest, "--out", str(out)).status == 0
    answer = run(*command, "--out", str(out), "--json")
    assert (answer.status, answer.json["rows"], answer.json["new"]) == (0, 3, 2)
    assert run(*command, "--out", str(out), "--json").json["new"] == 0
    assert len(gp.dataset(out)) == 3
    other = run(*command, "--out", str(out), "--states", "5")
    assert (other.status, "another question: states_limit" in other.err) == (2, True)
    assert run(*command, "--out", str(out), "--states", "5", "--force").status == 3
    assert "open" in {row["answer"] for row in rows_of(out)}


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_out_folder_of_answers_is_written_by_workers(
    command: tuple[str, ...], run: Run, tmp_path: Path
) -> None:
    assert run(*command, "--out", str(tmp_path / "here")).status == 0
    assert run(*command, "--out", str(tmp_path / "there"), "--jobs", "2").status == 0
    here, there = (rows_of(tmp_path / name) for name in ("here", "there"))
    assert [facts(json.loads(row["result"])) for row in here] == [
        facts(json.loads(row["result"])) for row in there
    ]
    assert [row["text"] for row in here] == [row["text"] for row in there]


def test_out_folder_names_certificates_of_check(run: Run, tmp_path: Path) -> None:
    out, proof = tmp_path / "results", tmp_path / "proof.json"
    assert run("check", PACK, "AG EF won", "--out", str(out), "--certificate", str(proof)).status == 0
    names = [row["certificate"] for row in rows_of(out)]
    assert names == [str(tmp_path / f"proof-{number}.json") for number in (1, 2, 3)]
    assert all(gp.verify(name).holds for name in names)


def test_out_folder_of_verify_has_certificates(run: Run, tmp_path: Path) -> None:
    out, proof, missing = tmp_path / "results", tmp_path / "proof", tmp_path / "missing"
    gp.certify(gp.level("null/first/1"), proof, formula="AG EF won")
    answer = run("verify", str(proof), str(missing), "--out", str(out))
    assert (answer.status, "error: " in answer.err) == (2, True)
    failed, held = rows_of(out)
    assert (failed["certificate"], failed["answer"], failed["result"]) == (str(missing), "failed", None)
    assert "No such file" in failed["error"]
    assert (held["answer"], json.loads(held["result"])["claim"]) == ("holds", "`AG EF won` holds")
    gp.certify(gp.level("null/first/2"), missing, formula="AG EF won")
    again = run("verify", str(proof), str(missing), "--out", str(out), "--json")
    assert (again.status, again.json["new"]) == (0, 1)  # another file by that name


def test_out_folder_keeps_answers_at_ctrl_c(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    complete_rows = result_folder.complete_rows

    def interrupt(*arguments: Any) -> Any:
        yield next(iter(complete_rows(*arguments)))
        raise KeyboardInterrupt

    monkeypatch.setattr(result_folder, "complete_rows", interrupt)
    out = tmp_path / "results"
    answer = run("explore", PACK, "--out", str(out))
    assert (answer.status, "has 1 row; the same command goes on" in answer.err) == (130, True)
    assert len(gp.dataset(out)) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("explore", PACK, "--graph", "g.dot"), "--out does not apply with --graph"),
        (("explore", PACK, "--disk", "layers"), "--out does not apply with --disk"),
        (("analyse", PACK, "--html", "page.html"), "--html does not apply with --out"),
        (("check", PACK, "EF won", "--more", "2"), "--more does not apply with --out"),
        (("check", PACK, "EF won", "--save", "t.json"), "--save does not apply with --out"),
    ],
)
def test_out_folder_refuses_options(
    arguments: tuple[str, ...], message: str, run: Run, tmp_path: Path
) -> None:
    answer = run(*arguments, "--out", str(tmp_path / "results"))
    assert answer.status == 2
    assert message in answer.err


def test_row_of_a_dead_process_is_tried_again(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(task: Any, workers: Any, *_: Any) -> Any:
        for one in task:
            yield gp.jobs.Result(one.key, error=gp.jobs.SystemFailure("the process died"))

    out = tmp_path / "results"
    with monkeypatch.context() as patch:
        patch.setattr(result_folder, "run_tasks", die)
        answer = run("explore", PACK, "--out", str(out))
    assert (answer.status, answer.err.count("the process died")) == (2, 3)
    assert answer.out.endswith(", 0 of them new\n")
    assert (issubclass(gp.jobs.SystemFailure, GridproofError), rows_of(out)) == (True, [])
    again = run("explore", PACK, "--out", str(out), "--json")
    assert (again.status, again.json["new"], len(rows_of(out))) == (0, 3, 3)


def test_row_without_enough_memory_is_tried_again(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhaust(*_: Any, **__: Any) -> Any:
        raise MemoryError

    out = tmp_path / "results"
    with monkeypatch.context() as patch:
        patch.setattr(explore, "level_of_row", exhaust)
        answer = run("explore", f"{PACK}/1", "--out", str(out))
    assert (answer.status, answer.err, rows_of(out)) == (2, f"error: {PACK}/1: not enough memory\n", [])
    assert run("explore", f"{PACK}/1", "--out", str(out)).status == 0
    assert len(rows_of(out)) == 1


def test_row_of_wrong_input_stays(run: Run, tmp_path: Path) -> None:
    out, missing = tmp_path / "results", tmp_path / "missing"
    for new in (1, 0):
        answer = run("verify", str(missing), "--out", str(out))
        assert (answer.status, answer.out.splitlines()[-1]) == (2, f"results in {out}, {new} of them new")
    assert [row["answer"] for row in rows_of(out)] == ["failed"]


def test_out_folder_of_generate_goes_on_with_the_next_seeds(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "results"
    arguments = "generate", "twenty48", "--out", str(out), "--json", "--count"
    assert run(*arguments, "2").json["new"] == 2
    answer = run(*arguments, "3")
    assert (answer.status, answer.json) == (0, {"rows": 3, "done": 3, "new": 1, "out": str(out)})
    expected = [gp.generate("twenty48", seed) for seed in range(3)]
    assert gp.dataset(out).levels() == expected
    rows = gp.dataset(out).table().to_pylist()
    assert [row["seed"] for row in rows] == [0, 1, 2]
    lines = [
        json.loads(line) for line in run("generate", "twenty48", "--count", "3", "--json").out.splitlines()
    ]
    assert [json.loads(row["result"]) for row in rows] == lines


def test_out_folder_of_generate_refuses_wrong_parameters_before_any_work(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "results"
    answer = run("generate", "twenty48", "--out", str(out), "--set", "wide=3")
    assert (answer.status, "has no parameter 'wide'" in answer.err, out.exists()) == (2, True, False)


def test_generate_goes_on_when_a_process_dies(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def die(function: str, tasks: Any, *_: Any) -> Any:
        yield 0, gp.jobs.SystemFailure("the process died")
        yield 1, generate.generate_seed(tasks[1])

    monkeypatch.setattr(generate, "run_calls", die)
    answer = run("generate", "twenty48", "--count", "2", "--jobs", "2")
    assert (answer.status, "error: seed 0: the process died" in answer.err) == (2, True)
    assert answer.out == gp.generate("twenty48", 1).text()
