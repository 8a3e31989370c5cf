"""The command `check --properties`, and definitions for one formula."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import gridproof as gp

from .conftest import Run


@pytest.fixture
def properties(tmp_path: Path) -> Path:
    path = tmp_path / "walk.props"
    path.write_text(
        "define goal = won\nsolvable: EF goal\nnot always: AG at(1)\nwrong: AG !goal\n", encoding="utf-8"
    )
    return path


def test_report_has_a_line_for_each_property(run: Run, properties: Path) -> None:
    answer = run("check", "null/first/2", "--properties", str(properties))
    assert answer.status == 1
    assert answer.out.splitlines() == [
        "null/first/2  A walk:",
        "  ok               solvable: `EF goal` holds at the start.",
        "  ok               always: `AG at(1)` does not hold at the start.",
        "  not as expected  wrong: `AG !goal` does not hold at the start.",
        "                   counterexample: right hop hop",
        "  3 properties: 2 ok, 1 not as expected",
    ]


def test_report_prints_a_json_line_for_each_property(run: Run, properties: Path) -> None:
    answer = run("check", "null/first/2", "--properties", str(properties), "--json")
    assert answer.status == 1
    assert [(one["property"], one["expected"], one["holds"], one["as_expected"]) for one in answer.lines] == [
        ("solvable", True, True, True),
        ("always", False, False, True),
        ("wrong", True, False, False),
    ]
    assert answer.lines[0] | {"seconds": 0} == {
        "level": "null/first/2", "game": "null", "title": "A walk", "property": "solvable", "formula": "EF goal",
        "logic": "CTL", "paths": "all", "expected": True, "as_expected": True, "holds": True, "satisfying": 7, "vacuous": False,
        "remarks": [], "states": 7, "seconds": 0, "stopped_by": None,
        "trace": {"start": ".@....o\n", "steps": [{"action": "right"}, *[{"action": "hop", "label": "by 2"}] * 2],
                  "loop": None},
    }  # fmt: skip


def test_report_exit_status_says_if_all_are_as_expected(run: Run, properties: Path) -> None:
    properties.write_text("a: EF won\nnot b: AG at(1)\n", encoding="utf-8")
    assert run("check", "null/first/2", "--properties", str(properties)).status == 0
    limited = run("check", "null/first/2", "--properties", str(properties), "--states", "3")
    assert limited.status == 3
    assert [re.sub(r"\d+\.\d+ s", "0.00 s", line) for line in limited.out.splitlines()[1:]] == [
        "  no answer        a: No answer for `EF won`. The limit of positions was reached after 3 positions (0.00 s). "
        "No witness has fewer than 1 action.",
        "  ok               b: `AG at(1)` does not hold at the start.",
        "  2 properties: 1 ok, 1 no answer",
    ]
    data = run("check", "null/first/2", "--properties", str(properties), "--states", "3", "--json").lines
    assert [(one["stopped_by"], one["complete"], one.get("bound")) for one in data] == [
        ("states", False, 1),
        ("states", False, None),
    ]


def test_report_counts_one_property(run: Run, properties: Path) -> None:
    properties.write_text("a: EF won\n", encoding="utf-8")
    answer = run("check", "null/first/2", "--properties", str(properties))
    assert answer.out.splitlines()[-1] == "  1 property: 1 ok"


SETTINGS = """\
fairly: F won
    fair: strong *
    fair: G F won
not surely: F won
possibly: F won
    paths: some
"""


def test_report_follows_the_settings_of_properties(run: Run, properties: Path) -> None:
    properties.write_text(SETTINGS, encoding="utf-8")
    arguments = "check", "null/first/2", "--properties", str(properties)
    assert run(*arguments).out.splitlines()[1:] == [
        "  ok               fairly: `F won` holds on all paths.",
        "  ok               surely: `F won` does not hold on all paths.",
        "  ok               possibly: `F won` holds on some path.",
        "  3 properties: 3 ok",
    ]
    lines = run(*arguments, "--json").lines
    assert [(one["paths"], one.get("fair")) for one in lines] == [
        ("all", ["strong *", "G F won"]),
        ("all", None),
        ("some", None),
    ]


def test_properties_have_a_certificate_each(run: Run, properties: Path, tmp_path: Path) -> None:
    proof = str(tmp_path / "proof.gz")
    arguments = "check", "sokoban/first-steps/1", "--properties", str(properties), "--certificate", proof
    properties.write_text(
        "possibly: F won\n    paths: some\nnot all: AG EF won\nstays: AG valid\n    invariant: valid\n"
    )
    answer = run(*arguments)
    assert (answer.status, answer.out.count("certificate in ")) == (0, 3)
    found = [gp.verify(tmp_path / f"proof-{number}.gz") for number in (1, 2, 3)]
    assert [one.statement.claim for one in found if one.statement] == [
        "`F won` holds on some path",
        "`AG EF won` does not hold",
        "`AG valid` holds, as `valid` is an inductive invariant",
    ]
    assert all(one.holds for one in found)
    assert run(*arguments).status == 2
    lines = run(*arguments, "--force", "--json").lines
    assert [one["certificate"] for one in lines] == [f"{proof[:-3]}-{number}.gz" for number in (1, 2, 3)]


def test_report_covers_properties(run: Run, properties: Path) -> None:
    properties.write_text("a: AG (won -> lost | won)\nb: P>=0 [F won]\nc: EF won\n", encoding="utf-8")
    arguments = "check", "null/first/2", "--properties", str(properties), "--coverage"
    assert run(*arguments).out.splitlines()[1:] == [
        "  ok               a: `AG (won -> lost | won)` holds at the start.",
        "                   lost is never needed",
        "                   without effect on the verdict: `lost`",
        "  ok               b: `P>=0 [F won]` holds for every way to act.",
        "                   `P>=0 [F won]`: the least probability is 0",
        "  ok               c: `EF won` holds at the start.",
        "                   each part has an effect on the verdict",
        "  3 properties: 3 ok",
    ]
    lines = run(*arguments, "--json").lines
    assert [one.get("unused") for one in lines] == [["lost"], None, []]


def test_check_takes_a_formula_or_properties(run: Run, properties: Path) -> None:
    for arguments in ([], ["EF won", "--properties", str(properties)]):
        answer = run("check", "null/first/2", *arguments)
        assert (answer.status, answer.err) == (
            2,
            "error: give a FORMULA, or a file with --properties or --automaton\n",
        )
    unused = run("check", "null/first/2", "--properties", str(properties), "--define", "p = won")
    assert (unused.status, unused.err) == (2, "error: --define does not apply with --properties\n")


def test_check_replaces_definitions(run: Run) -> None:
    answer = run("check", "null/first/2", "EF (p & q)", "--define", "p = !q | won", "--define", "q = won")
    assert answer.out.startswith("null/first/2  A walk: `EF ((!won | won) & won)` holds at the start.")
    wrong = run("check", "null/first/2", "EF p", "--define", "p = AG wun")
    assert (wrong.status, wrong.err.split(";")[0]) == (
        2,
        "error: definition p: null has no proposition 'wun'",
    )
