"""`value`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

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


def test_value_says_how_far_it_went_and_what_to_ask_where_nothing_is_known(run: Run) -> None:
    answer = " ".join(run("value", "twenty48/positions/1", "--states", "20000").out.split())
    remark = re.search(
        r"no play decides it with a noticeable chance until the sum of the tiles is over (\d+);"
        r" a nearer goal, such as (tile\(\d+\)), gets closer bounds$",
        answer,
    )
    assert remark
    assert int(remark[1]) > 12
    data = run("value", "twenty48/positions/1", "--states", "20000", "--goal", remark[2], "--json").json
    assert data["best"]["bounds"][0] > 0.1


def test_value_suggests_no_goal_that_holds_already(run: Run) -> None:
    answer = " ".join(
        run("value", "twenty48/positions/3", "--goal", "tile(8192)", "--states", "50").out.split()
    )
    assert answer.endswith("; a nearer goal or a later position gets closer bounds")


def test_value_of_a_graph_says_what_would_get_closer_bounds(run: Run, tmp_path: Path) -> None:
    board = tmp_path / "large.2048"
    board.write_text("2048 5x5 spawn=classic\n2 2 0 0 0\n" + "0 0 0 0 0\n" * 4)
    answer = run("value", str(board), "--states", "100").out
    assert answer.count("between 0.000000 and 1.000000") == 2
    assert " ".join(answer.split()).endswith(
        "none of these positions decides it with a noticeable chance; "
        "a nearer goal, a later position or a smaller board gets closer bounds"
    )


@pytest.mark.parametrize(
    "arguments", [("--states", "0"), ("--states", "20000", "--goal", "tile(16)"), ("--goal", "tile(4)")]
)
def test_value_makes_no_remark_on_useful_or_missing_bounds(run: Run, arguments: tuple[str, ...]) -> None:
    assert "closer bounds" not in run("value", "twenty48/positions/1", *arguments).out


def test_value_names_the_action_that_wins_at_once_first(run: Run) -> None:
    answer = run("value", "null/first/1")
    assert "best first: right (right 1.000000, left 1.000000)" in " ".join(answer.out.split())


@pytest.mark.slow
def test_value_lists_few_equal_actions(run: Run) -> None:
    answer = " ".join(run("value", "lights_out/first/1").out.split())
    listed = answer.partition("best first: ")[2]
    assert listed.count(" 1.000000") == 4
    assert " more 1.000000)" in listed


@pytest.mark.slow
def test_value_answers_questions(run: Run, tmp_path: Path) -> None:
    text = " ".join(run("value", "twenty48/standard/4", "--goal", "P=? [F<=20 won]").out.split())
    assert "`P=? [F<=20 won]`, from 318 positions" in text
    assert "at best 0.962511253750 = 770009003/800000000 at worst 0" in text
    pushes = " ".join(run("value", "sokoban/first-steps/1", "--goal", 'R{"pushes"}=? [F won]').out.split())
    assert pushes.endswith("at most infinite at least 2 best first: down (down 2.000000, right 2.000000)")
    data = run("value", "sokoban/first-steps/1", "--goal", 'R{"pushes"}=? [F won]', "--json").json
    assert data["best"] == {"value": None, "fraction": None, "bounds": [None, None]}
    assert data["worst"] == {"value": 2.0, "fraction": "2", "bounds": [2.0, 2.0]}
    least = run("value", "sokoban/first-steps/1", "--goal", "Rmin=? [F won]").out
    assert ("at most" in least, "at least 3" in least) == (False, True)
    cut = run("value", "twenty48/standard/1", "--goal", "R=? [F lost]", "--states", "300")
    assert (cut.status, " or more\n" in cut.out) == (3, True)
    assert run("value", "twenty48/standard/4", "--goal", "P>=0.5 [F won]").status == 2
    proof = str(tmp_path / "proof.json")
    asked = "--goal", "P=? [F<=9 won]", "--certificate", proof
    assert "certificate in " in run("value", "twenty48/standard/4", *asked).out
    assert "`P=? [F<=9 won]` is 0.962511 at best and 0 at worst" in " ".join(run("verify", proof).out.split())
    condition = "--goal", "P=? [F won || F tile(8)]", "--certificate", proof, "--force"
    assert "certificate in " in run("value", "twenty48/standard/4", *condition).out
    assert run("verify", proof).status == 0
    refused = run("value", "twenty48/standard/4", "--goal", "P=? [F<=1001 won]", *condition[2:])
    assert (refused.status, "more than 1000 actions" in refused.err) == (2, True)


def test_goal_without_its_option_is_explained(run: Run) -> None:
    for command in ("value", "solve"):
        refused = run(command, "robots/duels/1", "won(a)")
        assert refused.status == 2
        assert "give a goal with --goal" in refused.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("<<a>> P=? [F<=9 won(a)]", "forced 0"),
        ("<<a>> P=? [G F !won]", "forced 1"),
        ("P=? [G F won(a)]", "at best 1 at worst 0"),
        ("P=? [F won(a) || F won]", "at best 1 at worst 0"),
    ],
)
def test_value_of_the_start_alone_is_printed(run: Run, question: str, answer: str) -> None:
    assert " ".join(run("value", "robots/duels/1", "--goal", question).out.split()).endswith(answer)
    assert run("value", "robots/duels/1", "--goal", question, "--json").json["actions"] is None


@pytest.mark.slow
def test_check_compares_probabilities(run: Run) -> None:
    answer = run("check", "twenty48/standard/4", "Pmax>=0.9 [F won]")
    assert (
        answer.status,
        "`Pmax>=0.9 [F won]` holds for some way to act." in " ".join(answer.out.split()),
    ) == (0, True)
    assert run("check", "twenty48/standard/4", "P>=0.9 [F won]", "--json").json["logic"] == "PCTL"
    assert run("check", "twenty48/standard/4", "P=? [F won]").status == 2
    assert run("check", "twenty48/standard/4", "P>=0.9 [F won]", "--coverage").status == 2
