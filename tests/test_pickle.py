"""Games, packs, levels, positions, traces and sessions go to other processes, and are copied deeply."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import gridproof as gp
from gridproof.core.registry import game as game_named
from gridproof.core.text.level_lookup import builtin_pack, pack_names

GAMES = (*gp.game_names(), "null")
WAYS: dict[str, Callable[[Any], Any]] = {
    "pickled": lambda value: pickle.loads(pickle.dumps(value)),
    "copied": copy.deepcopy,
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("name", GAMES)
def test_values_of_every_game_can_be_pickled(name: str, way: Callable[[Any], Any]) -> None:
    game = game_named(name)
    assert way(game) is game
    level = builtin_pack(game, pack_names(game)[0])[0]
    position = level.start(1)
    game.look.board(position)  # whatever is remembered for later goes along or not
    actions = position.actions()
    outcomes = tuple(outcome for action in actions for outcome in position.outcomes(action))
    for value in (gp.Pack([level]), level, position, actions, outcomes, level.certificate):
        again = way(value)
        assert again == value
        assert type(again) is type(value)
    assert way(position).actions() == actions
    assert hash(way(position)) == hash(position)


class Watching:
    """A viewer that nobody can pickle."""

    def __init__(self) -> None:
        self.changes = 0
        self.only_here = lambda: None

    def changed(self, session: gp.Session, change: object) -> None:
        self.changes += 1


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("name", GAMES)
def test_copied_session_is_independent(name: str, way: Callable[[Any], Any]) -> None:
    session, viewer = (
        gp.Session(builtin_pack(game_named(name), pack_names(game_named(name))[0]), seed=7),
        Watching(),
    )
    session.attach(viewer)
    session.act(session.position.actions()[0])
    if not session.position.ended:
        session.act(session.position.actions()[0])
        session.undo()
    changes = viewer.changes
    twin = way(session)
    for what in ("position", "history", "score", "high_score", "actions_done", "actions_undone", "current"):
        assert getattr(twin, what) == getattr(session, what), what
    assert twin.trace() == session.trace()
    assert twin.game is session.game
    actions = twin.position.actions()
    if actions:
        there, here = twin.act(actions[0]), session.act(actions[0])
        assert there == here  # chance goes on alike
        assert viewer.changes == changes + 1
    twin.restart()
    assert session.actions_done != 0 or not actions


def test_pickled_session_has_no_store() -> None:
    class Refusing:
        def high_score(self, key: str) -> int:
            return 0

        def keep(self, *arguments: object) -> None:
            raise OSError("nothing is kept")

    session = gp.Session(gp.levels_at("null/first"), store=Refusing())
    with pytest.raises(OSError, match="nothing is kept"):
        session.act("left")
    twin = pickle.loads(pickle.dumps(session))
    twin.act("left")
    assert (twin.actions_done, session.actions_done) == (1, 0)


@pytest.mark.slow
def test_session_can_be_sent_to_another_process() -> None:
    session = gp.Session(gp.levels_at("twenty48/standard"), seed=3)
    session.act(session.position.actions()[0])
    program = (
        "import pickle, sys\nsession = pickle.load(sys.stdin.buffer)\n"
        "session.act(session.position.actions()[0])\nprint(session.position.text(), end='')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=pickle.dumps(session),
        capture_output=True,
        check=True,
        timeout=600,
    )
    session.act(session.position.actions()[0])
    assert done.stdout.decode() == session.position.text()
