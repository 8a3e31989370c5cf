"""Users' own players: functions, classes, files, and saved policies."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import gridproof as gp
from gridproof.agents import policy as policies
from gridproof.agents.demos import OWN_PLAYERS, demos, find_demo
from gridproof.agents.evaluation import play
from gridproof.agents.own_player import is_reference

LEVEL = "sokoban/first-steps/1"
CODE = """
import random

def play(position):
    return position.actions()[-1]

def text(position):
    return str(position.actions()[-1])

def wrong(position):
    return "jump"

def fails(position):
    return {}["missing"]

number = 3

class Drawer:
    def __init__(self, game, seed=0):
        self.random = random.Random(seed)

    def __call__(self, position):
        return self.random.choice(position.actions())

    def values(self, position):
        return {str(action): 0.5 for action in position.actions()}

class Fails:
    def __init__(self, game):
        raise KeyError("missing")
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "my.py"
    path.write_text(CODE)
    return str(path)


def last(position: Any) -> Any:
    return position.actions()[-1]


def test_own_player_is_a_function_a_file_or_a_module(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    position = gp.level(LEVEL).start()
    monkeypatch.chdir(Path(file).parent)
    monkeypatch.delitem(sys.modules, "my", raising=False)  # another test's, and its folder
    monkeypatch.setattr(sys, "path", [one for one in sys.path if not (Path(one) / "my.py").exists()])
    for name in (last, f"{file}:play", file, f"{file}:text", "my:play", "my.py:text"):
        chooses = gp.player("sokoban", name)
        assert chooses(position) == last(position)
        assert chooses.values(position) == {one: float(one == last(position)) for one in position.actions()}
    assert repr(gp.player("sokoban", last)) == "<Player last>"
    sys.modules.pop("my", None)


def test_own_class_gets_game_and_options(file: str) -> None:
    position = gp.level("twenty48/positions/1").start()
    chooses = gp.player("twenty48", f"{file}:Drawer", seed=3)
    assert set(chooses.values(position).values()) == {0.5}
    assert chooses(position) in position.actions()
    with pytest.raises(gp.GridproofError, match=r"my.py:Drawer has no option 'depth': it has seed$"):
        gp.player("twenty48", f"{file}:Drawer", depth=3)
    with pytest.raises(gp.GridproofError, match=r"the player last has no option 'seed'$"):
        gp.player("twenty48", last, seed=3)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("my.py:wrong", "my.py:wrong chose 'jump', which is no action here; there are "),
        ("my.py:fails", r"my.py:fails failed: KeyError: 'missing' \(my.py, line 14\)"),
        ("my.py:Fails", r"my.py:Fails failed: KeyError: 'missing' \(my.py, line 30\)"),
        ("my.py:none", "my.py has no 'none'"),
        ("my.py:number", "my.py:number is no player: it cannot be called with a position"),
        ("none.py:play", "none.py: no such file"),
        ("no.such.module:play", "no.such.module:play: No module named 'no'"),
        (
            "broken.py:play",
            r"broken.py cannot be imported: ZeroDivisionError: division by zero \(broken.py, line 1\)",
        ),
        ("none.zip", "none.zip: no such file"),
        ("my.zip", "my.zip: "),
    ],
)
def test_own_player_that_cannot_play_is_refused(
    name: str, message: str, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(file).parent)
    Path("broken.py").write_text("1 / 0")
    Path("my.zip").write_text("")
    with pytest.raises(gp.GridproofError, match=message):
        gp.player("sokoban", name)(gp.level(LEVEL).start())


def test_own_player_is_evaluated_with_a_seed_of_each_game(file: str) -> None:
    level = gp.levels_at("shiftit/boards/4")[0]
    for name in (last, f"{file}:play"):
        assert play(level, name, 1, 5).actions == 5
    first, second = (play(level, f"{file}:Drawer", 4, 200) for _ in range(2))
    assert (first.won, first.actions) == (second.won, second.actions)
    assert len({play(level, f"{file}:Drawer", seed, 200).actions for seed in range(6)}) > 1


def test_own_players_of_the_process_are_demos(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OWN_PLAYERS, f"{file}:play, twenty48={file}:Drawer")
    assert f"{file}:play" in demos(gp.game("sokoban"))
    assert f"{file}:Drawer" not in demos(gp.game("sokoban"))
    level = gp.level("twenty48/positions/1")
    action, _ = next(demos(level.game)[f"{file}:Drawer"](level, 1))
    assert action in level.start().actions()


def test_demos_of_clients_are_no_references(file: str) -> None:
    assert is_reference(f"{file}:play")
    with pytest.raises(gp.GridproofError, match="sokoban has no player"):
        find_demo(gp.game("sokoban"), f"{file}:play")


@pytest.mark.parametrize(("kind", "shape"), [("symbols", (7, 7)), ("planes", (7, 7, 7))])
@pytest.mark.parametrize("masked", [False, True])
def test_policy_gets_the_observation_of_its_space(
    kind: str, shape: tuple[int, ...], masked: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen: list[Any] = []

    def score(observation: Any) -> Any:
        seen.append(observation)
        return np.array([0.0, 3.0, 2.0, 1.0])

    position = gp.level("sokoban-easy/1").start()
    board = SimpleNamespace(shape=shape)
    space = SimpleNamespace(spaces={"observation": board, "action_mask": None}) if masked else board
    monkeypatch.setattr(policies, "_load_stable_baselines", lambda path, changed: (space, score))
    path = tmp_path / "ppo.zip"
    path.touch()
    chooses = gp.player("sokoban", str(path))
    values = chooses.values(position)
    assert chooses(position) == max(values, key=values.__getitem__)
    assert (seen[0]["observation"] if masked else seen[0]).shape == shape
    if masked:
        legal = {str(action) for action in position.actions()}
        texts = [str(action) for action in position.level.all_actions()]
        assert [texts[place] for place in np.flatnonzero(seen[0]["action_mask"])] == [
            text for text in texts if text in legal
        ]
    with pytest.raises(gp.GridproofError, match=r"observes .*, but symbols of this level are \("):
        chooses(gp.level(LEVEL).start())
    with pytest.raises(
        gp.GridproofError, match="no observation 'smell' of policies: there are symbols, planes"
    ):
        gp.player("sokoban", str(path), observation="smell")


@pytest.mark.slow
def test_policy_of_robots_sends_requests_of_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A stub that prefers late numbers, on the board as the environment with `robot="all"` shows it."""
    seen: list[Any] = []

    def score(observation: Any) -> Any:
        seen.append(observation)
        return np.arange(14.0)

    space = SimpleNamespace(spaces={"observation": SimpleNamespace(shape=(5, 5, 2)), "action_mask": None})
    monkeypatch.setattr(policies, "_load_stable_baselines", lambda path, changed: (space, score))
    path = tmp_path / "ppo.zip"
    path.touch()
    level = gp.level("robots-easy/1")
    assert gp.player("robots", str(path))(level.start()) == level.start().actions()[-1]
    assert np.flatnonzero(seen[0]["action_mask"])[-1] == 8
    assert play(level, str(path), 1, 3).actions == 3
    monkeypatch.delattr("gridproof.games.robots.env.RobotsEnvs.joint")
    with pytest.raises(gp.GridproofError, match="a policy of robots cannot play"):
        gp.player("robots", str(path))
