"""Every kernel against its rules, on every pack level."""

from __future__ import annotations

import pytest

from gridproof.core.game import NATURE, Level
from gridproof.core.registry import TEMPLATE, game, game_names
from gridproof.core.shelf import pack_names, shipped
from gridproof.testing.agreement import check_kernel


def levels() -> list[object]:
    return [
        pytest.param(level, id=f"{name}/{pack}/{number}")
        for name in (TEMPLATE, *game_names())
        if game(name).kernel
        for pack in pack_names(game(name))
        for number, level in enumerate(shipped(game(name), pack), 1)
    ]


@pytest.mark.parametrize("level", levels())
def test_kernel_and_rules_agree_on_a_few_positions(level: Level) -> None:
    deep = 1 if NATURE in level.game.actors(level) else 20  # an exchange has thousands of outcomes
    assert check_kernel(level, seed=5, walks=1, depth=deep) > 0


@pytest.mark.slow
@pytest.mark.parametrize("level", levels())
def test_kernel_and_rules_agree_on_random_walks(level: Level) -> None:
    deep = 6 if NATURE in level.game.actors(level) else 40
    assert check_kernel(level, seed=7, walks=2, depth=deep) > 0
