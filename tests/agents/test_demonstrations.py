"""Demonstrations: games that replay, proved targets, and files that come back."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import gridproof as gp
from gridproof.agents.demonstrations import columns_of, largest_levels, record_games, shortest_solution
from gridproof.envs import label_positions, observe
from gridproof.envs.game_batch import Games


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sokoban-easy", "shiftit-easy"])
def test_solver_plays_shortest_games(name: str) -> None:
    levels = gp.levels_at(name)[:4]
    for level, episode in zip(levels, record_games(levels), strict=True):
        labels = label_positions(level)
        known = {
            one.tobytes(): int(distance)
            for one, distance in zip(labels["observation"], labels["distance"], strict=True)
        }
        assert episode.targets["distance"].tolist() == [known[one.tobytes()] for one in episode.observation]
        assert episode.reward.tolist() == [0.0] * (len(episode.action) - 1) + [1.0]
        assert episode.terminated.tolist() == [False] * (len(episode.action) - 1) + [True]
        assert not episode.truncated.any()
        actions = [str(one) for one in level.all_actions()]
        assert level.certificate is not None
        assert [actions[one] for one in episode.action] == [str(one) for one in level.certificate.actions]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "player"), [("twenty48-easy", "solver"), ("twenty48-easy", "random"), ("sokoban-easy", "random")]
)
def test_games_replay_by_their_seeds(name: str, player: str) -> None:
    levels = gp.levels_at(name)[:3]
    episodes = record_games(levels, player, games=5, seed=3)
    assert [episode.level for episode in episodes] == [0, 1, 2, 0, 1]
    games = Games(levels, 1, gp.envs.REWARDS["win"], 0, 0, True, True)
    for episode in episodes:
        trace = games.trace(episode.level, episode.seed, episode.action.tolist())
        positions = [*trace.positions()]
        assert len(positions) == len(episode.observation)
        for position, seen in zip(positions, episode.observation, strict=True):
            np.testing.assert_array_equal(observe(position), seen)
        assert positions[-1].won == (episode.reward[-1] > 0)
        assert episode.truncated[-1] == (len(episode.action) == 500)
        if player == "solver":
            value = gp.value(levels[episode.level], "won")
            exact = [float(value.at(position).best) for position in positions]
            np.testing.assert_allclose(episode.targets["value"], exact, atol=1e-9)
        else:
            assert episode.targets == {}


def test_columns_are_of_all_steps() -> None:
    levels = gp.levels_at("sokoban/first-steps")[:3]
    episodes = record_games(levels, observation="planes")
    columns = columns_of(episodes)
    assert {len(column) for column in columns.values()} == {sum(len(one.action) for one in episodes)}
    ends = np.flatnonzero(columns["terminated"])
    assert columns["distance"][ends].tolist() == [1] * 3
    assert columns["step"][np.append(0, ends[:-1] + 1)].tolist() == [0] * 3
    assert columns["observation"].shape[1:] == episodes[0].observation.shape[1:]


@pytest.mark.long
def test_largest_levels_give_the_shape() -> None:
    pack = gp.levels_at("sokoban/first-steps")
    few = largest_levels(pack, "planes")
    assert len(few) < len(pack)
    for level in pack[:3]:
        shape = label_positions(level, "planes", beside=few)["observation"].shape[1:]
        assert shape == record_games(pack, observation="planes")[0].observation.shape[1:]


@pytest.mark.parametrize(
    ("text", "states", "message"),
    [
        (
            "######\n#@   #\n#   $#\n#.   #\n######",
            1000,
            "it has no solution: the box in row 3, column 5 can reach no",
        ),
        ("######\n#@   #\n# *  #\n#    #\n######", 1000, "it is won at the start"),
        ("#######\n#@    #\n# $ . #\n#  $ .#\n#     #\n#######", 3, "no shortest solution was proved: "),
    ],
)
def test_shortest_solution_refuses_levels(text: str, states: int, message: str) -> None:
    (level,) = gp.read(text, "sokoban")
    with pytest.raises(gp.GridproofError, match=message):
        shortest_solution(level, gp.Limit(states=states))


@pytest.mark.parametrize(
    ("names", "options", "message"),
    [
        (["sokoban-easy/1"], {"observation": "text"}, "data sets have observations of numbers"),
        (["sokoban-easy/1"], {"name": "best"}, "sokoban has no player 'best'"),
        (["shiftit-easy/1", "shiftit-hard/1"], {}, "levels of shiftit can share an environment if"),
    ],
)
def test_games_are_refused(names: list[str], options: dict[str, str], message: str) -> None:
    with pytest.raises(gp.GridproofError, match=message):
        record_games([gp.level(name) for name in names], **options)  # type: ignore[arg-type]  # as users give them


def test_solver_does_not_trust_other_certificates() -> None:
    (level,) = gp.read("#######\n#@ $ .#\n#     #\n#######", "sokoban")
    longer = gp.Session([level])
    for action in ("down", "up", "right", "right", "right"):
        longer.act(action)
    claimed = dataclasses.replace(level, certificate=longer.trace())
    (episode,) = record_games([claimed])
    assert episode.targets["distance"].tolist() == [3, 2, 1, 0]
    assert shortest_solution(gp.level("sokoban-easy/1")) is gp.level("sokoban-easy/1").certificate
    changed = dataclasses.replace(gp.level("sokoban-easy/1"), certificate=None)
    assert len(shortest_solution(changed).steps) == 27
