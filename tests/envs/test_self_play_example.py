"""The example of self-play: the learner beats a random robot, and the league has its earlier versions."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "self_play" / "train.py"))


@pytest.mark.slow
@pytest.mark.parametrize("with_league", [False, True])
def test_learner_beats_random_robots(with_league: bool) -> None:
    _, league, arena = EXAMPLE["train"](200, with_league, seed=1)
    assert [member.name for member in league] == ["random", "after 100", "after 200"]
    assert sum(member.races for member in league) == (200 if with_league else 0)
    random = league[0].policy
    assert arena.share(league[-1].policy, random, 60) > 0.75
    assert 0.3 < arena.share(random, random, 60) < 0.7


def test_race_has_one_winner_or_none() -> None:
    arena: Any = EXAMPLE["Arena"](0)
    random = EXAMPLE["Policy"]()
    for _ in range(20):
        done = arena.race({"robot_0": random, "robot_1": random})
        rewards = sorted(reward for _, reward in done.values())
        requests = sum(len(moves) for moves, _ in done.values())
        assert rewards == [-1, 1] or (rewards == [0, 0] and requests == EXAMPLE["REQUESTS"])


def test_members_that_win_are_drawn_more_often() -> None:
    members = [EXAMPLE["Member"]("one", None, 10, lost) for lost in (0, 5, 10)]
    weights = [member.weight for member in members]
    assert weights == sorted(set(weights))
