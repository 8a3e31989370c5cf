"""Labels of positions against the solver."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gridproof as gp
from gridproof.core.position import Status
from gridproof.envs import label_positions, observe, parse_observation
from gridproof.envs.labels import DEAD

LEVELS = ("sokoban/first-steps/2", "sokoban-easy/1", "shiftit-easy/1")


@pytest.mark.parametrize("name", LEVELS)
def test_labels_agree_with_solver(name: str) -> None:
    level = gp.level(name)
    found, space = label_positions(level), gp.explore(level)
    texts = [str(action) for action in level.all_actions()]
    assert {len(column) for column in found.values()} == {space.states}
    numbers = {0, *np.random.default_rng(1).integers(0, space.states, 12).tolist()}
    for number in map(int, numbers):
        position = space[number]
        np.testing.assert_array_equal(found["observation"][number], observe(position))
        legal = [texts[one] for one in np.flatnonzero(found["action_mask"][number])]
        assert legal == [str(action) for action in position.actions()]
        distance = int(found["distance"][number])
        assert distance == fewest(position)
        best = [
            str(action)
            for action in position.actions()
            if distance > 0 and fewest(position.step(action, gp.Rng(1)).position) == distance - 1
        ]
        assert [texts[one] for one in np.flatnonzero(found["best"][number])] == best


def fewest(position: Any) -> int:
    """Return the fewest actions to a win, DEAD without any."""
    if position.status is Status.WON:
        return 0
    solution = gp.solve(position)
    assert solution.found is not None
    return int(solution.cost) if solution.cost is not None else DEAD


def test_labels_are_of_the_chosen_observation() -> None:
    symbols, planes = (label_positions("sokoban/first-steps/1", kind) for kind in ("symbols", "planes"))
    level = gp.level("sokoban/first-steps/1")
    for one, other in zip(symbols["observation"], planes["observation"], strict=True):
        assert parse_observation(level, other, "planes") == parse_observation(level, one)
    np.testing.assert_array_equal(symbols["distance"], planes["distance"])


def test_labels_by_the_rules_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    (level,) = gp.read("######\n#@  .#\n# $  #\n######", "sokoban")
    by_kernel = label_positions(level)
    monkeypatch.setattr("gridproof.envs.game_batch.packing_of", lambda level: None)
    by_rules = label_positions(gp.read("######\n#@  .#\n# $  #\n######\nTitle: again", "sokoban")[0])
    for name in ("action_mask", "distance", "best"):
        np.testing.assert_array_equal(by_rules[name], by_kernel[name])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("robots/duels/1", "positions of robots cannot be labelled: its environment is for one of several"),
        ("2048 2x2 spawn=classic target=8\n2 2\n0 0\n", "only in a game without chance"),
        ("sokoban-hard/1", "the space is not complete, stopped by states: it has no graph"),
    ],
)
def test_labels_refuse_other_levels(name: str, message: str) -> None:
    level = gp.read(name)[0] if "\n" in name else gp.level(name)
    with pytest.raises(gp.GridproofError, match=message):
        label_positions(level, limit=gp.Limit(states=5000))
