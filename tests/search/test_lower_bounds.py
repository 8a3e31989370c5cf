"""Tests of the lower bounds that running searches report: none exceeds the fewest actions."""

from __future__ import annotations

from dataclasses import replace

import pytest

import gridproof as gp
from gridproof.search.question import build_goal_question
from gridproof.search.refusal import Declined
from gridproof.search.solve import SHARED, solution_of, solvers

LEVELS = (
    "sokoban/first-steps/2",
    "sokoban/bombs/1",
    "shiftit/boards/4",
    "robots/races/6",
    "lights_out/first/3",
)


@pytest.mark.slow
@pytest.mark.parametrize("states", [None, 40])
@pytest.mark.parametrize("name", LEVELS)
def test_lower_bounds_of_all_engines_hold(
    monkeypatch: pytest.MonkeyPatch, name: str, states: int | None
) -> None:
    for constant in ("packed_bfs._SLICE", "best_first._CHUNK", "rules_search._CHECK_EVERY"):
        monkeypatch.setattr(f"gridproof.search.{constant}", 3)  # so that each reports often
    level = gp.level(name)
    fewest = gp.solve(level).cost
    assert fewest is not None
    bounds: dict[str, list[int]] = {}
    for engine in solvers(level.game):
        question = build_goal_question(level, limit=gp.Limit(states=states))
        found = bounds.setdefault(engine.name, [])
        try:
            solution_of(replace(question, report_bound=found.append), engine.name)
        except Declined:
            continue
        assert max(found, default=0) <= fewest, engine.name
    assert any(max(found, default=0) > 1 for engine, found in bounds.items() if engine in SHARED)


def test_lower_bounds_are_of_actions_alone() -> None:
    bounds: list[int] = []
    for minimise in ("pushes", None):
        question = build_goal_question("sokoban/first-steps/2", minimise)
        solution_of(replace(question, report_bound=bounds.append))
    assert not bounds
