"""The conformance kit on a game's own solvers."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from tests.testing.mutations import Change, check, fault

import gridproof as gp
from gridproof.core.measure import ANY
from gridproof.core.trace import Step, Trace
from gridproof.games.null import Level, Move
from gridproof.search.question import GoalQuestion
from gridproof.search.refusal import Refused
from gridproof.search.solve import solution_of
from gridproof.search.solver import Solver

pytestmark = pytest.mark.usefixtures("no_packs")
LEVEL = Level(5, 1, 4)


def own(question: GoalQuestion) -> Any:
    """Default answer of the solver."""
    return DOES[0](question)


DOES: list[Callable[[GoalQuestion], Any]] = []


def honest(question: GoalQuestion) -> gp.Solution:
    return solution_of(question, "rules")


def astray(question: GoalQuestion, *moves: Move, **more: Any) -> gp.Solution:
    trace = Trace(question.starts[0], tuple(map(Step, moves)))
    return gp.Solution(True, trace, len(moves), True, 1, 0.0, **more)


def long_way(question: GoalQuestion) -> gp.Solution:
    sound = honest(question)
    assert sound.trace
    there_and_back = (Step(Move.RIGHT), Step(Move.LEFT))
    trace = Trace(sound.trace.start, there_and_back + sound.trace.steps)
    return question.solved(trace, 9)


def refuse(question: GoalQuestion) -> Any:
    raise Refused("not today")


def solver(does: Callable[[GoalQuestion], Any], name: str = "own") -> tuple[Solver, ...]:
    DOES[:] = [does]
    return (Solver("mine", "own way", f"{__name__}:{name}", ("actions", ANY)),)


@pytest.mark.parametrize("does", [honest, refuse, lambda question: question.given_up(3)])
def test_sound_solvers_pass(change: Change, does: Callable[[GoalQuestion], Any]) -> None:
    change("SOLVERS", solver(does))
    check((LEVEL,))


@pytest.mark.parametrize(
    ("does", "message"),
    [
        (lambda question: question.refuted(3), "it says that there is no way to win, but there is one"),
        (long_way, "minimising actions: it says that 4 is the least cost, but 2 is enough"),
        (lambda question: None, "it returns None, not a Solution"),
        (lambda question: 1 // 0, "the solver mine of null: ZeroDivisionError: integer division"),
        (lambda question: astray(question, Move.LEFT), "its trace does not win"),
        (lambda question: astray(question, Move.RIGHT, Move.RIGHT, Move.RIGHT, Move.RIGHT), "right: step 4"),
        (lambda question: dataclasses.replace(honest(question), trace=None), "it has no trace from the given position"),
        (lambda question: dataclasses.replace(honest(question), cost=1), "claims that its trace costs 1, but it costs 2"),
    ],
)  # fmt: skip
def test_wrong_solvers_are_found(change: Change, does: Callable[[GoalQuestion], Any], message: str) -> None:
    change("SOLVERS", solver(does))
    told = fault((LEVEL,))
    assert "level 1: solver 'mine': minimising actions: " in told
    assert message in told


def test_solver_that_denies_a_certificate_is_found(change: Change, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.testing.conformance.extensions._LIMIT", gp.Limit(states=1))
    change("SOLVERS", solver(lambda question: question.refuted(3)))
    known = dataclasses.replace(LEVEL, certificate=gp.solve(LEVEL, solver="rules").trace)
    assert "it says that there is no way to win" in fault((known,))


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("nowhere.at.all:own", "the solver mine of null: ModuleNotFoundError: No module named 'nowhere'"),
        (
            f"{__name__}:nothing",
            "the solver mine of null: there is no function 'nothing' in tests.testing.test_conformance_solvers",
        ),
    ],
)
def test_missing_solver_is_named(change: Change, function: str, message: str) -> None:
    change("SOLVERS", (Solver("mine", "own way", function),))
    with pytest.raises(gp.GridproofError, match=message):
        gp.solve(LEVEL, solver="mine")
