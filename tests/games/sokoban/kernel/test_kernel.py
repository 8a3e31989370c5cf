"""The kernel's words: random levels against the rules, their sizes, and what they leave to the rules."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from tests.games.sokoban.boards import after, level, levels, position

import gridproof as gp
from gridproof.core.text.level_lookup import builtin_pack
from gridproof.games.sokoban import GAME, Level
from gridproof.games.sokoban.kernel import prepare
from gridproof.games.sokoban.kernel.packing import relevant_cells
from gridproof.testing.agreement import check_kernel

ROOM = "########\n#@ $ . #\n#  $ . #\n########\n"


@pytest.mark.slow
@pytest.mark.plain
@given(levels())
@pytest.mark.clause("K5", "K6", "K7", "K8", "K9", "K15")
def test_random_levels_as_by_the_rules(random: Level) -> None:
    assert check_kernel(random, walks=2, depth=12, whole=60) > 0


def words(of: Level) -> int:
    packing = prepare(of)
    assert packing is not None
    return packing.words


def hall(width: int, height: int, bombs: int = 0) -> Level:
    """A level of one room with so much floor."""
    ring = {(x, y) for x in range(width + 2) for y in (0, height + 1)}
    ring |= {(x, y) for y in range(height + 2) for x in (0, width + 1)}
    return Level((1, 1), bombs, [(2, 2)], [(3, 3)], ring)


@pytest.mark.slow
@pytest.mark.plain
@pytest.mark.parametrize(
    ("width", "height", "count"),
    [(4, 4, 1), (19, 3, 1), (21, 3, 2), (8, 8, 2), (11, 6, 2), (41, 3, 3), (30, 30, 15)],
)
def test_words_of_all_sizes(width: int, height: int, count: int) -> None:
    of = hall(width, height)
    assert words(of) == count
    assert check_kernel(of, walks=2, depth=40) > 0


@pytest.mark.slow
@pytest.mark.plain
def test_bombs_take_words_of_their_own() -> None:
    assert words(hall(4, 4, bombs=1)) == 1 + 3
    assert words(hall(20, 20, bombs=1)) == 8 + 3
    assert check_kernel(hall(20, 20, bombs=2), walks=3, depth=40) > 0
    assert check_kernel(hall(40, 50, bombs=999_999_999), walks=1, depth=20) > 0


def test_too_many_lines_with_bombs_are_left_to_the_rules() -> None:
    assert prepare(hall(63, 3, bombs=1)) is None
    assert check_kernel(hall(63, 3, bombs=1)) == 0
    assert words(hall(63, 3)) > 0


def test_packing_numbers_only_floor_that_matters() -> None:
    wide = level("########  ---\n#@ $ . #  ---\n########\n")
    packing = prepare(wide)
    assert packing is not None
    assert packing.data[0] == 6


@pytest.mark.parametrize("outside", ["*", "$.", ". *$"])
def test_boxes_that_nobody_reaches_count(outside: str) -> None:
    row = f"#@$.#{outside}#"
    edge = "#" * len(row)
    apart = level(f"{edge}\n{row}\n{edge}\n")
    assert check_kernel(apart, whole=10) > 0
    assert gp.solve(apart.start()).found is (outside == "*")


def test_positions_of_other_halves_of_a_level_do_not_fit() -> None:
    two = level("#########\n#@ $ . ##\n#########\n#  #\n####\n")
    packing = prepare(two)
    assert packing is not None
    assert packing.fits(two.start())
    assert packing.fits(after(two.start(), "right", "right"))
    moved: list[dict[str, Any]] = [
        {"player": (1, 3)},
        {"boxes": frozenset({(1, 3)})},
        {"bombs": 1},
        {"walls": frozenset()},
    ]
    for changes in moved:
        elsewhere = dataclasses.replace(two.start(), **changes)
        assert not packing.fits(elsewhere)
    assert gp.explore(dataclasses.replace(two.start(), player=(1, 3))).states == 2


def test_walls_that_no_bomb_leaves_do_not_fit() -> None:
    start = position(ROOM + "Bombs: 1\n")
    packing = prepare(start.level)
    assert packing is not None
    assert packing.fits(start)
    assert packing.fits(after(start, "bomb"))
    assert not packing.fits(dataclasses.replace(start, walls=start.walls - {(0, 0)}))
    assert not packing.fits(dataclasses.replace(start, bombs=2))


@pytest.mark.slow
@pytest.mark.plain
@pytest.mark.parametrize("whole", [500, pytest.param(3000, marks=pytest.mark.slow)])
def test_lines_without_walls_have_one_form(whole: int) -> None:
    start = position(ROOM + "Bombs: 3\n")
    packing = prepare(start.level)
    assert packing is not None
    across = after(start, "bomb", "right", "bomb"), after(start, "right", "bomb", "left", "bomb", "right")
    assert across[0] == across[1]
    assert np.array_equal(packing.pack(across[0]), packing.pack(across[1]))
    assert check_kernel(start.level, walks=0, whole=whole) == whole


@pytest.mark.slow
@pytest.mark.plain
@pytest.mark.parametrize("whole", [300, pytest.param(1500, marks=pytest.mark.slow)])
def test_whole_small_state_spaces(whole: int) -> None:
    for of in (*builtin_pack(GAME, "first-steps")[:4], builtin_pack(GAME, "bombs")[0]):
        assert check_kernel(of, walks=0, whole=whole) > 20


def test_walls_of_a_level_without_bombs_need_no_room() -> None:
    sealed = level("#######\n#@$. ##\n#######\n##    #\n#  *  #\n#######")
    cells = relevant_cells(sealed, 20)
    assert cells is not None
    assert len(cells) == 13
    assert relevant_cells(sealed, 12) is None
    assert relevant_cells(dataclasses.replace(sealed, bombs=1), 20) is None
