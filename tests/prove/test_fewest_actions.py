"""The expected number of actions is at least the game's own bound, which needs no search."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest
from tests.prove.test_quantity_certificates import ATOMS
from tests.prove.twins import Played, small_level

import gridproof as gp
from gridproof.core import proposition
from gridproof.prove.quantity import fewest_actions, parse_question, task_of

_MORE = {"twenty48": ("lost",), "sokoban": ("lost",)}


@pytest.mark.parametrize(
    ("question", "least"),
    [
        ("Rmin=? [F tile(64)]", 18),
        ("Rmin=? [F tile(2048)]", 500),
        ("<<player>> Rmin=? [F tile(64)]", 18),
        ("Rmin=? [F lost]", 13),
    ],
)
def test_least_number_of_actions_has_the_bound_of_the_game(question: str, least: int) -> None:
    (board,) = gp.read("2048 4x4 spawn=classic\n")
    bounds = gp.value(board, question, limit=gp.Limit(states=200)).worst_bounds
    assert least < bounds.low < bounds.high == math.inf


def test_loss_needs_as_many_actions_as_cells_are_empty() -> None:
    (board,) = gp.read("2048 4x4 spawn=classic\n")
    within = gp.value(board, "P=? [G<=13 !lost]", limit=gp.Limit(states=200))
    assert (within.best, within.worst) == (1, 1)


def test_comparison_is_decided_by_the_bound_of_the_game() -> None:
    (board,) = gp.read("2048 4x4 spawn=classic\n")
    assert gp.check(board, "Rmin<=100 [F tile(2048)]", limit=gp.Limit(states=200)).holds is False


def test_bound_of_the_game_is_not_that_of_another_cost_or_with_nature() -> None:
    level = gp.level("sokoban/first-steps/2")
    task = task_of(_plain(level, "Rmin=? [F won]"))
    assert fewest_actions(task, level.start(), (None,)) > 0
    assert fewest_actions(task, level.start(), (None, "nature")) == 0
    pushes = gp.value(level, 'R{"pushes"}min=? [F won]', limit=gp.Limit(states=1)).worst_bounds
    assert pushes.low == 0


@pytest.mark.slow
@pytest.mark.parametrize("count", [60, pytest.param(1500, marks=pytest.mark.long)])
def test_bounds_of_actions_agree_with_distances(count: int) -> None:
    """No bound is above the fewest actions with luck; bounds at limits hold what is known without."""
    raised = 0
    for seed in range(count):
        random = Random(seed)
        played = Played(small_level(random))
        atom = random.choice([*ATOMS[played.level.game.name], *_MORE.get(played.level.game.name, ())])
        task, question = task_of(_plain(played.level, f"Rmin=? [F {atom}]")), f"Rmin=? [F {atom}]"
        distances = _distances(played, proposition.parse_goal(played.level.game, atom))
        for position, distance in zip(played.positions, distances, strict=True):
            assert fewest_actions(task, position, (None,)) <= distance, (seed, atom)
        start = played.positions[0]
        true = gp.value(start, question).worst_bounds
        found = gp.value(start, question, limit=gp.Limit(states=random.randint(1, 9))).worst_bounds
        assert found.low <= true.high, (seed, question)
        assert found.high >= true.low, (seed, question)
        raised += found.low == fewest_actions(task, start, (None,)) > 0
    assert raised > count // 30


def _plain(level: Any, text: str) -> Any:
    return parse_question(text, level)


def _distances(played: Played, goal: Any) -> list[float]:
    """Return the fewest actions to a goal from each position, with luck."""
    found = [0 if goal(position) else math.inf for position in played.positions]
    for _ in found:
        before = list(found)
        for number, edges in enumerate(played.edges):
            after = (found[one] for _, targets in edges for one in targets)
            found[number] = min(found[number], 1 + min(after, default=math.inf))
        if found == before:
            break
    return found
