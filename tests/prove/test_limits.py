"""Limits that are reached after the proof: while `gp.check` searches for a trace, or for further traces."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.prove.test_check import level
from tests.prove.twins import Several
from tests.stops import CountedStop

import gridproof as gp
from gridproof.core.limit import Stopped
from gridproof.prove import early_verdict, evaluate, prover, step_bounds
from gridproof.prove.formula import Formula
from gridproof.prove.logic import Logic
from gridproof.prove.parsing import parse
from gridproof.prove.verdict import Verdict
from gridproof.search.space import StateSpace


@pytest.mark.parametrize(
    ("formula", "holds", "where"),
    [
        ("EF at(3)", True, "ctl_witness.Explainer._parts"),
        ("AG won", False, "ctl_witness.Explainer._parts"),
        ("G F won", False, "paths._Search.lasso"),
        ("X X !won", False, "paths.Paths._path"),
        ("AG (at(2) -> EF won)", True, "prover.stronger_formulas"),
    ],
)
@pytest.mark.parametrize("why", [Stopped, MemoryError])
def test_limit_during_trace_keeps_the_verdict(
    monkeypatch: pytest.MonkeyPatch, formula: str, holds: bool, where: str, why: type[Exception]
) -> None:
    def reach_limit(*_: object) -> None:
        raise why

    monkeypatch.setattr(f"gridproof.prove.{where}", reach_limit)
    verdict = gp.check(level(), formula)
    assert (verdict.holds, verdict.trace, verdict.vacuous) == (holds, None, False)
    assert verdict.remarks[0] in (
        "not shown: the memory limit was reached before",
        "unknown whether it is vacuous: the memory limit was reached",
    )
    assert verdict.more() is None


@pytest.mark.parametrize("why", [Stopped, MemoryError])
@pytest.mark.parametrize("formula", ["G F won", "G !won", "F won", "AF won"])
def test_limit_during_shorter_trace_keeps_the_first(
    monkeypatch: pytest.MonkeyPatch, formula: str, why: type[Exception]
) -> None:
    def reach_limit(*_: object) -> None:
        raise why

    shortest = gp.check(level(), formula)
    monkeypatch.setattr("gridproof.prove.lassos.Lassos.shorter_lassos", reach_limit)
    verdict = gp.check(level(), formula)
    assert (verdict.holds, verdict.stopped_by, verdict.remarks) == (False, "", shortest.remarks)
    assert verdict.trace is not None
    assert shortest.trace is not None
    assert len(shortest.trace.steps) <= len(verdict.trace.steps)


def test_verdict_holds_when_vacuity_check_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> bool:
        raise gp.GridproofError("the formula's automaton would be too large")

    monkeypatch.setattr(prover._Prover, "holds", refuse)
    verdict = gp.check(level(), "G (at(2) -> X !at(2))")
    assert verdict.holds
    assert verdict.remarks == ("unknown whether it is vacuous: the formula's automaton would be too large",)


def test_limit_during_further_traces(monkeypatch: pytest.MonkeyPatch, clock: Any) -> None:
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


TWO_BY_TWO = "2048 2x2 spawn=spec target=8\n"
"""It has 18 starts; in some of them a 4 lies already."""


@pytest.mark.parametrize(
    ("formula", "paths", "states", "holds"),
    [
        ("EF max_tile = 2", "all", 20, None),
        ("EF max_tile <= 4", "all", 20, True),
        ("EF max_tile = 4", "all", 18, True),
        ("EF tile(16)", "all", 18, None),
        ("AG max_tile = 2", "all", 20, False),
        ("AG max_tile <= 4", "all", 20, None),
        ("AG EF max_tile = 2", "all", 20, None),
        ("!EF max_tile = 2", "all", 20, False),
        ("F max_tile = 2", "some", 20, True),
        ("F max_tile = 8", "some", 20, None),
        ("G max_tile = 2", "all", 20, False),
        ("max_tile = 2", "all", 0, False),
    ],
)
def test_verdict_at_limit_counts_all_starts(
    formula: str, paths: str, states: int, holds: bool | None
) -> None:
    (board,) = gp.read(TWO_BY_TWO, "twenty48")
    limit = gp.Limit(states=states)
    assert gp.check(board, formula, paths, limit=limit).holds is holds
    assert gp.check(gp.explore(board, limit=limit), formula, paths).holds is holds
    if holds is not None:
        assert gp.check(board, formula, paths).holds is holds


@pytest.mark.parametrize(
    ("formula", "paths"), [("AG !won", "all"), ("G !won", "all"), ("EF won", "all"), ("F won", "some")]
)
def test_found_position_decides_when_there_is_no_memory_for_edges(formula: str, paths: str) -> None:
    space = gp.explore(level())
    verdict = gp.check(space, formula, paths, limit=gp.Limit(memory=1))
    assert verdict.holds is (formula in ("EF won", "F won"))
    assert (verdict.satisfying, verdict.complete) == (None, True)
    assert verdict.trace is not None
    assert verdict.trace.replay().won
    whole = gp.check(space, "AG !lost", limit=gp.Limit(memory=1))
    assert (whole.holds, whole.satisfying, whole.trace) == (True, 5, None)


@pytest.mark.slow
def test_incomplete_ranks_have_no_edges() -> None:
    space = gp.explore("shiftit/boards/25", limit=gp.Limit(seconds=0.2))
    for formula in ("AG EF won", "F won", "AG !(won & lost)"):
        assert gp.check(space, formula).holds in (None, False)


def test_early_verdict_searches_a_fixed_number_of_positions_for_all_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (row,) = gp.read("@" + "." * 118 + "o\n", "null")
    cells = [row.position("." * cell + "@" + "." * (118 - cell) + "o\n") for cell in range(60)]
    several = Several(positions=tuple(cells))
    limit, looked_at = gp.Limit(states=100), list[int]()
    assert gp.check(several, "EF at(80)", limit=limit).holds is True
    monkeypatch.setattr(early_verdict, "_MANY", 600)
    holds = evaluate.holds

    def count(formula: Formula, position: gp.Position[Any], who: Any) -> bool:
        looked_at.append(1)
        return holds(formula, position, who)

    monkeypatch.setattr(evaluate, "holds", count)
    assert gp.check(several, "EF at(65)", limit=limit).holds is True
    few = gp.Limit(states=60)
    assert gp.check(several, "EF at(59)", limit=few).holds is None
    assert gp.check(several, "EF (at(80) | true)", limit=few).holds is True
    assert 0 < len(looked_at) <= 600


def test_fairness_of_a_formula_has_no_early_verdict() -> None:
    few = gp.Limit(states=4)
    assert gp.check("null/first/2", "EF at(2)", limit=few).holds is True
    assert gp.check("null/first/2", "EF at(2)", limit=few, fair="weak left").holds is True
    assert gp.check("null/first/2", "EF at(2)", limit=few, fair="G F false").holds is None
    assert gp.check("null/first/2", "EF at(2)", fair="G F false").holds is False


@pytest.mark.parametrize("formula", ["AG EF at(2)", "G (at(2) -> X !at(2))", "<<player>> F at(3)"])
def test_graph_is_built_within_the_limit(monkeypatch: pytest.MonkeyPatch, clock: Any, formula: str) -> None:
    monkeypatch.setattr("gridproof.prove.check.time", clock)
    space, graph = gp.explore(level()), StateSpace.graph
    in_time = gp.check(space, formula, limit=gp.Limit(seconds=10)).holds
    assert in_time is not None

    def build_slowly(space: StateSpace) -> Any:
        clock.now += 60
        return graph(space)

    monkeypatch.setattr(StateSpace, "graph", build_slowly)
    late = gp.check(gp.explore(level()), formula, limit=gp.Limit(seconds=10))
    assert (late.holds, late.stopped_by) == (None, "seconds")


@pytest.mark.parametrize(("seconds", "is_judged"), [(30, True), (10, False)])
def test_prefix_is_not_judged_if_that_takes_longer_than_the_limit(
    monkeypatch: pytest.MonkeyPatch, clock: Any, seconds: float, is_judged: bool
) -> None:
    monkeypatch.setattr(early_verdict, "WHOLE", 1)
    space, meter, judged = gp.explore(level()), gp.Limit(seconds=seconds).start(), list[object]()
    question = Verdict(
        parse("AG EF at(2)"), Logic.CTL, None, None, None, False, 0, 0.0, "", (), "all", (None,)
    )
    early = early_verdict.EarlyProver(question, [space[0]], (), meter)
    early._pace = 20 / space.states

    def judge(*given: object) -> Verdict:
        judged.append(given)
        return question

    monkeypatch.setattr(early, "_judge", judge)
    early.is_decided(space)
    assert (len(judged), early.next_size < math.inf) == (is_judged, is_judged)


@pytest.mark.slow
@pytest.mark.parametrize(
    "question",
    [
        "P=? [F tile(8) || F lost]",
        "P=? [F tile(8) || G !won]",
        "P=? [F (tile(8) & F lost)]",
        "P=? [F<=4 tile(8)]",
        "Rmin=? [F ended]",
        "tile(8)",
    ],
)
def test_bounds_hold_at_every_stop(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever a stop comes, the bounds hold, and hardly anything is asked after it."""
    monkeypatch.setattr("gridproof.prove.fraction_values.MOST", 0)
    monkeypatch.setattr("gridproof.prove.exact_values.MOST", 0)
    monkeypatch.setattr("gridproof.prove.value_engines._find_by_own_engine", lambda *about: None)
    monkeypatch.setattr(step_bounds, "_MOST_WORK", -1)
    start = gp.read("2048 2x2 spawn=classic target=16\n")[0].start()
    true, stopped = gp.value(start, question), 0
    for looks in (0, 5, 20, 50, 100, 200, 400, 800):
        stop = CountedStop(looks)
        found = gp.value(start, question, limit=gp.Limit(stop=stop))
        for bounds, exact in (
            (found.best_bounds, true.best_bounds),
            (found.worst_bounds, true.worst_bounds),
        ):
            assert bounds.low <= exact.high, (looks, found)
            assert bounds.high >= exact.low, (looks, found)
        stopped += found.stopped_by == "stop"
        assert stop.left > -20
    assert stopped
