"""Games without a kernel: the rules play them, slower, and the same in all else."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import gridproof as gp
import gridproof.envs
from gridproof.envs import GridEnv, GridVectorEnv, Reward
from gridproof.envs.rules_batch import RuleGames

LEVELS: dict[str, Any] = {
    "null": "null/first/1",
    "twenty48": "twenty48/standard/2",
    "sokoban": "sokoban/bombs/1",
    "shiftit": "shiftit/boards/2",
    "lights_out": "lights_out/first/1",
}


@pytest.fixture
def no_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no kernel support any level."""
    monkeypatch.setattr("gridproof.envs.game_batch.packing_of", lambda level: None)
    monkeypatch.setattr("gridproof.envs.rules_batch.packing_of", lambda level: None)


@pytest.mark.usefixtures("no_kernel")
@pytest.mark.parametrize("options", [{}, {"observation": "text"}, {"observation": "planes"}], ids=str)
@pytest.mark.parametrize("game", LEVELS)
def test_gymnasium_checks_an_environment_without_a_kernel(game: str, options: dict[str, Any]) -> None:
    name = f"test/Ruled-{game}-v0"
    gymnasium.registry.pop(name, None)
    gridproof.envs.register(name, game, max_episode_steps=20)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(name, levels=LEVELS[game], **options)
        check_env(env.unwrapped, skip_render_check=True)
        envs = gymnasium.make_vec(name, 3, levels=LEVELS[game], **options)
    assert isinstance(envs.unwrapped.games, RuleGames)  # type: ignore[attr-defined]
    seen, _ = envs.reset(seed=1)
    assert envs.observation_space.contains(seen)


@pytest.mark.slow
@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("game", LEVELS)
def test_rules_play_the_episodes_of_the_kernel(
    game: str, mode: AutoresetMode, monkeypatch: pytest.MonkeyPatch
) -> None:
    options: dict[str, Any] = {
        "observation": "text",
        "max_episode_steps": 12,
        "autoreset_mode": mode,
        "reward": Reward(step=-0.25, win=8.0, lose=-4.0, score=1.0, illegal=-0.5),
    }
    fast = GridVectorEnv(game, 3, LEVELS[game], **options)
    monkeypatch.setattr("gridproof.envs.game_batch.packing_of", lambda level: None)
    slow = GridVectorEnv(game, 3, LEVELS[game], **options)
    assert isinstance(slow.games, RuleGames)
    assert not isinstance(fast.games, RuleGames)
    assert slow.action_space == fast.action_space
    assert slow.observation_space == fast.observation_space
    assert slow.actions == fast.actions
    first: Any = fast.reset(seed=5)
    second: Any = slow.reset(seed=5)
    ends = 0
    for _ in range(50):
        np.testing.assert_equal(second, first)
        np.testing.assert_array_equal(slow.action_masks(), fast.action_masks())
        actions = fast.action_space.sample()
        first, second = fast.step(actions), slow.step(actions)
        ends += int((first[2] | first[3]).sum())
    assert ends >= 6


@pytest.mark.parametrize("redraw", [True, False])
def test_rules_draw_the_levels_that_the_kernel_draws(redraw: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    levels = gp.read("#####\n#@$.#\n#####\n\n#####\n#.$@#\n#####\n", "sokoban")
    drawn = []
    for _ in range(2):
        env = GridEnv("sokoban", levels, redraw=redraw)
        drawn.append([env.reset(seed=None if i else 7)[1]["level"] for i in range(12)])
        monkeypatch.setattr("gridproof.envs.game_batch.packing_of", lambda level: None)
    assert isinstance(env.games, RuleGames)
    assert drawn[0] == drawn[1]
    assert (len({*drawn[1]}) > 1) is redraw


@pytest.mark.long
def test_rules_reward_a_measure_as_the_kernel_does(monkeypatch: pytest.MonkeyPatch) -> None:
    level = gp.read("#######\n#@$. *#\n#######", "sokoban")[0]
    rewards = []
    for _ in range(2):
        env = GridEnv("sokoban", level, reward="boxes")
        env.reset(seed=0)
        rewards.append([env.step(env.actions.index(action))[1] for action in ("up", "right")])
        monkeypatch.setattr("gridproof.envs.game_batch.packing_of", lambda level: None)
    assert isinstance(env.games, RuleGames)
    assert rewards[1] == rewards[0] == [-0.1, pytest.approx(10.9)]


@pytest.mark.usefixtures("no_kernel")
def test_rules_show_the_characters_of_the_board() -> None:
    env = GridEnv("sokoban", gp.read("#####\n#@$.#\n#####", "sokoban"))
    seen, info = env.reset(seed=1)
    assert bytes(seen[1]) == b"#@$.#"
    assert info["action_mask"].tolist() == env.action_masks().tolist() == [0, 0, 0, 1, 0]
    wide = GridEnv("twenty48", "twenty48/standard/2").reset(seed=1)[0]
    assert wide.shape[2] == 4
    assert bytes(wide[0, 0]) in (b"   .", b"   2", b"   4")


@pytest.mark.usefixtures("no_kernel")
def test_rules_refuse_what_cannot_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(gp.GridproofError, match="the same actions"):
        GridEnv("lights_out", "lights_out/first")
    with pytest.raises(
        gp.GridproofError,
        match=r"levels of twenty48 can share an environment if their boards have one size, which these 11 do not; choose some with levels=\.\.\., such as levels='twenty48/standard/1'",
    ):
        GridEnv("twenty48", "twenty48/standard")
    assert len(GridEnv("twenty48").games.levels) > 1, "those of the first pack that go with its first"
    level = gp.read("@.....o", "null")[0]
    monkeypatch.setattr(type(level), "all_actions", lambda self: ())
    with pytest.raises(
        gp.GridproofError, match=r"null lists no actions: environments need `Level.all_actions`"
    ):
        GridEnv("null", level)


@pytest.mark.usefixtures("no_kernel")
def test_rules_refuse_a_glyph_that_does_not_fit() -> None:
    level = gp.read("2048 2x2 spawn=spec target=65536\n16384 16384\n0 0\n", "twenty48")[0]
    tall = gp.read("2048 2x2 spawn=spec target=65536\n8192 8192\n0 0\n", "twenty48")[0]
    env = GridEnv("twenty48", tall)
    env.reset(seed=1)
    with pytest.raises(
        gp.GridproofError,
        match="the glyph '16384' is longer than those at the start: choose observation='text'",
    ):
        env.step(0)
    GridEnv("twenty48", level).reset(seed=1)
