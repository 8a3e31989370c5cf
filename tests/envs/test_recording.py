"""Recorded episodes: files that come back, traces that replay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import gridproof as gp
from gridproof.envs.recording import Recorder, load, traces_of

GAMES: dict[str, dict[str, Any]] = {
    "gridproof/Twenty48-v0": {"levels": "twenty48/standard/2"},
    "gridproof/Sokoban-v0": {"levels": "sokoban/bombs"},
    "gridproof/Robots-v0": {"levels": "robots/races", "exchange_every": 4},
}


def record_episodes(name: str, mode: str, steps: int = 40) -> Recorder:
    options: dict[str, Any] = {**GAMES[name], "max_episode_steps": 15, "autoreset_mode": mode}
    recorder = Recorder(gymnasium.make_vec(name, 3, **options))
    recorder.reset(seed=2)
    random = np.random.default_rng(1)
    for _ in range(steps):
        recorder.step(random.integers(0, len(recorder.envs.actions), 3))
    return recorder


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_recorded_episodes_replay(name: str, mode: str) -> None:
    recorder = record_episodes(name, mode)
    columns, traces = recorder.arrays(), recorder.traces()
    assert len(traces) == len(np.unique(columns["episode"])) >= 3
    ends = columns["terminated"] | columns["truncated"]
    for number, trace in enumerate(traces):
        rows = np.flatnonzero(columns["episode"] == number)
        assert columns["step"][rows].tolist() == list(range(len(rows)))
        assert not ends[rows[:-1]].any()
        end = trace.replay()
        assert end.ended == bool(columns["terminated"][rows[-1]])
        if name != "gridproof/Robots-v0":
            assert len(trace.steps) == (~columns["illegal"][rows]).sum()
    if name == "gridproof/Twenty48-v0":
        gained = columns["reward"].sum()
        assert gained == sum(outcome.reward for trace in traces for outcome in trace.outcomes())
    assert (ends.sum() == 3) == (mode == "Disabled")


@pytest.mark.parametrize("ending", ["npz", "parquet"])
def test_recording_files_round_trip(tmp_path: Path, ending: str) -> None:
    recorder = record_episodes("gridproof/Sokoban-v0", "NextStep", 20)
    path = tmp_path / f"games.{ending}"
    recorder.save(path)
    found, columns = load(path), recorder.arrays()
    assert found.keys() == columns.keys()
    for name, column in columns.items():
        np.testing.assert_array_equal(found[name], column)
    assert [*traces_of(recorder.envs.games, found)] == recorder.traces()
    found["level"] = found["level"] + 99
    with pytest.raises(gp.GridproofError, match="level 100: use 0 to 11"):
        list(traces_of(recorder.envs.games, found))


def test_recorder_refuses_invalid_use(tmp_path: Path) -> None:
    with pytest.raises(
        gp.GridproofError, match="what is recorded is a vector environment of gridproof that observes arrays"
    ):
        Recorder(gymnasium.make("gridproof/Sokoban-v0"))
    recorder = Recorder(gymnasium.make_vec("gridproof/Sokoban-v0", 2))
    with pytest.raises(gp.GridproofError, match="nothing was recorded"):
        recorder.save(tmp_path / "x.npz")
    recorder.reset(seed=1)
    recorder.step(np.array([0, 0]))
    with pytest.raises(gp.GridproofError, match=r"\.npz or \.parquet"):
        recorder.save(tmp_path / "x.csv")
    with pytest.raises(gp.GridproofError, match="No such file or directory"):
        recorder.save(tmp_path / "nowhere" / "x.npz")
    with pytest.raises(gp.GridproofError, match="a recorder must start all games at once"):
        recorder.reset(options={"reset_mask": np.array([True, False])})
    for name in ("bad.npz", "bad.parquet"):
        (tmp_path / name).write_text("x")
        with pytest.raises(gp.GridproofError, match="no recording"):
            load(tmp_path / name)
    np.savez(tmp_path / "other.npz", a=np.zeros(1))
    with pytest.raises(gp.GridproofError, match="no recording: action is missing"):
        load(tmp_path / "other.npz")
