"""Limits that come after `gp.check` has proved something: while it is shown, or while other traces are looked for."""

from __future__ import annotations

from typing import Any

import pytest
from tests.prove.test_check import level

import gridproof as gp
from gridproof.core.limit import Stopped
from gridproof.prove import prover


@pytest.mark.parametrize(
    ("formula", "holds", "where"),
    [
        ("EF at(3)", True, "explain.Explainer._first"),
        ("AG won", False, "explain.Explainer._first"),
        ("G F won", False, "paths._Search.lasso"),
        ("G !won", False, "paths.Paths._lasso"),
        ("AG (at(2) -> EF won)", True, "prover.without_consequence"),
    ],
)
@pytest.mark.parametrize("why", [Stopped, MemoryError])
def test_a_limit_while_it_is_shown_leaves_it_proved(
    monkeypatch: pytest.MonkeyPatch, formula: str, holds: bool, where: str, why: type[Exception]
) -> None:
    def limited(*_: object) -> None:
        raise why

    monkeypatch.setattr(f"gridproof.prove.{where}", limited)
    verdict = gp.check(level(), formula)
    assert (verdict.holds, verdict.trace, verdict.vacuous) == (holds, None, False)
    assert "the limit of memory" in verdict.remarks[0]
    assert verdict.more() is None


def test_a_formula_too_large_without_its_consequence_is_still_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> bool:
        raise gp.GridproofError("the formula's automaton would be too large")

    monkeypatch.setattr(prover._Prover, "holds", refuse)
    verdict = gp.check(level(), "G (at(2) -> X !at(2))")
    assert verdict.holds
    assert verdict.remarks == (
        "not found out whether it is vacuous: the formula's automaton would be too large",
    )


def test_a_limit_while_others_are_looked_for(monkeypatch: pytest.MonkeyPatch, clock: Any) -> None:
    monkeypatch.setattr("gridproof.core.limit.time", clock)
    verdict = gp.check(level(), "G F won", limit=gp.Limit(seconds=10))
    clock.now += 60  # what comes between two questions does not count
    second = verdict.more()
    assert second is not None
    clock.now += 60
    assert second.more() is not None
    late = gp.check(level(), "G F won", limit=gp.Limit(seconds=10))
    clock.each_look = 20
    assert late.more() is None
    assert late.holds is False
