"""Saved states of environments, and episodes that begin in the middle of a game."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest

import gridproof as gp
import gridproof.envs
from gridproof.envs import GridEnv, GridVectorEnv, observe, recording
from gridproof.envs.rules_batch import RuleGames

IDS = [f"gridproof/{name}-v0" for name in ("Twenty48", "Sokoban", "ShiftIt", "Robots")]
CASES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in IDS),
    (IDS[3], {"levels": "robots/races/6", "strategies": "hints"}),
]
KINDS = ("symbols", "planes", "text")


def make(name: str, **options: Any) -> Any:
    return gymnasium.make(name, **options).unwrapped


def make_vec(name: str, count: int, **options: Any) -> Any:
    return gymnasium.make_vec(name, count, **options)


def walk(env: Any, steps: int) -> list[Any]:
    """Return the results of some random steps of the environment."""
    found = []
    for _ in range(steps):
        actions = env.sample_legal() if hasattr(env, "sample_legal") else env.action_masks().argmax()
        found.append(env.step(actions))
    found.append(env.reset())
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), CASES)
def test_state_round_trip(name: str, options: dict[str, Any]) -> None:
    for env in (make(name, **options), make_vec(name, 3, max_episode_steps=4, **options)):
        env.reset(seed=5)
        walk(env, 2)
        state = env.get_state()
        first = walk(env, 6)
        assert env.get_state() != state
        env.set_state(state)
        assert env.get_state() == state
        assert hash(env.get_state()) == hash(state)
        np.testing.assert_equal(walk(env, 6), first)
        for other in (copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
            env.set_state(other)
            np.testing.assert_equal(walk(env, 6), first)
        env.close()


def test_state_round_trip_by_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.envs.game_batch.packing_of", lambda level: None)
    env = GridVectorEnv("twenty48", 2, "twenty48/positions/1")
    env.reset(seed=1)
    assert isinstance(env.games, RuleGames)
    state = env.get_state()
    first = walk(env, 5)
    env.set_state(state)
    assert env.get_state() == state
    np.testing.assert_equal(walk(env, 5), first)


def test_state_has_the_draws_of_the_users_generator() -> None:
    for env in (make(IDS[1]), make_vec(IDS[1], 2)):
        env.reset(seed=1)
        env.get_state()
        generator = env.np_random
        states = []
        for _ in range(3):
            states.append((env.get_state(), copy.deepcopy(generator).random()))
            generator.random()
        for state, drawn in reversed(states):
            env.set_state(state)
            assert env.get_state() == state
            assert env.np_random.random() == drawn
        env.np_random = np.random.default_rng(5)
        state = env.get_state()
        drawn = env.np_random.random()
        env.set_state(state)
        assert env.np_random.random() == drawn
        assert env.np_random_seed == -1


@pytest.mark.parametrize("env", [make(IDS[1]), make_vec(IDS[1], 2)])
def test_state_has_the_seeds_of_further_episodes(env: Any) -> None:
    env.reset(seed=1)
    first = env.get_state()
    env.reset(seed=2)
    second = env.get_state()
    for state, seed in ((first, 1), (second, 2), (first, 1)):
        env.set_state(state)
        again = make(IDS[1]) if isinstance(env, GridEnv) else make_vec(IDS[1], 2)
        again.reset(seed=seed)
        assert again.get_state() == env.get_state()
        assert again.np_random.random() == env.np_random.random()


def test_state_is_a_copy() -> None:
    env = make_vec(IDS[0], 2)
    env.reset(seed=1)
    state, levels = env.get_state(), env.games.level
    walk(env, 4)
    assert env.get_state() != state
    env.set_state(state)
    np.testing.assert_array_equal(env.games.level, levels)
    assert env.get_state() == state


def test_state_of_strategies_is_refused_by_random_robots() -> None:
    envs = [make(IDS[3], levels="robots/races/6", strategies=name) for name in ("hints", "random")]
    for env in envs:
        env.reset(seed=1)
    for one, other in (envs, envs[::-1]):
        with pytest.raises(gp.GridproofError, match="the state is one of an environment with other levels"):
            one.set_state(other.get_state())


def test_state_before_reset() -> None:
    env = make(IDS[1])
    state = env.get_state()
    env.reset(seed=1)
    env.set_state(state)
    assert env.get_state() == state
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_state_can_be_set_in_equal_environment() -> None:
    one, two = make(IDS[1]), make(IDS[1])
    one.reset(seed=1)
    two.set_state(one.get_state())
    assert two.position == one.position
    np.testing.assert_equal(walk(two, 4), walk(one, 4))


def test_state_of_another_environment_is_refused() -> None:
    env = make(IDS[1])
    env.reset(seed=1)
    before = env.get_state()
    for state in (make(IDS[2]).get_state(), make_vec(IDS[1], 2).get_state()):
        with pytest.raises(
            gp.GridproofError, match="the state is one of an environment with other levels or options"
        ):
            env.set_state(state)
    with pytest.raises(gp.GridproofError, match="a state of an environment is needed, not None"):
        env.set_state(None)
    assert env.get_state() == before
    assert before != "before"
    env.close()
    with pytest.raises(gp.GridproofError, match="the environment is closed"):
        env.set_state(before)


def middle(env: Any) -> Any:
    """Return a position in the middle of a game."""
    env.reset(seed=3)
    for _ in range(2):
        env.step(env.action_masks().argmax())
    return env.position


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), CASES)
def test_reset_to_a_position(name: str, options: dict[str, Any]) -> None:
    env, envs = make(name, **options), make_vec(name, 3, **options)
    position = middle(env)
    level = env.games.levels.index(position.level)
    seen, info = env.reset(seed=1, options={"position": position})
    assert env.position == position
    assert info["level"] == level
    if "Robots" not in name:  # whose mask is its rule's list
        legal = [str(action) for action in position.actions()]
        assert [env.actions[place] for place in np.flatnonzero(info["action_mask"])] == legal
    np.testing.assert_equal(
        observe(position), make(name, levels=[position.level]).reset(options={"position": position})[0]
    )
    start = position.level.start(7)
    seen_of_all, infos = envs.reset(seed=1, options={"position": [position, start, position]})
    np.testing.assert_equal(seen_of_all[0], seen)
    np.testing.assert_equal(infos["action_mask"][0], info["action_mask"])
    assert [envs.position(number) for number in range(3)] == [position, start, position]
    for _ in range(5):
        action = env.action_masks().argmax()
        one, many = env.step(action), envs.step(np.array([action, 0, 0]))
        np.testing.assert_equal(many[0][0], one[0])
        assert (many[1][0], many[2][0], many[3][0]) == one[1:4]
        if one[2] or one[3]:
            break
    envs.reset(options={"position": position, "reset_mask": np.array([False, True, False])})
    assert envs.position(1) == position
    env.reset()
    envs.close()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", IDS)
def test_observe_agrees_with_environment(name: str, kind: str) -> None:
    position = middle(make(name))
    env = make(name, levels=[position.level], observation=kind)
    np.testing.assert_equal(observe(position, kind), env.reset(options={"position": position})[0])
    if "Robots" in name:  # it has forgotten what it was told before
        return
    level = position.level
    for action in (None, *position.actions()):
        after = position if action is None else position.step(action, gp.Rng(1)).position
        env.reset(options={"position": position})
        if action is not None and len([*position.outcomes(action)]) == 1:
            seen = env.step(env.actions.index(str(action)))[0]
            np.testing.assert_equal(observe(after, kind), seen)
    np.testing.assert_equal(observe(level.start(0), kind), observe(level.start(0), kind))


def test_observe_works_by_rules_and_for_plug_ins() -> None:
    position = gp.level("null/first/1").start()
    assert observe(position, "text") == position.text()
    np.testing.assert_equal(observe(position), GridEnv("null", [position.level]).reset()[0])


def test_reset_to_a_won_position_ends_with_the_first_step() -> None:
    trace: Any = gp.solve("sokoban/first-steps/1").trace
    env = GridEnv("sokoban", "sokoban/first-steps/1")
    _, info = env.reset(options={"position": trace.replay()})
    assert not info["action_mask"].any()
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated, info["illegal"], info["won"]) == (0, True, True, True)


def test_wrong_positions_are_refused() -> None:
    env, envs = make(IDS[1]), make_vec(IDS[1], 2)
    env.reset(seed=1)
    envs.reset(seed=1)
    position = env.position
    other = gp.level("sokoban/bombs/1").start()
    for options, message in (
        (
            {"position": other},
            "the position is of none of the environment's levels: name its level by levels=...",
        ),
        ({"position": 3}, "a position is needed, not int"),
        ({"position": position, "level": 1}, "a position says its level: leave out the option level"),
        ({"positions": position}, "no option 'positions' of reset: there are level and position"),
    ):
        with pytest.raises(gp.GridproofError, match=message):
            env.reset(options=options)
    assert env.position == position
    for options, message in (
        ({"position": [position]}, "1 positions are given for 2 games"),
        ({"position": [position, None]}, "a position is needed, not NoneType"),
        ({"positions": position}, "no option 'positions' of reset: there are level, position and reset_mask"),
    ):
        with pytest.raises(gp.GridproofError, match=message):
            envs.reset(options=options)
    with pytest.raises(gp.GridproofError, match="a position is needed, not str"):
        observe("position")  # type: ignore[arg-type]  # on purpose
    with pytest.raises(gp.GridproofError, match="no observation 'smell': there are symbols, planes, text"):
        observe(position, "smell")
    with pytest.raises(gp.GridproofError, match="a recorder keeps games from the starts of their levels"):
        recording.Recorder(envs).reset(options={"position": position})
