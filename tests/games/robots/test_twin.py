"""The rules against their naive twin, on random boards and random walks."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from tests.games.robots import twin
from tests.games.robots.boards import random_board

import gridproof as gp
from gridproof.games.robots import Carried, Position, Response, Rotate, Walk, Walked
from gridproof.games.robots.requests import EXCHANGE


def is_same(position: Position, state: twin.State) -> bool:
    return twin.state_of(position).key() == state.key()


def compare_walks(position: Position, state: twin.State) -> None:
    for robot in position.level.names:
        for dx, dy in itertools.product(range(-2, 5), range(-2, 3)):
            request = Walk(robot, dx, dy)
            expected = twin.walk(state, robot, dx, dy)
            assert position.respond(request) is expected.response
            assert (request in position.actions(robot)) == (expected.response is not Response.FAILED)
            if expected.response is not Response.FAILED:
                compare_walk(position, request, expected)


def compare_walk(position: Position, request: Walk, expected: twin.Walk) -> None:
    final, carried = twin.run_belts(expected.state)
    outcomes = list(position.outcomes(request))
    assert sum(outcome.probability for outcome in outcomes) == 1
    for outcome in outcomes:
        assert is_same(outcome.position, final)
        first = outcome.events[0]
        there = twin.cell_of(expected.state, request.robot)
        assert first == Walked(request.robot, there, expected.auto, expected.response)
        told = [(e.robot, e.origin, e.to) for e in outcome.events if isinstance(e, Carried)]
        assert told == carried


@pytest.mark.clause("R5", "R6", "R7", "R8", "R10", "R11", "R14", "R15", "R16", "R17", "R20")
@pytest.mark.parametrize("seed", range(20))
def test_requests_do_what_the_twin_says(seed: int) -> None:
    rng = gp.Rng(seed)
    position = random_board(rng, 3 + rng.below(3), 3 + rng.below(2), 2 + rng.below(2))
    for _ in range(6):
        state = twin.state_of(position)
        assert twin.is_valid(state)
        if position.won:
            break
        compare_walks(position, state)
        position = position.step(rng.choice(position.actions()), rng).position


@pytest.mark.clause("R21", "R22", "R20")
@pytest.mark.parametrize("seed", range(16))
def test_exchanges_are_those_of_the_twin(seed: int) -> None:
    rng = gp.Rng(seed, 1)
    position = random_board(rng, 3, 3, 2)
    while position.won:
        position = random_board(rng, 3, 3, 2)
    expected = dict(twin.list_exchanges(twin.state_of(position)))
    assert position.actions("nature") == ((EXCHANGE,) if expected else ())
    outcomes = {outcome.label: outcome for outcome in position.outcomes(EXCHANGE)} if expected else {}
    assert sorted(outcomes) == sorted(expected)
    for label, state in expected.items():
        outcome = outcomes[label]
        assert outcome.probability == Fraction(1, len(expected))
        final, carried = twin.run_belts(state)
        assert is_same(outcome.position, final)
        assert [(e.robot, e.origin, e.to) for e in outcome.events if isinstance(e, Carried)] == carried


@pytest.mark.clause("R8")
def test_r8_holds_after_everything_on_random_walks() -> None:
    rng = gp.Rng(11)
    for _ in range(6):
        position = random_board(rng, 5, 4, 3)
        for _ in range(12):
            if position.won:
                break
            actions = (*position.actions(), *position.actions("nature"))
            position = position.step(rng.choice(actions), rng).position
            assert twin.is_valid(twin.state_of(position))
            assert position.level.position(position.text()) == position


def test_rotations_are_listed_by_the_rule() -> None:
    rng = gp.Rng(5)
    position = random_board(rng, 4, 4, 3)
    for robot in position.level.robots:
        for by in (-90, 0, 45, 90, 180, 270, 360):
            listed = by in robot.rule.rotations
            assert (position.respond(Rotate(robot.name, by)) is Response.SUCCESS) == listed
