"""Questions: their properties, and their way from engine to engine."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import pytest
from tests.extensions import remove_extension

import gridproof as gp
from gridproof.core.game import Proposition
from gridproof.core.position import NATURE, Outcome
from gridproof.games.null import Level, Move
from gridproof.games.null import Position as Place
from gridproof.kernels.game import kernel_of
from gridproof.search import solve
from gridproof.search.goals import goals_of
from gridproof.search.question import GoalQuestion, build_goal_question

NULL = gp.game("null")


def question(
    level: gp.Level, measure: str = "actions", who: Any = (None,), goal: str = "won"
) -> GoalQuestion:
    return dataclasses.replace(build_goal_question(level.start(), measure, goal), who=who)


def test_bound_counts_actions_of_players_only() -> None:
    level = gp.levels_at("sokoban/first-steps/1")[0]
    asked = question(level)
    assert asked.bound is not None
    assert asked.bound(level.start()) == asked.goal.lower_bound(level.start()) > 0  # type: ignore[misc]  # A* has a bound
    assert question(level, who=("player", NATURE)).bound is None
    assert question(level, measure="pushes").bound is None
    assert question(level, goal="!won").bound is None


def test_questions_that_ask_for_a_win() -> None:
    level = gp.levels_at("sokoban/first-steps/1")[0]
    assert question(level).is_for_win
    assert not question(level, who=("player", NATURE)).is_for_win
    assert not question(level, goal="placed = 1").is_for_win
    assert not dataclasses.replace(question(level), starts=[level.start()] * 2).is_for_win


@pytest.fixture
def windy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A walker who only walks to the right, and a wind that blows to the left, two cells at once."""

    def actions(self: Place, actor: str | None = None) -> tuple[Move, ...]:
        if self.won:
            return ()
        if actor == NATURE:
            return (Move.LEFT,) if self.walker > 1 else ()
        return (Move.RIGHT,) if self.walker + 1 < self.level.width and actor in (None, "player") else ()

    def outcomes(self: Place, action: Move) -> tuple[Outcome[Place], ...]:
        return (Outcome(Place(self.level, self.walker + (1 if action is Move.RIGHT else -2)), Fraction(1)),)

    monkeypatch.setattr(Place, "actions", actions)
    monkeypatch.setattr(Place, "outcomes", outcomes)
    monkeypatch.setitem(NULL.__dict__, "actors", lambda level: ("player", NATURE))
    remove_extension(monkeypatch, NULL, "kernel")


@pytest.mark.usefixtures("windy")
@pytest.mark.parametrize("by_rules", [1, 10**9])
def test_nature_may_be_quicker_than_any_bound(by_rules: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bound of the walker's steps leads astray where the wind carries: A* would take 4 actions for 3."""
    far = Proposition("won", (), "", lambda p: p.won, bound=lambda p: 0 if p.won else 9 * abs(p.walker - 5))
    monkeypatch.setitem(NULL.__dict__, "propositions", (far, *NULL.propositions))
    monkeypatch.setattr(solve, "_BY_RULES", by_rules)
    level = Level(9, 4, 0)
    assert gp.solve(level, actors="all").cost == 2
    assert gp.solve(Level(9, 5, 0), actors="all").cost == 4


@pytest.mark.usefixtures("windy")
def test_bidirectional_search_is_for_players_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "_BY_RULES", 1)
    away = Place(Level(9, 2, 8), 4)
    solution = gp.solve(away, goal="home", actors=NATURE)
    assert (solution.found, solution.cost) == (True, 1)
    assert gp.solve(away, goal="home").found is False


def test_answer_of_rules_is_used_when_own_solver_refuses() -> None:
    level = gp.levels_at("sokoban/bombs/4")[0]
    solution = gp.solve(level, limit=gp.Limit(states=30))
    assert (solution.found, solution.stopped_by, solution.engine) == (None, "states", "rules")


def test_limit_of_states_is_exact_by_rules() -> None:
    (level,) = gp.read("lights:\nO....\n")  # impossible: all of its 16 positions are found
    assert gp.solve(level, limit=gp.Limit(states=16)).found is False
    for most in range(1, 16):
        solution = gp.solve(level, limit=gp.Limit(states=most))
        assert (solution.found, solution.states, solution.stopped_by) == (None, most, "states")


def test_goals_of_a_kernel() -> None:
    for name in ("null", "sokoban"):
        game = gp.game(name)
        kernel = kernel_of(game)
        assert kernel is not None
        known = goals_of(kernel, game)
        assert {("won", 0), ("lost", 0), ("ended", 0)} < {*known}
        assert {*known} == {*kernel.propositions, ("won", 0), ("lost", 0), ("ended", 0)}
