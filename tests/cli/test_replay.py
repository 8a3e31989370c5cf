from __future__ import annotations

import os
import re
import threading
from pathlib import Path

import pytest

import gridproof as gp
from gridproof.core.trace import Step, Trace

from .conftest import Run


def test_replay_prints_actions_one_by_one(run: Run) -> None:
    answer = run("replay", "null/first/3", "left, left; left left")
    assert answer.status == 0
    assert answer.out == (
        "1  left\n2  left\n3  left\n4  left\n\n..*......\n\nactions 4, status won\n".replace("*", "@")
    )


def test_replay_prints_a_json_line_for_each_action(run: Run) -> None:
    lines = run("replay", "null/first/3", "left right", "--json").lines
    assert lines == [
        {
            "action": "left",
            "executable": True,
            "status": "PLAYING",
            "text": "..o..@...\n",
            "reward": 0,
            "events": [{"type": "Walked", "to": 5}],
            "label": "",
        },
        {
            "action": "right",
            "executable": True,
            "status": "PLAYING",
            "text": "..o...@..\n",
            "reward": 0,
            "events": [{"type": "Walked", "to": 6}],
            "label": "",
        },
    ]


def test_replay_has_status_1_when_an_action_is_refused(run: Run) -> None:
    answer = run("replay", "null/first/1", "left left nonsense right right", "--json")
    assert answer.status == 1
    assert [line["executable"] for line in answer.lines] == [True, False, False, True, True]
    refused = answer.lines[1]
    assert refused["action"] == "left"
    assert refused["text"] == answer.lines[0]["text"]
    assert (refused["status"], refused["reward"], refused["events"]) == ("PLAYING", 0, [])
    text = run("replay", "null/first/1", "left left")
    assert text.status == 1
    assert "2  left: it cannot be executed here" in text.out


def test_replay_refuses_actions_after_the_end(run: Run) -> None:
    answer = run("replay", "null/first/1", "right left", "--json")
    assert answer.status == 1
    assert [line["executable"] for line in answer.lines] == [True, False]
    assert answer.lines[1]["status"] == "WON"


def test_replay_draws_as_a_session_with_the_seed(run: Run) -> None:
    for seed in range(6):
        session = gp.Session(gp.levels_at("null/first/2"), seed)
        texts = [session.act("hop").position.text() for _ in range(2)]
        lines = run("replay", "null/first/2", "hop hop", "--seed", str(seed), "--json").lines
        assert [line["text"] for line in lines] == texts


def test_refused_actions_do_not_change_later_outcomes(run: Run) -> None:
    plain = run("replay", "null/first/2", "hop hop", "--json").lines
    mixed = run("replay", "null/first/2", "hop foo hop", "--json").lines
    assert [plain[0], plain[1]] == [mixed[0], mixed[2]]


def test_replay_uses_outcomes_of_a_trace(run: Run, tmp_path: Path) -> None:
    (level,) = gp.levels_at("null/first/2")
    solution = gp.solve(level)
    assert solution.trace
    path = tmp_path / "solution.json"
    solution.trace.save(path)
    answer = run("replay", "null/first/2", str(path), "--json", "--seed", "77")
    assert answer.status == 0
    assert [line["action"] for line in answer.lines] == [str(action) for action in solution.trace.actions]
    assert answer.lines[-1]["status"] == "WON"


def test_replay_has_status_1_when_trace_has_impossible_step(run: Run, tmp_path: Path) -> None:
    start = gp.levels_at("null/first/1")[0].start()
    path = tmp_path / "wrong.json"
    left = start.action("left")
    path.write_text(Trace(start, (Step(left), Step(left))).to_json())
    answer = run("replay", "null/first/1", str(path), "--json")
    assert answer.status == 1
    assert [line["executable"] for line in answer.lines] == [True, False]
    path.write_text(Trace(start, (Step(left, "by magic"),)).to_json())
    assert run("replay", "null/first/1", str(path)).status == 1


def test_replay_refuses_loop_that_does_not_close(run: Run, tmp_path: Path) -> None:
    start = gp.levels_at("null/first/1")[0].start()
    path = tmp_path / "open.json"
    path.write_text(Trace(start, (Step(start.action("left")),), loop=0).to_json())
    answer = run("replay", "null/first/1", str(path))
    assert answer.status == 2
    assert "loop" in answer.err


@pytest.mark.parametrize("command", ["replay", "show", "watch"])
def test_replay_errors_name_the_file_of_the_trace(run: Run, tmp_path: Path, command: str) -> None:
    (level,) = gp.read("2048 2x2\n")
    other = next(seed for seed in range(1, 99) if level.start(seed) != level.start(0))
    path = tmp_path / "drawn.json"
    Trace(level.start(0), seed=other).save(path)
    answer = run(command, str(path))
    assert (answer.status, answer.err) == (2, f"error: {path}: the seed {other} draws another start\n")


def test_replay_refuses_trace_of_another_level(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    Trace(gp.levels_at("null/first/3")[0].start()).save(path)
    answer = run("replay", "null/first/1", str(path))
    assert (answer.status, answer.err) == (2, f"error: {path}: the trace is of another level\n")


def test_replay_refuses_trace_with_another_start(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "middle.json"
    start = gp.levels_at("null/first/2")[0].start()
    middle = next(iter(start.outcomes(start.action("right")))).position
    solution = gp.solve(middle)
    assert solution.trace
    solution.trace.save(path)
    answer = run("replay", "null/first/2", str(path))
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == f"error: {path}: the trace does not begin where the level starts\n"


def test_replay_accepts_trace_from_any_random_start(run: Run, tmp_path: Path) -> None:
    board, path = tmp_path / "board.2048", tmp_path / "played.json"
    board.write_text("2048 2x2\n")
    session = gp.Session(gp.read(board), seed=9)
    session.act(session.position.actions()[0])
    session.trace().save(path)
    assert run("replay", str(board), str(path)).status == 0


def test_replay_refuses_file_that_is_no_trace(run: Run, sokoban_file: Path) -> None:
    answer = run("replay", "null/first/1", str(sokoban_file))
    assert answer.status == 2
    assert answer.err == (
        f"error: {sokoban_file}: this is a level, not a trace. To replay actions, give them after the level.\n"
    )
    assert run("replay", str(sokoban_file)).err == answer.err
    sokoban_file.write_text("nothing\n")
    answer = run("replay", "null/first/1", str(sokoban_file))
    assert answer.err.startswith(f"error: {sokoban_file}: line 1, column 1: not JSON: Expecting value")


def test_replay_refuses_unmatched_brackets(run: Run) -> None:
    answer = run("replay", "null/first/1", "left walk(1,0")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == "error: line 1, column 10: '(' without its other bracket\n"


@pytest.mark.slow
def test_replay_does_not_take_long_actions_for_a_file(run: Run) -> None:
    answer = run("replay", "null/first/3", "left right " * 2000, "--json")
    assert answer.status == 0
    assert len(answer.lines) == 4000


def test_replay_prints_boards(run: Run) -> None:
    out = run("replay", "null/first/3", "left left", "--boards").out
    assert "..o..@..." in out
    assert "..o.@...." in out
    assert re.findall(r"actions (\d+)", out) == ["1", "2", "2"]


def test_replay_prints_rewards(run: Run) -> None:
    text = "2048 4x4 spawn=spec target=2048\n2 2 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n"
    answer = run("replay", "-", "left", "--json", input=text)
    (line,) = answer.lines
    assert line["reward"] == 4
    assert line["events"][0] == {"type": "Merged", "cell": [0, 0], "value": 4}
    assert line["events"][1]["type"] == "Spawned"
    assert "+4 points" in run("replay", "-", "left", input=text).out


def test_replay_refuses_missing_file(run: Run) -> None:
    answer = run("replay", "null/first/1", "nofile.json")
    assert (answer.status, answer.out, answer.err) == (2, "", "error: nofile.json: no such file\n")


def test_replay_reads_trace_from_pipe(run: Run, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    solution = gp.solve(gp.levels_at("null/first/1")[0])
    assert solution.trace
    writer = threading.Thread(target=pipe.write_text, args=(solution.trace.to_json(),))
    writer.start()
    answer = run("replay", "null/first/1", str(pipe), "--json")
    writer.join()
    assert answer.lines[-1]["status"] == "WON"


@pytest.fixture
def lasso(tmp_path: Path) -> str:
    """Return a trace that walks left once, then right and back for ever."""
    start = gp.read("..o.@..", "null")[0].start()
    steps = tuple(Step(start.action(text)) for text in ("left", "right", "left"))
    Trace(start, steps, 1).save(tmp_path / "lasso.json")
    return str(tmp_path / "lasso.json")


def test_replay_marks_start_and_end_of_loop(run: Run, lasso: str) -> None:
    begins, returns = "from here on again and again, these 2 steps:", "back to the position after 1 action"
    replayed = run("replay", lasso).out
    assert replayed.startswith(f"1  left\n{begins}\n2  right\n3  left\n{returns}\n")
    watched = run("watch", lasso).out
    assert f"   1  left\n{begins}\n   2  right\n   3  left\n{returns}\n" in watched
    assert returns not in run("watch", lasso, "--actions", "2").out
    assert run("show", lasso).out.endswith(f"\na loop: {returns}\n")


def test_replay_json_has_loop(run: Run, lasso: str) -> None:
    for command in ("replay", "watch", "show"):
        assert {line["loop"] for line in run(command, lasso, "--json").lines} == {1}, command
    assert "loop" not in run("replay", "null/first/3", "left", "--json").json


def test_replay_marks_loop_from_the_start(run: Run, tmp_path: Path) -> None:
    start = gp.read("..o.@..", "null")[0].start()
    steps = tuple(Step(start.action(text)) for text in ("left", "right"))
    Trace(start, steps, 0).save(tmp_path / "l.json")
    assert run("replay", str(tmp_path / "l.json")).out.startswith(
        "from here on again and again, these 2 steps:\n1"
    )
    assert "a loop: back to the start" in run("show", str(tmp_path / "l.json")).out


def test_film_of_loop_has_bar_above_it(run: Run, lasso: str) -> None:
    from gridproof.pictures import picture

    drawn = picture.film(Trace.load(lasso))
    assert drawn.count('height="8"') == 3  # the positions after one, two and three actions
    assert ">3 = 1</text>" in drawn
    plain = picture.film(Trace(Trace.load(lasso).start, Trace.load(lasso).steps))
    assert 'height="8"' not in plain
