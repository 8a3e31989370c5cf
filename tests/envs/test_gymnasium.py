"""Scalar and vector environments: the same episodes as by the rules, and Gymnasium's requirements."""

from __future__ import annotations

import copy
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from tests.sizes import size

import gridproof as gp
import gridproof.envs
from gridproof.envs import Generated, GridEnv, GridVectorEnv, Reward

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


@pytest.mark.slow
@pytest.mark.parametrize("game", IDS)
@pytest.mark.parametrize("options", [{}, {"observation": "text"}, {"mask_in_observation": True}], ids=str)
def test_env_checker_accepts_environments(game: str, options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(IDS[game], **SMALL[game], **options).unwrapped, skip_render_check=True)


@pytest.mark.slow
@pytest.mark.parametrize("game", IDS)
def test_specification_is_read_back_from_json(game: str) -> None:
    first = gymnasium.make(IDS[game], **SMALL[game], observation="text")
    assert first.spec is not None
    text = first.spec.to_json()
    again = gymnasium.make(EnvSpec.from_json(text))
    assert again.spec is not None
    assert again.spec.to_json() == text
    assert again.reset(seed=3)[0] == first.reset(seed=3)[0]


@pytest.mark.slow
def test_registry_is_found_by_module_and_id() -> None:
    """Programs that take only an id import gridproof's environments by it."""
    code = "import gymnasium; print(gymnasium.make('gridproof.envs:gridproof/Sokoban-v0').unwrapped.actions)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "('up', 'down', 'left', 'right', 'bomb')\n"


@pytest.mark.slow
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
    """Play episodes of random actions, each a session with the episode's level and seed."""
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


@pytest.mark.slow
@pytest.mark.parametrize("game", ["twenty48", "sokoban", "shiftit", "null"])
def test_episodes_agree_with_rules(game: str) -> None:
    levels: dict[str, Any] = {
        "null": [gp.read("@.....o", "null")[0]],
        **{k: v["levels"] for k, v in SMALL.items()},
    }
    by_rules(GridEnv(game, levels[game], max_episode_steps=50), 400, seed=2)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("game", ["twenty48", "sokoban", "shiftit"])
def test_many_steps_agree_with_rules(game: str) -> None:
    by_rules(GridEnv(game, SMALL[game]["levels"], max_episode_steps=200), size("steps", 100_000), seed=3)


@pytest.mark.parametrize("name", IDS.values())
def test_render_modes_are_known_before_an_environment_is_made(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert isinstance(
            gymnasium.make(name, render_mode="rgb_array").unwrapped.metadata["render_modes"], list
        )


def test_make_refuses_invalid_options() -> None:
    with pytest.raises(
        gp.GridproofError, match="no autoreset mode 'never': there are NextStep, SameStep, Disabled"
    ):
        GridVectorEnv("null", 1, "null/first/1", autoreset_mode="never")
    with pytest.raises(gp.GridproofError, match="reward 'boxes': null measures no 'placed'"):
        GridEnv("null", "null/first/1", reward="boxes")


def test_finished_game_does_not_change_until_reset() -> None:
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


@pytest.mark.slow
def test_autoreset_modes_reset_as_documented() -> None:
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
    with pytest.raises(gp.GridproofError, match="2 seeds are given for 3 games"):
        envs.reset(seed=[1, 2])
    with pytest.raises(
        gp.GridproofError,
        match=r"actions: whole numbers \(3,\) are needed, not array\(\[0\.5, 1\. , 2\. \]\)",
    ):
        envs.step(np.array([0.5, 1, 2]))


def test_reset_draws_or_keeps_level() -> None:
    drawn = GridEnv("sokoban", "sokoban/first-steps")
    fixed = GridEnv("sokoban", "sokoban/first-steps", redraw=False)
    drawn.reset(seed=3)
    fixed.reset(seed=3)
    numbers = [(drawn.reset()[1]["level"], fixed.reset()[1]["level"]) for _ in range(30)]
    assert len({one for one, _ in numbers}) > 5
    assert len({other for _, other in numbers}) == 1
    assert fixed.reset(seed=3)[1]["level"] == numbers[0][1]


@pytest.mark.slow
def test_levels_option_accepts_every_source(tmp_path: Path) -> None:
    one, two = "#####\n#@$.#\n#####\n", "######\n#@ $.#\n######\n"
    (tmp_path / "a.xsb").write_text(one)
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "b.xsb").write_text(f"{two}\n{one}")
    (tmp_path / "README.md").write_text("Levels for training.\n")
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
        (3, "levels must be names or levels, not 3"),
        ([3], "an environment needs levels, not 3"),
        (Generated(0), "the number of levels is a whole number, at least 1, not 0"),
    ):
        with pytest.raises(gp.GridproofError, match=what):
            GridEnv("sokoban", wrong)  # type: ignore[arg-type]  # some are wrong on purpose
    with pytest.raises(
        gp.GridproofError,
        match=r"levels of shiftit can share an environment if they have the same actions, which these 29 do not; choose some with levels=\.\.\., such as levels='shiftit/boards/1'",
    ):
        GridEnv("shiftit", "shiftit/boards")
    with pytest.raises(
        gp.GridproofError,
        match=r"levels of twenty48 can share an environment if their boards have one size, which these 11 do not; choose some with levels=\.\.\., such as levels='twenty48/standard/1'",
    ):
        GridEnv("twenty48", "twenty48/standard")


def test_observation_kinds() -> None:
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


@pytest.mark.slow
def test_rewards_are_found_by_name() -> None:
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
    with pytest.raises(gp.GridproofError, match="reward 'boxes': twenty48 measures no 'placed'"):
        GridEnv("twenty48", reward="boxes")
    board = gp.read("2048 2x2 spawn=spec target=8\n4 4\n0 0\n", "twenty48")[0]
    env = GridEnv("twenty48", board)
    env.reset(seed=1)
    assert env.step(0)[1:3] == (8.0, False)
    ending = GridEnv("twenty48", board, ends_at_win=True, reward="win")
    ending.reset(seed=1)
    assert ending.step(0)[1:3] == (1.0, True)


def test_seeds_follow_gymnasium() -> None:
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


@pytest.mark.slow
def test_render_modes(capsys: pytest.CaptureFixture[str]) -> None:
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


def test_register_adds_environments_of_a_plug_in() -> None:
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


def test_register_and_make_refusals_suggest_a_remedy() -> None:
    with pytest.raises(gp.GridproofError, match=r"^no game 'chess'; choose from "):
        gridproof.envs.register("test/Chess-v0", "chess")
    wrong: Any = 3
    with pytest.raises(gp.GridproofError, match=r"^a game or its name is needed, not int$"):
        gridproof.envs.register("test/Three-v0", wrong)
    gridproof.envs.register("test/Lights-v0", "lights_out")
    told = r"^levels of lights_out can share an environment if they have the same actions, which these 5 do not; "
    with pytest.raises(
        gp.GridproofError, match=told + r"choose some with levels=.* levels='lights_out/first/1'"
    ):
        gymnasium.make("test/Lights-v0", levels="lights_out/first")
    assert gymnasium.make("test/Lights-v0", levels="lights_out/first/1").reset(seed=1)[1]["level"] == 0


def test_step_is_refused_before_reset_and_after_close() -> None:
    for env, action in (
        (GridEnv("null", "null/first/1"), 0),
        (GridVectorEnv("null", 2, "null/first/1"), np.zeros(2, int)),
    ):
        with pytest.raises(gymnasium.error.ResetNeeded, match="call reset before the first step"):
            env.step(action)
        env.reset(seed=1)
        env.step(action)
        env.close()
        for after in (lambda env=env, action=action: env.step(action), env.reset):
            with pytest.raises(gp.GridproofError, match="the environment is closed"):
                after()


@pytest.mark.slow
def test_first_reset_must_include_all_games() -> None:
    envs = GridVectorEnv("null", 2, "null/first/1", autoreset_mode=AutoresetMode.DISABLED)
    some = {"reset_mask": np.array([True, False])}
    with pytest.raises(gymnasium.error.ResetNeeded, match="the first reset must reset all games"):
        envs.reset(seed=1, options=some)
    envs.reset(seed=1)
    envs.reset(options=some)


def test_copied_environment_continues_independently() -> None:
    env = GridEnv("null", "null/first/1")
    env.reset(seed=1)
    other = copy.deepcopy(env)
    np.testing.assert_equal(env.step(0)[:4], other.step(0)[:4])
    env.close()
    other.step(0)


@pytest.mark.parametrize("action", [1.9, "2", None, [1, 2]])
def test_step_refuses_invalid_actions(action: Any) -> None:
    env = GridEnv("null", "null/first/1")
    env.reset(seed=1)
    with pytest.raises(gp.GridproofError, match="an action is a whole number, not"):
        env.step(action)


def test_unseeded_games_differ() -> None:
    many = GridVectorEnv("twenty48", 8, "twenty48/standard/1")
    boards = many.reset(seed=[5, *[None] * 7])[0]
    assert len({board.tobytes() for board in boards}) > 4


def test_levels_option_refuses_too_long_file_name() -> None:
    with pytest.raises(gp.GridproofError, match="no such file"):
        GridEnv("null", "#" * 300)


@pytest.mark.slow
@pytest.mark.parametrize("action", [-1, 4, 99, 2**40])
@pytest.mark.parametrize("options", [{}, {"autoreset_mode": AutoresetMode.SAME_STEP}])
@pytest.mark.parametrize("count", [1, 600])
def test_step_refuses_action_out_of_range(
    action: Any, options: dict[str, Any], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gridproof.envs.game_batch.available_cores", lambda: 2)
    env = GridEnv("twenty48", "twenty48/standard/1")
    envs = GridVectorEnv("twenty48", count, "twenty48/standard/1", **options)
    env.reset(seed=1)
    with pytest.raises(gp.GridproofError, match="no action 1180591620717411303424: use 0 to 3"):
        env.step(2**70)
    told = f"^no action {action}: use 0 to 3$"
    with pytest.raises(gp.GridproofError, match=told):
        env.step(action)
    many, _ = envs.reset(seed=1)
    for alone in (True, False):
        envs.games._tuner.alone = alone
        actions = envs.sample_legal()
        actions[-1] = action
        with pytest.raises(gp.GridproofError, match=told):
            envs.step(actions)
    assert env.position == envs.position(0)
    assert envs.games.observe()[0].reshape(many.shape).tolist() == many.tolist(), "no game has gone on"
    envs.step(envs.sample_legal())
    envs.close()


@pytest.mark.parametrize("action", [np.int64(3), np.array(3), np.uint8(3)])
def test_step_accepts_integer_like_actions(action: Any) -> None:
    env = GridEnv("sokoban", gp.read("######\n#@$.##\n######", "sokoban"))
    env.reset(seed=1)
    assert env.step(action)[2]


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("extra", [0, 1])
def test_win_on_last_allowed_step_is_truncated_too(mode: AutoresetMode, extra: int) -> None:
    options: dict[str, Any] = {
        "levels": gp.read("######\n#@$.##\n######", "sokoban"), "max_episode_steps": 1 + extra,
    }  # fmt: skip
    one = gymnasium.make(IDS["sokoban"], **options)
    many = gymnasium.make_vec(IDS["sokoban"], 2, autoreset_mode=mode, **options)
    peer = gymnasium.vector.SyncVectorEnv(
        [lambda: gymnasium.make(IDS["sokoban"], **options) for _ in range(2)], autoreset_mode=mode
    )
    one.reset(seed=1)
    assert one.step(3)[2:4] == (True, not extra)
    for envs in (many, peer):
        envs.reset(seed=1)
        _, _, terminated, truncated, _ = envs.step(np.array([3, 3]))
        assert terminated.tolist() == [True] * 2
        assert truncated.tolist() == [not extra] * 2


@pytest.mark.slow
def test_reset_mask_selects_and_reseeds_games() -> None:
    options: dict[str, Any] = {"autoreset_mode": AutoresetMode.DISABLED}
    many, undisturbed = (gymnasium.make_vec(IDS["twenty48"], 3, **options) for _ in range(2))
    peer = gymnasium.vector.SyncVectorEnv(
        [lambda: gymnasium.make(IDS["twenty48"]) for _ in range(3)], **options
    )
    for envs in (many, undisturbed, peer):
        envs.reset(seed=1)
    marked = np.array([False, True, False])
    (seen, infos), (expected, theirs) = (
        envs.reset(seed=9, options={"reset_mask": marked.copy()}) for envs in (many, peer)
    )
    np.testing.assert_array_equal(seen, expected)
    assert infos.keys() == theirs.keys()
    for name in ("action_mask", "illegal", "won", "level"):
        np.testing.assert_array_equal(infos[f"_{name}"], marked)
        np.testing.assert_array_equal(infos[f"_{name}"], theirs[f"_{name}"])
        np.testing.assert_array_equal(infos[name][1], theirs[name][1])
    following = [envs.reset(options={"reset_mask": ~marked})[0] for envs in (many, peer, undisturbed)]
    np.testing.assert_array_equal(following[0], following[1])
    np.testing.assert_array_equal(following[0][~marked], following[2][~marked])


def test_refused_reset_changes_no_seed() -> None:
    for make in (lambda: GridEnv("twenty48"), lambda: GridVectorEnv("twenty48", 2)):
        env: Any = make()
        other: Any = make()
        for one in (env, other):
            one.reset(seed=1)
        with pytest.raises(gp.GridproofError, match="level 99: use 0 to 1"):
            env.reset(seed=2, options={"level": 99})
        np.testing.assert_array_equal(env.reset()[0], other.reset()[0])


@pytest.mark.parametrize("options", [{}, {"mask_in_observation": True}], ids=str)
def test_returned_mask_is_a_copy(options: dict[str, Any]) -> None:
    for env in (GridEnv("sokoban", **options), GridVectorEnv("sokoban", 2, **options)):
        seen, infos = env.reset(seed=1)
        before = env.action_masks().copy()
        for _ in range(2):
            infos["action_mask"][:] = 7
            assert env.action_masks().tolist() == before.tolist()
            if options:
                assert seen["action_mask"].astype(bool).tolist() == before.tolist()
                assert seen["action_mask"].max() == 1
            illegal = np.argmin(before, axis=-1)  # changes nothing
            seen, _, _, _, infos = env.step(illegal)
            assert infos["action_mask"].astype(bool).tolist() == before.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("name", IDS.values())
def test_default_levels_are_compatible_levels_of_first_pack(name: str) -> None:
    first: Any = gymnasium.make(name, levels=None).unwrapped
    many: Any = gymnasium.make_vec(name, 2, levels=None).unwrapped
    for env in (first, many):
        assert env.games.levels
        env.reset(seed=1)
    assert GridEnv("lights_out").reset(seed=1)[1]["level"] >= 0
    assert len(GridEnv("sokoban").games.levels) == len(gp.levels_at("sokoban/first-steps"))
