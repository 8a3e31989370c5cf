"""The parts of the makers of levels, each by itself."""

from __future__ import annotations

from collections import defaultdict
from types import SimpleNamespace
from typing import Any

import pytest

import gridproof as gp
from gridproof.games.sokoban import generator
from gridproof.games.sokoban.generator import candidates, floor_plan
from gridproof.games.sokoban.generator.bomb_plan import Budget
from gridproof.games.sokoban.generator.candidates import Target
from gridproof.games.sokoban.generator.floor_plan import draw_floor_plan
from gridproof.games.sokoban.generator.with_bombs import _count_isolated_cells, _draw_layout
from gridproof.games.sokoban.grid import Grid


@pytest.mark.parametrize(
    ("target", "text"),
    [
        (Target(5, 3, 1, 0, None), "#####\n#@$.#\n#####"),
        (Target(4, 5, 1, 0, None), "####\n#@-#\n#$-#\n#.-#\n####"),
        (Target(6, 4, 3, 2, None), "######\n#@$.-#\n#--**#\n######"),
    ],
)
def test_fallback_is_a_level_of_one_push(target: Target, text: str) -> None:
    made = generator._fallback(target)
    assert made.level.start().text() == f"{text}\nBombs: {target.bombs}\n"
    assert made.proof.trace is not None
    assert made.proof.trace.replay().won
    assert (made.proof.effort is None) == (target.bombs > 0)


def test_difficulties_with_bombs_are_measured_on_boards_of_some_squares(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    level = generator._fallback(Target(6, 4, 1, 1, None)).level
    monkeypatch.setattr(candidates, "_MOST_SQUARES", 24)
    assert candidates.measure_bomb_effort(level, Budget(10**9)) is not None
    monkeypatch.setattr(candidates, "_MOST_SQUARES", 23)
    assert candidates.measure_bomb_effort(level, Budget(10**9)) is None


def test_isolated_cells_are_not_opened_by_one_bomb() -> None:
    shut: Any = SimpleNamespace(rooms=0, grid=SimpleNamespace(bits=defaultdict(lambda: 1)))
    assert _count_isolated_cells((1, 1), {(2, 9), (9, 2), (2, 2)}, shut) == 1
    assert _count_isolated_cells((1, 1), {(3, 3), (5, 5), (6, 9)}, shut) == 3


def test_bombs_of_a_plan_each_open_something() -> None:
    grid = Grid(9, 9)
    for seed in range(20):
        layout = _draw_layout(gp.Rng(seed), grid, (9, 9), 3)
        opened = layout.rooms
        for cell in layout.plan:
            assert grid.crosses[cell] & ~opened
            opened |= grid.crosses[cell]
        assert opened == layout.open_floor
        assert len(layout.plan) == 3


def test_floor_is_nearly_half_of_the_room_at_least(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floor_plan, "_set_pillars", lambda *_: None)
    scarce = [seed for seed in range(1000) if gp.Rng(seed).below(21) == 0]
    assert min(len(draw_floor_plan(gp.Rng(seed), 20, 20, 1)) for seed in scarce) == 18 * 18 * 45 // 100
