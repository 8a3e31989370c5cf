"""Targets of boards: limits of effort, and places of locked tiles."""

from __future__ import annotations

from typing import Any

import pytest

import gridproof as gp
from gridproof.games.shiftit import generator
from gridproof.games.shiftit.generator import Target


def make_target(width: int, height: int, locks: int = 0, difficulty: int | None = None) -> Target:
    return Target(width, height, 3, locks, None, difficulty)


def test_boards_without_a_kernel_take_less_work() -> None:
    assert make_target(6, 6).effort_limit == make_target(4, 9).effort_limit == 100_000
    assert make_target(6, 7).effort_limit == make_target(10, 4).effort_limit == 4_000
    assert make_target(4, 4, difficulty=50_001).effort_limit == 100_002


@pytest.mark.parametrize(
    ("width", "height", "held"),
    [
        (1, 2, [(0, 0), (1, 0), (2, 0)]),
        (2, 1, [(0, 0), (0, 1), (0, 2)]),
        (2, 2, [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)]),
    ],
)
def test_locks_leave_a_line_of_two_tiles_free(width: int, height: int, held: list[tuple[int, int]]) -> None:
    assert list(generator._lock_counts(make_target(width, height))) == held


def test_locks_lie_in_the_fewest_lines() -> None:
    for seed in range(20):
        locked = generator._choose_locks(gp.Rng(seed), make_target(4, 3, locks=2))
        assert len(locked) == 2
        assert len({place // 4 for place in locked}) + len({place % 4 for place in locked}) == 3


@pytest.mark.parametrize("wishes", [{"width": 11}, {"height": 11}, {"width": 0}, {"width": 1, "height": 1}])
def test_boards_have_two_tiles_to_a_hundred(wishes: dict[str, Any]) -> None:
    with pytest.raises(gp.GridproofError, match=r"=\d+: it must be a whole number from \d to 10 here$"):
        gp.generate("shiftit", 1, **wishes)
