"""The example of Monte Carlo tree search is better than greedy."""

from __future__ import annotations

from pathlib import Path

import pytest

import gridproof as gp
from gridproof.agents.evaluation import play

PLAYER = f"{Path(__file__).parents[2] / 'examples' / 'mcts' / 'play.py'}:Player"


def test_tree_search_finds_a_near_win() -> None:
    (level,) = gp.read("2048 2x2 spawn=classic target=8\n4 4\n2 0\n", "twenty48")
    chooses, position = gp.player("twenty48", PLAYER, seed=1), level.start()
    values = chooses.values(position)
    assert sum(values.values()) == pytest.approx(1)
    assert position.step(chooses(position), gp.Rng(1)).position.won


@pytest.mark.long
@pytest.mark.parametrize(("task", "most"), [("twenty48-easy", None), ("shiftit-easy", 30)])
def test_tree_search_wins_more_games_than_greedy(task: str, most: int | None) -> None:
    levels = gp.levels_at(task)[:12]
    wins = {
        name: sum(play(level, name, seed, most).won for seed, level in enumerate(levels))
        for name in (PLAYER, "greedy")
    }
    assert wins[PLAYER] >= wins["greedy"] + 3
