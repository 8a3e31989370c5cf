"""Robots for PettingZoo: its tests pass without warnings, and races equal those of the rules."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.utils.conversions import aec_to_parallel

import gridproof as gp
import gridproof.envs
from gridproof.envs import robots_v0
from gridproof.games.robots.race import Race
from gridproof.kernels.batch import Batch

LEVELS = "robots/duels/1"
OPTIONS: list[dict[str, Any]] = [{}, {"observation": "board"}, {"exchange_every": 3}]


@pytest.mark.clause("R31")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_pettingzoo_checks_accept_environments(
    options: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        api_test(robots_v0.env(LEVELS, max_requests=40, **options), num_cycles=60)
        parallel_api_test(robots_v0.parallel_env(LEVELS, max_requests=40, **options), num_cycles=60)
        seed_test(lambda: robots_v0.env(LEVELS, **options), num_cycles=15)
        parallel_seed_test(lambda: robots_v0.parallel_env(LEVELS, **options), num_cycles=15)
    assert "Passed" in capsys.readouterr().out


def test_pettingzoo_modules_are_found_by_name() -> None:
    aec = pettingzoo.make("aec", "gridproof/robots_v0", levels=LEVELS)
    aec.reset(seed=1)
    assert aec.agents == ["robot_0", "robot_1"]
    parallel = pettingzoo.make("parallel", "gridproof/robots_v0")
    assert parallel.reset(seed=1)[0].keys() == {"robot_0", "robot_1"}


def test_pettingzoo_converts_turns_to_parallel() -> None:
    parallel = aec_to_parallel(robots_v0.env(LEVELS))  # which asks the metadata for leave
    assert parallel.reset(seed=1)[0].keys() == {"robot_0", "robot_1"}


@pytest.mark.clause("R25", "R31", "R32")
@pytest.mark.parametrize("seed", range(3))
def test_pettingzoo_races_agree_with_rules_and_kernel(seed: int) -> None:
    level: Any = gp.levels_at("robots/races/6")[0]
    many = robots_v0.parallel_env(level, mask_in_observation=True)
    turns = robots_v0.env(level, mask_in_observation=True)
    seen, infos = many.reset(seed=seed)
    turns.reset(seed=seed)
    batch = Batch([level], 1)
    batch.seeds[0] = many.race.seed
    batch.begin(np.ones(1, np.uint8))
    race = Race(level, seed=many.race.seed)
    names = list(map(str, level.all_actions()))
    random, told = np.random.default_rng(seed), np.zeros((1, 13), np.uint8)
    while many.agents:
        actions = {agent: int(random.integers(7)) for agent in many.agents}
        for place, agent in enumerate(many.agents):
            requests = race.knowledge[level.names[place]].requests
            assert seen[agent]["action_mask"].tolist() == [number < len(requests) for number in range(7)]
            action = actions[agent] = min(actions[agent], len(requests) - 1)
            if not race.over:
                assert turns.agent_selection == agent
                turns.step(action)
                race.serve(level.names[place], requests[action])
                batch.step(np.array([names.index(str(requests[action]))]))
        seen, rewards, terminated, _, infos = many.step(actions)
        assert many.position == race.position == turns.unwrapped.position
        for place, (agent, observed) in enumerate(seen.items()):
            batch.observe(told, place)
            assert observed["observation"].tolist() == told[0].tolist()
            assert turns.observe(agent)["observation"].tolist() == told[0].tolist()
            assert terminated[agent] == bool(race.winners)
            won = level.names[place] in race.winners
            assert rewards[agent] == (0 if not race.winners else 1 if won else -1)
            assert infos[agent]["won"] == won
    assert many.race.trace().replay() == race.position
    assert race.winners
    assert turns.rewards == rewards


@pytest.mark.clause("R32")
def test_race_is_truncated() -> None:
    env = robots_v0.parallel_env(LEVELS, max_requests=4)
    env.reset(seed=1)
    passing = dict.fromkeys(env.agents, 6)  # robot 0 goes by rule A, which lists four requests
    _, rewards, _, truncated, infos = env.step(passing)
    assert [infos[agent]["illegal"] for agent in passing] == [True, False]
    assert not any(truncated.values())
    _, rewards, terminated, truncated, _ = env.step(passing)
    assert all(truncated.values())
    assert not any(terminated.values())
    assert set(rewards.values()) == {0}
    assert env.agents == []


def test_full_board_observation() -> None:
    text = "robots 4x3\na: rule=A rotation=0\nb: rule=B rotation=90\nboard:\na b ? A\n. . > B\n# . . .\n"
    env = robots_v0.parallel_env(gp.read(text, "robots"), observation="board")
    seen, _ = env.reset(seed=1)
    assert seen["robot_0"][:, :, 0].tolist() == [[0, 0, 1, 8], [0, 0, 6, 9], [2, 0, 0, 0]]
    assert seen["robot_0"][:, :, 1].tolist() == [[1, 6, 0, 0], [0] * 4, [0] * 4]
    assert seen["robot_1"][:, :, 0].tolist() == [[0, 0, 1, 9], [0, 0, 6, 8], [2, 0, 0, 0]]
    assert seen["robot_1"][:, :, 1].tolist() == [[5, 2, 0, 0], [0] * 4, [0] * 4]


@pytest.mark.parametrize("action", [2, np.int64(2), np.array(2)], ids=repr)
def test_step_accepts_integer_like_actions(action: Any) -> None:
    parallel, turns = robots_v0.parallel_env(LEVELS), robots_v0.env(LEVELS)
    parallel.reset(seed=1)
    *_, infos = parallel.step(dict.fromkeys(parallel.agents, action))
    assert not infos["robot_0"]["illegal"]
    assert parallel.race.requests == 2
    turns.reset(seed=1)
    turns.step(action)
    assert not turns.infos["robot_0"]["illegal"]


@pytest.mark.parametrize("action", [-1, 7, 99, 1.5, "2", None, np.array([2])], ids=repr)
def test_step_refuses_action_out_of_range(action: Any) -> None:
    parallel, turns = robots_v0.parallel_env(LEVELS), robots_v0.env(LEVELS)
    parallel.reset(seed=1)
    with pytest.raises(gp.GridproofError, match="action"):
        parallel.step({"robot_0": 0, "robot_1": action})
    assert parallel.race.requests == 0, "nobody is served"
    turns.reset(seed=1)
    with pytest.raises(gp.GridproofError, match="action"):
        turns.step(action)
    assert turns.agent_selection == "robot_0"


def test_pettingzoo_refuses_invalid_options() -> None:
    for wrong in ({"observation": "x"}, {"max_requests": -1}, {"exchange_every": -1}, {"render_mode": "x"}):
        with pytest.raises(gp.GridproofError):
            robots_v0.parallel_env(LEVELS, **wrong)
    with pytest.raises(
        gp.GridproofError, match="levels are played together when they have equally many robots"
    ):
        robots_v0.env("robots/races")


@pytest.mark.parametrize("make", [robots_v0.env, robots_v0.parallel_env])
def test_pettingzoo_race_begins_where_the_options_say(make: Any) -> None:
    levels: list[Any] = gp.levels_at("robots-easy")[:3]
    env = make(levels, observation="board")
    env.reset(seed=1, options={"level": 2})
    assert env.unwrapped.position == levels[2].start()
    start = levels[1].start()
    position = start.step(start.actions()[0], gp.Rng(1)).position
    env.reset(options={"position": position})
    assert env.unwrapped.position == position
    assert env.unwrapped.race.start == position
    for options, message in (
        ({"level": 3}, "level 3: use 0 to 2"),
        ({"position": "robots"}, "a position is needed, not str"),
        ({"position": gp.level("robots/races/1").start()}, "none of the environment's levels"),
    ):
        with pytest.raises(gp.GridproofError, match=message):
            env.reset(options=options)
    assert env.unwrapped.position == position
