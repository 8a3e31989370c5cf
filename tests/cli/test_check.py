"""The command `check`: output and exit status."""

from __future__ import annotations

from pathlib import Path

import pytest

import gridproof as gp

from .conftest import Run


def test_check_prints_formula_that_holds(run: Run) -> None:
    answer = run("check", "null/first/2", "EF won")
    assert answer.status == 0
    lines = answer.out.splitlines()
    assert lines[0].startswith(
        "null/first/2  A walk: `EF won` holds at the start. It holds in 7 of 7 reachable positions ("
    )
    assert lines[2:6] == ["witness, 3 actions:", ".@....o", "won false", "1  right"]
    assert lines[-2:] == ["   won true", "no action is possible any more"]


def test_check_saves_and_shows_counterexamples(run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "trace.json")
    answer = run("check", "null/first/2", "G F won", "--more", "1", "--save", path)
    assert answer.status == 1
    assert "\ncounterexample, 2 actions:\n" in answer.out
    assert "\nanother counterexample, 4 actions:\n" in answer.out
    assert answer.out.endswith(f"  saved in {path}\n")
    trace = gp.Trace.load(path)
    assert (trace.loop, list(map(str, trace.actions))) == (0, ["left", "right"])
    again = "from here on again and again, these 2 steps:"
    assert run("replay", path).out.splitlines()[:4] == [again, "1  left", "2  right", "back to the start"]
    assert run("show", path).status == 0


def test_check_prints_json(run: Run) -> None:
    data = run("check", "null/first/2", "F won", "--json", "--more", "1").json
    assert data.pop("seconds") >= 0
    (other,) = data.pop("more")
    assert other["loop"] == 2
    assert data == {
        "level": "null/first/2",
        "game": "null",
        "title": "A walk",
        "formula": "F won",
        "logic": "LTL",
        "paths": "all",
        "holds": False,
        "satisfying": None,
        "vacuous": False,
        "remarks": [],
        "states": 7,
        "stopped_by": None,
        "trace": {"start": ".@....o\n", "steps": [{"action": "left"}, {"action": "right"}], "loop": 0},
    }


def test_check_reports_vacuous_truth(run: Run) -> None:
    answer = run("check", "null/first/2", "AG (lost -> AX won)")
    assert answer.status == 0
    assert answer.out.splitlines()[1] == "  vacuous: lost is never true"


def test_check_options_change_the_answer(run: Run) -> None:
    assert run("check", "null/first/2", "F won", "--paths", "some").status == 0
    assert run("check", "null/first/2", "F won", "--fair", "strong hop", "--fair", "weak left").status == 1
    assert run("check", "robots/races/2", "EF won(a)", "--actors", "b").status == 1
    limited = run("check", "null/first/2", "AG EF won", "--states", "3")
    assert (limited.status, ". The limit of positions was reached after 3 positions (" in limited.out) == (
        3,
        True,
    )


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        (
            "AG EF wun",
            "line 1, column 7: null has no proposition 'wun'; did you mean won? (expected won, lost, ended, home, at)",
        ),
        ("AG (won", "line 1, column 8: the formula ends too early (expected an operator or ')')"),
        (
            "AG F won",
            "'F won': F has no A or E right before it, and others have: formulas are of CTL (A or E before each temporal operator) or of LTL (no A and E at all), CTL* is not supported",
        ),
    ],
)
def test_check_refuses_wrong_formulas(run: Run, formula: str, words: str) -> None:
    answer = run("check", "null/first/2", formula, "--json")
    assert answer.status == 2
    assert words in answer.err
    assert answer.json["error"] in answer.err


def test_check_fairness_is_one_value(run: Run) -> None:
    assert "--fair 'KIND NAME'" in " ".join(run("check", "--help").out.split())
