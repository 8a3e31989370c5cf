"""Any solution, and the cheapest by other measures: found where there is one, by each engine."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest

import gridproof as gp
from gridproof.core.measure import cost_of, find_measure
from gridproof.core.proposition import parse_goal as goal_of
from gridproof.games.null import Level as Row
from gridproof.games.sokoban import Level
from gridproof.kernels.compile import kernel
from gridproof.search import best_first, solve
from gridproof.testing.agreement import to_python


def random_level(seed: int, bombs: int) -> Level:
    """A small level of Sokoban, which may be impossible."""
    chance = random.Random(seed)
    size = chance.randint(3, 5), chance.randint(3, 4)
    cells = [(x, y) for x in range(size[0]) for y in range(size[1])]
    player, *rest = chance.sample(cells, len(cells))
    boxes = chance.randint(1, 2)
    walls = rest[2 * boxes :][: chance.randint(0, len(cells) // 3)]
    return Level(player, bombs, rest[:boxes], rest[boxes : 2 * boxes], walls, size)


def some(level: gp.Level, goal: str = "won") -> gp.Solution:
    """Any solution, which is one; that it is the cheapest is never said."""
    solution = gp.solve(level, minimise=None, goal=goal)
    if solution.trace is not None:
        assert goal_of(level.game, goal)(solution.trace.replay())
        assert solution.cost == len(solution.trace.steps)
    assert (solution.found, solution.optimal) in ((True, False), (False, True))
    return solution


@pytest.mark.slow
@pytest.mark.parametrize("by_rules", [1, 10**9])
@pytest.mark.parametrize("bombs", [0, 1])
def test_any_solution_is_found_when_one_exists(
    by_rules: int, bombs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    levels = [random_level(seed, bombs) for seed in range(15)]
    wins = [any(position.won for position in gp.explore(level)) for level in levels]
    assert 1 < sum(wins) < 14
    monkeypatch.setattr(solve, "_BY_RULES", by_rules)
    engines = {some(level).engine for level in levels}
    assert engines == {"rules" if by_rules > 1 else "greedy-pushes"}
    assert [some(level).found for level in levels] == wins


@pytest.mark.slow
@pytest.mark.parametrize("by_rules", [1, 10**9])
def test_any_solution_reaches_goals_of_other_games(by_rules: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "_BY_RULES", by_rules)
    for walker, flag in itertools.permutations(range(5), 2):
        level = Row(5, walker, flag)
        for goal in ("won", "at(4)", "!home"):
            cheapest = gp.solve(level, goal=goal)
            assert some(level, goal).found is cheapest.found
    boards = (
        "2048 2x2 target=16\n2 2\n0 2\n",
        "2048 2x2 target=64\n2 2\n0 2\n",
        "2048 3x2 target=32\n2 4 2\n0 2 4\n",
    )
    for (board,) in map(gp.read, boards):
        solution = some(board)
        assert solution.found is gp.solve(board).found
        if solution.found and by_rules == 1:
            assert solution.engine == "greedy"


@pytest.mark.slow
def test_any_solution_needs_fewer_positions_than_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "_BY_RULES", 1)
    levels = [level for place in (3, 5, 8) for level in gp.levels_at(f"sokoban/workshop/{place}")]
    work = {how: sum(gp.solve(level, minimise=how).states for level in levels) for how in ("pushes", None)}
    assert 0 < work[None] < work["pushes"]
    (board,) = gp.read("2048 4x4 target=64\n2 2 4 4\n2 2 0 0\n0 0 0 0\n0 0 0 0\n")
    assert gp.solve(board, minimise=None).states < gp.solve(board).states


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["pushes", "moves"])
@pytest.mark.parametrize("goal", ["box(2,1)", "placed = 1", "bombs = 0", "!at(1,1)", "home", "lost"])
def test_measures_and_goals_by_kernel_and_rules_agree(
    goal: str, measure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engines = set()
    for level in (random_level(seed, seed % 2) for seed in range(100, 112)):
        start = level.start()
        position = next((one.position for action in start.actions() for one in start.outcomes(action)), start)
        monkeypatch.setattr(solve, "_BY_RULES", 10**9)
        by_rules = gp.solve(position, measure, goal)
        monkeypatch.setattr(solve, "_BY_RULES", 1)
        solution = gp.solve(position, measure, goal)
        assert (solution.found, solution.cost, solution.optimal) == (by_rules.found, by_rules.cost, True)
        if solution.trace is not None:
            assert goal_of(level.game, goal)(solution.trace.replay())
            assert cost_of(solution.trace, find_measure(level.game, measure)) == solution.cost
        engines.add(solution.engine)
    assert engines <= {"rules", "uniform-cost"}
    assert "uniform-cost" in engines


def test_too_large_costs_are_not_reported_as_impossible(monkeypatch: pytest.MonkeyPatch) -> None:
    def plain(template: Any, **holes: Any) -> Any:
        made = kernel(template, **holes)
        return to_python(made) if template is best_first.advance else made

    monkeypatch.setattr(solve, "_BY_RULES", 1)
    monkeypatch.setattr(best_first, "kernel", plain)
    monkeypatch.setattr(best_first, "_UNREACHED", np.int32(4))
    (level,) = gp.read("##########\n#@$     .#\n##########\n")
    near, far = (gp.solve(level, "pushes", goal=f"box({x},1)") for x in (5, 7))
    assert (near.found, near.cost, near.engine) == (True, 3, "uniform-cost")
    assert (far.found, far.cost) == (True, 5)
    assert far.engine == "rules"
    assert far.refused == "ways that cost 4 or more are not followed by the kernel"
