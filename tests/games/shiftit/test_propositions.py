"""The proposition `at` of Shift It: by the rules, and by the kernel."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import gridproof as gp
from gridproof.core.proposition import parse_goal

BOARDS = {
    "3x3": "shiftit 3x3\nb b r\nr b g\ng g y\n",
    "5x4": "shiftit 5x4\n" + "b r g y b\n" * 4,
}
"""Boards whose states are one word, and several."""


def test_proposition_at_names_the_tile_on_a_place() -> None:
    (level,) = gp.read("shiftit 2x2\nb r\nr b\nnames: one two three four\n")
    position = level.start().step(level.start().action("RM(0,left)"), gp.Rng()).position
    game = level.game
    assert parse_goal(game, "at(four,0,0)")(position)
    assert parse_goal(game, "at(three,1,0)")(position)
    assert parse_goal(game, "at(one,0,1)")(position)
    assert not parse_goal(game, "at(two,0,1)")(position)


@pytest.mark.parametrize("arguments", ["t1,2,0", "t1,0,-1", "t5,0,0", "t1,x,0", "0,0,0"])
def test_proposition_at_refuses_what_the_level_does_not_have(arguments: str) -> None:
    (level,) = gp.read("shiftit 2x2\nb r\ng y\n")
    with pytest.raises(gp.GridproofError):
        parse_goal(level.game, f"at({arguments})")(level.start())


@pytest.mark.parametrize("name", BOARDS)
def test_proposition_at_is_the_same_by_kernel_and_rules(name: str) -> None:
    (level,) = gp.read(BOARDS[name])
    space = gp.explore(level, limit=gp.Limit(states=20_000))
    assert space.engine != "rules"
    random = Random(name)
    for _ in range(20):
        tile, x, y = (random.choice(values) for values in (level.names, level.columns, level.rows))  # type: ignore[attr-defined]  # of Shift It
        goal = parse_goal(level.game, f"at({tile},{x},{y})")
        values = space.values(f"at({tile},{x},{y})")
        some = random.sample(range(space.states), 50)
        assert values[some].tolist() == [goal(space[number]) for number in some]
        assert np.count_nonzero(values)
