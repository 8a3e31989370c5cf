"""2048 as a Markov decision process (T17): numbers published by others, found again by plain enumeration.

Positions and probabilities: J. D. Lees-Miller, "The Mathematics of 2048" (github.com/jdleesmiller/twenty48).
"""

from __future__ import annotations

import functools
from fractions import Fraction

import pytest

from gridproof.games.twenty48 import Level, Position


def reachable(level: Level) -> set[Position]:
    """Return all positions of games that end with the first win."""
    found = {start.position for start in level.starts()}
    queue = list(found)
    while queue:
        position = queue.pop()
        for action in () if position.won else position.actions():
            after = {outcome.position for outcome in position.outcomes(action)} - found
            found |= after
            queue.extend(after)
    return found


def best_probability(level: Level) -> Fraction:
    """Return the probability of the target with best play."""

    @functools.cache
    def best(position: Position) -> Fraction:
        if position.won:
            return Fraction(1)
        return max((expected_value(position, action) for action in position.actions()), default=Fraction(0))

    def expected_value(position: Position, action: object) -> Fraction:
        outcomes = position.outcomes(action)  # type: ignore[arg-type]  # 2048's
        return sum((o.probability * best(o.position) for o in outcomes), Fraction(0))

    return sum((start.probability * best(start.position) for start in level.starts()), Fraction(0))


def best_score(level: Level) -> float:
    """Return the expected score of a whole game with best play."""

    @functools.cache
    def best(position: Position) -> float:
        return max(
            (
                sum(float(o.probability) * (o.reward + best(o.position)) for o in position.outcomes(action))
                for action in position.actions()
            ),
            default=0.0,
        )

    return sum(float(start.probability) * best(start.position) for start in level.starts())


@pytest.mark.clause("T17")
@pytest.mark.parametrize(
    ("size", "target", "count"),
    [
        ((2, 2), 8, 70),
        ((2, 2), 16, 198),
        ((2, 2), 32, 350),
        pytest.param((3, 3), 8, 8461, marks=pytest.mark.slow),
    ],
)
def test_number_of_positions_agrees_with_known_count(size: tuple[int, int], target: int, count: int) -> None:
    found = reachable(Level(*size, "classic", target))
    live = [position for position in found if not position.won and not position.lost]
    assert len(live) + 1 + 1 == count  # counted with one lost and one won position


@pytest.mark.clause("T5", "T10", "T17")
@pytest.mark.parametrize(
    ("spawn", "target", "probability"),
    [
        ("classic", 16, 0.962511253750),
        ("classic", 32, 0.082887289072),
        ("spec", 16, 1),
        ("spec", 32, 0),
    ],
)
def test_best_probability_on_2x2(spawn: str, target: int, probability: float) -> None:
    assert float(best_probability(Level(2, 2, spawn, target))) == pytest.approx(probability, abs=5e-13)


@pytest.mark.clause("T17")
@pytest.mark.slow
def test_best_probability_on_2x3() -> None:
    assert float(best_probability(Level(2, 3, "classic", 64))) == pytest.approx(0.939263692431, abs=5e-13)
    assert best_probability(Level(2, 3, "spec", 64)) == 1


@pytest.mark.clause("T7", "T17")
def test_best_expected_score_on_2x2() -> None:
    assert best_score(Level(2, 2, "classic")) == pytest.approx(66.964149457, abs=5e-10)


@pytest.mark.clause("T17")
def test_score_is_no_part_of_a_position() -> None:
    level = Level(2, 2)
    before = level.position("2 2\n0 0\n")
    outcome = before.outcome(before.action("left"), "2@(1,1)")
    assert outcome.reward == 4
    fresh = level.position("4 0\n0 2\n")
    assert outcome.position == fresh
    assert len({outcome.position, fresh}) == 1
