"""The commands `analyse` and `improve`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import gridproof as gp
from gridproof.core.trace import Trace
from gridproof.search import improve as improvement

from .conftest import STUCK, Answer, Run


def test_analyse_reports_on_a_level(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "level.html"
    answer = run("analyse", "sokoban/first-steps/1", "--html", str(page))
    assert answer.status == 0
    assert answer.out.startswith("sokoban/first-steps/1  Straight In: 26 positions; fewest: 2 pushes, ")
    assert "  1 shortest solution\n" in answer.out
    assert page.read_text().startswith("<!DOCTYPE html>")
    data = run("analyse", "sokoban/first-steps/1", "--json", "--proofs", str(tmp_path / "proofs")).json
    assert (data["level"], data["states"], data["unique_up_to_order"]) == ("sokoban/first-steps/1", 26, True)
    assert all(Path(path).is_file() for path in data["proofs"])


def test_analyse_reports_on_a_pack(run: Run, tmp_path: Path) -> None:
    file, page = tmp_path / "three.xsb", tmp_path / "pack.html"
    file.write_text(STUCK + "\n#####\n#.$@#\n#####\n")
    answer = run("analyse", str(file), "--html", str(page))
    assert answer.status == 0
    assert answer.out.endswith(f"the same, turned or mirrored: {file}#1, {file}#4\n")
    assert "The same levels" in page.read_text()
    *levels, pack = run("analyse", str(file), "--json").lines
    assert [level["winnable"] for level in levels] == [True, True, False, True]
    assert pack["duplicates"] == [[f"{file}#1", f"{file}#4"]]


@pytest.mark.slow
def test_analyse_in_processes_reports_the_same(run: Run) -> None:
    here, processes = (run("analyse", "null/first", "--jobs", jobs, "--json") for jobs in "12")
    assert here.status == processes.status == 0

    def untimed(answer: Answer) -> list[Any]:
        return [{**line, "seconds": 0} for line in answer.lines]

    assert untimed(here) == untimed(processes)


def test_analyse_reports_reached_limit(run: Run) -> None:
    answer = run("analyse", "sokoban/first-steps/1", "--states", "5")
    assert answer.status == 3
    assert "more than 5 positions: the limit of positions was reached" in answer.out
    wrong = run("analyse", "sokoban/first-steps/1", "--html", "/nowhere/at/all.html")
    assert (wrong.status, wrong.out) == (2, "")


def test_impossible_level_lists_no_fewest_actions(run: Run, tmp_path: Path) -> None:
    file, report = tmp_path / "shut.xsb", tmp_path / "shut.html"
    file.write_text("######\n#@  .#\n#    #\n#   $#\n######\n")
    answer = run("analyse", str(file), "--html", str(report))
    page = report.read_text()
    assert "impossible to win" in answer.out
    assert "impossible to win" in page
    assert "fewest" not in answer.out
    assert ">fewest moves<" not in page


def test_improve_shortens_a_solution(run: Run, tmp_path: Path) -> None:
    level, best = tmp_path / "one.xsb", tmp_path / "best.json"
    level.write_text("######\n#@   #\n# $ .#\n#    #\n######\n")
    answer = run("improve", str(level), "rldRR", "--save", str(best))
    assert answer.status == 0
    assert "2 pushes, the fewest, 2 before; 3 actions, 5 before" in answer.out
    assert "  dRR\n" in answer.out
    both = " ".join(run("improve", str(level), "rldRR", "--minimise", "pushes,moves").out.split())
    assert ": 2 pushes, the fewest, 2 before; 3 moves, the fewest, 5 before; " in both
    assert Trace.load(best).replay().won
    data = run("improve", str(level), str(best), "--minimise", "actions", "--json").json
    assert (data["before"], data["cost"], data["optimal"], data["engine"]) == (3, 3, True, "given")
    stopped = run("improve", str(level), "rldRR", "--seconds", "0", "--json")
    assert (stopped.status, stopped.json["actions_before"], len(stopped.json["actions"])) == (3, 5, 3)


def test_improve_tells_no_actions_from_solved(run: Run) -> None:
    answer = run("improve", "sokoban/first-steps/2", "")
    assert answer.out.endswith("it ends where it starts, no actions needed\n")


def test_improve_says_when_the_solution_is_not_improved(run: Run) -> None:
    answer = run("improve", "sokoban/first-steps/1", "dRR")
    assert "the given solution is not improved" in " ".join(answer.out.split())
    assert run("improve", "sokoban/first-steps/1", "dRR", "--json").json["engine"] == "given"
    trace = gp.solve("sokoban/first-steps/1").trace
    assert trace is not None
    better = gp.improve(trace)
    assert better.engine == "given"
    assert "s; the given solution is not improved)" in str(better)


def test_improve_refuses_what_is_no_solution(run: Run, tmp_path: Path) -> None:
    trace = tmp_path / "other.json"
    run("solve", "sokoban/first-steps/1", "--save", str(trace))
    other = run("improve", "sokoban/first-steps/2", str(trace))
    assert (other.status, other.err) == (2, f"error: {trace}: the trace is of another level\n")
    trace.write_text(json.dumps({"nothing": 1}))
    assert run("improve", "sokoban/first-steps/2", str(trace)).err == f"error: {trace}: not a trace\n"
    missing = run("improve", "sokoban/first-steps/2", "missing.json")
    assert (missing.status, missing.err) == (2, "error: missing.json: no such file\n")
    assert run("improve", "sokoban/first-steps/1", "uuu").status == 2
    lucky = run("improve", "twenty48/standard/3", "left")
    assert lucky.status == 2
    assert (
        "left has several outcomes; give a trace file, which records them" in lucky.err
        or "change nothing" in lucky.err
    )


ROOM = "######\n#@   #\n# $ .#\n#    #\n######\n"


def test_improve_reads_solutions_from_files(run: Run, tmp_path: Path) -> None:
    level, lurd, own = tmp_path / "one.xsb", tmp_path / "one.lurd", tmp_path / "own.xsb"
    level.write_text(ROOM)
    lurd.write_text("rld\nRR\n")
    own.write_text(f"{ROOM}Solution: rldRR\n\n{ROOM.replace('@ ', ' @')}")
    for arguments in ([level, lurd], [level, own], [f"{own}#1"], [f"{own}#1", "rldRR"]):
        data = run("improve", *map(str, arguments), "--json").json
        assert (data["actions_before"], len(data["actions"])) == (5, 3)
    unsolved = run("improve", f"{own}#2", str(own))
    assert (unsolved.status, unsolved.err) == (2, f"error: {own}: the level has no solution that wins\n")
    other = run("improve", "sokoban/first-steps/1", str(own))
    assert (other.status, other.err) == (2, f"error: {own}: the level is not in the file\n")
    none = run("improve", str(level))
    assert (none.status, none.err) == (2, f"error: {level} has no solution of its own; give one\n")


def test_improve_names_the_place_of_wrong_actions(run: Run, tmp_path: Path) -> None:
    level, lurd = tmp_path / "one.xsb", tmp_path / "one.lurd"
    level.write_text(ROOM)
    lurd.write_text("rld\nRRxR\n")
    assert run("improve", str(level), str(lurd)).err.startswith(
        f"error: {lurd}: line 2, column 3: 'x' in a solution"
    )
    lurd.write_text("rld\nRuuu\n")
    assert (
        run("improve", str(level), str(lurd)).err
        == f"error: {lurd}: up: action 6: a wall is in row 1, column 3\n"
    )


def test_improve_prints_the_best_on_ctrl_c(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(improvement._Improvement, "_try_whole", interrupt)
    stopped = run("improve", "sokoban/first-steps/1", "rldRR", "--json")
    assert (stopped.status, stopped.json["stopped_by"], len(stopped.json["actions"])) == (130, "stop", 3)
