"""Certificates of long conjunctions about paths: each part is proved by nodes of its own."""

from __future__ import annotations

import functools
import itertools
import json
from pathlib import Path
from random import Random

import pytest
from tests.prove import spoiled
from tests.prove.test_verdict_certificates import is_true
from tests.prove.twins import Played, atoms_of, random_formula, small_level, truth

import gridproof as gp
from gridproof.prove.checkers import conjunction
from gridproof.prove.checkers.conjunction import cases_of
from gridproof.prove.checkers.statements import FormulaStatement
from gridproof.prove.formula import Binary, Formula
from gridproof.prove.logic import Logic, logic_of
from gridproof.prove.parsing import parse
from gridproof.prove.writers import paths as path_writer

NAMES = [
    "won",
    "!won",
    "home",
    "!home",
    "near",
    "!near",
    "ended",
    "!ended",
    "deadlock",
    "e(RM(0,left))",
    "!e(CM(0,up))",
]


def responses(count: int, fold: str = "") -> str:
    """Return a conjunction of responses that hold, each with operators of its own; `fold` puts one G before all."""
    listed = [f"{fold}({one} -> F ({one} | {two}))" for one, two in itertools.pairwise(NAMES)][:count]
    return " & ".join(listed)


@pytest.mark.parametrize(
    ("formula", "kind"),
    [
        (responses(3, "G "), "ltl"),
        (responses(6, "G "), "conjunction"),
        (responses(10, "G "), "conjunction"),
        (f"G ({responses(10)})", "conjunction"),
        (f"A ({responses(10, 'G ')})", "conjunction"),
        (f"F won | won -> {responses(10, 'G ')}", "conjunction"),
    ],
)
def test_conjunction_of_responses_is_certified(tmp_path: Path, formula: str, kind: str) -> None:
    path = tmp_path / "proof"
    made = gp.certify("shiftit/boards/3", path, formula=formula)
    assert (made.holds, made.kind) == (True, kind)
    answer = gp.verify(path, "shiftit/boards/3")
    assert (answer.holds, answer.positions) == (True, made.positions), answer.reason


def test_conjunction_certificate_needs_all_cases_and_all_nodes(tmp_path: Path) -> None:
    path = tmp_path / "proof"
    gp.certify("shiftit/boards/3", path, formula=responses(6, "G "))
    lines = spoiled.read(path)
    assert len(lines.values[0]) == 7
    for wrong in (
        lines._replace(values=[value[:-1] for value in lines.values]),
        lines._replace(values=[[text, [], *nodes] for text, _, *nodes in lines.values]),
        lines._replace(values=[[text, [], *nodes[1:]] for text, *nodes in lines.values]),
        lines._replace(values=[[text, 0, *nodes[1:]] for text, *nodes in lines.values]),
        lines.but(formula=responses(6, "G ").replace("F (!home", "F (lost & !home")),
        lines.but(formula=responses(7, "G ")),
        lines.but(holds=False),
    ):
        path.write_text(wrong.text())
        assert gp.verify(path).holds is False, json.dumps(wrong.header)


def test_cases_of_operators_that_are_no_disjunction_are_the_formula_itself() -> None:
    for text in ("G (p & q)", "p U (q | p)", "G F (p | q)", "!F p", "O (p | q)"):
        formula = parse(text.replace("p", "won").replace("q", "home"))
        assert [*map(str, cases_of(formula))] == [str(formula)]
    assert [*map(str, cases_of(parse("F (X won | G home)")))] == ["F X won", "F G home"]
    assert [*map(str, cases_of(parse("!(G F won & G F home)")))] == ["F !F won", "F !F home"]


def test_cases_do_not_multiply_without_end() -> None:
    wide = " & ".join("(F won | G home)" for _ in range(60))
    assert 1 <= len(cases_of(parse(wide))) <= 64


@pytest.mark.slow
def test_cases_hold_exactly_where_the_formula_holds() -> None:
    count = 0
    for seed in range(60):
        random = Random(seed)
        played = Played(small_level(random))
        formula = random_formula(Logic.LTL, played, random, random.randint(2, 4))
        cases = cases_of(formula)
        count += len(cases) > 1
        joined: Formula = functools.reduce(lambda one, other: Binary("|", one, other), cases)
        assert truth(Binary("<->", formula, joined), Logic.LTL, "all", played), (seed, str(formula))
    assert count > 5


@pytest.mark.slow
def test_spoiled_conjunction_certificates_prove_nothing_false(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(path_writer, "FEW_PROMISES", 0)
    path, kinds, refused = tmp_path / "proof", list[str](), 0
    for seed in range(100):
        random = Random(seed)
        level = small_level(random)
        one, other = (random_formula(Logic.LTL, Played(level), random, 2) for _ in range(2))
        formula = Binary("&", one, other)
        if logic_of(formula) is not Logic.LTL or not gp.check(level, formula).holds:
            continue
        kinds.append(gp.certify(level, path, formula=str(formula)).kind)
        assert gp.verify(path).holds, (seed, str(formula))
        refused += spoiled.count_refusals(path, random, 10, FormulaStatement, is_true)
    assert kinds.count("conjunction") > 5
    assert refused > 50


@pytest.mark.long
def test_responses_that_no_path_satisfies_are_certified(tmp_path: Path) -> None:
    path = tmp_path / "proof"
    due = responses(9, "G ") + " & G (home -> F false)"
    formula = due.replace("!home -> F", "home | !home -> F")
    made = gp.certify("shiftit/boards/3", path, formula=formula, paths="some")
    assert (made.holds, made.kind) == (True, "conjunction")
    answer = gp.verify(path, "shiftit/boards/3")
    assert (answer.holds, answer.reason) == (True, "")
    assert answer.statement.claim.endswith(" holds on no path")


@pytest.mark.long
def test_recurrences_beside_promises_prove_nothing_false(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(path_writer, "FEW_PROMISES", 0)
    monkeypatch.setattr(conjunction, "MOST_PROMISES", 0)
    path, kinds, refused = tmp_path / "proof", list[str](), 0
    for seed in range(60):
        random = Random(seed)
        level = small_level(random)
        atoms = [random.choice(atoms_of(Played(level), random)) for _ in range(4)]
        text = f"G ({atoms[0]} -> F {atoms[1]}) & G F {atoms[2]} & G ({atoms[3]} -> F {atoms[0]})"
        formula = parse(text)
        holds = gp.check(level, formula, "some").holds
        assert holds is truth(formula, Logic.LTL, "some", Played(level)), seed
        if holds:
            continue
        kinds.append(gp.certify(level, path, formula=text, paths="some").kind)
        answer = gp.verify(path)
        assert answer.holds, (seed, text, answer.reason)
        refused += spoiled.count_refusals(path, random, 8, FormulaStatement, is_true)
    assert kinds.count("conjunction") > 2
    assert refused > 5
