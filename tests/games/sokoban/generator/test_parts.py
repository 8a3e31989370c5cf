"""The parts of the makers of levels, each by itself."""

from __future__ import annotations

from collections import defaultdict
from types import SimpleNamespace
from typing import Any

import pytest

import gridproof as gp
from gridproof.games.sokoban import making
from gridproof.games.sokoban.grid import Grid
from gridproof.games.sokoban.making import floorplan, proving
from gridproof.games.sokoban.making.blasting import Purse
from gridproof.games.sokoban.making.bombed import _apart, _laid_out
from gridproof.games.sokoban.making.floorplan import floor_plan
from gridproof.games.sokoban.making.wishes import Wish


@pytest.mark.parametrize(
    ("wish", "text"),
    [
        (Wish(5, 3, 1, 0, None), "#####\n#@$.#\n#####"),
        (Wish(4, 5, 1, 0, None), "####\n#@-#\n#$-#\n#.-#\n####"),
        (Wish(6, 4, 3, 2, None), "######\n#@$.-#\n#--**#\n######"),
    ],
)
def test_the_level_that_there_always_is(wish: Wish, text: str) -> None:
    made = making._simplest(wish)
    assert made.level.start().text() == f"{text}\nBombs: {wish.bombs}\n"
    assert made.proof.trace is not None
    assert made.proof.trace.replay().won
    assert (made.proof.effort is None) == (wish.bombs > 0)


def test_difficulties_with_bombs_are_measured_on_boards_of_some_squares(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    level = making._simplest(Wish(6, 4, 1, 1, None)).level
    monkeypatch.setattr(proving, "_MOST_SQUARES", 24)
    assert proving.effort_with_bombs(level, Purse(10**9)) is not None
    monkeypatch.setattr(proving, "_MOST_SQUARES", 23)
    assert proving.effort_with_bombs(level, Purse(10**9)) is None


def test_cells_that_one_bomb_opens_are_not_apart() -> None:
    shut: Any = SimpleNamespace(rooms=0, grid=SimpleNamespace(bits=defaultdict(lambda: 1)))
    assert _apart((1, 1), {(2, 9), (9, 2), (2, 2)}, shut) == 1
    assert _apart((1, 1), {(3, 3), (5, 5), (6, 9)}, shut) == 3


def test_each_bomb_of_a_plan_opens_something() -> None:
    grid = Grid(9, 9)
    for seed in range(20):
        layout = _laid_out(gp.Rng(seed), grid, (9, 9), 3)
        opened = layout.rooms
        for cell in layout.plan:
            assert grid.crosses[cell] & ~opened
            opened |= grid.crosses[cell]
        assert opened == layout.opened
        assert len(layout.plan) == 3


def test_floor_is_nearly_half_of_the_room_at_least(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floorplan, "_set_pillars", lambda *_: None)
    scarce = [seed for seed in range(1000) if gp.Rng(seed).below(21) == 0]
    assert min(len(floor_plan(gp.Rng(seed), 20, 20, 1)) for seed in scarce) == 18 * 18 * 45 // 100
