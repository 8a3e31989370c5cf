"""`check` with coalitions, and with --certificate."""

from __future__ import annotations

from pathlib import Path

import pytest

import gridproof as gp

from .conftest import Run

DUELS = [
    (1, "<<a>> G !won(b) & <<b>> G !won(a)", True),
    (1, "<<a>> F won(a) | <<b>> F won(b)", False),
    (2, "<<a,b>> F won(a) & <<b>> G !won(a)", True),
    (2, "<<a>> F won(a) | <<a,c>> F won(a)", False),
    (3, "<<a>> F won(a)", True),
    (3, "<<b>> F won(b)", False),
]
"""Formulas and verdicts of the pack's levels."""


@pytest.mark.slow
@pytest.mark.parametrize(("number", "formula", "holds"), DUELS)
def test_duel_levels_have_the_documented_winners(number: int, formula: str, holds: bool) -> None:
    assert gp.check(gp.levels_at(f"robots/duels/{number}")[0], formula).holds is holds


def test_check_prints_winner_and_strategy(run: Run) -> None:
    answer = run("check", "robots/duels/2", "<<a,b>> F won(a)")
    assert answer.status == 0
    told = " ".join(answer.out.split())
    assert "by a strategy of a and b, played against every answer" in told
    assert "witness, 7 actions" in told
    refuted = run("check", "robots/duels/1", "<<a>> F won(a)", "--json")
    assert (refuted.status, refuted.json["strategy_of"], refuted.json["logic"]) == (1, ["b"], "ATL")
    assert run("check", "robots/duels/1", "<<z>> F won(a)").status == 2


@pytest.mark.parametrize(
    ("formula", "goal", "status"),
    [
        ("AG !won(b)", "won(b)", 0),
        ("EF won(b)", "won(b)", 1),
        ("G !won(b)", "won(b)", 0),
        ("AG won(b)", None, 1),
    ],
)
def test_check_certifies_answers_for_one_actor(
    run: Run, tmp_path: Path, formula: str, goal: str | None, status: int
) -> None:
    proof = tmp_path / "proof.gz"
    answer = run("check", "robots/duels/1", formula, "--actors", "a", "--certificate", str(proof))
    assert answer.status == status
    found = gp.verify(proof)
    assert found.holds
    assert found.statement is not None
    claim = f"{goal} can never be reached" if goal else f"`{formula}` does not hold"
    assert getattr(found.statement, "goal_text", None) == goal
    assert run("verify", str(proof), "--json").json["actors"] == ["a"]
    assert f"holds: {claim} by a alone in robots" in " ".join(run("verify", str(proof)).out.split())
