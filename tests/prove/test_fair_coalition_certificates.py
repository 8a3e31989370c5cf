"""Certificates of coalitions under fairness: all verify, and spoiled ones prove nothing that is false."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.prove import spoiled
from tests.prove.test_quantity_certificates import ATOMS
from tests.prove.twins import Played, Several, random_formula, small_level

import gridproof as gp
from gridproof.prove.checkers.fixpoints import FAIR_COALITION
from gridproof.prove.checkers.statements import FormulaStatement
from gridproof.prove.logic import Logic, logic_of
from gridproof.prove.parsing import parse

YARD = "robots 3x2\na: rule=A rotation=90\nb: rule=B rotation=180\nboard:\na ? B\nA > b\n"


GOALS = (
    "<<{0}>> F won({0})",
    "<<{0}>> F at({0},1,0)",
    "<<{0}>> [!won({1}) U won({0})]",
    "<<{0}>> F won({1})",
    "<<{0}>> G F won({0})",
    "<<{0}>> F G !won({1})",
    "<<{0}>> (G F at({0},1,0) -> G F home)",
    "<<{0}>> G !won({1})",
    "<<{0}>> [won({0}) R !won({1})]",
    "<<{0}>> [!won({1}) W won({0})]",
    "<<{0}>> X !won",
    "<<{0}>> F<=4 won({0})",
    "<<{0}>> G<=3 !won({1})",
)


def is_true(statement: FormulaStatement) -> bool:
    level: Any = Several(positions=tuple(dict.fromkeys(statement.starts)))
    return gp.check(level, statement.formula, fair=statement.fair).holds is statement.holds


def change_fair(lines: spoiled.Lines, random: Random) -> spoiled.Lines:
    """Assume something else."""
    fair = [
        one.replace(*random.choice([("weak", "strong"), ("strong", "weak")])) for one in lines.header["fair"]
    ]
    return lines.but(fair=random.choice([[], fair, fair[:-1], fair[::-1], [*fair, "weak *"], ["G F won"]]))


def random_assumptions(played: Played, random: Random) -> list[str]:
    actions = [str(action) for action in played.level.all_actions()]
    names = [*played.level.game.actors(played.level), *random.sample(actions, min(len(actions), 3))]
    fair = [
        f"{random.choice(('weak', 'strong'))} {random.choice(names)}" for _ in range(random.randint(1, 3))
    ]
    if random.random() < 0.5:
        fair[0] = f"G F ({random.choice(ATOMS['robots'])})"
    return [*fair, "weak *"] if random.random() < 0.2 else fair


def spoil(seed: int, path: Path, number: int) -> int:
    """Write and verify a certificate of a random verdict, and spoiled copies; return how many were refused."""
    random = Random(seed)
    while True:
        level = small_level(random)
        played = Played(level)
        formula = random_formula(Logic.ATL, played, random, random.randint(1, 3))
        if random.random() < 0.6:
            formula = parse(random.choice(GOALS).format(*random.sample("ab", 2)))
        if len(played.level.game.actors(played.level)) > 2 and logic_of(formula) is Logic.ATL:
            break
    fair = random_assumptions(played, random)
    spoiled.certify(level, path, formula, FAIR_COALITION, fair)
    spoilers = [
        *spoiled.SPOILERS,
        *[spoiled.change_list] * 8,
        *[change_fair] * 3,
        *[spoiled.change_truths] * 3,
    ]
    return spoiled.count_refusals(path, random, number, FormulaStatement, is_true, spoilers)


@pytest.mark.slow
def test_certificates_of_fair_coalitions_verify_and_spoiled_ones_are_refused(tmp_path: Path) -> None:
    assert sum(spoil(seed, tmp_path / "proof", 6) for seed in range(4)) > 6


@pytest.mark.long
def test_many_spoiled_certificates_of_fair_coalitions_prove_nothing_false(tmp_path: Path) -> None:
    assert sum(spoil(seed, tmp_path / "proof", 15) for seed in range(100, 160)) > 300


@pytest.mark.parametrize("act", [0, 1, 2, 3])
def test_forged_list_that_goes_on_for_ever_is_refused(act: int, tmp_path: Path) -> None:
    """An act proves nothing if it is the coalition's own, nature's, or done."""
    path, (yard,) = tmp_path / "proof", gp.read(YARD)
    fair = ["weak b", "strong b", "weak a", "weak exchange"]
    gp.certify(yard, path, formula="<<b>> F won(b)", fair=fair)
    lines = spoiled.read(path)
    assert lines.header["holds"] is False
    values = [[value[0], *[[1, 1, act]] * (len(value) - 1)] for value in lines.values]
    path.write_text(lines._replace(values=values).but(holds=True).text())
    assert "the list is wrong for <<b>> F won(b)" in gp.verify(path).reason


@pytest.mark.slow
def test_forged_list_that_forbids_what_comes_is_refused(tmp_path: Path) -> None:
    path, formula = tmp_path / "proof", "<<b>> F won(b)"
    assert gp.check("robots/duels/1", formula).holds is False
    gp.certify("robots/duels/1", path, formula=formula, fair="weak a")
    lines = spoiled.read(path)
    assert lines.header["holds"] is True
    values = [[value[0], *([0, 7] if one[0] else one for one in value[1:])] for value in lines.values]
    path.write_text(lines._replace(values=values).but(holds=False).text())
    assert f"the list is wrong for {formula}" in gp.verify(path).reason


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"fair": []}, "not a text with the values"),
        ({"fair": ["G F won"]}, "the list is wrong"),
        ({"fair": ["G F EF won"]}, "no certificate can assume EF won again and again"),
        ({"formula": "<<b>> G (home -> F won(b))"}, "the kind fair-coalition has no formulas such as"),
        ({"fair": ["strong *"]}, "at most 3 acts of others can be strongly fair"),
        ({"fair": ["weak b", "weak b"]}, "not a text with the values"),
        ({"fair": ["weak c"]}, "'c' is no actor"),
        ({"kind": "coalition"}, "the kind coalition has no fairness"),
        ({"formula": "AF won(a)"}, "has no formulas of CTL"),
        ({"formula": "<<c>> F won(a)"}, "names somebody who takes no turn"),
    ],
)
def test_forged_first_line_is_refused(changes: dict[str, Any], reason: str, tmp_path: Path) -> None:
    path, (yard,) = tmp_path / "proof", gp.read(YARD)
    gp.certify(yard, path, formula="<<b>> F won(b)", fair="weak a")
    path.write_text(spoiled.read(path).but(**changes).text())
    answer = gp.verify(path)
    assert answer.holds is False
    assert re.search(reason, answer.reason)


@pytest.mark.slow
def test_fairness_that_a_coalition_needs_is_claimed(tmp_path: Path) -> None:
    path = tmp_path / "proof"
    for fair, holds in (("weak a", True), ("strong a", True), ("weak b", False)):
        made = gp.certify("robots/duels/1", path, formula="<<b>> F won(b)", fair=fair)
        answer = "holds" if holds else "does not hold"
        assert made.claim == f"`<<b>> F won(b)` {answer} under fairness ({fair})"
        assert gp.verify(path, "robots/duels/1").holds
