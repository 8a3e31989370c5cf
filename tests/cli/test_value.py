"""`value`."""

from __future__ import annotations

from pathlib import Path

from .conftest import Run


def test_value_prints_value_and_its_actions(run: Run, tmp_path: Path) -> None:
    board = tmp_path / "board.2048"
    board.write_text("2048 2x2 spawn=classic\n2 2\n4 0\n")
    answer = run("value", str(board), "--goal", "tile(16)")
    assert (answer.status, "at best 0." in answer.out, "best first: " in answer.out) == (0, True, True)
    data = run("value", str(board), "--goal", "score", "--json").json
    assert data["best"]["fraction"].count("/") == 1
    assert data["actions"].keys() == {"left", "right", "down"}
    assert (data["error"], data["stopped_by"]) == (0, None)


def test_value_reports_limit_and_wrong_goal(run: Run) -> None:
    answer = run("value", "twenty48/standard/1", "--states", "50")
    assert (answer.status, "at best between 0.000000 and 1.000000" in answer.out) == (3, True)
    assert "the limit of positions was reached" in " ".join(answer.out.split())
    data = run("value", "twenty48/standard/3", "--states", "5", "--goal", "tile(8)", "--json").json
    assert (data["stopped_by"], data["best"]["fraction"]) == ("states", None)
    low, high = data["best"]["bounds"]
    assert 0 <= low <= data["best"]["value"] <= high <= 1
    assert run("value", "sokoban/first-steps/1", "--goal", "score").status == 2
    assert run("value", "sokoban/first-steps/1", "--json").json["best"]["value"] == 1


def test_value_names_the_action_that_wins_at_once_first(run: Run) -> None:
    answer = run("value", "null/first/1")
    assert "best first: right (right 1.000000, left 1.000000)" in " ".join(answer.out.split())


def test_value_lists_few_equal_actions(run: Run) -> None:
    answer = " ".join(run("value", "lights_out/first/1").out.split())
    listed = answer.partition("best first: ")[2]
    assert listed.count(" 1.000000") == 4
    assert " more 1.000000)" in listed
