"""The command `check`: output and exit status."""

from __future__ import annotations

import json
from pathlib import Path

import numba  # noqa: F401  # imported after clingo, it keeps a file open
import pytest

import gridproof as gp
from gridproof.cli import certified_answer
from gridproof.cli.check import _describe_search
from gridproof.prove.parsing import parse

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


def test_check_prints_the_bound_at_a_limit(run: Run) -> None:
    answer = run("check", "null/first/2", "AG !won", "--states", "4", "--json")
    assert answer.status == 3
    assert (answer.json["bound"], answer.json["complete"], answer.json["states"]) == (2, False, 4)
    assert " s). No counterexample has fewer than 2 actions." in " ".join(
        run("check", "null/first/2", "AG !won", "--states", "4").out.split()
    )


@pytest.mark.parametrize(
    ("formula", "paths", "words"),
    [
        ("AG !won", "all", "Searching it for a position with won"),
        ("EF at(1)", "all", "Searching it for a position with at(1)"),
        ("G F won", "all", "Searching it for a path with !G F won"),
        ("G F won", "some", "Searching it for a path with G F won"),
        ("AG EF won", "all", "Checking AG EF won on it"),
    ],
)
def test_progress_names_what_check_searches_for(formula: str, paths: str, words: str) -> None:
    assert _describe_search("it", gp.level("null/first/2"), parse(formula), paths) == words


def test_check_searches_for_a_shortest_loop(run: Run) -> None:
    assert len(run("check", "null/first/2", "G F won", "--shortest", "--json").json["trace"]["steps"]) == 2


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
            "AG O X won",
            "line 1, column 4: 'O X won': in a formula with A or E, O looks back at positions: no X, F, G, U, W, R and no [ACTION] stands in it without an A or E before",
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


def test_check_lists_parts_without_effect(run: Run) -> None:
    answer = run("check", "null/first/2", "EF won | EF lost", "--coverage")
    assert (answer.status, answer.out.splitlines()[-1]) == (0, "  without effect on the verdict: `EF lost`")
    assert run("check", "null/first/2", "EF won | EF lost", "--coverage", "--json").json["unused"] == [
        "EF lost"
    ]
    assert "unused" not in run("check", "null/first/2", "EF won | EF lost", "--json").json


@pytest.mark.parametrize(("formula", "status"), [("EF won & EF home", 0), ("AG EF won", 1)])
def test_check_has_exit_status_of_a_limit_if_it_leaves_no_certificate(
    run: Run, tmp_path: Path, formula: str, status: int
) -> None:
    proof = tmp_path / "proof"
    question = ["check", "sokoban/first-steps/1", formula, "--states", "25"]
    assert run(*question).status == status
    answer = run(*question, "--certificate", str(proof))
    assert (answer.status, proof.exists()) == (3, False)
    assert "no certificate: the limit of positions was reached" in answer.err


def test_check_proves_by_invariant(run: Run, tmp_path: Path) -> None:
    proof = str(tmp_path / "proof")
    arguments = ("check", "sokoban/first-steps/1", "AG valid", "--invariant", "valid")
    answer = run(*arguments, "--certificate", proof)
    text = " ".join(answer.out.split())
    assert answer.status == 0
    assert "`AG valid` holds at the start. `valid` is an inductive invariant that implies it." in text
    assert "The invariant holds in 132 of all 132 positions of the level (" in text
    checked = run("verify", proof, "--level", "sokoban/first-steps/1")
    assert (checked.status, "`valid` is an inductive invariant" in " ".join(checked.out.split())) == (0, True)
    data = run(*arguments, "--json").json
    assert (data["holds"], data["invariant"], data["induction"], data["inside"]) == (True, "valid", None, 132)
    assert data["obligations"] == {
        name: {"holds": True, "trace": None} for name in ("base", "step", "implication")
    }


def test_check_prints_counterexamples_to_obligations(run: Run) -> None:
    arguments = (
        "check",
        "null/first/2",
        "AG !at(6)",
        "--invariant",
        "far",
        "--define",
        "far = at(5) | at(6)",
    )
    answer = run(*arguments)
    assert answer.status == 3
    assert "the base, the step and the implication fail." in " ".join(answer.out.split())
    for line in ("base, 0 actions", "step, 1 action", "implication, 0 actions"):
        assert f"\ncounterexample to the {line}:\n" in answer.out
    data = run(*arguments, "--json").json
    assert [one["holds"] for one in data["obligations"].values()] == [False] * 3
    assert data["obligations"]["step"]["trace"]["start"] == ".....@o\n"
    assert data["holds"] is None


def test_check_proves_by_k_induction(run: Run) -> None:
    arguments = ("check", "null/first/2", "AG !at(6)", "--induction")
    failed = run(*arguments, "2")
    assert failed.status == 3
    text = " ".join(failed.out.split())
    assert "K-induction with k = 2 does not prove it: the step fails." in text
    assert "No counterexample has fewer than 2 actions." in text
    refuted = run(*arguments, "4")
    assert (refuted.status, "\ncounterexample, 3 actions:\n" in refuted.out) == (1, True)
    assert run(*arguments, "4", "--json").json["obligations"]["base"]["holds"] is False
    assert run("check", "null/first/2", "AG at(0)", "--induction", "0").status == 2


def test_check_proves_with_clingo(run: Run) -> None:
    arguments = ("check", "sokoban/first-steps/1", "AG !box(1,1)", "--invariant", "!box(1,1)")
    explicit, clingo = (run(*arguments, "--engine", name) for name in ("explicit", "clingo"))
    assert explicit.status == clingo.status == 3
    assert "Clingo listed no positions (" in " ".join(clingo.out.split())
    assert "\ncounterexample to the step, 1 action:\n" in clingo.out
    data = run(*arguments, "--engine", "clingo", "--json").json
    assert (data["engine"], data["obligations"]["step"]["holds"]) == ("clingo", False)


def test_check_by_clingo_writes_no_certificate_of_invariants(run: Run, tmp_path: Path) -> None:
    arguments = ("check", "sokoban/first-steps/1", "AG valid", "--engine", "clingo", "--certificate")
    answer = run(*arguments, str(tmp_path / "one"), "--invariant", "valid")
    assert (answer.status, list(tmp_path.iterdir())) == (2, [])
    assert answer.err == (
        "error: --certificate does not apply with --engine clingo, which counts no positions; use the engine explicit\n"
    )
    proved = run(*arguments, str(tmp_path / "two"), "--induction", "1")
    assert (proved.status, gp.verify(tmp_path / "two").holds) == (0, True)


def test_check_proves_invariant_on_several_levels(run: Run) -> None:
    answer = run("check", "null/first", "AG !(at(0) & at(1))", "--invariant", "!(at(0) & at(1))")
    assert answer.status == 0
    assert answer.out.splitlines()[-1].endswith(" levels")
    data = run("check", "null/first", "AG !at(0)", "--invariant", "won", "--json").lines
    assert {one["obligations"]["base"]["holds"] for one in data} == {False}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("EF won", "--invariant", "won"), "induction proves AG p, with p about one position"),
        (("AG !won", "--invariant", "EF won"), "an invariant is about one position"),
        (("AG !won", "--invariant", "wonn"), "null has no proposition 'wonn'"),
        (("AG !won", "--invariant", "won", "--induction", "1"), "either by an invariant or by k-induction"),
        (("AG !won", "--invariant", "won", "--fair", "weak left"), "takes neither fairness nor shortest"),
        (("AG !won", "--invariant", "won", "--coverage"), "--invariant"),
        (("AG !won", "--induction", "2", "--more", "1"), "--more"),
        (("AG !won", "--engine", "clingo"), "--engine does not apply without --invariant or --induction"),
        (("AG !won", "--induction", "2", "--engine", "clingo"), "null has no theory for clingo"),
    ],
)
def test_check_explains_wrong_use_of_induction(run: Run, arguments: tuple[str, ...], words: str) -> None:
    answer = run("check", "null/first/2", *arguments)
    assert answer.status == 2
    assert words in " ".join(answer.err.split())


def test_check_takes_automaton_of_violations(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "walk.hoa"
    run("explore", "null/first/2", "--graph", str(path), "--formula", "G F won")
    never = str(tmp_path / "walk.never.hoa")
    answer = run("check", "null/first/2", "--automaton", never)
    assert answer.status == 1
    assert answer.out.startswith("null/first/2  A walk: Some path is accepted by walk.never.hoa. 7 reachable")
    assert "\ncounterexample, 2 actions:\n" in answer.out
    data = run("check", "null/first/2", "--automaton", never, "--json").json
    assert (data["formula"], data["holds"], data["logic"]) == ("!accepted(walk.never.hoa)", False, "LTL")
    table = run("check", "null/first", "--automaton", never)
    assert (table.status, "`!accepted(walk.never.hoa)` holds on" in table.out) == (1, True)
    for options, reason in [
        (["F won"], "give a FORMULA, or a file with --properties or --automaton"),
        (["--paths", "some"], "--paths does not apply with --automaton"),
        (["--certificate", str(tmp_path / "proof")], "--certificate does not apply with --automaton"),
    ]:
        wrong = run("check", "null/first/2", *options, "--automaton", never)
        assert (wrong.status, reason in wrong.err) == (2, True)


@pytest.mark.slow
def test_check_certifies_levels_in_workers(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = "check", "null/first", "AG EF won", "--json", "--certificate"
    here = run(*arguments, str(tmp_path / "here.json"))
    monkeypatch.setattr(certified_answer, "certify_answer", None)  # in this process alone
    there = run(*arguments, str(tmp_path / "there.json"), "--jobs", "2")
    assert (there.status, there.err) == (here.status, here.err) == (0, "")
    for number, line in enumerate(there.out.splitlines(), 1):
        path = tmp_path / f"there-{number}.json"
        assert json.loads(line)["certificate"] == str(path)
        assert gp.verify(path).holds
        assert path.read_text() == (tmp_path / f"here-{number}.json").read_text()
    assert number == len(gp.levels_at("null/first"))


def test_check_notes_levels_without_certificate(run: Run, tmp_path: Path) -> None:
    answer = run(
        "check",
        "sokoban/first-steps",
        "AG EF won",
        "--states",
        "25",
        "--certificate",
        str(tmp_path / "proof"),
    )
    assert answer.status == 3
    assert "sokoban/first-steps/1: no certificate: the limit of positions was reached" in answer.err
