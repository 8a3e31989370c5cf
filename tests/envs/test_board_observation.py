"""Robots with the full board as the observation of one robot."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import gridproof as gp
import gridproof.envs
from gridproof.envs import observe, parse_observation, robots_v0
from gridproof.games.robots.env.observation import decode_board, encode_board, encode_planes

NAME = "gridproof/Robots-v0"


@pytest.mark.parametrize("robot", [0, 1])
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_board_is_that_of_the_position(robot: int, mode: str) -> None:
    options: dict[str, Any] = {"levels": "robots/duels", "observation": "board", "robot": robot}
    envs: Any = gymnasium.make_vec(NAME, 3, autoreset_mode=mode, max_episode_steps=4, **options)
    seen, _ = envs.reset(seed=1)
    for _ in range(10):
        assert seen in envs.observation_space
        for number in range(3):
            board = encode_board(envs.position(number), robot, seen.shape[1:3])
            np.testing.assert_array_equal(seen[number], board)
        seen, *_, infos = envs.step(envs.sample_legal())
        for last in infos.get("final_obs", ()):
            assert last is None or last.shape == seen.shape[1:]


def test_board_is_the_same_as_with_pettingzoo() -> None:
    level = gp.level("robots/duels/1")
    env: Any = gymnasium.make(NAME, levels=level, observation="board", mask_in_observation=True)
    seen, _ = env.reset(seed=1)
    agents = robots_v0.parallel_env(level, observation="board")
    agents.reset(seed=1)
    np.testing.assert_array_equal(seen["observation"], agents.observe("robot_0"))
    space = env.observation_space["observation"]
    assert space.shape == agents.observation_space("robot_0").shape
    assert seen in env.observation_space
    np.testing.assert_array_equal(observe(level.start(), "board"), seen["observation"])


def test_board_is_written_into_buffer() -> None:
    envs: Any = gymnasium.make_vec(NAME, 2, levels="robots/duels/1", observation="board")
    buffer = np.zeros(envs.observation_space.shape, np.uint8)
    envs.set_output(buffer)
    seen, _ = envs.reset(seed=1)
    assert seen is buffer
    np.testing.assert_array_equal(buffer[1], encode_board(envs.position(1), 0, buffer.shape[1:3]))
    with pytest.raises(gp.GridproofError, match="and uint8 is needed"):
        envs.set_output(buffer.astype(np.float32))


def test_board_is_refused_by_other_games() -> None:
    with pytest.raises(gp.GridproofError, match=r"no observation 'board': there are symbols, planes, text$"):
        gridproof.envs.GridEnv("sokoban", observation="board")
    with pytest.raises(gp.GridproofError, match=r"there are symbols, planes, text, board$"):
        gymnasium.make(NAME, observation="smell")


@pytest.mark.parametrize("robot", [0, 1])
def test_planes_have_a_one_for_each_number_of_the_board(robot: int) -> None:
    position: Any = gp.level("robots/duels/1").start()
    grid = position.level.grid
    board, planes = encode_board(position, robot, (grid.height, grid.width)), encode_planes(position, robot)
    tiles = len(planes) - 1 - 4 * 2  # none, and two robots in four rotations
    np.testing.assert_array_equal(planes.sum(0), 2)
    np.testing.assert_array_equal(planes[:tiles].argmax(0), board[:, :, 0])
    np.testing.assert_array_equal(planes[tiles:].argmax(0), board[:, :, 1])


@pytest.mark.parametrize("robot", [0, 1])
def test_board_is_parsed(robot: int) -> None:
    level: Any = gp.level("robots/duels/1")
    position: Any = level.start()
    for step in range(12):
        board = encode_board(position, robot, (9, 10))
        assert decode_board(level, board, robot) == position
        actions = position.actions("nature") if step == 5 else position.actions()
        position = position.step(actions[step % len(actions)], gp.Rng(step)).position
    assert parse_observation(level, observe(position, "board"), "board") == position
    assert parse_observation(level, observe(position, "board").tolist(), "board") == position


@pytest.mark.parametrize(
    ("cell", "value", "message"),
    [
        ((0, 0, 0), 200, "no position of the level has this observation"),
        ((0, 0, 1), 1, "no position of the level has this observation"),
        (None, 0, r"a board of the level has the shape \(.*, 2\), not \(2, 2\)"),
    ],
)
def test_board_of_no_position_is_refused(cell: Any, value: int, message: str) -> None:
    level = gp.level("robots/duels/1")
    board = observe(level.start(), "board") if cell else np.zeros((2, 2), np.uint8)
    if cell:
        board[cell] = value
    with pytest.raises(gp.GridproofError, match=message):
        parse_observation(level, board, "board")
