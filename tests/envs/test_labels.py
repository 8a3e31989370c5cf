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


@pytest.mark.slow
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
        assert found["value"][number] == (distance != DEAD)
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
    ("name", "observation", "message"),
    [
        ("sokoban-hard/1", "symbols", "the limit of positions was reached"),
        ("sokoban-easy/1", "text", "labels have observations of numbers: choose symbols or planes"),
    ],
)
def test_labels_refuse_large_levels_and_texts(name: str, observation: str, message: str) -> None:
    with pytest.raises(gp.GridproofError, match=message):
        label_positions(name, observation, gp.Limit(states=5000))


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "2x2 spawn=classic target=16\n2 2\n0 0",
        "3x2 spawn=spec target=8\n2 0 2\n0 0 2",
        "2x2 spawn=classic target=8",
    ],
)
def test_labels_of_chance_are_exact_values(text: str) -> None:
    (level,) = gp.read(f"2048 {text}\n", "twenty48")
    found, value = label_positions(level), gp.value(level, "won")
    names = [str(action) for action in level.all_actions()]
    positions = [parse_observation(level, one) for one in found["observation"]]
    assert len(set(positions)) == len(positions)
    seen = {*positions}
    for position in positions:
        if not position.won:
            for action in position.actions():
                assert {outcome.position for outcome in position.outcomes(action)} <= seen
    for number, position in enumerate(positions):
        worth = value.at(position)
        assert found["value"][number] == pytest.approx(float(worth.best), abs=1e-11)
        assert (found["distance"][number] == DEAD) == (worth.best == 0)
        assert (found["distance"][number] == 0) == position.won
        best = [str(action) for action, one in worth.actions.items() if one >= worth.best > 0]
        assert [names[one] for one in np.flatnonzero(found["best"][number])] == best


def test_labels_have_the_shape_of_levels_beside() -> None:
    small, large = gp.level("sokoban/first-steps/1"), gp.level("sokoban/first-steps/2")
    alone, beside = label_positions(small), label_positions(small, beside=(large,))
    shape = observe(large.start()).shape
    assert beside["observation"].shape[1:] == tuple(map(max, alone["observation"].shape[1:], shape))
    np.testing.assert_array_equal(alone["distance"], beside["distance"])
    for one, other in zip(alone["observation"], beside["observation"], strict=True):
        assert parse_observation(small, other) == parse_observation(small, one)
