"""Every kernel against its rules, on every pack level."""

from __future__ import annotations

import pytest
from tests.packs import each

from gridproof.core.position import NATURE, Level
from gridproof.core.registry import TEMPLATE, game, game_names
from gridproof.core.text.level_lookup import levels_at, pack_names
from gridproof.kernels.game import packing_of
from gridproof.testing.agreement import check_kernel

PACKS = [
    f"{name}/{pack}"
    for name in (TEMPLATE, *game_names())
    if game(name).kernel
    for pack in pack_names(game(name))
]


@pytest.mark.slow
@pytest.mark.plain
@pytest.mark.parametrize("level", each(*PACKS, step=4))
def test_kernel_and_rules_agree_on_a_few_positions(level: Level) -> None:
    found = packing_of(level)
    assert found is not None
    exchanges = found[1].most_of_nature
    deep = 20 if not exchanges else 1 if exchanges < 1000 else 0
    assert check_kernel(level, seed=5, walks=1, depth=deep) > 0


@pytest.mark.long
@pytest.mark.parametrize("level", each(*PACKS))
def test_kernel_and_rules_agree_on_random_walks(level: Level) -> None:
    walks, deep = (1, 6) if NATURE in level.game.actors(level) else (2, 40)
    assert check_kernel(level, seed=7, walks=walks, depth=deep) > 0


SMALL = ["null/first/2", "shiftit/boards/1", "shiftit/boards/4", "sokoban/first-steps/2", "sokoban/bombs/1"]


@pytest.mark.long
@pytest.mark.parametrize("name", [*SMALL, "robots/races/1", "twenty48/positions/1"])
def test_kernel_and_rules_agree_on_whole_state_spaces(name: str) -> None:
    level = levels_at(name)[0]
    assert check_kernel(level, walks=0, whole=2000) > 1
