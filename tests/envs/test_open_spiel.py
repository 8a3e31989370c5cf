"""Games of OpenSpiel: its own checks and algorithms, and the rules; skipped where it is not (`make test-openspiel` brings it)."""

from __future__ import annotations

import importlib
import math
import pickle
import random
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import gridproof as gp
from gridproof.core.errors import GridproofError
from gridproof.core.position import Outcome, Position
from gridproof.envs import observe
from gridproof.games.robots.env.observation import encode_planes

pyspiel: Any = pytest.importorskip("pyspiel", reason="`make test-openspiel` brings OpenSpiel")
merge_outcomes: Any = pytest.importorskip("gridproof.envs.open_spiel").merge_outcomes


@pytest.fixture
def value_iteration(monkeypatch: pytest.MonkeyPatch) -> Any:
    name = "open_spiel.python.algorithms.lp_solver"  # for simultaneous moves; it needs packages that are not here
    monkeypatch.setitem(sys.modules, name, ModuleType(name))
    return importlib.import_module("open_spiel.python.algorithms.value_iteration").value_iteration


GAMES = ["sokoban", "shiftit", "robots", "twenty48"]


def load(game: str, level: str = "", **parameters: Any) -> Any:
    return pyspiel.load_game(f"gridproof_{game}", parameters | ({"level": level} if level else {}))


@pytest.mark.parametrize("name", GAMES)
def test_openspiel_checks_accept_games(name: str) -> None:
    pyspiel.random_sim_test(
        load(name, max_actions=30), num_sims=2, serialize=True, verbose=False
    )  # or it raises


@pytest.mark.parametrize("name", GAMES)
def test_openspiel_game_has_the_registered_type(name: str) -> None:
    assert f"gridproof_{name}" in pyspiel.registered_names()
    game = pyspiel.load_game(f"gridproof_{name}")
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    kind, modes = game.get_type(), pyspiel.GameType.ChanceMode
    assert kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    assert kind.chance_mode == (modes.EXPLICIT_STOCHASTIC if name == "twenty48" else modes.DETERMINISTIC)
    assert (game.max_chance_outcomes() > 0) == (name == "twenty48")


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("sokoban", "sokoban/bombs/1"),
        ("shiftit", "shiftit/boards/6"),
        ("robots", "robots/races/6"),
        ("twenty48", "twenty48/standard/1"),
    ],
)
def test_openspiel_states_agree_with_rules(name: str, level: str) -> None:
    rng, state = random.Random(1), load(name, level, max_actions=60).new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            before, waiting = state.moment.position, state.moment.waiting
            expected = merge_outcomes(before.outcomes(waiting) if before else gp.level(level).starts())
            check_chances(state, expected)
            number = rng.choice(state.legal_actions())
            state.apply_action(number)
            assert state.position == expected[number].position
            continue
        actor = gp.game(name).actors(gp.level(level))[state.current_player()]
        position, numbers = state.position, state.legal_actions()
        texts = [state.action_to_string(number) for number in numbers]
        assert sorted(texts) == sorted(map(str, position.actions(actor)))
        number = rng.choice(numbers)
        check_child(state, position, number)
        state.apply_action(number)


def check_chances(state: Any, expected: Sequence[Outcome[Any]]) -> None:
    """Check that chance has the rules' outcomes, with their probabilities."""
    chances = [probability for _, probability in state.chance_outcomes()]
    assert sum(one.probability for one in expected) == 1
    assert [Fraction(one).limit_denominator(10**6) for one in chances] == [
        one.probability for one in expected
    ]
    assert len(chances) <= state.get_game().max_chance_outcomes()


def check_child(state: Any, position: Position[Any], number: int) -> None:
    """Check that a child has the rules' outcome, or is a chance node; its parent does not change."""
    expected = merge_outcomes(position.outcomes(state.action_to_string(number)))
    child = state.child(number)
    assert state.position == position
    assert child.is_chance_node() == (len(expected) > 1)
    if len(expected) == 1:
        assert child.position == expected[0].position


def test_openspiel_returns_are_the_score() -> None:
    rng, state = random.Random(2), load("twenty48", max_actions=40).new_initial_state()
    score = 0
    while not state.is_terminal():
        number, moment = rng.choice(state.legal_actions()), state.moment
        if moment.waiting is not None:
            score += moment.chances[number].reward
        state.apply_action(number)
        assert state.returns() == [score]
    assert (score > 0, state.moment.actions) == (True, 40)


def test_openspiel_outcomes_with_one_position_are_merged() -> None:
    position = gp.position(
        "robots 4x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na ? . B\nb . . A\n"
    )
    hints = [*position.outcomes("a:walk(1,0)")]
    assert len(hints) > 1
    (merged,) = merge_outcomes(hints)
    assert (merged.position, merged.probability) == (hints[0].position, 1)
    starts = [*gp.level("twenty48/standard/1").starts()]
    assert list(merge_outcomes(starts)) == starts


@pytest.mark.clause("R25", "R32")
def test_openspiel_robots_take_turns_until_one_is_home() -> None:
    level: Any = gp.level("robots/duels/1")
    game, rng = load("robots", "robots/duels/1"), random.Random(3)
    winners = set()
    for _ in range(6):
        state = game.new_initial_state()
        while not state.is_terminal():
            player, position = state.current_player(), state.position
            state.apply_action(rng.choice(state.legal_actions()))
            can_act = [one for one in (1 - player, player) if state.position.actions(level.names[one])]
            assert state.is_terminal() or state.current_player() == can_act[0]
            assert position.status is gp.Status.PLAYING
        won = state.position.winners
        assert state.returns() == state.rewards() == [1.0 if name in won else -1.0 for name in level.names]
        winners |= set(won)
    assert winners == {"a", "b"}


@pytest.mark.parametrize("name", ["sokoban", "shiftit", "twenty48"])
def test_openspiel_observation_is_that_of_environments(name: str) -> None:
    game = load(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        assert not any(state.observation_tensor(0))
        state.apply_action(0)
    expected = observe(state.position, "planes")
    np.testing.assert_array_equal(
        np.reshape(state.observation_tensor(0), game.observation_tensor_shape()), expected
    )
    assert state.observation_string(0) == state.position.text()


def test_openspiel_robots_see_the_whole_board_and_the_turn() -> None:
    game = load("robots", "robots/duels/1")
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    observer = game.make_py_observer()
    for player in (0, 1):
        observer.set_from(state, player)
        np.testing.assert_array_equal(observer.dict["board"], encode_planes(state.position, player))
        assert observer.dict["turn"].argmax() == (state.current_player() - player) % 2
        np.testing.assert_array_equal(state.observation_tensor(player), observer.tensor)


def test_openspiel_value_iteration_finds_the_exact_chance(tmp_path: Path, value_iteration: Any) -> None:
    path = tmp_path / "board.2048"
    path.write_text("2048 2x2 target=32 spawn=classic\n2 2\n4 0\n")
    game = load("twenty48", str(path), reward="win", ends_at_win=True)
    values = value_iteration(game, -1, 1e-12, cyclic_game=True)
    exact = gp.value(gp.read(path)[0], "won").best
    assert 0 < exact < 1
    assert (values[str(game.new_initial_state())] + 1) / 2 == pytest.approx(float(exact))


def test_openspiel_value_iteration_agrees_with_proofs(tmp_path: Path, value_iteration: Any) -> None:
    path = tmp_path / "room.xsb"
    path.write_text("######\n#@ $.#\n#    #\n######\n")
    game = load("sokoban", str(path), max_actions=10**6)
    values = value_iteration(game, -1, 1e-9, cyclic_game=True)
    level = gp.read(path)[0]
    for text, value in values.items():
        winnable = gp.check(level.position(text), "EF won").holds
        assert (value == 1.0) == winnable
    assert len(values) == gp.explore(level).states


def test_openspiel_parameters_choose_reward_and_end() -> None:
    game = load("shiftit", "shiftit/boards/6", reward="moves", max_actions=3)
    assert (game.min_utility(), game.max_utility(), game.max_game_length()) == (-3.0, 0.0, 3)
    state = game.new_initial_state()
    for _ in range(3):
        assert not state.is_terminal()
        state.apply_action(state.legal_actions()[0])
    assert (state.is_terminal(), state.returns(), state.rewards()) == (True, [-3.0], [-1.0])
    assert load("sokoban", reward="boxes").max_utility() == math.inf


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"level": "nowhere/1"}, "nowhere/1"),
        ({"max_actions": 0}, "max_actions"),
        ({"reward": "gold"}, "no reward 'gold'"),
        ({"level": "shiftit/boards/6"}, "levels of sokoban are needed"),
    ],
)
def test_openspiel_refuses_wrong_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(GridproofError, match=message):
        load("sokoban", **parameters)
