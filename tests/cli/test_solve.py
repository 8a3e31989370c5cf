from __future__ import annotations

import json
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from tests.games.robots.boards import board

import gridproof as gp

from .conftest import COMMAND, OPEN, Run, Terminal


def test_solve_prints_solution(run: Run) -> None:
    answer = run("solve", "null/first/3")
    assert answer.status == 0
    first, second = answer.out.splitlines()
    assert first.startswith("null/first/3  Back: 4 actions, the fewest; 7 positions, ")
    assert second == "  left left left left"


def test_solve_prints_solution_as_json(run: Run) -> None:
    data = run("solve", "null/first/2", "--json").json
    assert data.pop("seconds") >= 0
    assert data == {
        "level": "null/first/2",
        "game": "null",
        "title": "A walk",
        "goal": "won",
        "minimise": "actions",
        "actors": None,
        "found": True,
        "cost": 3,
        "optimal": True,
        "states": 7,
        "engine": "rules",
        "refused": None,
        "stopped_by": None,
        "reason": None,
        "actions": ["right", "hop", "hop"],
        "labels": ["", "by 2", "by 2"],
        "text": "right hop hop",
    }


def test_solve_has_status_1_when_impossible(run: Run, sokoban_file: Path) -> None:
    answer = run("solve", f"{sokoban_file}#3")
    assert answer.status == 1
    assert "impossible" in answer.out
    data = run("solve", f"{sokoban_file}#3", "--json")
    assert data.status == 1
    assert (data.json["found"], data.json["actions"], data.json["optimal"]) == (False, None, True)


@pytest.mark.parametrize("limit", [("--states", "10"), ("--seconds", "0")])
def test_solve_has_status_3_at_the_limit(run: Run, tmp_path: Path, limit: tuple[str, str]) -> None:
    path = tmp_path / "open.xsb"
    path.write_text(OPEN)
    answer = run("solve", str(path), "--json", *limit)
    assert answer.status == 3
    assert (answer.json["found"], answer.json["optimal"]) == (None, False)
    assert "No answer: the " in run("solve", str(path), *limit).out


def test_solve_takes_measures_and_goals(run: Run, sokoban_file: Path) -> None:
    pushes = run("solve", f"{sokoban_file}#2", "--minimise", "pushes", "--json").json
    assert (pushes["minimise"], pushes["cost"], len(pushes["actions"])) == ("pushes", 1, 2)
    anything = run("solve", f"{sokoban_file}#2", "--minimise", "any", "--json").json
    assert (anything["minimise"], anything["found"]) == ("any", True)
    goal = run("solve", "null/first/3", "--goal", "at(8)", "--json").json
    assert goal["actions"] == ["hop"]


@pytest.mark.slow
def test_solve_takes_actors(run: Run) -> None:
    """The robot needs four requests; a lucky exchange brings it next to its home at once."""

    def answer(*actors: str) -> tuple[object, list[str]]:
        data = run("solve", "robots/races/2", "--goal", "won(a)", "--json", *actors).json
        return data["actors"], data["actions"]

    assert answer() == (None, ["a:walk(1,0)"] * 4)
    assert answer("--actors", "a") == (["a"], ["a:walk(1,0)"] * 4)
    assert answer("--actors", " b, a,b") == (["b", "a"], ["a:walk(1,0)"] * 4)
    assert answer("--actors", "all") == ("all", ["exchange", "a:walk(1,0)"])
    nature = run("solve", "robots/races/2", "--goal", "won(a)", "--actors", "b")
    assert (nature.status, "impossible" in nature.out) == (1, True)


@pytest.mark.slow
def test_solve_takes_actors_in_worker_processes(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "two.robots"
    level = board("a=A90 b=B180", "a ? B", "A > b").level
    gp.write([level, level], path)
    lines = run("solve", str(path), "--goal", "at(b,0,0)", "--actors", "all", "--jobs", "2", "--json").lines
    assert [(line["actors"], line["actions"]) for line in lines] == [("all", ["exchange"])] * 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("null/first/1", "--actors", "bob"), "null/first/1: no actor 'bob': the level has player"),
        (("robots/races/2", "--actors", "a,,b"), "robots/races/2: no actor '': the level has a, b, nature"),
        (
            ("robots/races/2", "--actors", "a,all"),
            "robots/races/2: no actor 'all': the level has a, b, nature",
        ),
        (("robots/races", "--actors", "c"), "robots/races/1: no actor 'c': the level has a, b, nature"),
    ],
)
def test_solve_refuses_unknown_actors(run: Run, arguments: tuple[str, ...], message: str) -> None:
    answer = run("solve", *arguments)
    assert (answer.status, answer.out, answer.err) == (2, "", f"error: {message}\n")


def test_solve_prints_a_line_for_each_level_of_a_pack(run: Run, sokoban_file: Path) -> None:
    answer = run("solve", str(sokoban_file), "--json")
    assert answer.status == 1
    assert [line["found"] for line in answer.lines] == [True, True, False]
    assert [line["level"] for line in answer.lines] == [f"{sokoban_file}#{number}" for number in (1, 2, 3)]


@pytest.mark.slow
def test_solve_gives_same_answers_in_processes(run: Run, sokoban_file: Path) -> None:
    def answers(*options: str) -> list[dict[str, object]]:
        return [line | {"seconds": 0} for line in run("solve", str(sokoban_file), "--json", *options).lines]

    assert answers("--jobs", "2") == answers()


def test_solve_saves_traces(run: Run, sokoban_file: Path, tmp_path: Path) -> None:
    one = tmp_path / "one.json"
    assert run("solve", "null/first/2", "--save", str(one)).status == 0
    assert gp.Trace.load(one).replay().won
    many = tmp_path / "many.json"
    answer = run("solve", str(sokoban_file), "--save", str(many), "--json")
    saved = [line.get("saved") for line in answer.lines]
    assert saved == [str(tmp_path / "many-1.json"), str(tmp_path / "many-2.json"), None]
    assert all(gp.Trace.load(path).replay().won for path in saved if path)
    assert not many.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--minimise", "luck"), "null cannot minimise 'luck'; choose from actions"),
        (("--goal", "happy"), "null has no proposition 'happy': it has won, lost, ended, home, at"),
        (("--goal", "at(x"), "line 1, column 1: no goal: 'at(x' (expected a proposition such as won)"),
        (("--seconds", "-1"), "limit seconds=-1.0: it must be a number of at least 0"),
        (("--seconds", "soon"), "'soon'"),
        (("--jobs", "0"), "Invalid value for '--jobs': Input should be greater than or equal to 1"),
        (("--save", "/nowhere/trace.json"), "/nowhere/trace.json: there is no folder /nowhere"),
    ],
)
def test_solve_has_status_2_on_wrong_use(run: Run, arguments: tuple[str, ...], message: str) -> None:
    answer = run("solve", "null/first/1", *arguments)
    assert answer.status == 2
    assert answer.err.startswith("error: ")
    assert message in answer.err or "soon" in message
    assert answer.err.count("\n") == 1


@pytest.mark.long
def test_solve_shows_progress_on_terminal_after_a_second(
    tmp_path: Path, terminal: Callable[..., Terminal]
) -> None:
    path = tmp_path / "open.xsb"
    path.write_text(OPEN)
    shown = terminal("solve", str(path), "--seconds", "60", columns=200)
    shown.until("Solving")
    shown.until("positions")
    shown.type("\x03")
    assert shown.end() == 130


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_solve_with_130_and_leaves_no_process(tmp_path: Path, jobs: str) -> None:
    path = tmp_path / "open.xsb"
    path.write_text(f"#####\n#@$.#\n#####\n\n{OPEN}\n{OPEN}")
    done = subprocess.Popen(
        [*COMMAND, "solve", str(path), "--jobs", jobs, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert done.stdout
    assert json.loads(done.stdout.readline())["found"]
    first = psutil.Process(done.pid)
    children = first.children(recursive=True)

    def work() -> float:
        return sum(one.cpu_times().user for one in [first, *children])

    before = work()
    while work() < before + 0.3:  # then it is on the next level: between two there is hardly any
        assert done.poll() is None
        time.sleep(0.02)
    done.send_signal(signal.SIGINT)
    out, err = done.communicate(timeout=600)
    assert (done.returncode, out) == (130, "")
    unit = "positions" if jobs == "1" else "of 3 levels"
    assert re.fullmatch(rf"Solving.*: interrupted( after [\d,]+ {unit}, [\d.]+ s)?\n", err), err
    assert bool(children) == (jobs == "2")
    assert not psutil.wait_procs(children, timeout=600)[1]


def test_solve_explains_impossibility_and_suggests_options(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "corner.xsb"
    path.write_text("######\n#$ . #\n#@   #\n######\n")
    reason = "the box in row 2, column 2 can never be moved, and is on no depot"
    assert reason in run("solve", str(path)).out
    assert run("solve", str(path), "--json").json["reason"] == reason
    path.write_text("#######\n#@ $ .#\n#     #\n#######\n")
    assert (
        "try --minimise pushes, --minimise moves, --minimise any"
        in run("solve", str(path), "--states", "2").out
    )
    assert (
        "a larger --states may find one" in run("solve", str(path), "--states", "2", "--minimise", "any").out
    )


def test_solve_takes_solver(run: Run) -> None:
    chosen = run("solve", "null/first/2", "--solver", "rules-both-ends", "--json")
    assert (chosen.status, chosen.json["engine"], chosen.json["cost"]) == (0, "rules-both-ends", 3)
    assert " s by rules-both-ends\n" in run("solve", "null/first/2", "--solver", "rules-both-ends").out
    unknown = run("solve", "null/first/2", "--solver", "magic")
    assert unknown.status == 2
    assert (
        "null has no solver 'magic'; choose from both-ends, greedy, a-star, breadth-first, rules-both-ends, rules"
        in unknown.err
    )
    declined = run("solve", "null/first/2", "--goal", "!at(0)", "--solver", "rules-both-ends")
    assert (declined.status, declined.out) == (2, "")
    assert (
        "the solver rules-both-ends cannot solve this: the positions in which at holds are not listed"
        in declined.err
    )


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_solve_reports_levels_that_solver_refuses(run: Run, jobs: str, tmp_path: Path) -> None:
    bombed = "#####\n#@$.#\n#####\nBombs: 1\n"
    (file := tmp_path / "two.xsb").write_text(f"{bombed}\n{bombed.replace(': 1', ': 0')}")
    answer = run("solve", str(file), "--solver", "fewest-moves", "--json", "--jobs", jobs)
    assert answer.status == 2
    first, second = answer.lines
    assert (first["level"], first["kind"]) == (f"{file}#1", "Declined")
    assert first["error"].endswith("bombs are actions, but free for this solver")
    assert (second["found"], second["engine"]) == (True, "fewest-moves")
    assert f"error: {file}#1: the solver fewest-moves cannot solve this" in answer.err
