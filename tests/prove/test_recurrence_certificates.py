"""Certificates of what coalitions force again and again: all verify, and spoiled ones prove nothing that is false."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.prove import spoiled
from tests.prove.test_atl import random_recurrence
from tests.prove.twins import Played, Several, random_formula, small_level
from tests.sizes import size

import gridproof as gp
from gridproof.prove.checkers.fixpoints import RECURRENCE
from gridproof.prove.checkers.statements import FormulaStatement
from gridproof.prove.logic import Logic


def is_true(statement: FormulaStatement) -> bool:
    level: Any = Several(positions=tuple(dict.fromkeys(statement.starts)))
    return gp.check(level, statement.formula).holds is statement.holds


def change_form(lines: spoiled.Lines, random: Random) -> spoiled.Lines:
    """State something else of the same proposition."""
    old, new = random.sample(("G F", "F G", "F"), 2)
    return lines.but(formula=lines.header["formula"].replace(old, new))


def random_formula_of_recurrences(played: Played, random: Random) -> str:
    formula = random_recurrence(played, random)
    if random.random() < 0.3:
        other = random_formula(Logic.ATL, played, random, 1)
        formula = f"({formula}) {random.choice('&|')} ({other})"
    return formula


def spoil(seed: int, path: Path, number: int) -> int:
    """Write and verify a certificate of a random verdict, and spoiled copies; return how many were refused."""
    random = Random(seed)
    level = small_level(random)
    formula = random_formula_of_recurrences(Played(level), random)
    spoiled.certify(level, path, formula, RECURRENCE)
    spoilers = [*spoiled.SPOILERS, *[spoiled.change_list] * 8, *[spoiled.change_truths] * 3, change_form]
    return spoiled.count_refusals(path, random, number, FormulaStatement, is_true, spoilers)


@pytest.mark.slow
def test_certificates_of_recurrences_verify_and_spoiled_ones_are_refused(tmp_path: Path) -> None:
    assert sum(spoil(seed, tmp_path / "proof", 6) for seed in range(6)) > 6


@pytest.mark.long
def test_many_spoiled_certificates_of_recurrences_prove_nothing_false(tmp_path: Path) -> None:
    seeds = size("recurrences", 60)
    assert sum(spoil(seed, tmp_path / "proof", 15) for seed in range(100, 100 + seeds)) > 5 * seeds


@pytest.mark.parametrize(
    ("level", "formula", "holds"),
    [
        ("robots/duels/1", "<<a>> G F !won", True),
        ("robots/duels/1", "<<a>> G F home", False),
        ("robots/duels/1", "<<b>> F G won(a)", False),
        ("robots/duels/3", "<<a>> (G F home -> G F at(a,3,0))", True),
        ("robots/duels/3", "<<a>> G (home -> F won(a))", True),
        ("robots/duels/1", "<<a>> G (home -> F won(a))", False),
        ("robots/duels/3", "!<<a>> F G won(a) | <<b>> F won(b)", False),
    ],
)
def test_certificate_of_a_recurrence_verifies(level: str, formula: str, holds: bool, tmp_path: Path) -> None:
    path = tmp_path / "proof"
    made = gp.certify(level, path, formula=formula)
    assert (made.claim, made.kind) == (f"`{formula}` {'holds' if holds else 'does not hold'}", RECURRENCE)
    assert gp.verify(path, level).holds


@pytest.mark.parametrize(
    ("formula", "numbers"),
    [
        ("<<a>> G F home", [1, 0, 0]),
        ("<<a>> G F home", [1, 5, 0]),
        ("<<a>> G F !won", [0, 0, 0]),
        ("<<a>> G F !won", [0, 0, 9]),
    ],
)
def test_forged_list_of_the_opposite_is_refused(formula: str, numbers: list[int], tmp_path: Path) -> None:
    path = tmp_path / "proof"
    gp.certify("robots/duels/1", path, formula=formula)
    lines = spoiled.read(path)
    values = [[value[0], *[numbers] * (len(value) - 1)] for value in lines.values]
    path.write_text(lines._replace(values=values).but(holds=bool(numbers[0])).text())
    assert f"the list is wrong for {formula}" in gp.verify(path).reason


@pytest.mark.parametrize("numbers", [[1, 0], [2, 0, 0], [1, 0, 0, 1, 0, 0], [True, 0, 0], [1, -1, 0], 1])
def test_list_of_another_form_is_refused(numbers: Any, tmp_path: Path) -> None:
    path = tmp_path / "proof"
    gp.certify("robots/duels/1", path, formula="<<a>> G F !won")
    lines = spoiled.read(path)
    values = [[value[0], numbers, *value[2:]] for value in lines.values]
    path.write_text(lines._replace(values=values).text())
    assert "not a text with the values" in gp.verify(path).reason


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"fair": ["weak b"]}, "the kind recurrence has no fairness"),
        ({"kind": "coalition"}, "the kind coalition has no formulas such as <<a>> G F home"),
        ({"kind": "fair-coalition"}, "not a text with the values"),
        ({"formula": "AG home"}, "has no formulas of CTL"),
        ({"formula": "<<c>> G F home"}, "names somebody who takes no turn"),
    ],
)
def test_forged_first_line_is_refused(changes: dict[str, Any], reason: str, tmp_path: Path) -> None:
    path = tmp_path / "proof"
    gp.certify("robots/duels/1", path, formula="<<a>> G F home")
    path.write_text(spoiled.read(path).but(**changes).text())
    answer = gp.verify(path)
    assert answer.holds is False
    assert re.search(reason, answer.reason)
