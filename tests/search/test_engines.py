"""Tests of engines: an answer names its engine, and the reason if it is not a kernel."""

from __future__ import annotations

from typing import Any

import pytest
from tests.extensions import remove_extension

import gridproof as gp
from gridproof.search import explore, solve


@pytest.fixture(autouse=True)
def by_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "_BY_RULES", 0)
    monkeypatch.setattr(solve, "_BY_RULES", 1)


def level_of(name: str) -> gp.Level:
    return gp.levels_at(name)[0]


WIDE = "shiftit 7x6\n" + "\n".join(" ".join("rgbrgbr"[x] for x in range(7)) for _ in range(6)) + "\n"
LARGE = "#" * 70 + "\n#@-$." + "-" * 64 + "#\n" + "#" * 70 + "\nBombs: 1\n"


@pytest.mark.parametrize(
    ("level", "arguments", "engine"),
    [
        ("sokoban/first-steps/2", {"goal": "placed = 1"}, "breadth-first"),
        ("sokoban/first-steps/2", {"goal": "home"}, "rules"),  # the first position that is looked at
        ("sokoban/first-steps/2", {}, "fewest-moves"),
        ("sokoban/first-steps/2", {"minimise": "pushes"}, "fewest-pushes"),
        ("sokoban/bombs/1", {}, "a-star"),
        ("twenty48/standard/3", {}, "a-star"),
        ("lights_out/first/2", {}, "both-ends"),
    ],
)
def test_solution_names_its_engine(level: str, arguments: dict[str, Any], engine: str) -> None:
    assert gp.solve(level_of(level), **arguments).engine == engine


@pytest.mark.parametrize(
    ("text", "arguments", "refused"),
    [
        (LARGE, {"goal": "placed = 1"}, "the level is too large for the kernel"),
        (
            "2048 4x4 spawn=spec target=8\n2 2 4 4\n0 0 0 0\n0 0 0 0\n0 0 0 0\n",
            {"goal": "home", "actors": "all"},
            "",
        ),
    ],
)
def test_solution_by_rules_names_reason(text: str, arguments: dict[str, Any], refused: str) -> None:
    solution = gp.solve(gp.read(text)[0], **arguments)
    assert (solution.engine, solution.refused) == ("rules", refused)


def test_space_names_its_engine() -> None:
    few = gp.Limit(states=100)
    assert gp.explore(level_of("sokoban/first-steps/2")).engine == "breadth-first"
    assert gp.explore(level_of("shiftit/boards/1")).engine == "ranks"
    assert gp.explore(level_of("shiftit/boards/1"), limit=gp.Limit(states=5)).engine == "breadth-first"
    wide = gp.explore(gp.read(WIDE)[0], limit=few)
    assert (wide.engine, wide.refused) == ("rules", "the level is too large for the kernel")
    robots = level_of("robots/races/1")
    assert gp.explore(robots, robots.game.actors(robots)[0], few).engine == "breadth-first"


def test_game_without_kernel_uses_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    remove_extension(monkeypatch, gp.game("null"), "kernel")
    level = gp.read("@.......o", "null")[0]
    answers = gp.solve(level, goal="at(7)"), gp.solve(level), gp.explore(level)
    assert [answer.engine for answer in answers] == ["rules", "rules-both-ends", "rules"]
    assert {answer.refused for answer in answers} == {"the game has no kernel"}


def test_own_solver_runs_within_limit_of_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "_BY_RULES", 10_000)
    level = level_of("sokoban/workshop/3")
    needed = gp.solve(level, minimise="pushes")
    again = gp.solve(level, minimise="pushes", limit=gp.Limit(states=1000))
    assert needed.states <= 1000
    assert (again.cost, again.engine, again.stopped_by) == (needed.cost, "fewest-pushes", "")


def test_answer_of_rules_is_used_when_kernel_finds_less(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "_BY_RULES", 500)
    level = level_of("shiftit/boards/29")
    monkeypatch.setattr(
        "gridproof.search.state_store.StateStore.can_continue", lambda self, meter: _is_stopped(meter)
    )
    monkeypatch.setattr("gridproof.search.packed_bfs._SLICE", 3)
    found = gp.explore(level)
    assert (found.engine, found.complete, found.stopped_by) == ("rules", False, "memory")
    assert found.states > 500


def _is_stopped(meter: Any) -> bool:
    meter.stopped_by = "memory"
    return False
