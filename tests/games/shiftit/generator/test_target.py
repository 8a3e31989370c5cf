"""What is wished of a board: how much work it is worth, and where its locked tiles may lie."""

from __future__ import annotations

from typing import Any

import pytest

import gridproof as gp
from gridproof.games.shiftit import making
from gridproof.games.shiftit.making import Wish


def wish(width: int, height: int, locks: int = 0, difficulty: int | None = None) -> Wish:
    return Wish(width, height, 3, locks, None, difficulty)


def test_boards_without_a_kernel_take_less_work() -> None:
    assert wish(6, 6).effort == wish(4, 9).effort == 100_000
    assert wish(6, 7).effort == wish(10, 4).effort == 4_000
    assert wish(4, 4, difficulty=50_001).effort == 100_002


@pytest.mark.parametrize(
    ("width", "height", "held"),
    [
        (1, 2, [(0, 0), (1, 0), (2, 0)]),
        (2, 1, [(0, 0), (0, 1), (0, 2)]),
        (2, 2, [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)]),
    ],
)
def test_a_line_of_two_tiles_is_left_to_move(width: int, height: int, held: list[tuple[int, int]]) -> None:
    assert list(making._held(wish(width, height))) == held


def test_locked_tiles_lie_in_as_few_lines_as_can_be() -> None:
    for seed in range(20):
        locked = making._locked(gp.Rng(seed), wish(4, 3, locks=2))
        assert len(locked) == 2
        assert len({place // 4 for place in locked}) + len({place % 4 for place in locked}) == 3


@pytest.mark.parametrize("wishes", [{"width": 11}, {"height": 11}, {"width": 0}, {"width": 1, "height": 1}])
def test_boards_have_two_tiles_to_a_hundred(wishes: dict[str, Any]) -> None:
    with pytest.raises(gp.GridproofError, match=r"=\d+: it must be a whole number from \d to 10 here$"):
        gp.generate("shiftit", 1, **wishes)
