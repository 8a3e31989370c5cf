"""Levels of episodes by the player's success."""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest

import gridproof as gp
import gridproof.envs
from gridproof.envs import Curriculum, GridVectorEnv

EASY = "#####\n#@$.#\n#####"
HARD = "######\n#@  .#\n# $  #\n######"


def tiers() -> list[Any]:
    return [gp.read(EASY, "sokoban"), gp.read(f"{HARD}\n\n{EASY}", "sokoban")]


def test_curriculum_opens_tiers_by_success() -> None:
    curriculum = Curriculum("sokoban", tiers(), window=10)
    assert set(curriculum.draw(50)) == {0}
    curriculum.record(np.zeros(20, np.int64), np.ones(20, np.bool_))
    assert curriculum.open_tiers == 2
    assert curriculum.success[0] == pytest.approx(1 - 0.9**20)
    drawn = np.bincount(curriculum.draw(1000), minlength=3)
    assert drawn[0] < 200 < min(drawn[1:]), "what is always won comes seldom"
    curriculum.record(np.array([0, 2, 2]), np.array([False, True, False]))
    assert curriculum.success[1] == pytest.approx((1 - 0.9**2) / 2)
    curriculum.record(np.zeros(50, np.int64), np.zeros(50, np.bool_))
    assert curriculum.open_tiers == 1


def test_curriculum_draws_the_same_with_the_same_seed() -> None:
    one, two, other = (Curriculum("sokoban", ["sokoban-tier-1"], seed=seed) for seed in (1, 1, 2))
    first = one.draw(20)
    np.testing.assert_array_equal(two.draw(20), first)
    assert (other.draw(20) != first).any()
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(one)).draw(20), one.draw(20))


def test_curriculum_refuses_wrong_arguments() -> None:
    for arguments, message in (
        (([],), "a curriculum needs at least one tier"),
        ((["sokoban/nothing"],), "sokoban has no pack 'nothing'"),
        ((tiers(), 0, 1.5), "the threshold is a share from 0 to 1, and the window at least 1 episode"),
        ((tiers(), 0, "0.5"), "the threshold is a share from 0 to 1, and the window at least 1 episode"),
        ((tiers(), 0, 0.5, 0), "the threshold is a share from 0 to 1, and the window at least 1 episode"),
    ):
        with pytest.raises(gp.GridproofError, match=message):
            Curriculum("sokoban", *arguments)


class Recorder:
    """Sampler that gives levels in turn, and keeps what it hears."""

    def __init__(self, levels: int) -> None:
        self.levels, self.given, self.heard = levels, 0, list[tuple[int, bool]]()

    def record(self, levels: Any, won: Any) -> None:
        self.heard += zip(levels.tolist(), won.tolist(), strict=True)

    def draw(self, count: int) -> Any:
        self.given += count
        return np.arange(self.given - count, self.given) % self.levels


@pytest.mark.parametrize("by_rules", [False, True])
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_sampler_chooses_levels_and_hears_of_ends(mode: str, by_rules: bool, monkeypatch: Any) -> None:
    if by_rules:
        monkeypatch.setattr("gridproof.envs.game_batch.packing_of", lambda level: None)
    levels = gp.read(f"{EASY}\n\n{EASY.replace('@$.', '.$@')}", "sokoban")
    envs = GridVectorEnv("sokoban", 3, levels, max_episode_steps=4, autoreset_mode=mode)
    sampler, ends = Recorder(2), list[tuple[int, bool]]()
    envs.set_sampler(sampler)
    _, infos = envs.reset(seed=1)
    assert infos["level"].tolist() == [0, 1, 0]
    right = envs.actions.index("right")
    for _ in range(12):
        before = envs.games.level
        _, _, terminated, truncated, infos = envs.step(np.full(3, right))
        won = (
            infos["won"] if mode == "NextStep" else infos.get("final_info", {}).get("won", np.zeros(3, bool))
        )
        ends += [(int(before[one]), bool(won[one])) for one in np.flatnonzero(terminated | truncated)]
    assert sampler.heard == ends
    assert {(0, True), (1, False)} == set(ends), "the mirrored level cannot be won to the right"
    envs.reset(options={"level": 1})
    assert envs.games.level.tolist() == [1, 1, 1]
    envs.set_sampler(None)
    state = envs.get_state()
    envs.reset(seed=3)
    envs.set_state(state)
    assert envs.get_state() == state


def test_wrong_samplers_are_refused() -> None:
    envs: Any = gymnasium.make_vec("gridproof/Sokoban-v0", 2, levels=gp.read(EASY, "sokoban"))
    with pytest.raises(gp.GridproofError, match="the sampler must draw 2 numbers from 0 to 0"):
        envs.set_sampler(Recorder(2))
    with pytest.raises(gp.GridproofError, match="a sampler has the methods draw and record, which 3 has not"):
        envs.set_sampler(3)
    envs = gymnasium.make_vec("gridproof/Sokoban-v0", 2, autoreset_mode="Disabled")
    with pytest.raises(gp.GridproofError, match="a sampler needs an autoreset mode"):
        envs.set_sampler(Recorder(1))


def test_player_climbs_the_ladder() -> None:
    """A player of a solved level only: the curriculum stays with the tier that it does not win."""
    curriculum = Curriculum("sokoban", tiers(), window=5)
    envs = GridVectorEnv("sokoban", 8, curriculum.levels, max_episode_steps=3)
    envs.set_sampler(curriculum)
    envs.reset(seed=1)
    for _ in range(60):
        envs.step(np.full(8, envs.actions.index("right")))
    assert curriculum.success[0] > 0.9
    assert 0 < curriculum.success[1] < 0.9
    assert len(curriculum.levels) == 3
    assert gridproof.envs.LADDER[0] == "sokoban-tier-1"
