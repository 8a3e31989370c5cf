"""Certificates of cheapest solutions and of values: all verify, and spoiled ones prove nothing that is false."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.prove import spoiled
from tests.prove.twins import Played, Several, small_level

import gridproof as gp
from gridproof.core.measure import measures
from gridproof.core.proposition import parse_goal
from gridproof.prove.checkers.goal_statements import DistanceStatement, ValueStatement

GOALS = {
    "null": ("won", "at(1)"),
    "sokoban": ("won", "placed >= 1", "at(1,1)", "box(2,1)"),
    "robots": ("won", "won(a)", "at(a,1,0)"),
    "shiftit": ("won", "near", "!home"),
    "twenty48": ("won", "tile(8)", "max_tile = 4", "empty = 0"),
}


def least_cost(said: DistanceStatement) -> tuple[int, ...] | None:
    """Find the least cost of the goal from the starts, by relaxing all steps until nothing changes."""
    by = measures(said.level.game)
    names = said.minimise.split(",")
    costs: dict[Any, tuple[int, ...]] = dict.fromkeys(said.starts, (0,) * len(names))
    waiting = list(costs)
    for position in waiting:
        for action in position.actions():
            for outcome in position.outcomes(action):
                price = [by[name].cost(position, action, outcome) for name in names]
                total = tuple(one + two for one, two in zip(costs[position], price, strict=True))
                if outcome.position not in costs or total < costs[outcome.position]:
                    costs[outcome.position] = total
                    waiting.append(outcome.position)
    return min((cost for position, cost in costs.items() if said.goal(position)), default=None)


def values(said: ValueStatement) -> list[float]:
    """Return the best and the worst value of the starts, by many sweeps from below."""
    level: Any = Several(positions=said.starts) if len(said.starts) > 1 else None
    played = Played(level or Several(positions=said.starts))
    outcomes = [
        [list(position.outcomes(action)) for action in position.actions()] for position in played.positions
    ]
    numbers = {position: number for number, position in enumerate(played.positions)}
    found = []
    for choose in (max, min):
        worth = [float(said.goal is not None and said.goal(one)) for one in played.positions]
        for _ in range(200):
            for number, position in reversed(list(enumerate(played.positions))):
                if outcomes[number] and not (said.goal and said.goal(position)):
                    worth[number] = choose(
                        sum(
                            float(one.probability)
                            * (worth[numbers[one.position]] + one.reward * (not said.goal))
                            for one in action
                        )
                        for action in outcomes[number]
                    )
        found.append(sum(float(chance) * worth[numbers[start]] for chance, start in said.chances()))
    return found


def is_true(said: Any) -> bool:
    """Return whether a statement is true, by the slow evaluators."""
    if isinstance(said, DistanceStatement):
        return said.cost == least_cost(said)
    pairs = zip(values(said), (said.best, said.worst), strict=True)
    return all(float(low) - 1e-9 <= value <= float(high) + 1e-9 for value, (low, high) in pairs)


def spoil(seed: int, path: Path, number: int, question: Any) -> int:
    """Write and verify a certificate of a random level, and spoiled copies; return how many were refused."""
    random = Random(seed)
    level = small_level(random)
    name = Played(level).level.game.name
    goal = random.choice(GOALS[name])
    starts: Any = level if type(level) is not Several else level.start()
    if question == "value":
        made = gp.certify(starts, path, goal, value=True)
    else:
        by = random.choice([*measures(Played(level).level.game)])
        made = gp.certify(starts, path, goal, minimise=by)
        assert made.holds is not None
        if made.kind != "distance":
            return 0
    assert made.holds, seed
    answer = gp.verify(path)
    assert (answer.holds, answer.reason, answer.positions) == (True, "", made.positions), seed
    assert is_true(answer.statement), (seed, str(answer.statement))
    return spoiled.count_refusals(path, random, number, DistanceStatement | ValueStatement, is_true)


@pytest.mark.slow
@pytest.mark.parametrize("question", ["cost", "value"])
def test_certificates_of_random_levels_verify_and_spoiled_ones_are_refused(
    question: str, tmp_path: Path
) -> None:
    assert sum(spoil(seed, tmp_path / "proof", 5, question) for seed in range(8)) > 5


@pytest.mark.long
@pytest.mark.parametrize("question", ["cost", "value"])
def test_many_spoiled_certificates_prove_nothing_false(question: str, tmp_path: Path) -> None:
    assert sum(spoil(seed, tmp_path / "proof", 20, question) for seed in range(100, 160)) > 300


def test_certificate_of_two_measures_verifies(tmp_path: Path) -> None:
    path, board = tmp_path / "proof", gp.level("sokoban/first-steps/2")
    made = gp.certify(board, path, minimise="pushes,moves")
    assert (made.holds, made.kind) == (True, "distance")
    assert made.claim == "won can be reached by 7 pushes, 15 moves, the fewest"
    assert gp.verify(path, board).holds
    lines = spoiled.read(path)
    for cost in ([6, 15], [7, 14], [8, 0], [7], 7, [7.0, 15]):
        path.write_text(lines.but(cost=cost).text())
        assert gp.verify(path).holds is False


def test_solution_that_may_be_longer_than_necessary_has_no_certificate(tmp_path: Path) -> None:
    from gridproof.prove.solution_certificate import GoalCertificateQuestion, certify_solution

    board = gp.level("sokoban/first-steps/2")
    solution = gp.solve(board, None)
    assert not solution.optimal
    with pytest.raises(gp.GridproofError, match="not proved to be the cheapest"):
        certify_solution(GoalCertificateQuestion(board), "actions", solution, tmp_path / "proof")


def test_certificate_of_impossible_goal_lists_a_closed_set(tmp_path: Path) -> None:
    made = gp.certify("sokoban/first-steps/1", tmp_path / "proof", "placed = 2", minimise="actions")
    assert (made.holds, made.kind) == (True, "closed")


@pytest.mark.slow
def test_value_of_points_is_certified(tmp_path: Path) -> None:
    (board,) = gp.read("2048 2x2 spawn=classic target=8\n")
    made = gp.certify(board, tmp_path / "proof", "score", value=True)
    answer, found = gp.verify(tmp_path / "proof", board), gp.value(board, "score")
    assert answer.holds
    assert answer.statement.best == (found.best, found.best)
    assert made.claim == "the expected points are 66.9641 at best and 8.03854 at worst"


def test_value_in_circles_is_exact_without_chance(tmp_path: Path) -> None:
    assert gp.certify("sokoban/first-steps/1", tmp_path / "proof", value=True).holds
    answer = gp.verify(tmp_path / "proof", "sokoban/first-steps/1")
    assert answer.statement.claim == "the chance of `won` is 1 at best and 0 at worst"


def test_value_certificate_refuses_points_where_there_are_none(tmp_path: Path) -> None:
    with pytest.raises(gp.GridproofError, match="sokoban keeps no score"):
        gp.certify("sokoban/first-steps/1", tmp_path / "proof", "score", value=True)


def test_limit_leaves_no_certificate(tmp_path: Path) -> None:
    (board,) = gp.read("2048 2x2 spawn=classic target=8\n")
    for question in ({"value": True}, {"minimise": "actions"}):
        arguments: Any = question
        made = gp.certify(board, tmp_path / "proof", "won", limit=gp.Limit(seconds=0), **arguments)
        assert (made.holds, made.stopped_by) == (None, "seconds")
    assert not any(tmp_path.iterdir())


def test_certify_refuses_other_arguments(tmp_path: Path) -> None:
    wrong: Any = {"nothing": 1}
    with pytest.raises(TypeError, match="unexpected keyword argument 'nothing'"):
        gp.certify("sokoban/first-steps/1", tmp_path / "proof", **wrong)


def test_goals_of_the_tests_have_a_meaning() -> None:
    for name, goals in GOALS.items():
        for goal in goals:
            assert parse_goal(gp.game(name), goal).name in goal
