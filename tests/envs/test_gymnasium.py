"""Scalar and vector environments: the same episodes as the rules play, and what Gymnasium asks for."""

from __future__ import annotations

import copy
import os
import pickle
import queue
import sys
import threading
import time
import types
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import gridproof as gp
import gridproof.envs
from gridproof.envs import Generated, GridEnv, GridVectorEnv, Reward, sharing
from gridproof.envs.robots import RobotsEnv, RobotsVectorEnv
from gridproof.envs.threads import Crew

IDS = {
    "twenty48": "gridproof/Twenty48-v0",
    "sokoban": "gridproof/Sokoban-v0",
    "shiftit": "gridproof/ShiftIt-v0",
    "robots": "gridproof/Robots-v0",
}
SMALL: dict[str, dict[str, Any]] = {
    "twenty48": {"levels": "twenty48/standard/2"},
    "sokoban": {"levels": "sokoban/bombs"},
    "shiftit": {"levels": "shiftit/boards/2"},
    "robots": {"levels": "robots/races"},
}


def many(usual: int) -> int:
    """Steps of a game in a long test; a million take minutes: GRIDPROOF_STEPS=1000000 pytest tests/envs -m long."""
    return int(os.environ.get("GRIDPROOF_STEPS", usual))


@pytest.mark.parametrize("game", IDS)
@pytest.mark.parametrize("options", [{}, {"observation": "text"}, {"mask_in_observation": True}], ids=str)
def test_gymnasium_has_no_complaint(game: str, options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(IDS[game], **SMALL[game], **options).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("game", IDS)
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_scalar_and_vector_play_the_same_episodes(game: str, mode: AutoresetMode) -> None:
    many = gymnasium.make_vec(IDS[game], 3, **SMALL[game], max_episode_steps=30, autoreset_mode=mode)
    single = gymnasium.vector.SyncVectorEnv(
        [lambda: gymnasium.make(IDS[game], **SMALL[game], max_episode_steps=30) for _ in range(3)],
        autoreset_mode=mode,
    )
    many.action_space.seed(7)
    first: Any = many.reset(seed=5)
    second: Any = single.reset(seed=5)
    ends = 0
    for _ in range(100):
        np.testing.assert_array_equal(first[0], second[0])
        for name in ("action_mask", "illegal", "won", "level"):
            np.testing.assert_array_equal(first[-1][name], second[-1][name])
        actions = many.action_space.sample()
        first, second = many.step(actions), single.step(actions)
        for one, other in zip(first[1:4], second[1:4], strict=True):
            np.testing.assert_array_equal(one, other)
        over = first[2] | first[3]
        ends += over.sum()
        if mode is AutoresetMode.SAME_STEP and over.any():
            np.testing.assert_array_equal(first[4]["_final_obs"], over)
            for number in np.flatnonzero(over):
                np.testing.assert_array_equal(first[4]["final_obs"][number], second[4]["final_obs"][number])
            for name in ("action_mask", "illegal", "won", "level"):
                one, other = (step[4]["final_info"][name][over] for step in (first, second))
                np.testing.assert_array_equal(one, other)
    assert ends >= 9


def by_rules(env: GridEnv, steps: int, seed: int) -> None:
    """Episodes of random actions, each a session with the episode's level and seed."""
    random, names = np.random.default_rng(seed), env.actions
    env.reset(seed=seed)
    session: gp.Session | None = None
    for _ in range(steps):
        if session is None:
            level = env.games.levels[int(env.games.level[0])]
            session = gp.Session(level, int(env.games.seeds[0]))
            assert env.position == session.position
        position = session.position
        legal = {str(action) for action in position.actions()}
        assert {names[number] for number in np.flatnonzero(env.action_masks())} == legal
        number = int(random.integers(len(names)))
        _, reward, terminated, truncated, info = env.step(number)
        assert info["illegal"] == (names[number] not in legal)
        gained = 0
        if names[number] in legal:
            outcome = session.act(names[number])
            position, gained = outcome.position, outcome.reward
        assert env.position == position
        assert terminated == position.ended
        assert info["won"] == position.won
        assert reward == (gained if env.games.game.policy.keeps_score else (1.0 if position.won else 0.0))
        if terminated or truncated:
            session = None
            env.reset()


@pytest.mark.parametrize("game", ["twenty48", "sokoban", "shiftit", "null"])
def test_episodes_are_those_of_the_rules(game: str) -> None:
    levels: dict[str, Any] = {
        "null": [gp.read("@.....o", "null")[0]],
        **{k: v["levels"] for k, v in SMALL.items()},
    }
    by_rules(GridEnv(game, levels[game], max_episode_steps=50), 400, seed=2)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("game", ["twenty48", "sokoban", "shiftit"])
def test_many_steps_are_those_of_the_rules(game: str) -> None:
    by_rules(GridEnv(game, SMALL[game]["levels"], max_episode_steps=200), many(200_000), seed=3)


@pytest.mark.parametrize("name", IDS.values())
def test_render_modes_are_known_before_an_environment_is_made(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert isinstance(
            gymnasium.make(name, render_mode="rgb_array").unwrapped.metadata["render_modes"], list
        )


def test_what_cannot_be_chosen_is_named() -> None:
    with pytest.raises(gp.GridproofError, match="no autoreset mode 'never': there are NextStep"):
        GridVectorEnv("null", 1, "null/first/1", autoreset_mode="never")
    with pytest.raises(gp.GridproofError, match="reward 'boxes': null measures no 'placed'"):
        GridEnv("null", "null/first/1", reward="boxes")


def by_race(env: RobotsEnv, robot: int, every: int, steps: int) -> set[float]:
    """Episodes of random requests of one robot, each a race with the episode's level and seed; the rewards of their ends."""
    from gridproof.games.robots.race import Race

    random, ends, done = np.random.default_rng(1), set[float](), 0
    env.reset(seed=4)
    while done < steps:
        level: Any = env.games.levels[int(env.games.level[0])]
        names = [*level.names[robot:], *level.names[:robot]]
        race = Race(level, "random", (), every, int(env.games.seeds[0]), max_requests=sys.maxsize)
        own = level.names[robot]
        requests = race.knowledge[own].requests
        assert env.action_masks().tolist() == [number < len(requests) for number in range(len(env.actions))]
        while True:
            number = int(random.integers(len(requests)))
            _, reward, terminated, truncated, _ = env.step(number)
            done += 1
            for place, name in enumerate(names):
                if not race.over:
                    race.serve(name, requests[number] if place == 0 else None)
            assert env.position == race.position
            assert terminated == bool(race.winners)
            assert reward == (0 if not race.winners else 1 if own in race.winners else -1)
            if terminated or truncated:
                ends.add(reward)
                break
        env.reset()
    return ends


@pytest.mark.clause("R25", "R31", "R32")
@pytest.mark.parametrize(("robot", "every"), [(0, 0), (1, 3)])
def test_one_robot_races_as_the_rules_do(robot: int, every: int) -> None:
    env = RobotsEnv("robots/races", robot=robot, exchange_every=every, max_episode_steps=40)
    assert {1, -1} <= by_race(env, robot, every, 600)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.clause("R25", "R31", "R32")
def test_many_steps_of_a_race_are_those_of_the_rules() -> None:
    env = RobotsEnv("robots/races", robot=1, exchange_every=3, max_episode_steps=200)
    assert {1, -1} <= by_race(env, 1, 3, many(20_000))


def test_a_finished_game_stands_still_until_it_is_reset() -> None:
    level = gp.read("######\n#@$.##\n######", "sokoban")[0]
    env = GridEnv("sokoban", level)
    env.reset(seed=1)
    right = env.actions.index("right")
    _, reward, terminated, _, info = env.step(right)
    assert (reward, terminated, info["illegal"], info["won"]) == (1, True, False, True)
    seen, reward, terminated, _, info = env.step(right)
    assert (reward, terminated, info["illegal"], info["won"]) == (0, True, True, True)
    assert not env.action_masks().any()
    assert seen[1].tolist() == [2, 0, 5, 4, 2, 2]


def test_resets_that_are_asked_for() -> None:
    envs: Any = gymnasium.make_vec(
        IDS["sokoban"], 3, autoreset_mode=AutoresetMode.DISABLED, max_episode_steps=2
    )
    seen, _ = envs.reset(seed=1, options={"level": [0, 4, 2]})
    for _ in range(3):
        _, _, _, truncated, infos = envs.step(np.array([4, 4, 4]))
    assert truncated.all()
    assert infos["illegal"].all()
    again, infos = envs.reset(options={"reset_mask": np.array([False, True, False]), "level": 3})
    assert infos["level"].tolist() == [0, 3, 2]
    assert (again[0] == seen[0]).all()
    assert envs.step(np.array([4, 4, 4]))[3].tolist() == [True, False, True]
    for options in ({"level": 99}, {"level": "x"}, {"reset_mask": np.ones(2, np.bool_)}, {"speed": 1}):
        with pytest.raises(gp.GridproofError):
            envs.reset(options=options)
    with pytest.raises(gp.GridproofError, match="2 seeds"):
        envs.reset(seed=[1, 2])
    with pytest.raises(gp.GridproofError, match="actions"):
        envs.step(np.array([0.5, 1, 2]))


def test_levels_are_drawn_anew_or_stay() -> None:
    drawn = GridEnv("sokoban", "sokoban/first-steps")
    fixed = GridEnv("sokoban", "sokoban/first-steps", redraw=False)
    drawn.reset(seed=3)
    fixed.reset(seed=3)
    numbers = [(drawn.reset()[1]["level"], fixed.reset()[1]["level"]) for _ in range(30)]
    assert len({one for one, _ in numbers}) > 5
    assert len({other for _, other in numbers}) == 1
    assert fixed.reset(seed=3)[1]["level"] == numbers[0][1]


def test_where_levels_come_from(tmp_path: Path) -> None:
    one, two = "#####\n#@$.#\n#####\n", "######\n#@ $.#\n######\n"
    (tmp_path / "a.xsb").write_text(one)
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "b.xsb").write_text(f"{two}\n{one}")
    assert len(GridEnv("sokoban", tmp_path).games.levels) == 3
    assert len(GridEnv("sokoban", str(tmp_path / "more" / "b.xsb")).games.levels) == 2
    assert len(GridEnv("sokoban", gp.read(one, "sokoban")).games.levels) == 1
    made = GridEnv("shiftit", Generated(2, seed=5, parameters={"width": 2, "height": 2, "colours": 2}))
    assert [level.title for level in made.games.levels] == ["Seed 5", "Seed 6"]
    (tmp_path / "empty").mkdir()
    for wrong, what in (
        (tmp_path / "empty", "no file"),
        ("twenty48/standard", "sokoban"),
        ([], "none"),
        (3, "named"),
        ([3], "needs levels"),
        (Generated(0), "at least 1"),
    ):
        with pytest.raises(gp.GridproofError, match=what):
            GridEnv("sokoban", wrong)  # type: ignore[arg-type]  # some are wrong on purpose
    with pytest.raises(gp.GridproofError, match="same actions"):
        GridEnv("shiftit", "shiftit/boards")
    with pytest.raises(gp.GridproofError, match="one size"):
        GridEnv("twenty48", "twenty48/standard")


def test_what_is_observed() -> None:
    small, wide = "#####\n#@$.#\n#####\n", "#######\n#@  $.#\n#######\n"
    levels = gp.read(f"{small}\n{wide}", "sokoban")
    env = GridEnv("sokoban", levels)
    seen, _ = env.reset(seed=1, options={"level": 0})
    assert seen.tolist() == [[2] * 7, [2, 5, 3, 1, 2, 2, 2], [2] * 7]
    planes = GridEnv("sokoban", levels, observation="planes")
    seen, _ = planes.reset(seed=1, options={"level": 0})
    assert seen.shape == planes.observation_space.shape == (7, 3, 7)
    assert seen.sum() == 21
    assert seen[5].tolist() == [[0] * 7, [0, 1, 0, 0, 0, 0, 0], [0] * 7]
    text = GridEnv("sokoban", levels, observation="text")
    assert text.reset(seed=1, options={"level": 0})[0] == levels[0].start().text()
    masked = GridEnv("sokoban", levels, mask_in_observation=True)
    seen, info = masked.reset(seed=1, options={"level": 0})
    assert seen["action_mask"].tolist() == info["action_mask"].tolist() == [0, 0, 0, 1, 0]
    assert masked.observation_space.contains(seen)
    for wrong in (
        {"observation": "smell"},
        {"render_mode": "film"},
        {"reward": "money"},
        {"max_episode_steps": 0},
    ):
        with pytest.raises(gp.GridproofError):
            GridEnv("sokoban", levels, **wrong)
    many = GridVectorEnv("sokoban", 2, levels, observation="text", mask_in_observation=True)
    seen, _ = many.reset(seed=1, options={"level": 1})
    assert seen["observation"] == (levels[1].start().text(),) * 2
    assert many.observation_space.contains(seen)


def test_rewards_by_name() -> None:
    level = gp.read("#######\n#@$.$.#\n#######", "sokoban")[0]

    def rewards(reward: str | Reward, *actions: str) -> list[float]:
        env = GridEnv("sokoban", level, reward=reward)
        env.reset(seed=0)
        return [env.step(env.actions.index(action))[1] for action in actions]

    level = gp.read("#######\n#@$. *#\n#######", "sokoban")[0]
    assert rewards("win", "up", "right") == [0, 1]
    assert rewards("moves", "up", "right") == [-1, -1]
    assert rewards("boxes", "up", "right") == [-0.1, pytest.approx(10.9)]
    assert rewards(Reward(illegal=-5.0), "up", "right") == [-5, 0]
    with pytest.raises(gp.GridproofError, match="measures no"):
        GridEnv("twenty48", reward="boxes")
    board = gp.read("2048 2x2 spawn=spec target=8\n4 4\n0 0\n", "twenty48")[0]
    env = GridEnv("twenty48", board)
    env.reset(seed=1)
    assert env.step(0)[1:3] == (8.0, False)
    ending = GridEnv("twenty48", board, ends_at_win=True, reward="win")
    ending.reset(seed=1)
    assert ending.step(0)[1:3] == (1.0, True)


def test_seeds_as_gymnasium_wants_them() -> None:
    envs: Any = gymnasium.make_vec(IDS["twenty48"], 4)
    first, _ = envs.reset(seed=10)
    second, _ = envs.reset(seed=[12, 13, 10, 11])
    assert (first[[2, 3, 0, 1]] == second).all()
    following, _ = envs.reset()
    assert not (following == second).all()
    envs.reset(seed=[12, 13, 10, 11])
    assert (envs.reset()[0] == following).all()
    unseeded = GridVectorEnv("twenty48", 4, "twenty48/standard/1")
    assert unseeded.reset()[0].any()


def test_how_it_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    level = gp.read("#####\n#@$.#\n#####", "sokoban")[0]
    env = GridEnv("sokoban", level, render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == "#####\n#@$.#\n#####\n"
    human = GridEnv("sokoban", level, render_mode="human")
    human.reset(seed=1)
    human.step(3)
    assert "#_@*#".replace("_", " ") in capsys.readouterr().out
    many = GridVectorEnv("sokoban", 2, level, render_mode="rgb_array")
    many.reset(seed=1)
    frames = many.render()
    assert frames is not None
    assert frames[0].shape[2] == 3
    assert frames[0].dtype == np.uint8
    assert frames[0].std() > 10


def test_a_game_of_ones_own_takes_one_line() -> None:
    gridproof.envs.register("test/Row-v0", "null", max_episode_steps=5, levels=gp.read("@.....o", "null"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make("test/Row-v0")
        check_env(env.unwrapped, skip_render_check=True)
    many = gymnasium.make_vec("test/Row-v0", 2)
    many.reset(seed=1)
    for _ in range(5):
        truncated = many.step(np.array([0, 0]))[3]
    assert truncated.all()


def test_many_games_in_several_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.envs.games.available_cores", lambda: 3)
    threaded = GridVectorEnv("twenty48", 1000, "twenty48/standard/1")
    monkeypatch.setattr("gridproof.envs.games.available_cores", lambda: 1)
    alone = GridVectorEnv("twenty48", 1000, "twenty48/standard/1")
    first: Any = threaded.reset(seed=1)
    second: Any = alone.reset(seed=1)
    for number in range(20):
        threaded.games._pace.alone = number % 3 == 0  # whoever does a step, it comes to the same
        actions = threaded.action_space.sample()
        first, second = threaded.step(actions), alone.step(actions)
        np.testing.assert_array_equal(first[0], second[0])
        np.testing.assert_array_equal(first[1], second[1])
    threaded.close()


def waited(until: Callable[[], bool]) -> None:
    """Wait for another thread; that it never comes is for the suite's own limit."""
    while not until():
        time.sleep(0.001)


def test_a_crew_works_when_it_is_woken_and_ends_when_closed() -> None:
    world = types.SimpleNamespace(shared=np.zeros(sharing.NEXT, np.int64))
    served: queue.SimpleQueue[int] = queue.SimpleQueue()

    def attend(world: Any, room: int) -> None:
        world.shared[sharing.AWAKE] += 1
        served.put(room)
        waited(lambda: bool(go))
        world.shared[sharing.AWAKE] -= 1

    go, before = list[bool](), threading.active_count()
    crew = Crew(attend, world, [1, 2])
    crew.wake()
    assert {served.get(), served.get()} == {1, 2}
    crew.wake()  # all are awake
    assert served.empty()
    go.append(True)
    waited(lambda: world.shared[sharing.AWAKE] == 0)
    assert served.empty()
    crew.wake()
    assert served.get() in (1, 2)
    crew.close()
    waited(lambda: threading.active_count() == before)


def test_threads_look_for_work_for_a_while_only() -> None:
    games = GridVectorEnv("null", 300, "null/first/1").games
    games._compiled.attend(games._world, games._room)
    assert games._world.shared[sharing.AWAKE] == 0


def test_whoever_is_late_finds_nothing_to_do() -> None:
    envs = GridVectorEnv("null", 300, "null/first/1")
    envs.reset(seed=1)
    before = envs.step(np.zeros(300, np.int64))[0].copy()
    envs.games._compiled.attend(envs.games._world, envs.games._room)
    assert (envs.games.see()[0] == before).all()


def test_a_step_before_the_first_reset_or_after_the_end() -> None:
    for env, action in (
        (GridEnv("null", "null/first/1"), 0),
        (GridVectorEnv("null", 2, "null/first/1"), np.zeros(2, int)),
    ):
        with pytest.raises(gymnasium.error.ResetNeeded, match="reset comes before"):
            env.step(action)
        env.reset(seed=1)
        env.step(action)
        env.close()
        with pytest.raises(gp.GridproofError, match="the environment is closed"):
            env.step(action)


def test_the_first_reset_is_of_all_games() -> None:
    envs = GridVectorEnv("null", 2, "null/first/1", autoreset_mode=AutoresetMode.DISABLED)
    some = {"reset_mask": np.array([True, False])}
    with pytest.raises(gymnasium.error.ResetNeeded, match="of all games"):
        envs.reset(seed=1, options=some)
    envs.reset(seed=1)
    envs.reset(options=some)


def test_a_copy_goes_its_own_way() -> None:
    env = GridEnv("null", "null/first/1")
    env.reset(seed=1)
    other = copy.deepcopy(env)
    np.testing.assert_equal(env.step(0)[:4], other.step(0)[:4])
    env.close()
    other.step(0)
    assert pickle.loads(pickle.dumps(env.games._crew)).errors == []


def test_an_error_in_a_threads_part_reaches_whoever_steps() -> None:
    def attend(world: object, room: object) -> None:
        raise ZeroDivisionError("in a kernel")

    envs = GridVectorEnv("null", 2, "null/first/1")
    envs.reset(seed=1)
    envs.games._crew = Crew(attend, envs.games._world, [envs.games._room])
    envs.games._crew.wake()
    waited(lambda: bool(envs.games._crew.errors))
    with pytest.raises(ZeroDivisionError, match="in a kernel"):
        envs.step(np.zeros(2, np.int64))
    with pytest.raises(gp.GridproofError, match="the environment is closed"):
        envs.step(np.zeros(2, np.int64))


@pytest.mark.parametrize("action", [1.9, "2", None, [1, 2], 2**70])
def test_what_is_no_action(action: Any) -> None:
    env = GridEnv("null", "null/first/1")
    env.reset(seed=1)
    with pytest.raises(gp.GridproofError, match="an action is a whole number, not"):
        env.step(action)


def test_games_without_a_seed_of_their_own_differ() -> None:
    many = GridVectorEnv("twenty48", 8, "twenty48/standard/1")
    boards = many.reset(seed=[5, *[None] * 7])[0]
    assert len({board.tobytes() for board in boards}) > 4


def test_a_name_too_long_for_a_file_is_no_level() -> None:
    with pytest.raises(gp.GridproofError, match="no such file"):
        GridEnv("null", "#" * 300)


@pytest.mark.clause("R30")
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_compiled_opponents_and_those_in_python_are_the_same(mode: str) -> None:
    options: dict[str, Any] = {"exchange_every": 5, "max_episode_steps": 12, "autoreset_mode": mode}
    compiled, python = (
        RobotsVectorEnv(4, list(gp.levels_at("robots/races"))[:3], strategies=strategies, **options)
        for strategies in ("random", {"b": "random"})
    )
    first: Any = compiled.reset(seed=6)
    second: Any = python.reset(seed=6)
    ends = 0
    for _ in range(40):
        np.testing.assert_array_equal(first[0], second[0])
        for name in ("action_mask", "illegal", "won", "level"):
            np.testing.assert_array_equal(first[-1][name], second[-1][name])
        actions = compiled.action_space.sample()
        first, second = compiled.step(actions), python.step(actions)
        for one, other in zip(first[1:4], second[1:4], strict=True):
            np.testing.assert_array_equal(one, other)
        assert [*map(compiled.position, range(4))] == [*map(python.position, range(4))]
        if "final_obs" in first[4]:
            for one, other in zip(first[4]["final_obs"], second[4]["final_obs"], strict=True):
                np.testing.assert_array_equal(one, other)
        ends += (first[2] | first[3]).sum()
    assert ends >= 4


@pytest.mark.clause("R30", "R32")
def test_a_race_against_planners_is_lost() -> None:
    env = RobotsEnv("robots/races/6", strategies="planner", max_episode_steps=30)
    env.reset(seed=1)
    rewards = [env.step(9)[1] for _ in range(12)]  # no rule lists it: every turn is passed
    assert sum(rewards) == -1
    for wrong in ("genius", "z=hints", 3):
        with pytest.raises(gp.GridproofError):
            RobotsEnv("robots/races/6", strategies=wrong)  # type: ignore[arg-type]  # wrong on purpose
