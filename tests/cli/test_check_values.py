"""The command `check` for several values: `--for`, `--least`, and `--set` on one level."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import gridproof as gp
from gridproof.cli import check
from gridproof.prove.check import check as check_formula

from .conftest import Run

LEVEL, PUSHES = "sokoban/first-steps/1", "EF (won & cost(pushes) <= T)"


def test_values_have_a_row_each(run: Run) -> None:
    answer = run("check", LEVEL, PUSHES, "--for", "T=0..2")
    assert answer.out.splitlines() == [
        "T=0  does not hold        8 positions",
        "T=1  does not hold       26 positions",
        "T=2  holds               26 positions  witness of 3 actions",
        "     dRR",
        f"`{PUSHES}` holds for 1 of 3 values",
    ]
    assert answer.status == 1
    assert run("check", LEVEL, PUSHES, "--for", "T=2,5..6").status == 0


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_values_are_json_lines(run: Run, jobs: str) -> None:
    answer = run(
        "check",
        LEVEL,
        "AG (at(N,1) -> EF at(T,1))",
        "--for",
        "T=1,2",
        "--for",
        "N=2..3",
        "--json",
        "--jobs",
        jobs,
    )
    assert [one["values"] for one in answer.lines] == [{"T": t, "N": n} for t in (1, 2) for n in (2, 3)]
    for one in answer.lines:
        text = "AG (at({N},1) -> EF at({T},1))".format(**one["values"])
        verdict = gp.check(LEVEL, text).to_dict()
        assert one["level"] == LEVEL
        assert {key: one[key] for key in verdict if key != "seconds"} == {
            key: value for key, value in verdict.items() if key != "seconds"
        } | {"remarks": [*verdict["remarks"]]}


@pytest.mark.slow
def test_least_value_is_found_by_bisection(run: Run) -> None:
    answer = run("check", LEVEL, "EF (won & cost(actions) <= T)", "--for", "T=0..5000", "--least", "T")
    lines = answer.out.splitlines()
    assert [line.split()[0] for line in lines if line.startswith("T=")] == ["T=0", "T=1", "T=3", "T=2"]
    assert lines[-1] == (
        "T = 3 is the least value for which `EF (won & cost(actions) <= T)` holds; it does not for T = 2"
    )
    assert answer.status == 0


def test_least_value_in_json(run: Run) -> None:
    *rows, last = run("check", LEVEL, PUSHES, "--for", "T=0..9", "--least", "T", "--json").lines
    assert [one["values"] for one in rows] == [{"T": 0}, {"T": 1}, {"T": 3}, {"T": 2}]
    assert last == {
        "level": LEVEL, "game": "sokoban", "title": "Straight In", "formula": PUSHES, "values": {}, "parameter": "T",
        "least": 2, "below": 1, "known": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("formula", "options", "status", "sentence"),
    [
        (PUSHES, ("--for", "T=0..1"), 1, f"`{PUSHES}` holds for no T from 0 to 1"),
        (PUSHES, ("--for", "T=2..9"), 0, f"`{PUSHES}` holds for T = 2, the smallest value"),
        (PUSHES, ("--for", "T=0..9", "--states", "9"), 3,
         f"the least T for which `{PUSHES}` holds is unknown: no answer for T = 1; it does not for T = 0"),
        ("EF at(T,1)", ("--for", "T=3..4"), 1, "`EF at(T,1)` holds for no T from 3 to 4"),
        ("P>=0.5 [F<=T won]", ("--for", "T=0..9"), 1, "`P>=0.5 [F<=T won]` holds for no T from 0 to 9"),
        ("EF far", ("--for", "T=0..9", "--define", "far = at(T,2)"), 0, "T = 1 is the least value for which `EF far` holds; it does not for T = 0"),
    ],
)  # fmt: skip
def test_least_value_in_words(
    run: Run, formula: str, options: tuple[str, ...], status: int, sentence: str
) -> None:
    answer = run("check", LEVEL, formula, *options, "--least", "T")
    assert (answer.out.splitlines()[-1], answer.status) == (sentence, status)


def test_least_value_of_each_level(run: Run) -> None:
    lines = run(
        "check", "null/first", "EF (won & cost(actions) <= T)", "--for", "T=0..9", "--least", "T", "--json"
    ).lines
    found = {one["level"]: one["least"] for one in lines if "least" in one}
    assert found == {
        f"null/first/{number}": gp.solve(level).cost
        for number, level in enumerate(gp.levels_at("null/first"), 1)
    }


def test_numbers_of_a_level_take_values(run: Run) -> None:
    answer = run("check", "sokoban/bombs/1", "EF won", "--set", "bombs=0..2", "--json")
    assert [(one["level"], one["values"], one["holds"]) for one in answer.lines] == [
        ("sokoban/bombs/1 bombs=0", {"bombs": 0}, False),
        ("sokoban/bombs/1 bombs=1", {"bombs": 1}, True),
        ("sokoban/bombs/1 bombs=2", {"bombs": 2}, True),
    ]
    assert answer.lines[2]["trace"]["start"].endswith("Bombs: 2\n")
    least = run("check", "sokoban/bombs/1", "EF won", "--set", "bombs=0..2", "--least", "bombs").out
    assert (
        least.splitlines()[-1]
        == "bombs = 1 is the least value for which `EF won` holds; it does not for bombs = 0"
    )


def test_values_show_the_first_counterexample_of_each(run: Run) -> None:
    lines = run(
        "check", "sokoban/bombs/1", "AG bombs = N", "--set", "bombs=1..2", "--for", "N=2"
    ).out.splitlines()
    shortest = gp.check("sokoban/bombs/1", "AG bombs = 2").trace
    assert shortest is not None
    assert shortest.actions == ()
    assert lines[0].startswith("bombs=1 N=2  does not hold")
    assert lines[1].endswith("counterexample of 1 action")
    assert lines[2].strip() == "!"


def test_values_save_their_traces(run: Run, tmp_path: Path) -> None:
    answer = run(
        "check", LEVEL, "AG !at(T,1)", "--for", "T=1..3", "--save", str(tmp_path / "trace.json"), "--json"
    )
    saved = [one.get("saved") for one in answer.lines]
    assert saved == [str(tmp_path / "trace-1.json"), str(tmp_path / "trace-2.json"), None]
    assert gp.Trace.load(tmp_path / "trace-1.json").level == gp.level(LEVEL)


def test_values_that_the_formula_refuses_are_errors(run: Run) -> None:
    answer = run("check", LEVEL, "EF at(T,1)", "--for", "T=4..7")
    assert answer.status == 2
    assert answer.err.splitlines() == [
        f"error: {LEVEL} T={one}: line 1, column 4: at({one},1): x is from 0 to 5 and y from 0 to 4"
        for one in (6, 7)
    ]


def test_values_stand_in_an_invariant(run: Run) -> None:
    lines = run(
        "check", LEVEL, "AG placed <= 1", "--invariant", "placed <= T", "--for", "T=0..1", "--json"
    ).lines
    assert [one["holds"] for one in lines] == [None, True]


def test_values_stand_in_no_automaton(run: Run, tmp_path: Path) -> None:
    answer = run("check", LEVEL, "--automaton", str(tmp_path / "a.hoa"), "--for", "T=0..1")
    assert (answer.status, answer.err) == (2, "error: --for does not apply with --automaton\n")


def test_values_of_generated_levels(run: Run) -> None:
    small = ("--seeds", "3..4", "--set", "width=2", "--set", "height=2", "--json")
    lines = run("check", "shiftit", "EF (won & cost(actions) <= T)", *small, "--for", "T=0..1").lines
    assert [(one["level"], one["values"]) for one in lines] == [
        (f"shiftit seed {seed}", {"T": value}) for seed in (3, 4) for value in (0, 1)
    ]


def test_values_that_mean_nothing_may_come_first_and_last(run: Run) -> None:
    answer = run("check", LEVEL, "EF at(T,1)", "--for", "T=-1..6")
    assert answer.status == 2
    assert [line.split()[2] for line in answer.err.splitlines()] == ["T=-1:", "T=6:"]
    assert answer.out.splitlines()[-1] == "`EF at(T,1)` holds for 2 of 6 values"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("EF at(T,1)", "--for", "T=5..1"), "--for T '5..1': 5..1 is empty; the first comes first"),
        (("EF at(T,1)", "--for", "T=a"), "--for T 'a': write numbers such as 2,4,8, or a range as in 1..50"),
        (("EF at(T,1)", "--for", "T"), "--for 'T': write a name and its values, as in T=1..50 or T=2,4,8"),
        (("EF at(T,1)", "--for", "T=1", "--for", "T=2"), "--for 'T=2': T already has values"),
        (("EF at(T,1)", "--for", "T=0..99999"), "--for T '0..99999': these are more than 10,000 values"),
        (("EF at(T,N)", "--for", "T=0..999", "--for", "N=0..999"), "these are more than 10,000 levels and values in all"),
        (("EF at(T,1)", "--for", "N=1"), "the parameter N does not occur in the formula"),
        (("EF won", "--least", "T"), "the parameter T does not occur in the formula"),
        (("EF at(T,N)", "--for", "N=0..", "--least", "T"), "--for N '0..': only the values of --least may have no end; write 1..50"),
        (("EF at(T,1)", "--for", "T=0.."), "--for T '0..': only the values of --least may have no end; write 1..50"),
        (("EF at(T,1)", "--least", "T", "--certificate", "x"), "--certificate does not apply with --least; use --for with the value that was found"),
        (("EF at(T,1)", "--for", "T=1", "--more", "2"), "--more does not apply to several values"),
        (("EF at(T,1)", "--for", "T=1..2", "--least", "T", "--save", "x.json"), "--save does not apply with --least"),
        (("EF won", "--set", "bomb=1"), "--set bomb: a sokoban level has no number 'bomb'; did you mean bombs?"),
        (("EF won", "--set", "x=1"), "--set x: a sokoban level has no number 'x'; it has bombs"),
        (("EF wun(T)", "--for", "T=1..9"), "line 1, column 4: sokoban has no proposition 'wun'; did you mean won? (expected won, lost, ended, home, bombs, placed, at, box, valid)"),
    ],
)  # fmt: skip
def test_value_options_are_checked(run: Run, options: tuple[str, ...], why: str) -> None:
    answer = run("check", LEVEL, *options)
    assert (answer.status, answer.err) == (2, f"error: {why}\n")


def test_values_of_numbers_that_the_rules_forbid_are_refused(run: Run) -> None:
    answer = run("check", LEVEL, "EF won", "--set", "bombs=-1")
    assert answer.status == 2
    assert answer.err.startswith("error: bombs=-1: ")


@pytest.mark.parametrize(
    ("formula", "options", "status", "sentence"),
    [
        (PUSHES, ("--least", "T"), 0, f"T = 2 is the least value for which `{PUSHES}` holds; it does not for T = 1"),
        (PUSHES, ("--least", "T", "--for", "T=2.."), 0, f"`{PUSHES}` holds for T = 2, the smallest value"),
        ("EF at(T,1)", ("--least", "T"), 0, "T = 1 is the least value for which `EF at(T,1)` holds; it does not for T = 0"),
        (PUSHES, ("--least", "T", "--states", "9"), 3, f"`{PUSHES}` holds for no T from 0 to 0; no answer for T = 1"),
        (PUSHES, ("--least", "T", "--states", "1"), 3, "no answer for T = 0"),
        ("AG cost(pushes) >= T", ("--least", "T", "--for", "T=1.."), 1, "`AG cost(pushes) >= T` holds for no T from 1 to 10000"),
    ],
)  # fmt: skip
def test_least_value_is_searched_without_an_end(
    run: Run, formula: str, options: tuple[str, ...], status: int, sentence: str
) -> None:
    answer = run("check", LEVEL, formula, *options)
    assert (answer.out.splitlines()[-1], answer.status) == (sentence, status)


def test_open_search_shares_its_time(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = list[float | None]()

    def check_slowly(*arguments: Any) -> Any:
        limits.append(arguments[4].seconds)
        return replace(check_formula(*arguments), seconds=4.0)

    monkeypatch.setattr(check, "check_formula", check_slowly)
    run("check", LEVEL, "EF at(T,2)", "--for", "T=0..", "--least", "T", "--seconds", "10")
    assert limits == [10, 6]
    run("check", LEVEL, "EF at(T,2)", "--for", "T=0..5", "--least", "T", "--seconds", "10")
    assert limits[2:] == [10, 10]


def test_values_have_a_certificate_each(run: Run, tmp_path: Path) -> None:
    proof = str(tmp_path / "proof.json")
    answer = run("check", LEVEL, PUSHES, "--for", "T=1..2", "--certificate", proof)
    paths = [tmp_path / f"proof-{number}.json" for number in (1, 2)]
    assert [line for line in answer.out.splitlines() if "certificate" in line] == [
        f"     certificate in {path}" for path in paths
    ]
    claims = [gp.verify(path, LEVEL).statement.claim for path in paths]
    assert claims == ["`EF (won & cost(pushes) <= 1)` does not hold", "`EF (won & cost(pushes) <= 2)` holds"]
    again = run("check", LEVEL, PUSHES, "--for", "T=1..2", "--certificate", proof)
    assert (again.status, "use --force" in again.err or "exists" in again.err) == (2, True)
    lines = run("check", LEVEL, PUSHES, "--for", "T=1..2", "--certificate", proof, "--force", "--json").lines
    assert [one["certificate"] for one in lines] == [*map(str, paths)]
