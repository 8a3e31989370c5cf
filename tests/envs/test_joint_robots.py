"""All robots as one player: the environment, its games as data, and labels, against the rules."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium
import numpy as np
import pytest

import gridproof as gp
from gridproof.agents.dataset_files import _spec
from gridproof.agents.demonstrations import record_games
from gridproof.envs import label_positions, robots_v0
from gridproof.envs.conversion import environment_of
from gridproof.games.robots.env import RobotsEnvs
from gridproof.games.robots.env.observation import REQUESTS, encode_board

NAME = "gridproof/Robots-v0"


def number_of(action: Any, level: Any) -> int:
    """Return an action's number: 7 for each robot before its own, then the place of the request in the rule."""
    place = level.names.index(action.robot)
    requests: list[Any] = [*level.robots[place].requests]
    return REQUESTS * int(place) + requests.index(action)


def test_joint_environment_agrees_with_rules() -> None:
    env: Any = gymnasium.make(NAME, levels="robots-easy", robot="all", reward="win").unwrapped
    for seed in range(3):
        seen, info = env.reset(seed=seed)
        position: Any = env.position
        for number in np.random.default_rng(seed).integers(0, env.action_space.n, 30).tolist():
            np.testing.assert_array_equal(seen, encode_board(position, 0, seen.shape[:2]))
            assert env.observation_space.contains(seen)
            legal = {number_of(action, position.level): action for action in position.actions()}
            assert set(np.flatnonzero(info["action_mask"]).tolist()) == set(legal)
            before, state = position, env.get_state()
            seen, reward, terminated, _, info = env.step(number)
            assert info["illegal"] == (number not in legal)
            position = env.position
            if number in legal:
                assert position == before.step(legal[number], gp.Rng(1)).position
            else:
                assert position == before
            assert (reward, terminated) == ((1.0, True) if position.won else (0.0, False))
            if terminated:
                break
        env.set_state(state)
        assert env.position == before
        assert copy.deepcopy(env).position == before


def test_joint_actions_are_named_by_the_requests() -> None:
    level: Any = gp.level("robots-easy/1")
    env: Any = gymnasium.make(NAME, levels=level, robot="all").unwrapped
    texts = [str(action) for robot in level.robots for action in robot.requests]
    assert [text for text in env.actions if text != "none"] == texts
    assert len(env.actions) == REQUESTS * len(level.robots)
    both: Any = gymnasium.make(NAME, levels="robots-easy", robot="all").unwrapped
    assert both.actions[1] == "a:walk(2,0) or a:walk(0,1)"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strategies": "hints"}, "with robot='all' there is no race"),
        ({"exchange_every": 3}, "with robot='all' there is no race"),
        ({"robot": "both"}, "there is no robot 'both'"),
    ],
)
def test_joint_environment_refuses_options_of_races(options: dict[str, Any], message: str) -> None:
    with pytest.raises(gp.GridproofError, match=message):
        gymnasium.make(NAME, **{"robot": "all", **options})


@pytest.mark.slow
def test_demonstrations_of_robots_are_shortest_and_replay_in_pettingzoo() -> None:
    levels: list[Any] = gp.levels_at("robots-easy")[:4]
    for level, episode in zip(levels, record_games(levels), strict=True):
        assert level.certificate is not None
        assert episode.action.tolist() == [number_of(one, level) for one in level.certificate.actions]
        assert episode.targets["distance"].tolist() == [*range(len(episode.action), -1, -1)]
        assert episode.reward.tolist() == [0.0] * (len(episode.action) - 1) + [1.0]
        agents = robots_v0.parallel_env(level, observation="board")
        seen, _ = agents.reset()
        for action, board in zip(episode.action.tolist(), episode.observation[:-1], strict=True):
            np.testing.assert_array_equal(seen["robot_0"], board)
            seen, rewards, terminated, *_ = agents.step({f"robot_{action // REQUESTS}": action % REQUESTS})
        assert max(rewards.values()) == 1.0
        assert all(terminated.values())


@pytest.mark.slow
def test_labels_of_robots_agree_with_rules() -> None:
    level: Any = gp.level("robots-easy/7")
    found, space = label_positions(level), gp.explore(level)
    assert set(found["value"].tolist()) == {0.0, 1.0}
    for number in np.random.default_rng(1).integers(0, space.states, 40).tolist():
        position: Any = space[number]
        distance = int(found["distance"][number])
        np.testing.assert_array_equal(found["observation"][number], encode_board(position, 0, (5, 5)))
        after = {one: position.step(one, gp.Rng(1)).position for one in position.actions()}
        nearer = {
            number_of(one, level)
            for one, reached in after.items()
            if distance > 0 and found["distance"][space.number(reached)] == distance - 1
        }
        assert set(np.flatnonzero(found["best"][number]).tolist()) == nearer
        assert bool(nearer) == (distance > 0)
        assert found["value"][number] == (distance >= 0)


def test_environment_of_robots_data_is_made_again() -> None:
    levels: list[Any] = gp.levels_at("robots-easy")
    env: Any = gymnasium.make(_spec(levels[0], "robots-easy", "symbols"))
    (episode,) = record_games(levels[2:3])
    seen, _ = env.reset(options={"level": 2})
    for action, board in zip(episode.action.tolist(), episode.observation[:-1], strict=True):
        np.testing.assert_array_equal(seen, board)
        seen, reward, terminated, *_ = env.step(action)
    assert (reward, terminated) == (1.0, True)


def test_labels_refuse_games_with_one_of_several_actors(monkeypatch: pytest.MonkeyPatch) -> None:
    environment_of.cache_clear()
    own = {name: value for name, value in vars(RobotsEnvs).items() if name[0] != "_" and name != "joint"}
    # A new class: Python 3.12 remembers of a class whether it implements a protocol.
    monkeypatch.setattr("gridproof.games.robots.env.ENV", type("OneOfSeveralEnvs", (), own)())
    message = "robots has no labels and no data sets: its environment is for one of several actors"
    with pytest.raises(gp.GridproofError, match=message):
        label_positions("robots/duels/1")
    with pytest.raises(gp.GridproofError, match=message):
        record_games([gp.level("robots/duels/1")])
    environment_of.cache_clear()
