"""Data sets in the form of Minari, read by Minari; skipped where it is not (`make test-minari` brings it)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gridproof as gp
from gridproof.agents.dataset_files import write_minari
from gridproof.agents.demonstrations import record_games

minari: Any = pytest.importorskip("minari", reason="`make test-minari` brings Minari")


@pytest.mark.parametrize("observation", ["symbols", "planes"])
@pytest.mark.parametrize("name", ["sokoban-easy", "shiftit-easy", "twenty48-easy", "robots-easy"])
def test_minari_reads_games(tmp_path: Path, name: str, observation: str) -> None:
    levels = gp.levels_at(name)[:3]
    episodes = record_games(levels, seed=1, observation=observation)
    facts = {"observation": observation, "description": "three games"}
    files = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        assert write_minari(folder, episodes, levels, name, facts) == f"gridproof/{name}-v0"
        files.append({path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*")})
    assert files[0] == files[1]
    dataset = minari.MinariDataset(tmp_path / "one" / "data")
    assert dataset.total_steps == sum(len(episode.action) for episode in episodes)
    for read, episode in zip(dataset.iterate_episodes(), episodes, strict=True):
        np.testing.assert_array_equal(read.observations, episode.observation)
        np.testing.assert_array_equal(read.actions, episode.action)
        np.testing.assert_array_equal(read.rewards, episode.reward)
        np.testing.assert_array_equal(read.terminations, episode.terminated)
        np.testing.assert_array_equal(read.truncations, episode.truncated)
        np.testing.assert_array_equal(read.infos["action_mask"], episode.action_mask)
        for key, target in episode.targets.items():
            np.testing.assert_array_equal(read.infos[key], target)


def test_minari_recovers_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    levels = gp.levels_at("sokoban-easy")
    folder = Path("gridproof") / "sokoban-easy-v0"
    monkeypatch.chdir(tmp_path)  # Minari cannot measure a relative folder
    write_minari(folder, record_games(levels[:3]), levels, "sokoban-easy", {"observation": "symbols"})
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    dataset = minari.load_dataset("gridproof/sokoban-easy-v0")
    assert dataset.total_episodes == 3
    env = dataset.recover_environment()
    episode = dataset[2]
    seen, _ = env.reset(options=next(iter(dataset.storage.get_episode_metadata([2])))["options"])
    for action, shown in zip(episode.actions, episode.observations, strict=False):
        np.testing.assert_array_equal(seen, shown)
        seen, reward, terminated, _, _ = env.step(int(action))
    assert (reward, terminated) == (1.0, True)
    np.testing.assert_array_equal(seen, episode.observations[-1])
